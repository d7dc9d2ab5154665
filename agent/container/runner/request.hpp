// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace crosswarp::runner {

/// Start a command; one at a time.
struct RunRequest {
  std::int64_t id = 0;
  std::vector<std::string> argv;         ///< not empty
  std::vector<std::string> environment;  ///< "NAME=value"; nothing else is passed
  std::string cwd = "/";
  std::chrono::milliseconds time{0};
  std::uint64_t memory_bytes = 0;  ///< 0: none of its own
  int processes = 0;               ///< threads count; 0: none of its own
};

/// End the command with this id at once; ignored when it is not the running one.
struct KillRequest {
  std::int64_t id = 0;
};

using Request = std::variant<RunRequest, KillRequest>;

/// Reads one line of the agent: {"id","argv","env","cwd","time_seconds","memory_bytes","processes"} or {"kill": id}.
/// Errors: invalid_argument naming what is wrong.
Result<Request> parse_request(std::string_view line);

}  // namespace crosswarp::runner
