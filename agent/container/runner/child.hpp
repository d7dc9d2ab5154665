// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/runner/request.hpp"

#include <sys/types.h>

namespace crosswarp::runner {

/// A command just started: its process, leader of a session of its own, and the reading end (non-blocking) of the one
/// pipe that takes its standard output and error.
struct Child {
  pid_t pid = -1;
  int output = -1;
};

/// Starts the command with standard input from /dev/null and no other file of this process open. Where the program
/// cannot be started the child says so on its standard error and ends with 127, as a shell does.
/// Errors: unavailable when no pipe or process can be had.
Result<Child> start_child(const RunRequest& request);

}  // namespace crosswarp::runner
