// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands.hpp"

#include <memory>

namespace crosswarp::cli {

/// The whole command line; parsing it sets `chosen`, which must outlive it.
std::unique_ptr<CLI::App> make_command_line(Action& chosen);

/// Parses and runs; help goes to standard output, mistakes to standard error.
int run_command_line(int count, const char* const* words);

}  // namespace crosswarp::cli
