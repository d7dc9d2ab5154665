// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace crosswarp::db {

/// A system user.
struct User {
  uid_t uid = 0;
  gid_t gid = 0;
};

/// What to run, as whom, and where its output goes.
struct ChildCommand {
  std::vector<std::string> arguments;  ///< the program's absolute path first
  User user;
  std::filesystem::path output;        ///< stdout and stderr are appended here
};

/// Starts a process in a session of its own, so that Ctrl-C in the terminal does not reach it; it gets SIGINT when the
/// thread that started it ends. Errors: unavailable when the system has no room for it.
Result<pid_t> start_child(const ChildCommand& command);

/// Waits for the end of a child; its exit status, or 128 + the signal that ended it.
int wait_for_child(pid_t process);

}  // namespace crosswarp::db
