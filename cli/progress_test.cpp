// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <utility>

namespace crosswarp::cli {
namespace {

RunProgress half_done() {
  return run_progress(boost::json::parse(R"({"run":3,"state":"running","combinations":76,"done":41,
      "elapsed_seconds":192.4,"library":["triton","cutlass"],"by_status":{"passed":20,"failed":5,"pending":35},
      "doing":[{"agent":"lab","stage":"build matmul","axes":{"arch":"sm_90","triton":"3.3.0"},"since_seconds":12}],
      "missing":[{"need":"driver=550","text":"no agent offers driver 550","combinations":4}]})"))
      .value();
}

RunProgress finished() {
  RunProgress progress = half_done();
  progress.state = "done";
  progress.doing.clear();
  return progress;
}

/// A view that keeps what it writes.
struct Shown {
  explicit Shown(bool interactive) : view(terminal_with(interactive), clock, [this](std::string_view text) {
    written += text;
  }) {}

  static Terminal terminal_with(bool interactive) {
    Terminal terminal;
    terminal.interactive = interactive;
    return terminal;
  }

  std::string take() { return std::exchange(written, {}); }

  std::string written;
  FakeClock clock;
  ProgressView view;
};

TEST(RunProgress, IsRefusedWhereTheAnswerIsNoRun) {
  EXPECT_FALSE(run_progress(boost::json::parse("[]")));
  EXPECT_FALSE(run_progress(boost::json::parse(R"({"detail":"x"})")));
}

TEST(ProgressLines, TellWhatIsDoneByStatusAndWhoDoesWhat) {
  EXPECT_EQ(progress_lines(half_done(), Terminal{}),
            (std::vector<std::string>{
                "run 3 (triton, cutlass): 41 of 76 combinations done, 0:03:12",
                "  + passed 20  x failed 5  . pending 35",
                "  lab: build matmul arch=sm_90 triton=3.3.0, 0:00:12",
                "  waiting: no agent offers driver 550 (4 combinations)",
            }));
}

TEST(ProgressLines, StayWithinTheWidth) {
  Terminal narrow;
  narrow.width = 24;
  for (const std::string& line : progress_lines(half_done(), narrow)) EXPECT_LE(columns_of(line), 24U) << line;
}

TEST(ProgressLines, NameSomeAgentsOfMany) {
  RunProgress progress = half_done();
  progress.missing.clear();
  progress.doing.assign(40, progress.doing.front());
  const auto lines = progress_lines(progress, Terminal{});
  EXPECT_EQ(lines.size(), 15U);
  EXPECT_EQ(lines.back(), "  and 28 more");
}

TEST(ProgressView, DrawsAgainInPlaceForAPerson) {
  Shown shown(true);
  shown.view.show(half_done());
  EXPECT_TRUE(shown.take().starts_with("\rrun 3 (triton, cutlass): 41 of 76 combinations done, 0:03:12\x1b[K\n"));
  shown.view.show(half_done());
  EXPECT_TRUE(shown.take().starts_with("\x1b[4A\r"));
  shown.view.clear();
  EXPECT_EQ(shown.take(), "\x1b[4A\x1b[J");
}

TEST(ProgressView, WritesALineEveryTenSecondsForAFile) {
  Shown shown(false);
  shown.view.show(half_done());
  EXPECT_EQ(shown.take(), "run 3: 41 of 76 combinations done, 0:03:12, passed 20, failed 5, pending 35; lab: build "
                          "matmul arch=sm_90 triton=3.3.0\n");
  shown.clock.advance(std::chrono::seconds(9));
  shown.view.show(half_done());
  EXPECT_EQ(shown.take(), "");
  shown.clock.advance(std::chrono::seconds(1));
  shown.view.show(half_done());
  EXPECT_NE(shown.take(), "");
}

TEST(ProgressView, TellsTheEndAtOnce) {
  Shown shown(false);
  shown.view.show(half_done());
  shown.take();
  shown.view.show(finished());
  EXPECT_TRUE(shown.take().starts_with("run 3: 41 of 76"));
}

TEST(ProgressView, SaysThatTheServerIsAwayBesideWhatWasKnown) {
  Shown shown(true);
  shown.view.show(half_done());
  shown.take();
  shown.view.show_away("connection refused", std::chrono::seconds(5));
  const std::string text = shown.take();
  EXPECT_NE(text.find("41 of 76"), std::string::npos);
  EXPECT_NE(text.find("server away for 0:00:05, trying again: connection refused"), std::string::npos);
}

}  // namespace
}  // namespace crosswarp::cli
