// SPDX-License-Identifier: Apache-2.0
#include "cli/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "crosswarp-cli-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const fs::path& file) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "x";
  }

  fs::path root;
};

TEST(ConfigDir, FollowsXdgAndThenHome) {
  EXPECT_EQ(config_dir({{"XDG_CONFIG_HOME", "/c"}, {"HOME", "/h"}}), "/c/crosswarp");
  EXPECT_EQ(config_dir({{"HOME", "/h"}}), "/h/.config/crosswarp");
  EXPECT_EQ(config_dir({}), "");
}

TEST(StateDir, FollowsXdgThenHomeThenTheSystem) {
  EXPECT_EQ(state_dir({{"XDG_STATE_HOME", "/s"}}), "/s/crosswarp");
  EXPECT_EQ(state_dir({{"HOME", "/h"}}), "/h/.local/state/crosswarp");
  EXPECT_EQ(state_dir({}), "/var/lib/crosswarp");
}

TEST(FetchVariables, TakeIndexProxyAndCertificatesButNoSecretOfOursAndNoCache) {
  const Environment environment{{"UV_INDEX_URL", "a"},   {"UV_CACHE_DIR", "b"},     {"PIP_INDEX_URL", "c"},
                                {"HTTPS_PROXY", "d"},    {"no_proxy", "e"},         {"SSL_CERT_FILE", "f"},
                                {"SSL_CERT_DIR", "g"},   {"REQUESTS_CA_BUNDLE", "h"}, {"CROSSWARP_TOKEN", "i"},
                                {"HOME", "j"},           {"AWS_SECRET_ACCESS_KEY", "k"}};
  const std::map<std::string, std::string> expected{
      {"UV_INDEX_URL", "a"}, {"PIP_INDEX_URL", "c"}, {"HTTPS_PROXY", "d"},       {"no_proxy", "e"},
      {"SSL_CERT_FILE", "f"}, {"SSL_CERT_DIR", "g"}, {"REQUESTS_CA_BUNDLE", "h"}};
  EXPECT_EQ(fetch_variables(environment), expected);
}

TEST_F(Folder, LibrariesAreThoseGivenThenThoseOfTheEnvironment) {
  EXPECT_EQ(library_dirs({"/a"}, {{"CROSSWARP_LIBRARIES", "/b"}}, root), (std::vector<fs::path>{"/a"}));
  EXPECT_EQ(library_dirs({}, {{"CROSSWARP_LIBRARIES", "/b:/c"}}, root), (std::vector<fs::path>{"/b", "/c"}));
}

TEST_F(Folder, LibrariesAreFoundBesideAnInstalledProgram) {
  write("share/crosswarp/libraries/triton/recipe.yaml");
  write("bin/crosswarp");
  EXPECT_EQ(library_dirs({}, {}, root / "bin"), (std::vector<fs::path>{root / "share/crosswarp/libraries"}));
}

TEST_F(Folder, LibrariesAreFoundAboveABuiltProgram) {
  write("libraries/triton/recipe.yaml");
  write("build/release/bin/crosswarp");
  EXPECT_EQ(library_dirs({}, {}, root / "build/release/bin"), (std::vector<fs::path>{root / "libraries"}));
}

TEST_F(Folder, AProgramIsFoundInPathOnlyWhereItCanRun) {
  write("a/uv");
  write("b/uv");
  fs::permissions(root / "b/uv", fs::perms::owner_all);
  const Environment environment{{"PATH", (root / "a").string() + ':' + (root / "b").string()}};
  EXPECT_EQ(find_program(environment, "uv"), fs::canonical(root / "b/uv"));
  EXPECT_EQ(find_program(environment, "absent"), "");
}

}  // namespace
}  // namespace crosswarp::cli
