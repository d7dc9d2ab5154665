// SPDX-License-Identifier: Apache-2.0
#include "server/ui/text.hpp"

#include <gtest/gtest.h>

#include <set>

namespace crosswarp::ui {
namespace {

TEST(Shown, WritesControlCharactersAsText) {
  EXPECT_EQ(shown("a\x1b[31mred\n\tb\r\x7f"), "a\\x1b[31mred\n\tb\\x0d\\x7f");
  EXPECT_EQ(shown("caf\xc3\xa9"), "caf\xc3\xa9");
}

TEST(Signs, DifferWithoutColour) {
  std::set<std::string_view> marks{mark_of(std::nullopt)};
  for (int i = 0; i < 6; ++i) marks.insert(mark_of(static_cast<Status>(i)));
  EXPECT_EQ(marks.size(), 7u);
  std::set<std::string_view> signs;
  for (int i = 0; i < 5; ++i) signs.insert(sign_of(static_cast<Evidence>(i)));
  EXPECT_EQ(signs.size(), 5u);
}

TEST(Age, IsRoundedDownToOneUnit) {
  const auto now = std::chrono::system_clock::from_time_t(1'000'000'000);  // 2001-09-09T01:46:40Z
  EXPECT_EQ(age("2001-09-09T01:46:10Z", now), "now");
  EXPECT_EQ(age("2001-09-09T01:16:40.5Z", now), "30 min");
  EXPECT_EQ(age("2001-09-08T22:00:00Z", now), "3 h");
  EXPECT_EQ(age("2001-08-30T01:46:40Z", now), "10 d");
  EXPECT_EQ(age("", now), "");
}

TEST(StageText, SaysThatAnAgentHasOnlyBegun) {
  EXPECT_EQ(stage_text("build matmul"), "build matmul");
  EXPECT_EQ(stage_text(""), "starting");
}

TEST(Duration, KeepsTwoUnits) {
  EXPECT_EQ(duration(0.44), "0.4 s");
  EXPECT_EQ(duration(59.2), "59 s");
  EXPECT_EQ(duration(125), "2 min 5 s");
  EXPECT_EQ(duration(10920), "3 h 2 min");
}

TEST(Size, HasOneDigitPastItsUnit) {
  EXPECT_EQ(size(12), "12 B");
  EXPECT_EQ(size(1536), "1.5 KiB");
  EXPECT_EQ(size(std::uint64_t{2} << 30), "2.0 GiB");
}

}  // namespace
}  // namespace crosswarp::ui
