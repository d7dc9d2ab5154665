// SPDX-License-Identifier: Apache-2.0
#include "cli/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

fs::path user_dir(const Environment& environment, std::string_view xdg, std::string_view below_home) {
  if (const std::string dir = variable(environment, xdg); !dir.empty()) return fs::path(dir) / "crosswarp";
  if (const std::string home = variable(environment, "HOME"); !home.empty()) return fs::path(home) / below_home;
  return {};
}

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool holds_recipes(const fs::path& folder) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (fs::is_regular_file(entry.path() / "recipe.yaml", failure)) return true;
  }
  return false;
}

}  // namespace

Environment process_environment() {
  Environment environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) environment[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  return environment;
}

std::string variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

fs::path config_dir(const Environment& environment) {
  return user_dir(environment, "XDG_CONFIG_HOME", ".config/crosswarp");
}

fs::path state_dir(const Environment& environment) {
  const fs::path dir = user_dir(environment, "XDG_STATE_HOME", ".local/state/crosswarp");
  return dir.empty() ? fs::path("/var/lib/crosswarp") : dir;
}

fs::path program_dir() {
  std::error_code failure;
  return fs::read_symlink("/proc/self/exe", failure).parent_path();
}

fs::path find_program(const Environment& environment, std::string_view name) {
  for (const std::string& folder : parts_of(variable(environment, "PATH"))) {
    const fs::path candidate = fs::path(folder) / name;
    std::error_code failure;
    if (fs::is_regular_file(candidate, failure) && ::access(candidate.c_str(), X_OK) == 0) {
      return fs::canonical(candidate, failure);
    }
  }
  return {};
}

std::vector<fs::path> library_dirs(const std::vector<fs::path>& given, const Environment& environment,
                                   const fs::path& program_dir) {
  if (!given.empty()) return given;
  std::vector<fs::path> dirs;
  for (const std::string& dir : parts_of(variable(environment, "CROSSWARP_LIBRARIES"))) dirs.emplace_back(dir);
  if (!dirs.empty()) return dirs;
  if (const fs::path shared = program_dir / "../share/crosswarp/libraries"; holds_recipes(shared)) {
    return {shared.lexically_normal()};
  }
  constexpr int kLevels = 4;  // build/<preset>/bin lies three below the tree that was built
  fs::path folder = program_dir;
  for (int level = 0; level < kLevels; ++level, folder = folder.parent_path()) {
    if (holds_recipes(folder / "libraries")) return {folder / "libraries"};
  }
  return {};
}

std::map<std::string, std::string> fetch_variables(const Environment& environment) {
  constexpr std::array<std::string_view, 3> kNames{"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"};
  std::map<std::string, std::string> chosen;
  for (const auto& [name, value] : environment) {
    const bool wanted = name.starts_with("UV_") || name.starts_with("PIP_") || name.ends_with("_PROXY") ||
                        name.ends_with("_proxy") || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
    if (wanted && name != "UV_CACHE_DIR" && name != "PIP_CACHE_DIR") chosen[name] = value;
  }
  return chosen;
}

}  // namespace crosswarp::cli
