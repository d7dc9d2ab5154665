// SPDX-License-Identifier: Apache-2.0
#include "cli/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace crosswarp::cli {
namespace {

VerdictRow row(Combination combination, std::string status, std::string rung, std::string reason = {}) {
  return {"triton", std::move(combination), std::move(status), std::move(rung), {}, std::move(reason), {}};
}

constexpr const char* kNoSetuptools = "No module named 'setuptools'";

std::vector<VerdictRow> some_rows() {
  return {
      row({{"triton", "3.10.0"}, {"arch", "sm_120"}, {"python", "3.11"}}, "passed", "build"),
      row({{"triton", "3.0.0"}, {"arch", "sm_90"}, {"python", "3.11"}}, "failed", "load", kNoSetuptools),
      row({{"triton", "3.0.0"}, {"arch", "sm_120"}, {"python", "3.11"}}, "failed", "load", kNoSetuptools),
      row({{"triton", "3.10.0"}, {"arch", "sm_90"}, {"python", "3.11"}}, "unsupported", "feasible", "no such target"),
  };
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns_of(line));
  return widest;
}

TEST(RenderTable, SetsVersionsAgainstArchsInTheirOwnOrder) {
  EXPECT_EQ(render_table(some_rows(), Terminal{}),
            "triton by arch (python=3.11)\n"
            "  triton  sm_90   sm_120\n"
            "  3.0.0   x load  x load\n"
            "  3.10.0  -       + build\n"
            "\n"
            "4 combinations:  + passed 1  x failed 2  - unsupported 1\n");
}

TEST(RenderTable, UsesSignsOfUnicodeWhereTheLocaleHasThem) {
  Terminal terminal;
  terminal.unicode = true;
  const std::string text = render_table(some_rows(), terminal);
  EXPECT_NE(text.find("3.0.0   ✗ load  ✗ load\n"), std::string::npos) << text;
}

TEST(RenderTable, ContinuesBelowWhatDoesNotFitTheWidth) {
  std::vector<VerdictRow> rows;
  for (int arch = 70; arch < 130; arch += 5) {
    rows.push_back(row({{"triton", "3.0.0"}, {"arch", "sm_" + std::to_string(arch)}}, "failed", "resolve"));
  }
  const std::string text = render_table(rows, Terminal{});
  EXPECT_LE(widest_line(text), 80U);
  for (const VerdictRow& one : rows) {
    const std::string& arch = one.combination.at("arch");
    EXPECT_NE(text.find(arch), std::string::npos) << arch;
  }
  EXPECT_EQ(text.find("3.0.0"), text.find("\n  3.0.0") + 3);
  EXPECT_NE(text.find("3.0.0"), text.rfind("3.0.0")) << "each block names its rows";
}

TEST(RenderTable, ShowsAColumnOfStatusWhereNothingVariesButTheVersion) {
  const std::vector<VerdictRow> rows{row({{"triton", "3.0.0"}, {"arch", "sm_90"}}, "passed", "build"),
                                     row({{"triton", "3.1.0"}, {"arch", "sm_90"}}, "broken", "install")};
  EXPECT_EQ(render_table(rows, Terminal{}),
            "triton (arch=sm_90)\n"
            "  triton  status\n"
            "  3.0.0   + build\n"
            "  3.1.0   ! install\n"
            "\n"
            "2 combinations:  + passed 1  ! broken 1\n");
}

TEST(RenderTable, TreatsAnAbsentAxisAsNone) {
  const std::vector<VerdictRow> rows{
      row({{"triton", "3.0.0"}, {"arch", "sm_90"}}, "failed", "load"),
      row({{"triton", "3.0.0"}, {"arch", "sm_90"}, {"setuptools", "80.9.0"}}, "passed", "build")};
  EXPECT_EQ(render_table(rows, Terminal{}),
            "triton by setuptools (arch=sm_90)\n"
            "  triton  none    80.9.0\n"
            "  3.0.0   x load  + build\n"
            "\n"
            "2 combinations:  + passed 1  x failed 1\n");
}

TEST(RenderTable, ColoursDoNotShiftColumns) {
  Terminal colored;
  colored.color = true;
  std::string text = render_table(some_rows(), colored);
  EXPECT_NE(text.find("\x1b[31mx load\x1b[0m"), std::string::npos);
  for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;) text.erase(at, text.find('m', at) - at + 1);
  EXPECT_EQ(text, render_table(some_rows(), Terminal{}));
}

TEST(RenderReasons, TellsEachReasonOnceWithAllItConcerns) {
  EXPECT_EQ(render_reasons(some_rows(), Terminal{}),
            "triton: not passed, and why\n"
            "x failed at load (2): No module named 'setuptools'\n"
            "    triton=3.0.0 arch=sm_90, sm_120\n"
            "- unsupported (1): no such target\n"
            "    triton=3.10.0 arch=sm_90\n");
}

TEST(RenderReasons, SaysNothingWhereAllPassed) {
  EXPECT_EQ(render_reasons({row({{"triton", "3.0.0"}}, "passed", "build")}, Terminal{}), "");
}

TEST(RenderReasons, SaysThatAReasonIsMissing) {
  const std::string text = render_reasons({row({{"triton", "3.0.0"}}, "untested", "")}, Terminal{});
  EXPECT_NE(text.find("? untested (1): no reason given\n"), std::string::npos) << text;
}

TEST(RenderReasons, WrapsLongReasonsAtTheWidth) {
  std::string reason;
  for (int word = 0; word < 60; ++word) reason += "word" + std::to_string(word) + ' ';
  const std::string text = render_reasons({row({{"triton", "3.0.0"}}, "failed", "build", reason)}, Terminal{});
  EXPECT_LE(widest_line(text), 80U);
  EXPECT_NE(text.find("word59"), std::string::npos);
}

}  // namespace
}  // namespace crosswarp::cli
