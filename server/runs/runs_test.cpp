// SPDX-License-Identifier: Apache-2.0
#include "server/runs/runs.hpp"

#include "tests/support/store.hpp"

namespace crosswarp::runs {
namespace {

constexpr const char* kMatrix =
    "version: 1\nlibrary: toy\naxes:\n  toy: ['1.0', '2.0']\n  python: ['3.11']\n  arch: [sm_80, sm_90]\n"
    "constraints:\n  - {forbid: {toy: '2.0', arch: sm_80}, reason: \"2.0 has dropped sm_80 \\\\ \\t tab\"}\n";

class RunsTest : public tests::StoreTest {
 protected:
  Submitted try_submit(const std::string& yaml) { return wait(runs_.submit({yaml, "nightly", false})).value(); }
};

TEST_F(RunsTest, StoresWhatASubmittedFileAsksFor) {
  const auto submitted = try_submit(kMatrix);
  ASSERT_TRUE(submitted.ok());
  EXPECT_EQ(submitted.combinations, 4);
  EXPECT_EQ(submitted.unsupported, 1);
  EXPECT_EQ(submitted.jobs, 7);
  const auto run = get(submitted.run);
  EXPECT_EQ(run.label, "nightly");
  EXPECT_EQ(run.state, RunState::running);
  EXPECT_EQ(run.libraries, (std::vector<std::string>{"toy"}));
  EXPECT_EQ(run.combinations, 4);
  EXPECT_EQ(run.done, 1);
  EXPECT_EQ(run.by_status, (std::map<std::string, std::int64_t>{{"pending", 3}, {"unsupported", 1}}));
  EXPECT_EQ(run.jobs.at(jobs::JobState::queued), 2);
}

TEST_F(RunsTest, DecidesAForbiddenCombinationAtOnceWithoutJobs) {
  const auto run = try_submit(kMatrix).run;
  const auto page = wait(runs_.combinations(run, {"unsupported"}, 10, 0)).value();
  ASSERT_EQ(page.combinations.size(), 1u);
  const auto& [verdict, jobs] = page.combinations[0];
  EXPECT_EQ(verdict.reason, "2.0 has dropped sm_80 \\ \t tab");
  EXPECT_EQ(verdict.code, "constraint");
  EXPECT_EQ(verdict.rung, Rung::feasible);
  EXPECT_TRUE(jobs.empty());
  EXPECT_EQ(verdict.combination, (Combination{{"arch", "sm_80"}, {"python", "3.11"}, {"toy", "2.0"}}));
}

TEST_F(RunsTest, SharesAJobAmongCombinationsThatAgree) {
  const auto run = try_submit(kMatrix).run;
  const auto page = wait(runs_.combinations(run, {}, 10, 0)).value();
  ASSERT_EQ(page.combinations.size(), 4u);
  const auto& first = page.combinations[0].jobs;
  const auto& second = page.combinations[1].jobs;
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0], second[0]);
  EXPECT_EQ(first[1], second[1]);
  EXPECT_NE(first[2], second[2]);
}

TEST_F(RunsTest, PagesThroughCombinationsAndRuns) {
  const auto run = try_submit(kMatrix).run;
  const auto first = wait(runs_.combinations(run, {}, 3, 0)).value();
  const auto second = wait(runs_.combinations(run, {}, 3, first.next.value())).value();
  EXPECT_EQ(second.combinations.size(), 1u);
  EXPECT_EQ(second.next, std::nullopt);
  const auto later = try_submit(kMatrix).run;
  const auto newest = wait(runs_.list(1, std::nullopt)).value();
  EXPECT_EQ(newest.runs.at(0).id, later);
  EXPECT_EQ(wait(runs_.list(1, newest.next)).value().runs.at(0).id, run);
  EXPECT_EQ(wait(runs_.combinations(later + 1, {}, 3, 0)).error().code, ErrorCode::not_found);
  EXPECT_EQ(wait(runs_.get(later + 1)).error().code, ErrorCode::not_found);
}

TEST_F(RunsTest, TellsEveryMistakeWithItsPlaceAndStoresNothing) {
  const struct {
    const char* name;
    const char* yaml;
    const char* message;
    int line;
  } kRows[] = {
      {"axis", "version: 1\nlibrary: toy\naxes:\n  toy: ['1']\n  colour: [red]\n",
       "the recipe of toy has no axis \"colour\"; known: arch, driver, python, toy", 5},
      {"recipe", "version: 1\nlibrary: nothing\naxes:\n  nothing: ['1']\n",
       "no recipe \"nothing\"; known: bare, toy", 0},
      {"rung", "version: 1\nlibrary: toy\nrungs: [resolve, smoke]\naxes:\n  toy: ['1']\n",
       "the recipe of toy has no rung \"smoke\"; known: feasible, resolve, load, build", 0},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto submitted = try_submit(row.yaml);
    EXPECT_FALSE(submitted.ok());
    ASSERT_EQ(submitted.diagnostics.size(), 1u);
    EXPECT_EQ(submitted.diagnostics[0].message, row.message);
    EXPECT_EQ(submitted.diagnostics[0].place.line, row.line);
  }
  EXPECT_FALSE(try_submit("not: [a matrix").ok());
  EXPECT_TRUE(wait(runs_.list(10, std::nullopt)).value().runs.empty());
}

TEST_F(RunsTest, RefusesAMatrixPastTheLimitBeforeBuildingIt) {
  Runs small(pool_, recipes_, {.combination_limit = 3});
  const auto refused = wait(small.submit({kMatrix, "", false}));
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
}

TEST_F(RunsTest, KeepsTheRecipeAsItWasWhenSubmitted) {
  try_submit(kMatrix);
  const auto assignment = claim_one(join("a"));
  const auto recipe = wait(runs_.blob(assignment.files.at(1).sha256)).value();
  EXPECT_EQ(sha256_hex(recipe), assignment.files.at(1).sha256);
  EXPECT_TRUE(recipe.starts_with("version: 1\nlibrary: toy\n"));
  EXPECT_EQ(wait(runs_.blob(std::string(64, '0'))).error().code, ErrorCode::not_found);
}

TEST_F(RunsTest, ShowsWhatIsBeingDone) {
  const auto run = try_submit(kMatrix).run;
  const auto agent = join("box");
  const auto held = claim_one(agent);
  wait(jobs_.heartbeat(agent, {{{held.attempt, "resolve"}}})).value();
  const auto doing = get(run).doing;
  ASSERT_EQ(doing.size(), 1u);
  EXPECT_EQ(doing[0].agent, "box");
  EXPECT_EQ(doing[0].job.stage, "resolve");
  EXPECT_EQ(doing[0].job.job, held.job);
  EXPECT_EQ(wait(agents_.list()).value().at(0).doing.at(0).attempt, held.attempt);
}

TEST_F(RunsTest, TakesSeveralMatricesInOneRun) {
  const auto run = try_submit(std::string(kMatrix) + "---\n" + kMatrix).run;
  EXPECT_EQ(get(run).combinations, 8);
  EXPECT_EQ(verdicts().size(), 4u);
  work_off(join("a"), {"sm_90"});
  EXPECT_EQ(get(run).state, RunState::done);
}

}  // namespace
}  // namespace crosswarp::runs
