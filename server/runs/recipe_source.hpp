// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace crosswarp::runs {

/// One file of a recipe: where it lies below the folder of all recipes, its bytes, and their SHA-256.
struct RecipeFile {
  std::string path;  ///< "triton/recipe.yaml", "common/load.py"
  std::string bytes;
  std::string sha256;
};

/// A recipe as it lies on disk now, with everything that its jobs need.
struct RecipeFiles {
  std::string yaml;               ///< of recipe.yaml
  std::string hash;               ///< over path and content of all files
  std::vector<RecipeFile> files;  ///< the recipe's own and those of `common/`, sorted by path
};

/// The folders in which recipes lie, one folder a recipe; the first that has it wins.
class RecipeSource {
 public:
  explicit RecipeSource(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// Reads a recipe. Blocks. Errors: not_found, naming the recipes that there are; too_large past 4 MiB or 256
  /// files.
  Result<RecipeFiles> read(const std::string& name) const;
  /// Names of all recipes, sorted.
  std::vector<std::string> names() const;

 private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace crosswarp::runs
