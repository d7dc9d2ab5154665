// SPDX-License-Identifier: Apache-2.0
#include "matrix/facts/facts.hpp"

#include "matrix/base/error.hpp"
#include "matrix/facts/tables.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

Recipe recipe_with_all_kinds() {
  Recipe recipe;
  recipe.axes = {{"arch", {AxisKind::arch, "", {}}},
                 {"cuda", {AxisKind::toolkit, "", {}}},
                 {"driver", {AxisKind::driver, "", {}}},
                 {"host", {AxisKind::compiler, "", {}}},
                 {"note", {AxisKind::option, "", {}}}};
  return recipe;
}

std::string reason_of(const Combination& combination) {
  const auto found = infeasible(combination, recipe_with_all_kinds());
  return found ? found->reason : "";
}

TEST(Infeasible, NamesBothValuesAndWhatWouldDo) {
  const struct {
    const char* name;
    Combination combination;
    const char* reason;
  } rows[] = {
      {"dropped", {{"arch", "sm_70"}, {"cuda", "13.0"}},
       "CUDA 13.0 cannot target sm_70: its nvcc dropped it after 12.9; use CUDA 9.0 to 12.9"},
      {"dropped long ago", {{"arch", "sm_70"}, {"cuda", "15.2"}},
       "CUDA 15.2 cannot target sm_70: its nvcc dropped it after 12.9; use CUDA 9.0 to 12.9"},
      {"suffix came later", {{"arch", "sm_90a"}, {"cuda", "11.8"}},
       "CUDA 11.8 cannot target sm_90a: its nvcc knows it only from 12.0 on; use CUDA 12.0 or newer"},
      {"family came later", {{"arch", "sm_100f"}, {"cuda", "12.8.1"}},
       "CUDA 12.8.1 cannot target sm_100f: its nvcc knows it only from 12.9 on; use CUDA 12.9 or newer"},
      {"one release only", {{"arch", "sm_101f"}, {"cuda", "13.0"}},
       "CUDA 13.0 cannot target sm_101f: its nvcc dropped it after 12.9; use CUDA 12.9"},
      {"driver too old", {{"cuda", "12.4"}, {"driver", "470.57.02"}},
       "driver 470.57.02 cannot run CUDA 12.4: that major needs 525.60.13; use driver 525.60.13 or newer"},
      {"driver dropped the GPU", {{"arch", "sm_70"}, {"driver", "R590"}},
       "driver R590 does not bind sm_70: the last branch that does is 580; use driver 580 or older"},
      {"host compiler too new", {{"cuda", "12.4"}, {"host", "gcc-14"}},
       "CUDA 12.4 does not accept gcc 14 as host compiler: its newest is 13; use gcc 6 to 13"},
      {"host compiler too old", {{"cuda", "12.4"}, {"host", "clang++ 6.0"}},
       "CUDA 12.4 does not accept clang 6.0 as host compiler: it is too old; use clang 7 to 17"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(reason_of(row.combination), row.reason);
  }
}

TEST(Infeasible, SaysWhichFactAndWhereItWasRead) {
  const auto found = infeasible({{"arch", "sm_70"}, {"cuda", "13.0"}}, recipe_with_all_kinds());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fact, "toolkit-cannot-target");
  EXPECT_EQ(found->confidence, "high");
  EXPECT_NE(found->source.find("NVIDIA"), std::string::npos);
}

