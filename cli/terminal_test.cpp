// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <gtest/gtest.h>

namespace crosswarp::cli {
namespace {

TEST(OneLine, TurnsControlCharactersIntoSingleSpaces) {
  EXPECT_EQ(one_line("a\n\n  b\tc\x1b[31m\n"), "a b c [31m");
  EXPECT_EQ(one_line("\n"), "");
}

TEST(WithoutControls, KeepsLinesAndTabs) { EXPECT_EQ(without_controls("a\tb\r\n\x1b[2J"), "a\tb\r\n?[2J"); }

TEST(ColumnsOf, CountsCharactersNotBytes) { EXPECT_EQ(columns_of("\u2713 caf\u00e9"), 6U); }

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9...");
  EXPECT_EQ(shortened("abcdef", 2), "..");
}

TEST(Wrapped, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(wrapped("one two three", 8, 0, 2), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrapped("one two three", 8, 4, 2), (std::vector<std::string>{"    one", "  two", "  three"}));
  EXPECT_EQ(wrapped("unbreakable", 4, 0, 2), (std::vector<std::string>{"unbreakable"}));
  EXPECT_EQ(wrapped("", 4, 0, 2), (std::vector<std::string>{""}));
}

TEST(Painted, AddsNothingWithoutColour) {
  EXPECT_EQ(painted(Terminal{}, Color::red, "x"), "x");
  Terminal colored;
  colored.color = true;
  EXPECT_EQ(painted(colored, Color::red, "x"), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace crosswarp::cli
