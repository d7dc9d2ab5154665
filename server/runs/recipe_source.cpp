// SPDX-License-Identifier: Apache-2.0
#include "server/runs/recipe_source.hpp"

#include "matrix/base/combination.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace crosswarp::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kByteLimit = std::size_t{4} << 20;
constexpr std::size_t kFileLimit = 256;
constexpr const char* kShared = "common";

/// A name of a folder, and nothing that leads elsewhere.
bool is_plain(const std::string& name) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), allowed);
}

bool is_hidden(const fs::path& path) {
  const auto name = path.filename().string();
  return name.starts_with('.') || name == "__pycache__";
}

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// The plain files of `root`/`name`, links and hidden ones left out; stops soon after the bound on their number.
std::vector<fs::path> files_below(const fs::path& root, const std::string& name) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at(root / name, ignored), end; at != end && paths.size() <= kFileLimit;
       at.increment(ignored)) {
    if (is_hidden(at->path())) {
      if (at->is_directory()) at.disable_recursion_pending();
      continue;
    }
    if (at->is_regular_file() && !at->is_symlink()) paths.push_back(at->path());
  }
  return paths;
}

Error too_large(const std::string& name) {
  return {ErrorCode::too_large, "recipe \"" + name + "\" is larger than 4 MiB or has more than 256 files"};
}

std::string hash_of(const std::vector<RecipeFile>& files) {
  std::string text;
  for (const auto& file : files) text += file.sha256 + ' ' + file.path + '\n';
  return sha256_hex(text);
}

Result<RecipeFiles> read_from(const fs::path& root, const std::string& name) {
  RecipeFiles recipe;
  auto paths = files_below(root, name);
  for (auto& path : files_below(root, kShared)) paths.push_back(std::move(path));
  std::size_t size = 0;
  for (const auto& path : paths) {
    std::error_code failure;
    size += fs::file_size(path, failure);
    if (failure || size > kByteLimit || paths.size() > kFileLimit) return too_large(name);
    auto bytes = read_bytes(path);
    auto sha256 = sha256_hex(bytes);
    recipe.files.push_back({fs::relative(path, root).generic_string(), std::move(bytes), std::move(sha256)});
  }
  std::sort(recipe.files.begin(), recipe.files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  recipe.hash = hash_of(recipe.files);
  recipe.yaml = read_bytes(root / name / "recipe.yaml");
  return recipe;
}

}  // namespace

Result<RecipeFiles> RecipeSource::read(const std::string& name) const {
  for (const auto& folder : folders_)
    if (is_plain(name) && fs::is_regular_file(folder / name / "recipe.yaml")) return read_from(folder, name);
  std::string known;
  for (const auto& one : names()) known += (known.empty() ? "" : ", ") + one;
  return Error{ErrorCode::not_found, "no recipe \"" + name + "\"; known: " + (known.empty() ? "none" : known)};
}

std::vector<std::string> RecipeSource::names() const {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& folder : folders_)
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (fs::is_regular_file(entry.path() / "recipe.yaml")) names.insert(entry.path().filename().string());
  return {names.begin(), names.end()};
}

}  // namespace crosswarp::runs
