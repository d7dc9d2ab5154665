// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crosswarp {

/// What stopped a command from outside, when something did. `memory_limit` is also said when only a child was killed for
/// memory and the command itself went on to any exit code.
enum class Stopped { no, time_limit, memory_limit, process_limit, cancelled };

}  // namespace crosswarp
