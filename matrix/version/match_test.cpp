// SPDX-License-Identifier: Apache-2.0
#include "matrix/version/match.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

TEST(Matches, ComparesByTheRulesOfTheValue) {
  const struct {
    std::string_view value, pattern;
    bool accepted;
  } rows[] = {
      {"13.0", "13", true},
      {"13.0", "13.0.0", true},
      {"13.0", "13.1", false},
      {"2.8.0+cu128", "2.8.0", true},
      {"2.8.0", "2.8.0+cu128", false},
      {"2.8.0+cu128", "==2.8.0", true},
      {"13.0", ">=13.0,<14", true},
      {"12.8", ">=13.0,<14", false},
      {"11.8", "==11.8.*", true},
      {"3.4.0rc1", ">=3.3", false},
      {"3.4.0rc1", ">=3.4.0rc1", true},
      {"580.126.09", ">=580", true},
      {"sm_90a", ">=sm_90", true},
      {"sm_90a", "<=sm_90", true},
      {"sm_90a", "<sm_90", false},
      {"sm_100", ">sm_90a", true},
      {"sm_90a", "==9.0a", true},
      {"sm_90", "==sm_90a", false},
      {"sm_90", "!=sm_90a", true},
      {"sm_90a", "9.0a", true},
      {"sm_90a", "90a-real", true},
      {"9.0", "sm_90", true},
      {"90", "compute_90", true},
      {"sm_80", ">=9.0", false},
      {"sm_120", ">=9.0,!=12.0f", true},
      {"sm_90", "~=9.0", false},
      {"cpu", ">=sm_70", false},
      {"cpu", "!=sm_70", false},
      {"cpu", "cpu", true},
      {"cpu", "CPU", false},
      {"none", "none", true},
      {"none", ">=0", false},
      {"none", "!=13.0", false},
      {"13.0", "none", false},
      {"none", "!=sm_70", false},
      {"ubuntu22.04", ">=1", false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(std::string(row.value) + " / " + std::string(row.pattern));
    const Result<bool> accepted = matches(row.value, row.pattern);
    ASSERT_TRUE(accepted.has_value()) << accepted.error().message;
    EXPECT_EQ(*accepted, row.accepted);
  }
}

TEST(CheckPattern, SaysWhatIsWrong) {
  const struct {
    std::string_view pattern, message;
  } rows[] = {
      {"", "an empty pattern accepts nothing; write a value or a specifier like >=1.2"},
      {">=", "\">=\" is not a version specifier: \"\" is not a version"},
      {">=13.x", "\">=13.x\" is not a version specifier: \"13.x\" is not a version"},
      {"~=13", "\"~=13\" is not a version specifier: ~= needs at least two numbers, such as ~=3.1"},
      {">=13.*", "\">=13.*\" is not a version specifier: .* goes with == and != only"},
      {">=1+cu1", "\">=1+cu1\" is not a version specifier: a local label (+...) goes with == and != only"},
      {"==1rc1.*", "\"==1rc1.*\" is not a version specifier: .* follows release numbers only"},
      {"=== a b", "\"=== a b\" is not a version specifier: === needs one word without spaces, ';' and ')'"},
      {">=sm_90,<13.0.1", "\">=sm_90,<13.0.1\": \"13.0.1\" is not a GPU architecture; write sm_90, sm_90a or sm_120f"},
      {"~=sm_90", "\"~=sm_90\": ~= does not go with GPU architectures; use == != < <= > >="},
      {">=13.0 || ==11.8.*",
       "\">=13.0 || ==11.8.*\": || is not part of a pattern; write a list, which accepts any of its items"},
      {"=>3.0", "\"=>3.0\" is not a version specifier: it starts with none of == != <= >= < > ~= ==="},
      {"^1.2", "\"^1.2\" is not a version specifier: it starts with none of == != <= >= < > ~= ==="},
      {">=9.0,foo", "\"foo\" is not a version specifier: it starts with none of == != <= >= < > ~= ==="},
      {">=sm_90,sm_120", "\">=sm_90,sm_120\": \"sm_120\" begins with none of == != < <= > >="},
      {">=1,2", "\"2\" is not a version specifier: it starts with none of == != <= >= < > ~= ==="},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.pattern);
    const Result<void> checked = check_pattern(row.pattern);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().message, row.message);
    EXPECT_FALSE(matches("13.0", row.pattern).has_value());
  }
}

TEST(CheckPattern, AcceptsValuesOfEveryKind) {
  for (const std::string_view pattern :
       {"13.0", "sm_90a", "none", "ubuntu 22.04", ">=580,!=580.1.*", "===2.8.0+x", "a||b"}) {
    SCOPED_TRACE(pattern);
    EXPECT_TRUE(check_pattern(pattern).has_value());
  }
}

}  // namespace
}  // namespace crosswarp
