// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <filesystem>
#include <utility>

namespace crosswarp::cli {

/// Keeps a folder to one process: two agents in one state folder would sweep away one another's jobs. Given up when
/// this dies, however the process ends.
class FolderLock {
 public:
  /// Makes the folder where it is absent. Errors: conflict when another process holds it; unavailable with the
  /// system's words.
  static Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace crosswarp::cli
