// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/run_options.hpp"

#include <gtest/gtest.h>

namespace crosswarp::smoke {
namespace {

TEST(ParseRunOptions, TakesAllOperationsUnlessSomeAreNamed) {
  const auto plain = parse_run_options({});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->ops, std::vector<std::string>{"vector_add"});
  const auto named = parse_run_options({"--ops", "vector_add", "--device", "3", "--seed", "9", "--json", "--list"});
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(named->device, 3);
  EXPECT_EQ(named->seed, 9U);
  EXPECT_TRUE(named->json && named->list);
}

TEST(ParseRunOptions, SaysWhatWouldDo) {
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } rows[] = {{{"--ops", "vector_sub"}, "--ops: unknown operation \"vector_sub\"; known: vector_add"},
              {{"--device", "-1"}, "--device: \"-1\" is no number from 0 to 1023"},
              {{"--seed"}, "--seed: value missing"},
              {{"--fast"}, "unknown option \"--fast\"; known: --ops, --device, --seed, --json, --list"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.message);
    const auto options = parse_run_options(row.arguments);
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().message, row.message);
  }
}

}  // namespace
}  // namespace crosswarp::smoke
