// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace crosswarp::cli {

/// Scripts that complete commands and options of `root` in a shell, made from the command line itself so that they
/// cannot differ from it. What follows an option or command is completed as a file name.
std::string bash_completion(const CLI::App& root);
std::string zsh_completion(const CLI::App& root);
std::string fish_completion(const CLI::App& root);

}  // namespace crosswarp::cli
