// SPDX-License-Identifier: Apache-2.0
#include "cli/access.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

class TokenOf : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "crosswarp-cli-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  std::string file(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
    fs::permissions(root / path, fs::perms::owner_read | fs::perms::owner_write);
    return (root / path).string();
  }

  fs::path root;
};

TEST(ServerOf, PrefersTheOptionThenTheEnvironmentThenThisMachine) {
  EXPECT_EQ(server_of({"http://a:1", ""}, {{"CROSSWARP_URL", "http://b:2"}})->text(), "http://a:1");
  EXPECT_EQ(server_of({}, {{"CROSSWARP_URL", "http://b:2"}})->text(), "http://b:2");
  EXPECT_EQ(server_of({}, {})->text(), "http://127.0.0.1:8080");
}

TEST(ServerOf, NamesTheVariableThatIsWrong) {
  const auto server = server_of({}, {{"CROSSWARP_URL", "ftp://b"}});
  ASSERT_FALSE(server);
  EXPECT_TRUE(server.error().message.starts_with("CROSSWARP_URL: ")) << server.error().message;
}

TEST_F(TokenOf, PrefersTheFileThenTheVariableThenTheUsersOwnFile) {
  const std::string given = file("given", " cw_agent_a\n");
  file("crosswarp/token", "cw_agent_c\n");
  const Environment environment{{"CROSSWARP_TOKEN", "cw_agent_b"}, {"XDG_CONFIG_HOME", root.string()}};
  EXPECT_EQ(token_of({"", given}, environment).value(), "cw_agent_a");
  EXPECT_EQ(token_of({}, environment).value(), "cw_agent_b");
  EXPECT_EQ(token_of({}, {{"XDG_CONFIG_HOME", root.string()}}).value(), "cw_agent_c");
  EXPECT_EQ(token_of({}, {}).value(), "");
}

TEST_F(TokenOf, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(token_of({"", (root / "absent").string()}, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(token_of({"", file("empty", "\n")}, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(token_of({"", file("two", "cw_a cw_b\n")}, {}).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace crosswarp::cli
