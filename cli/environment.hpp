// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::cli {

using Environment = std::map<std::string, std::string, std::less<>>;

/// The variables of this process.
Environment process_environment();

/// The value of `name`; empty where it is unset.
std::string variable(const Environment& environment, std::string_view name);

/// $XDG_CONFIG_HOME/crosswarp, else ~/.config/crosswarp; empty where neither variable is set.
std::filesystem::path config_dir(const Environment& environment);

/// $XDG_STATE_HOME/crosswarp, else ~/.local/state/crosswarp, else /var/lib/crosswarp.
std::filesystem::path state_dir(const Environment& environment);

/// The folder of the running program.
std::filesystem::path program_dir();

/// The first program `name` in the folders of PATH, as an absolute path without links; empty where there is none.
std::filesystem::path find_program(const Environment& environment, std::string_view name);

/// Folders of recipes: `given`, else those of $CROSSWARP_LIBRARIES (separated by colons), else the one that came with
/// the program: ../share/crosswarp/libraries, or `libraries` in a folder above it.
std::vector<std::filesystem::path> library_dirs(const std::vector<std::filesystem::path>& given,
                                                const Environment& environment,
                                                const std::filesystem::path& program_dir);

/// What package indexes, proxies and certificates need of the agent's environment, for stages that fetch: UV_* (but
/// not the cache, which is the agent's), PIP_*, *_PROXY in either case, SSL_CERT_FILE, SSL_CERT_DIR,
/// REQUESTS_CA_BUNDLE.
std::map<std::string, std::string> fetch_variables(const Environment& environment);

}  // namespace crosswarp::cli
