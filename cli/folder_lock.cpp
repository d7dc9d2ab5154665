// SPDX-License-Identifier: Apache-2.0
#include "cli/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace crosswarp::cli {

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return Error{ErrorCode::unavailable, folder.string() + ": " + failure.message()};
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return Error{ErrorCode::unavailable, folder.string() + ": " + std::generic_category().message(errno)};
  }
  FolderLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::conflict, folder.string() + ": another process works in this folder"};
  }
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace crosswarp::cli
