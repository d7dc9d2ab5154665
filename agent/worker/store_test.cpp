// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/store.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace crosswarp::worker {
namespace {

namespace fs = std::filesystem;

class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::temp_directory_path() / "crosswarp-store-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

TEST(ReadBeneath, ReadsARegularFile) {
  const TempFolder folder;
  write(folder.path() / "a.json", "{}");
  EXPECT_EQ(read_beneath(folder.path(), "a.json", 10).value(), "{}");
}

TEST(ReadBeneath, FollowsNothingThatAJobCanArrange) {
  const TempFolder folder;
  const TempFolder elsewhere;
  write(elsewhere.path() / "secret", "secret");
  fs::create_symlink(elsewhere.path() / "secret", folder.path() / "link");
  fs::create_directory_symlink(elsewhere.path(), folder.path() / "out");
  for (const char* path : {"link", "out/secret", "../secret", "/etc/hostname"}) {
    SCOPED_TRACE(path);
    EXPECT_FALSE(read_beneath(folder.path(), path, 100));
  }
}

TEST(ReadBeneath, RefusesWhatIsTooLargeMissingOrNoFile) {
  const TempFolder folder;
  write(folder.path() / "big", std::string(100, 'x'));
  fs::create_directory(folder.path() / "folder");
  ASSERT_EQ(::mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_beneath(folder.path(), "big", 99).error().code, ErrorCode::too_large);
  EXPECT_EQ(read_beneath(folder.path(), "missing", 99).error().code, ErrorCode::not_found);
  EXPECT_EQ(read_beneath(folder.path(), "folder", 99).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(read_beneath(folder.path(), "fifo", 99).error().code, ErrorCode::invalid_argument);
}

TEST(Store, KeepsOnlyBlobsOfTheirDigest) {
  const TempFolder folder;
  Store store(folder.path());
  const std::string digest = sha256_hex("text");
  EXPECT_FALSE(store.put_blob(digest, "other"));
  EXPECT_FALSE(store.blob(digest));
  EXPECT_TRUE(store.put_blob(digest, "text"));
  EXPECT_TRUE(store.blob(digest));
}

TEST(WriteFile, TellsOfADiskThatIsFull) {
  const auto written = write_file("/dev/full", std::string(100'000, 'x'));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "full cannot be written: No space left on device");
}

TEST(Store, LaysOutARecipeTreeAndRefusesOneThatLeavesIt) {
  const TempFolder folder;
  Store store(folder.path());
  const std::string digest = sha256_hex("version: 1\n");
  ASSERT_TRUE(store.put_blob(digest, "version: 1\n"));
  const auto tree = store.recipe_tree({{"triton/recipe.yaml", digest}}).value();
  EXPECT_EQ(read_beneath(tree, "triton/recipe.yaml", 100).value(), "version: 1\n");
  EXPECT_FALSE(store.recipe_tree({{"../../escape", digest}}));
  EXPECT_FALSE(store.recipe_tree({{"/tmp/escape", digest}}));
}

TEST(Store, TakesTheNewestEnvironmentOfAKey) {
  const TempFolder folder;
  Store store(folder.path());
  EXPECT_FALSE(store.environment("key"));
  for (const char* text : {"first", "second"}) {
    store.begin_environment("key");
    write(store.building_dir("key") / "which", text);
    store.seal_environment("key", false);
  }
  EXPECT_EQ(read_beneath(*store.environment("key"), "which", 100).value(), "second");
  EXPECT_FALSE(fs::exists(store.building_dir("key")));
  store.sweep();
  EXPECT_EQ(read_beneath(*store.environment("key"), "which", 100).value(), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "envs"), {}), 1);
}

TEST(Store, SweepsWhatADeadAgentLeft) {
  const TempFolder folder;
  Store store(folder.path());
  write(store.make_job_dir(7) / "work" / "half", "x");
  store.begin_environment("half-made");
  store.sweep();
  EXPECT_TRUE(fs::is_empty(folder.path() / "jobs"));
  EXPECT_TRUE(fs::is_empty(folder.path() / "fetch" / "envs"));
}

}  // namespace
}  // namespace crosswarp::worker
