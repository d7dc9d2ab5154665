// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/log_lines.hpp"

#include <gtest/gtest.h>

namespace crosswarp::diagnosis {
namespace {

TEST(LogLines, EndAtNewlinesAndCarriageReturns) {
  const LogLines lines("one\r\ntwo 10%\rtwo 20%\nthree");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].text, "one");
  EXPECT_EQ(lines[1].text, "two 10%");
  EXPECT_EQ(lines[2].text, "two 20%");
  EXPECT_EQ(lines[2].offset, 13u);
  EXPECT_EQ(lines[3].text, "three");
}

TEST(LogLines, HaveNoColoursAndNoTitles) {
  const LogLines lines("a\n\x1b[1m\x1b[31merror\x1b[0m: no\x1b]0;title\a good\n\x1b");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].text, "error: no good");
  EXPECT_EQ(lines[1].offset, 2u);
  EXPECT_EQ(lines[2].text, "");
}

TEST(LogLines, AreCutWhereTheyAreTooLong) {
  const std::string log(LogLines::kLongestLine + 10, 'x');
  EXPECT_EQ(LogLines(log)[0].text.size(), LogLines::kLongestLine);
}

TEST(OneLine, IsShortValidText) {
  EXPECT_EQ(one_line("  a\tb\n\n c\x01 "), "a b c ");
  EXPECT_EQ(one_line("caf\xC3\xA9 \xFF \xC3"), "caf\xC3\xA9 \xEF\xBF\xBD \xEF\xBF\xBD");
  EXPECT_EQ(one_line("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  std::string umlauts;
  for (int count = 0; count < 200; ++count) umlauts += "\xC3\xBC";
  const std::string cut = one_line(umlauts);
  EXPECT_LE(cut.size(), 300u);
  EXPECT_TRUE(cut.ends_with("\xC3\xBC\xE2\x80\xA6"));
}

TEST(OneLine, DropsCredentials) {
  EXPECT_EQ(one_line("Failed to fetch: https://me:secret@index.example/simple/"),
            "Failed to fetch: https://index.example/simple/");
}

}  // namespace
}  // namespace crosswarp::diagnosis
