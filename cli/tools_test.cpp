// SPDX-License-Identifier: Apache-2.0
#include "cli/tools.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

class Tools : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "crosswarp-tools-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  fs::path program(const std::string& name, const std::string& text) const {
    std::ofstream(root / name) << text;
    return root / name;
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path root;
};

TEST_F(Tools, AreLaidOutUnderTheirNamesAndReplacedAtTheNextStart) {
  const auto folder = lay_out_tools(root / "state", {program("uv-1", "old"), program("smoke", "probe")});
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(text_of(*folder / "uv"), "old");
  EXPECT_EQ(text_of(*folder / "gpu-smoke"), "probe");
  ASSERT_TRUE(lay_out_tools(root / "state", {program("uv-2", "new"), root / "smoke"}));
  EXPECT_EQ(text_of(*folder / "uv"), "new");
  EXPECT_EQ(text_of(root / "uv-1"), "old");
}

TEST_F(Tools, AreLookedForWhereTheyAreNamed) {
  const auto tools = find_tools({program("uv", "x"), program("smoke", "x")}, {});
  ASSERT_TRUE(tools);
  EXPECT_EQ(tools->uv, fs::canonical(root / "uv"));
  EXPECT_EQ(find_tools({root / "absent", root / "smoke"}, {}).error().code, ErrorCode::unavailable);
}

TEST_F(Tools, SayHowToGetUv) {
  const auto tools = find_tools({{}, program("smoke", "x")}, {{"PATH", root.string()}});
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().message, "uv is not in PATH: install it (`pip install uv`), or name it by --uv");
}

}  // namespace
}  // namespace crosswarp::cli
