// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu-smoke/support/result.hpp"

namespace crosswarp::smoke {

struct Operation {
  const char* name;
  const char* least_hardware;
};

/// Every operation of the suite.
const std::vector<Operation>& operations();

struct RunOptions {
  bool json = false;
  bool list = false;
  int device = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> ops;  // never empty: all of them unless some were named
};

/// Reads the arguments behind `gpu-smoke run`. Error: an unknown option or operation, a number that is none.
Result<RunOptions> parse_run_options(const std::vector<std::string>& arguments);

}  // namespace crosswarp::smoke
