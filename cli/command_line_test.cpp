// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"

#include "cli/completion_script.hpp"
#include "cli/exit_code.hpp"

#include <gtest/gtest.h>

namespace crosswarp::cli {
namespace {

int run(std::vector<const char*> words) {
  words.insert(words.begin(), "crosswarp");
  return run_command_line(static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, AnswersTwoToWhatItDoesNotUnderstand) {
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{
           {},
           {"conjure"},
           {"query", "--conjure"},
           {"submit"},
           {"run", "x"},
           {"run", "--follow"},
           {"log", "-3"},
           {"cancel"},
           {"token"},
           {"token", "create", "--role", "king"},
           {"token", "create"},
           {"completion", "csh"},
           {"query", "--table", "--json"},
           {"agent", "--engine", "steam"},
           {"query", "status=great"},
       }) {
    SCOPED_TRACE(words.empty() ? "nothing" : words.back());
    EXPECT_EQ(run(words), kUsage);
  }
}

TEST(CommandLine, AnswersZeroToHelpAndVersion) {
  EXPECT_EQ(run({"--help"}), kYes);
  EXPECT_EQ(run({"query", "--help"}), kYes);
  EXPECT_EQ(run({"--version"}), kYes);
}

TEST(CommandLine, AnswersThreeWhereTheServerIsAway) {
  EXPECT_EQ(run({"query", "--server", "http://127.0.0.1:1"}), kUnknown);
  EXPECT_EQ(run({"cancel", "3", "--server", "http://127.0.0.1:1"}), kUnknown);
}

TEST(CommandLine, RefusesABadServerAddressAsUsage) { EXPECT_EQ(run({"query", "--server", "ftp://x"}), kUsage); }

TEST(CommandLine, SubmitTellsTheMistakesOfAFileWithoutAServer) {
  const std::string path = testing::TempDir() + "crosswarp-bad-matrix.yaml";
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fputs("version: 1\nlibrary: triton\naxes:\n  triton: [3.10]\n", file);
  std::fclose(file);
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"submit", path.c_str(), "--server", "http://127.0.0.1:1"}), kUsage);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(told.starts_with(path + ":4:12: axes.triton")) << told;
}

TEST(CompletionScripts, NameEveryCommandAndOption) {
  Action chosen;
  const auto root = make_command_line(chosen);
  for (const std::string& script : {bash_completion(*root), zsh_completion(*root), fish_completion(*root)}) {
    for (const char* word : {"serve", "migrate", "agent", "token", "create", "revoke", "expand", "submit", "query",
                             "log", "cancel", "run", "completion", "follow", "token-file"}) {
      EXPECT_NE(script.find(word), std::string::npos) << word << " in\n" << script;
    }
  }
}

}  // namespace
}  // namespace crosswarp::cli
