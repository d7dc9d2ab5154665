// SPDX-License-Identifier: Apache-2.0
#include "server/runs/recipe_source.hpp"

#include "tests/support/temp_database.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace crosswarp::runs {
namespace {

namespace fs = std::filesystem;

class RecipeSourceTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path) << text;
  }
  std::vector<std::string> paths_of(const std::string& name) {
    std::vector<std::string> paths;
    for (const auto& file : source_.read(name).value().files) paths.push_back(file.path);
    return paths;
  }

  tests::TempFolder folder_;
  RecipeSource source_{{folder_.path()}};
};

TEST_F(RecipeSourceTest, ReadsARecipeWithWhatAllShare) {
  write("toy/recipe.yaml", "version: 1");
  write("toy/sub/a.py", "a");
  write("toy/__pycache__/a.pyc", "x");
  write("toy/.hidden", "x");
  write("common/load.py", "b");
  write("other/recipe.yaml", "");
  EXPECT_EQ(paths_of("toy"), (std::vector<std::string>{"common/load.py", "toy/recipe.yaml", "toy/sub/a.py"}));
  EXPECT_EQ(source_.read("toy")->yaml, "version: 1");
  EXPECT_EQ(source_.names(), (std::vector<std::string>{"other", "toy"}));
}

TEST_F(RecipeSourceTest, ChangesItsHashWithAnyFile) {
  write("toy/recipe.yaml", "version: 1");
  write("toy/a.py", "a");
  const auto before = source_.read("toy")->hash;
  EXPECT_EQ(source_.read("toy")->hash, before);
  write("toy/a.py", "b");
  EXPECT_NE(source_.read("toy")->hash, before);
}

TEST_F(RecipeSourceTest, LeavesOutLinks) {
  write("toy/recipe.yaml", "version: 1");
  fs::create_symlink("/etc/passwd", folder_.path() / "toy/secret");
  EXPECT_EQ(paths_of("toy"), (std::vector<std::string>{"toy/recipe.yaml"}));
}

TEST_F(RecipeSourceTest, RefusesWhatIsNoNameOfARecipe) {
  write("toy/recipe.yaml", "version: 1");
  write("toy/inner/recipe.yaml", "version: 1");
  for (const std::string name : {"", "..", "../toy", "toy/inner", ".", "no", "/etc"}) {
    SCOPED_TRACE(name);
    const auto refused = source_.read(name);
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().message, "no recipe \"" + name + "\"; known: toy");
  }
}

TEST_F(RecipeSourceTest, RefusesARecipeThatIsTooLarge) {
  write("toy/recipe.yaml", "version: 1");
  write("toy/big", std::string((4 << 20) + 1, 'x'));
  EXPECT_EQ(source_.read("toy").error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace crosswarp::runs
