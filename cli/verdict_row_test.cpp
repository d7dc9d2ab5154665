// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_row.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace crosswarp::cli {
namespace {

TEST(VerdictRow, ReadsWhatTheServerTells) {
  const auto row = verdict_row(boost::json::parse(
      R"({"library":"triton","combination":{"triton":"3.0.0"},"status":"failed","rung":"load","proved":null,
          "reason":"no\nmodule","remedy":null})"));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->library, "triton");
  EXPECT_EQ(row->combination, (Combination{{"triton", "3.0.0"}}));
  EXPECT_EQ(row->status, "failed");
  EXPECT_EQ(row->rung, "load");
  EXPECT_EQ(row->proved, "");
  EXPECT_EQ(row->reason, "no module");
}

TEST(VerdictRow, TakesControlSequencesOutOfReasons) {
  const auto row = verdict_row(boost::json::parse(R"({"combination":{"a":"1"},"reason":"\u001b[2Jgone"})"));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->reason, "[2Jgone");
}

TEST(VerdictRow, RefusesWhatIsNoVerdict) {
  EXPECT_FALSE(verdict_row(boost::json::parse("[]")));
  EXPECT_FALSE(verdict_row(boost::json::parse(R"({"combination":3})")));
}

TEST(ValueBefore, OrdersNoneArchsVersionsAndTextsEachByTheirOwnRule) {
  std::vector<std::string> values{"text", "3.10.0", "sm_120", "3.9.0", "sm_90a", "none", "sm_90", "sm_100"};
  std::sort(values.begin(), values.end(), value_before);
  EXPECT_EQ(values,
            (std::vector<std::string>{"none", "sm_90", "sm_90a", "sm_100", "sm_120", "3.9.0", "3.10.0", "text"}));
}

}  // namespace
}  // namespace crosswarp::cli
