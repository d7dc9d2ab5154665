// SPDX-License-Identifier: Apache-2.0
#include "cli/filter.hpp"

#include <gtest/gtest.h>

namespace crosswarp::cli {
namespace {

TEST(ParseFilter, ReadsEveryFormOfAsking) {
  struct Row {
    std::vector<std::string> words;
    Filter filter;
  };
  const std::vector<Row> rows{
      {{}, {}},
      {{"triton"}, {{"library", "triton"}}},
      {{"library=triton"}, {{"library", "triton"}}},
      {{"triton", "triton>=3.3,<4"}, {{"library", "triton"}, {"triton", ">=3.3,<4"}}},
      {{"arch=sm_120"}, {{"arch", "sm_120"}}},
      {{"arch>=sm_90"}, {{"arch", ">=sm_90"}}},
      {{"cuda==13.0"}, {{"cuda", "==13.0"}}},
      {{"cuda!=13.*"}, {{"cuda", "!=13.*"}}},
      {{"torch~=2.4"}, {{"torch", "~=2.4"}}},
      {{"status=failed", "status=broken"}, {{"status", "failed"}, {"status", "broken"}}},
      {{"rung=build", "evidence=hardware"}, {{"rung", "build"}, {"evidence", "hardware"}}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.words.empty() ? "nothing" : row.words.back());
    const Result<Filter> filter = parse_filter(row.words);
    ASSERT_TRUE(filter) << filter.error().message;
    EXPECT_EQ(*filter, row.filter);
  }
}

TEST(ParseFilter, SaysWhatIsWrong) {
  struct Row {
    std::vector<std::string> words;
    std::string message;
  };
  const std::vector<Row> rows{
      {{"triton", "cutlass"}, "\"cutlass\": a second library; for a value of an axis write name=value"},
      {{"=3"}, "\"=3\": expected a library, name=value or name>=version"},
      {{"arch="}, "\"arch=\": no value after \"=\""},
      {{"status=great"},
       "\"status=great\": unknown status; known: passed, failed, unsupported, skipped, untested, broken"},
      {{"evidence=hearsay"},
       "\"evidence=hearsay\": unknown evidence; known: resolved, installed, compiled, emulated, hardware"},
      {{"limit=3"}, "\"limit=3\": not an axis; use --limit"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.words.back());
    const Result<Filter> filter = parse_filter(row.words);
    ASSERT_FALSE(filter);
    EXPECT_EQ(filter.error().message, row.message);
    EXPECT_EQ(filter.error().code, ErrorCode::invalid_argument);
  }
}

TEST(ParseFilter, RefusesAMalformedSpecifier) {
  const Result<Filter> filter = parse_filter({"triton>=three"});
  ASSERT_FALSE(filter);
  EXPECT_TRUE(filter.error().message.starts_with("\"triton>=three\": ")) << filter.error().message;
}

TEST(VerdictsTarget, EncodesWhatAUrlCannotHold) {
  EXPECT_EQ(verdicts_target({{"library", "triton"}, {"triton", ">=3.3,<4"}}, 1000, 0),
            "/api/v1/verdicts?limit=1000&library=triton&triton=%3E%3D3.3%2C%3C4");
  EXPECT_EQ(verdicts_target({}, 10, 42), "/api/v1/verdicts?limit=10&cursor=42");
}

}  // namespace
}  // namespace crosswarp::cli
