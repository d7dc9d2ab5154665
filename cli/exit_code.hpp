// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crosswarp::cli {

/// What a command answers to the shell.
enum ExitCode : int {
  kYes = 0,      ///< done, or the answer is yes
  kNo = 1,       ///< the answer is no
  kUsage = 2,    ///< the command or its input is wrong; nothing was done
  kUnknown = 3,  ///< could not tell: server away, not allowed, environment at fault
};

}  // namespace crosswarp::cli
