// SPDX-License-Identifier: Apache-2.0
#include "cli/follow.hpp"

#include "cli/exit_code.hpp"

#include <gtest/gtest.h>

namespace crosswarp::cli {
namespace {

TEST(ExitCodeOfRun, FollowsTheWorstOfItsCombinations) {
  struct Row {
    const char* name;
    std::map<std::string, std::int64_t, std::less<>> by_status;
    int code;
  };
  const std::vector<Row> rows{
      {"all passed", {{"passed", 3}}, kYes},
      {"unsupported is no failure", {{"passed", 3}, {"unsupported", 2}, {"failed", 0}}, kYes},
      {"one failed", {{"passed", 3}, {"failed", 1}}, kNo},
      {"failed outweighs broken", {{"broken", 3}, {"failed", 1}}, kNo},
      {"broken", {{"passed", 3}, {"broken", 1}}, kUnknown},
      {"untested", {{"passed", 3}, {"untested", 1}}, kUnknown},
      {"skipped", {{"passed", 3}, {"skipped", 1}}, kUnknown},
      {"cancelled with work left", {{"passed", 3}, {"pending", 1}}, kUnknown},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    RunProgress progress;
    progress.by_status = row.by_status;
    EXPECT_EQ(exit_code_of_run(progress), row.code);
  }
}

}  // namespace
}  // namespace crosswarp::cli
