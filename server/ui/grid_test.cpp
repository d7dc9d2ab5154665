// SPDX-License-Identifier: Apache-2.0
#include "server/ui/grid.hpp"

#include <gtest/gtest.h>

namespace crosswarp::ui {
namespace {

using table::AxisValues;
using table::Verdict;

Verdict verdict(std::string triton, std::string python, std::string arch, Status status) {
  Verdict made;
  made.library = "triton";
  made.version = triton;
  made.combination = {{"triton", std::move(triton)}, {"python", std::move(python)}, {"arch", std::move(arch)}};
  made.id = combination_id(made.combination);
  made.status = status;
  return made;
}

class GridTest : public testing::Test {
 protected:
  Result<Grid> grid(const http::Parameters& parameters) { return make_grid("triton", verdicts_, axes_, parameters); }

  const Facet* facet(const Grid& grid, std::string_view axis) {
    for (const Facet& one : grid.facets) {
      if (one.axis == axis) return &one;
    }
    return nullptr;
  }

  std::vector<Verdict> verdicts_{
      verdict("3.3.0", "3.11", "sm_80", Status::passed), verdict("3.3.0", "3.12", "sm_80", Status::failed),
      verdict("3.3.0", "3.11", "sm_120", Status::passed), verdict("3.2.0", "3.11", "sm_80", Status::passed),
      verdict("3.2.0", "3.11", "sm_120", Status::unsupported)};
  std::vector<AxisValues> axes_{
      {"triton", {"3.3.0", "3.2.0"}}, {"python", {"3.11", "3.12"}}, {"arch", {"sm_80", "sm_120"}}};
};

TEST_F(GridTest, PutsTheVersionDownAndTheArchAcross) {
  const Result<Grid> made = grid({});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->query.rows, "triton");
  EXPECT_EQ(made->query.columns, "arch");
  EXPECT_EQ(made->row_values, (std::vector<std::string>{"3.3.0", "3.2.0"}));
  EXPECT_EQ(made->column_values, (std::vector<std::string>{"sm_80", "sm_120"}));
  EXPECT_EQ(made->cells[0][0].verdicts.size(), 2u);
  EXPECT_EQ(made->cells[1][1].verdicts.at(0)->status, Status::unsupported);
  EXPECT_EQ(made->shown, 5u);
}

TEST_F(GridTest, TakesRowsAndColumnsFromTheUrl) {
  const Result<Grid> made = grid({{"rows", "arch"}, {"columns", "python"}});
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->row_values, (std::vector<std::string>{"sm_80", "sm_120"}));
  EXPECT_EQ(made->column_values, (std::vector<std::string>{"3.11", "3.12"}));
  EXPECT_TRUE(made->cells[1][1].verdicts.empty());
}

TEST_F(GridTest, FiltersBySpecifierAndStatusAndDropsWhatStaysEmpty) {
  const Result<Grid> made = grid({{"triton", ">=3.3"}, {"status", "passed"}, {"status", "unsupported"}, {"arch", ""}});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->row_values, std::vector<std::string>{"3.3.0"});
  EXPECT_EQ(made->shown, 2u);
  EXPECT_EQ(facet(*made, "triton")->typed, ">=3.3");
}

TEST_F(GridTest, CountsEachValueWithAllOtherFiltersInForce) {
  const Result<Grid> made = grid({{"python", "3.12"}});
  ASSERT_TRUE(made.has_value());
  const Facet& python = *facet(*made, "python");
  EXPECT_EQ(python.values[0].count, 4u);
  EXPECT_EQ(python.values[1].count, 1u);
  EXPECT_TRUE(python.values[1].chosen);
  const Facet& arch = *facet(*made, "arch");
  EXPECT_EQ(arch.values[0].count, 1u);
  EXPECT_EQ(arch.values[1].count, 0u);
  EXPECT_EQ(facet(*made, "status")->values.size(), 3u);
}

TEST_F(GridTest, ShowsTheAbsentAxisAsNone) {
  verdicts_[4].combination.erase("python");
  const Result<Grid> made = grid({{"columns", "python"}});
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->column_values, (std::vector<std::string>{"3.11", "3.12", "none"}));
}

TEST_F(GridTest, SaysWhatIsWrongWithTheUrl) {
  EXPECT_EQ(grid({{"rows", "pyton"}}).error().message, "unknown axis \"pyton\"; known: triton, python, arch");
  EXPECT_EQ(grid({{"cuda", "13"}}).error().message, "unknown axis \"cuda\"; known: triton, python, arch");
  EXPECT_EQ(grid({{"triton", ">=x"}}).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace crosswarp::ui
