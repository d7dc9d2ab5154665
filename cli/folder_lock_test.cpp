// SPDX-License-Identifier: Apache-2.0
#include "cli/folder_lock.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace crosswarp::cli {
namespace {

TEST(FolderLock, IsHeldByOneAtATime) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "crosswarp-lock/deep";
  std::optional<FolderLock> first(FolderLock::take(folder).value());
  const auto second = FolderLock::take(folder);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  first.reset();
  EXPECT_TRUE(FolderLock::take(folder));
  std::filesystem::remove_all(folder.parent_path());
}

TEST(FolderLock, SaysWhyAFolderCannotBeHad) {
  const auto lock = FolderLock::take("/proc/none");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace crosswarp::cli
