// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/environment.hpp"
#include "matrix/base/error.hpp"

#include <filesystem>
#include <string>

namespace crosswarp::cli {

/// Programs that jobs find in their PATH; empty: uv from PATH, gpu-smoke from beside the running program.
struct ToolPaths {
  std::filesystem::path uv;
  std::filesystem::path gpu_smoke;
};

/// Fills what is empty. Errors: unavailable, saying what to install or which option names it.
Result<ToolPaths> find_tools(ToolPaths given, const Environment& environment);

/// Puts the programs into `<state>/tools` under their names, replacing older ones in one step; answers that folder.
/// Hard links where the file system allows, else copies. Errors: unavailable with the system's words.
Result<std::filesystem::path> lay_out_tools(const std::filesystem::path& state, const ToolPaths& tools);

}  // namespace crosswarp::cli
