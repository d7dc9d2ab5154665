// SPDX-License-Identifier: Apache-2.0
#include "cli/tools.hpp"

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

Result<fs::path> existing(const fs::path& program, const std::string& help) {
  std::error_code failure;
  if (program.empty()) return Error{ErrorCode::unavailable, help};
  if (!fs::is_regular_file(program, failure)) {
    return Error{ErrorCode::unavailable, program.string() + ": no such program; " + help};
  }
  return fs::canonical(program);
}

void put(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  if (fs::equivalent(from, to, failure)) return;
  fs::path fresh = to;
  fresh += ".new";
  fs::remove(fresh);
  fs::create_hard_link(from, fresh, failure);
  if (failure) fs::copy_file(from, fresh);
  fs::rename(fresh, to);
}

}  // namespace

Result<ToolPaths> find_tools(ToolPaths given, const Environment& environment) {
  const fs::path uv = given.uv.empty() ? find_program(environment, "uv") : given.uv;
  const fs::path smoke = given.gpu_smoke.empty() ? program_dir() / "gpu-smoke" : given.gpu_smoke;
  Result<fs::path> found_uv = existing(uv, "uv is not in PATH: install it (`pip install uv`), or name it by --uv");
  if (!found_uv) return found_uv.error();
  Result<fs::path> found_smoke = existing(smoke, "gpu-smoke is built with crosswarp; name it by --gpu-smoke");
  if (!found_smoke) return found_smoke.error();
  return ToolPaths{std::move(*found_uv), std::move(*found_smoke)};
}

Result<fs::path> lay_out_tools(const fs::path& state, const ToolPaths& tools) {
  const fs::path folder = state / "tools";
  try {
    fs::create_directories(folder);
    put(tools.uv, folder / "uv");
    put(tools.gpu_smoke, folder / "gpu-smoke");
  } catch (const fs::filesystem_error& error) {
    return Error{ErrorCode::unavailable, error.what()};
  }
  return folder;
}

}  // namespace crosswarp::cli
