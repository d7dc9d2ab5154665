// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crosswarp::smoke {

constexpr int kExitPassed = 0;
constexpr int kExitFault = 1;
constexpr int kExitUsage = 2;
constexpr int kExitNotRun = 3;  // a file that cannot be read, no device: never a pass

}  // namespace crosswarp::smoke