TEST(Infeasible, ForbidsNothingWhereNoFactSpeaks) {
  const struct {
    const char* name;
    Combination combination;
  } rows[] = {
      {"within the range", {{"arch", "sm_70"}, {"cuda", "12.9.1"}}},
      {"first of the range", {{"arch", "sm_90a"}, {"cuda", "12.0"}}},
      {"11.8 knows sm_90 without suffix", {{"arch", "sm_90"}, {"cuda", "11.8"}}},
      {"toolkit newer than every fact", {{"arch", "sm_90a"}, {"cuda", "27.1"}, {"driver", "900"}, {"host", "gcc-40"}}},
      {"arch newer than every fact", {{"arch", "sm_250"}, {"cuda", "11.0"}}},
      {"missing axis", {{"arch", "sm_70"}}},
      {"axis without value", {{"arch", "sm_70"}, {"cuda", "none"}}},
      {"confidence is low", {{"arch", "sm_88"}, {"cuda", "11.0"}}},
      {"branch without minor", {{"cuda", "12.4"}, {"driver", "525"}}},
      {"exception before the rule", {{"cuda", "11.0"}, {"driver", "450.36.06"}}},
      {"not a release number", {{"arch", "sm_70"}, {"cuda", "newest"}}},
      {"compiler without version", {{"cuda", "12.4"}, {"host", "gcc"}}},
      {"compiler nobody described", {{"cuda", "12.4"}, {"host", "icc-2021"}}},
      {"axis of another kind", {{"arch", "sm_70"}, {"note", "13.0"}}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(reason_of(row.combination), "");
  }
}

TEST(Infeasible, KnowsAnArchInAnotherSpelling) {
  EXPECT_EQ(reason_of({{"arch", "9.0a"}, {"cuda", "11.8"}}),
            "CUDA 11.8 cannot target 9.0a: its nvcc knows it only from 12.0 on; use CUDA 12.0 or newer");
}

TEST(Infeasible, GoesByTheKindOfAnAxisAndNotByItsName) {
  Recipe recipe;
  recipe.axes = {{"target", {AxisKind::arch, "", {}}}, {"nvcc", {AxisKind::toolkit, "", {}}}};
  EXPECT_TRUE(infeasible({{"target", "sm_70"}, {"nvcc", "13.0"}}, recipe));
  EXPECT_FALSE(infeasible({{"arch", "sm_70"}, {"cuda", "13.0"}}, recipe));
}

constexpr std::string_view kTable = R"(
format: 1
fact: test
subject: arch
range_of: toolkit
below: "{value} < {first}"
above: "{value} > {last}"
source: here
confidence: medium
basis: checked
entries:
  - {subject: sm_80, first: "11.0", basis: recalled}
  - {subject: sm_90, first: "11.8"}
  - {subject: sm_75, first: "10.0", confidence: low}
)";

TEST(FactTables, RejectOnlyWhatIsSureEnough) {
  const std::vector tables{facts::parse_table("t", kTable)};
  const auto rejects = [&](const char* arch) {
    return facts::infeasible({{"arch", arch}, {"cuda", "9.0"}}, recipe_with_all_kinds(), tables).has_value();
  };
  EXPECT_FALSE(rejects("sm_80"));
  EXPECT_TRUE(rejects("sm_90"));
  EXPECT_FALSE(rejects("sm_75"));
}

TEST(FactTables, RefuseAFactWithoutSource) {
  EXPECT_THROW(facts::parse_table("t", "{format: 1, fact: x, subject: arch, range_of: toolkit, confidence: high, "
                                       "basis: checked, entries: [{subject: sm_80, first: '11.0'}]}"),
               ErrorException);
  EXPECT_THROW(facts::parse_table("t", "{format: 2}"), ErrorException);
  EXPECT_THROW(facts::parse_table("t", "{format: 1, fact: x, subject: weather, range_of: toolkit}"), ErrorException);
  EXPECT_THROW(facts::parse_table("t", "[: ]:"), ErrorException);
}

TEST(FactTables, CarryAReasonForEveryEndThatIsClosed) {
  ASSERT_EQ(facts::built_in_tables().size(), 4u);
  for (const facts::Table& table : facts::built_in_tables()) {
    SCOPED_TRACE(table.fact);
    EXPECT_FALSE(table.entries.empty());
    for (const facts::Entry& entry : table.entries) {
      SCOPED_TRACE(entry.subject);
      EXPECT_FALSE(entry.first.empty() && entry.last.empty());
      EXPECT_TRUE(entry.first.empty() || !table.below.empty());
      EXPECT_TRUE(entry.last.empty() || !table.above.empty());
    }
  }
}

}  // namespace
}  // namespace crosswarp
