// SPDX-License-Identifier: Apache-2.0
#include "server/db/query.hpp"

#include <gtest/gtest.h>

namespace crosswarp::db {
namespace {

TEST(Param, WritesValuesAsPostgresReadsThem) {
  EXPECT_EQ(Param(7).text(), "7");
  EXPECT_EQ(Param(-7L).text(), "-7");
  EXPECT_EQ(Param(true).text(), "t");
  EXPECT_EQ(Param(0.25).text(), "0.25");
  EXPECT_EQ(Param("it's").text(), "it's");
  EXPECT_EQ(Param(std::nullopt).text(), std::nullopt);
  EXPECT_EQ(Param(std::optional<int>{}).text(), std::nullopt);
  EXPECT_EQ(Param(std::optional<int>{3}).text(), "3");
  EXPECT_EQ(Param(std::vector<std::int64_t>{1, 2}).text(), "{1,2}");
  EXPECT_EQ(Param(std::vector<std::string>{"a,b", "q\"\\", ""}).text(), R"({"a,b","q\"\\",""})");
  EXPECT_EQ(bytea(std::string_view("\0\xff", 2)).text(), "\\x00ff");
}

}  // namespace
}  // namespace crosswarp::db
