// SPDX-License-Identifier: Apache-2.0
#include "server/api/log_text.hpp"

#include <gtest/gtest.h>

namespace crosswarp::api {
namespace {

TEST(UnfinishedBytes, CountsTheBeginOfACharacter) {
  EXPECT_EQ(unfinished_bytes(""), 0u);
  EXPECT_EQ(unfinished_bytes("plain"), 0u);
  EXPECT_EQ(unfinished_bytes("caf\xc3\xa9"), 0u);
  EXPECT_EQ(unfinished_bytes("caf\xc3"), 1u);
  EXPECT_EQ(unfinished_bytes("\xe2\x82"), 2u);
  EXPECT_EQ(unfinished_bytes("\xf0\x9f\x98"), 3u);
  EXPECT_EQ(unfinished_bytes("\xf0\x9f\x98\x80"), 0u);
  EXPECT_EQ(unfinished_bytes("\x80\x80\x80\x80"), 0u);
}

TEST(RepairedUtf8, MarksWhatIsNoCharacter) {
  EXPECT_EQ(repaired_utf8("caf\xc3\xa9 \x1b[0m"), "caf\xc3\xa9 \x1b[0m");
  EXPECT_EQ(repaired_utf8("a\xff\xc3"), "a\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(repaired_utf8("\xed\xa0\x80x"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx");
}

}  // namespace
}  // namespace crosswarp::api
