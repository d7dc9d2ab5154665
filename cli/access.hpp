// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/client/client.hpp"
#include "cli/environment.hpp"
#include "matrix/base/error.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace crosswarp::cli {

/// Where the server is and by what right it is asked, as given on the command line.
struct Access {
  std::string server;      ///< empty: $CROSSWARP_URL, else http://127.0.0.1:8080
  std::string token_file;  ///< empty: $CROSSWARP_TOKEN, else the file `token` in config_dir()
};

/// Adds --server and --token-file. There is no option for a token itself: command lines are seen by everybody.
void add_access_options(CLI::App& command, Access& access);

/// Errors: invalid_argument saying what a server address looks like.
Result<ServerUrl> server_of(const Access& access, const Environment& environment);

/// The token; empty where there is none, which is enough to read from a public server.
/// Errors: invalid_argument for a file that cannot be read or does not hold one token.
Result<std::string> token_of(const Access& access, const Environment& environment);

}  // namespace crosswarp::cli
