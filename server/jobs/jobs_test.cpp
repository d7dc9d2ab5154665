// SPDX-License-Identifier: Apache-2.0
#include "server/jobs/jobs.hpp"

#include "tests/support/store.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

namespace crosswarp::jobs {
namespace {

using tests::broken;
using tests::failed;

constexpr const char* kOneArch =
    "version: 1\nlibrary: toy\naxes:\n  toy: ['1.0']\n  python: ['3.11']\n  arch: [sm_90]\n";
constexpr const char* kThreeArchs =
    "version: 1\nlibrary: toy\naxes:\n  toy: ['1.0']\n  python: ['3.11']\n  arch: [sm_80, sm_90, sm_100a]\n";
constexpr const char* kBare =
    "version: 1\nlibrary: toy\nrecipe: bare\naxes:\n  toy: ['1.0']\n  python: ['3.11']\n  arch: [sm_80, sm_90]\n";
constexpr const char* kDriver =
    "version: 1\nlibrary: toy\naxes:\n  toy: ['1.0']\n  python: ['3.11']\n  arch: [sm_90]\n  driver: ['550']\n";

class JobsTest : public tests::StoreTest {
 protected:
  /// Lets the leases run out that are held now.
  void expire() { change("update job set lease_until = now() - interval '1 second' where state = 'leased'"); }
  /// Lets what is queued have been so for a long time, on a server that has been up for as long.
  void grow_old() {
    tick();
    clock_.advance(std::chrono::minutes(5));
    change("update job set queued_at = now() - interval '5 minutes' where state = 'queued'");
  }
  std::string log_of(const protocol::Assignment& assignment) {
    return wait(jobs_.read_log(assignment.job, assignment.attempt, 0, 1 << 20)).value().text;
  }
};

TEST_F(JobsTest, HandsOutAChainStepByStepWithTheLockOfItsResolve) {
  const auto run = submit(kOneArch);
  const auto agent = join("a");
  const auto resolve = claim_one(agent);
  EXPECT_EQ(resolve.library, "toy");
  EXPECT_EQ(resolve.axes, (Combination{{"python", "3.11"}, {"toy", "1.0"}}));
  EXPECT_EQ(resolve.rungs, (std::vector{Rung::resolve}));
  EXPECT_EQ(resolve.lock, "");
  ASSERT_EQ(resolve.files.size(), 2u);
  EXPECT_EQ(resolve.files[0].path, "common/load.py");
  EXPECT_TRUE(claim(agent).empty());
  pass(resolve);
  const auto load = claim_one(agent);
  EXPECT_EQ(load.lock, "toy==1.0\n");
  pass(load);
  const auto build = claim_one(agent);
  EXPECT_EQ(build.lock, "toy==1.0\n");
  EXPECT_EQ(value_of(build.axes, "arch"), "sm_90");
  pass(build);
  const auto done = get(run);
  EXPECT_EQ(done.state, runs::RunState::done);
  EXPECT_EQ(done.by_status, (std::map<std::string, std::int64_t>{{"passed", 1}}));
  const auto verdict = combinations(run).at(0);
  EXPECT_EQ(verdict.status, Status::passed);
  EXPECT_EQ(verdict.rung, Rung::build);
  EXPECT_EQ(verdict.proved, Rung::build);
  EXPECT_EQ(verdict.evidence, Evidence::compiled);
  EXPECT_EQ(verdict.attempt, build.attempt);
}

TEST_F(JobsTest, WorksBreadthFirstAndHeavyJobsLast) {
  submit("version: 1\nlibrary: toy\naxes:\n  toy: ['1.0', '2.0']\n  python: ['3.11']\n  arch: [sm_90]\n");
  const auto agent = join("a");
  const auto first = claim_one(agent);
  pass(first);
  EXPECT_EQ(claim_one(agent).rungs, (std::vector{Rung::resolve}));
  EXPECT_EQ(claim_one(agent).rungs, (std::vector{Rung::load}));
}

TEST_F(JobsTest, NeverGivesOneJobToTwoAgents) {
  using boost::asio::experimental::awaitable_operators::operator&&;
  submit(
      "version: 1\nlibrary: toy\naxes:\n  toy: ['1', '2', '3', '4', '5', '6', '7']\n  python: ['3.11']\n"
      "  arch: [sm_90]\n");
  const auto a = join("a");
  const auto b = join("b");
  const auto both = [&]() -> boost::asio::awaitable<std::vector<std::int64_t>> {
    const auto none = std::chrono::milliseconds(0);
    auto [one, other] = co_await (jobs_.claim(a, {4, std::uint64_t{1} << 40}, none) &&
                                  jobs_.claim(b, {4, std::uint64_t{1} << 40}, none));
    std::vector<std::int64_t> jobs;
    for (const auto& claim : {one.value(), other.value()})
      for (const auto& assignment : claim.assignments) jobs.push_back(assignment.job);
    co_return jobs;
  };
  auto jobs = wait(both());
  std::sort(jobs.begin(), jobs.end());
  EXPECT_EQ(std::unique(jobs.begin(), jobs.end()), jobs.end());
  EXPECT_EQ(jobs.size() + claim(a, 8).size(), 7u);
}

TEST_F(JobsTest, TakesNoMoreThanFitsTheAgentsMemory) {
  submit(kBare);
  const auto agent = join("a");
  pass(claim_one(agent));
  pass(claim_one(agent));
  const auto request = protocol::ClaimRequest{8, std::uint64_t{6} << 30};
  const auto builds = wait(jobs_.claim(agent, request, std::chrono::milliseconds(0))).value().assignments;
  EXPECT_EQ(builds.size(), 1u);
  const auto small = protocol::ClaimRequest{8, std::uint64_t{1} << 30};
  EXPECT_TRUE(wait(jobs_.claim(agent, small, std::chrono::milliseconds(0))).value().assignments.empty());
}

TEST_F(JobsTest, RefusesAnAgentThatHasNotRegistered) {
  const auto refused = wait(jobs_.claim(77, {1, 1}, std::chrono::milliseconds(0)));
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_EQ(wait(jobs_.heartbeat(77, {})).error().code, ErrorCode::not_found);
}

TEST_F(JobsTest, WakesAWaitingClaimWhenWorkComes) {
  const auto agent = join("a");
  boost::asio::cancellation_signal stop;
  boost::asio::co_spawn(context_, jobs_.listen(),
                        boost::asio::bind_cancellation_slot(stop.slot(), [](std::exception_ptr) {}));
  std::optional<protocol::Claim> claimed;
  boost::asio::co_spawn(context_, jobs_.claim(agent, {1, std::uint64_t{1} << 40}, std::chrono::seconds(30)),
                        [&](std::exception_ptr, Result<protocol::Claim> claim) { claimed = claim.value(); });
  const auto begun = std::chrono::steady_clock::now();
  submit(kOneArch);
  context_.restart();
  while (!claimed && std::chrono::steady_clock::now() - begun < std::chrono::seconds(10))
    context_.run_one_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(claimed.has_value());
  EXPECT_EQ(claimed->assignments.size(), 1u);
  stop.emit(boost::asio::cancellation_type::terminal);
  context_.restart();
  context_.run();
}

TEST_F(JobsTest, GivesAJobToAnotherWhenTheLeaseRanOutAndIgnoresTheLateAnswer) {
  const auto run = submit(kOneArch);
  const auto a = join("a");
  const auto b = join("b");
  const auto lost = claim_one(a);
  expire();
  tick();
  const auto again = claim_one(b);
  EXPECT_EQ(again.job, lost.job);
  EXPECT_NE(again.attempt, lost.attempt);
  EXPECT_EQ(fail(lost, "late"), Finished::gone);
  EXPECT_EQ(wait(jobs_.append_log(lost.attempt, 0, "late")).value().outcome, Appended::Outcome::gone);
  EXPECT_EQ(wait(jobs_.heartbeat(a, {{{lost.attempt, "x"}}})).value().drop, (std::vector{lost.attempt}));
  EXPECT_EQ(pass(again), Finished::accepted);
  EXPECT_EQ(combinations(run).at(0).proved, Rung::resolve);
  const auto job = wait(jobs_.get(lost.job)).value();
  ASSERT_EQ(job.attempts.size(), 2u);
  EXPECT_EQ(job.attempts[0].outcome, "lost");
  EXPECT_EQ(job.attempts[1].outcome, "passed");
}

TEST_F(JobsTest, TakesAnAnswerOnceHoweverOftenItIsSent) {
  const auto run = submit(kOneArch);
  const auto agent = join("a");
  const auto resolve = claim_one(agent);
  EXPECT_EQ(pass(resolve), Finished::accepted);
  EXPECT_EQ(pass(resolve), Finished::accepted);
  EXPECT_EQ(fail(resolve, "changed its mind"), Finished::gone);
  EXPECT_EQ(get(run).jobs[JobState::done], 1);
  EXPECT_EQ(claim(agent, 8).size(), 1u);
  EXPECT_EQ(wait(jobs_.finish(987654, {})).error().code, ErrorCode::not_found);
}

TEST_F(JobsTest, KeepsALeaseAliveByHeartbeats) {
  submit(kOneArch);
  const auto agent = join("a");
  const auto held = claim_one(agent);
  expire();
  EXPECT_TRUE(wait(jobs_.heartbeat(agent, {{{held.attempt, "resolve"}}})).value().drop.empty());
  tick();
  EXPECT_EQ(pass(held), Finished::accepted);
}

TEST_F(JobsTest, ReleasesAtOnceWhatAnAgentHeldThatStartsAnew) {
  submit(kOneArch);
  const auto agent = join("a");
  const auto held = claim_one(agent);
  EXPECT_EQ(join("a"), agent);
  EXPECT_EQ(claim_one(agent).job, held.job);
  EXPECT_EQ(pass(held), Finished::gone);
}

TEST_F(JobsTest, GivesABrokenJobToAnotherAgentFirst) {
  submit(kOneArch);
  const auto a = join("a");
  const auto b = join("b");
  finish(claim_one(a), broken("disk full"));
  EXPECT_TRUE(claim(a).empty());
  EXPECT_EQ(claim(b).size(), 1u);
}

TEST_F(JobsTest, GivesABrokenJobToTheSameAgentWhenThereIsNoOther) {
  submit(kOneArch);
  const auto a = join("a");
  finish(claim_one(a), broken("disk full"));
  EXPECT_EQ(claim(a).size(), 1u);
}

TEST_F(JobsTest, DecidesAJobAsBrokenAfterThreeTroubles) {
  const auto run = submit(kOneArch);
  const auto agent = join("a");
  finish(claim_one(agent), broken("disk full"));
  claim_one(agent);
  expire();
  tick();
  finish(claim_one(agent), broken("disk full"));
  const auto verdict = combinations(run).at(0);
  EXPECT_EQ(verdict.status, Status::broken);
  EXPECT_EQ(verdict.reason, "3 attempts ended as broken or lost, the last as broken: disk full");
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, QueuesAJobAgainThatAnAgentGaveBack) {
  submit(kOneArch);
  const auto agent = join("a");
  const auto held = claim_one(agent);
  protocol::Finish skipped;
  skipped.status = Status::skipped;
  EXPECT_EQ(finish(held, skipped), Finished::accepted);
  EXPECT_EQ(claim_one(agent).job, held.job);
}

TEST_F(JobsTest, BelievesAFailureAtOnceWhereTheRecipeHasNoControl) {
  const auto run = submit(kBare);
  work_off(join("a"), {"sm_90"});
  const auto found = combinations(run);
  EXPECT_EQ(found[0].status, Status::passed);
  EXPECT_EQ(found[1].status, Status::failed);
  EXPECT_EQ(found[1].reason, "no code for sm_90");
  EXPECT_EQ(found[1].rung, Rung::build);
  EXPECT_EQ(found[1].proved, Rung::load);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, DecidesAllBelowAFailedJobByIt) {
  const auto run = submit(kBare);
  const auto agent = join("a");
  pass(claim_one(agent));
  fail(claim_one(agent), "module missing");
  EXPECT_TRUE(claim(agent).empty());
  for (const auto& verdict : combinations(run)) {
    EXPECT_EQ(verdict.status, Status::failed);
    EXPECT_EQ(verdict.rung, Rung::load);
    EXPECT_EQ(verdict.proved, Rung::resolve);
  }
  EXPECT_EQ(get(run).jobs[JobState::cancelled], 2);
}

TEST_F(JobsTest, HoldsFailuresBackUntilTheirControlHasPassed) {
  const auto run = submit(kThreeArchs);
  const auto agent = join("a");
  pass(claim_one(agent));
  pass(claim_one(agent));
  const auto builds = claim(agent, 8);
  ASSERT_EQ(builds.size(), 3u);
  for (const auto& build : builds)
    if (value_of(build.axes, "arch") == "sm_90") fail(build, "no code");
  EXPECT_TRUE(claim(agent).empty()) << "the control runs when the family has nothing else to do";
  EXPECT_EQ(combinations(run)[1].status, std::nullopt);
  for (const auto& build : builds)
    if (value_of(build.axes, "arch") != "sm_90") pass(build);
  tick();
  EXPECT_EQ(get(run).state, runs::RunState::running);
  const auto control = claim_one(agent);
  EXPECT_TRUE(control.control);
  EXPECT_EQ(value_of(control.axes, "arch"), "sm_80");
  pass(control);
  const auto found = combinations(run);
  EXPECT_EQ(found[1].status, Status::failed);
  EXPECT_EQ(found[1].reason, "no code");
  EXPECT_TRUE(found[0].control);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, DoesNotTryAControlWhenNothingFailed) {
  const auto run = submit(kThreeArchs);
  EXPECT_EQ(work_off(join("a")), 5);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, CallsFailuresBrokenWhenTheirControlFails) {
  const auto run = submit(kThreeArchs);
  const auto agent = join("a");
  work_off(agent, {"sm_80", "sm_90"});
  const auto found = combinations(run);
  EXPECT_EQ(found[1].status, Status::broken);
  EXPECT_EQ(found[1].code, "control_failed");
  EXPECT_EQ(found[1].reason,
            "control arch=sm_80 python=3.11 toy=1.0 failed: no code for sm_80; "
            "the failure seen was: no code for sm_90");
  EXPECT_EQ(found[0].status, Status::broken);
  EXPECT_EQ(found[2].status, Status::passed);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, CallsFailuresBrokenWhenTheirControlBreaks) {
  const auto run = submit(kThreeArchs);
  const auto agent = join("a");
  pass(claim_one(agent));
  pass(claim_one(agent));
  for (const auto& build : claim(agent, 8))
    value_of(build.axes, "arch") == "sm_90" ? fail(build, "no code") : pass(build);
  for (int i = 0; i < 3; ++i) finish(claim_one(agent), broken("disk full"));
  EXPECT_EQ(combinations(run)[1].status, Status::broken);
  EXPECT_NE(combinations(run)[1].reason.find("disk full; the failure seen was: no code"), std::string::npos);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, CallsFailuresBrokenWhenTheJobsAboveTheirControlFailed) {
  const auto run = submit(kThreeArchs);
  const auto agent = join("a");
  pass(claim_one(agent));
  fail(claim_one(agent), "module missing");
  const auto found = combinations(run);
  EXPECT_EQ(found[1].status, Status::broken);
  EXPECT_EQ(found[1].code, "control_blocked");
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, BelievesTheResolversNoWithoutAControl) {
  const auto run = submit(kThreeArchs);
  fail(claim_one(join("a")), "unsatisfiable");
  EXPECT_EQ(combinations(run)[1].status, Status::failed);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, ParksWhatNobodyCanDoAndTakesItUpWhenSomebodyCan) {
  const auto run = submit(kDriver);
  const auto agent = join("a");
  EXPECT_EQ(work_off(agent), 2);
  grow_old();
  tick();
  auto verdict = combinations(run).at(0);
  EXPECT_EQ(verdict.status, Status::untested);
  EXPECT_EQ(verdict.reason, "no agent offers driver 550");
  auto parked = get(run);
  EXPECT_EQ(parked.state, runs::RunState::done);
  ASSERT_EQ(parked.missing.size(), 1u);
  EXPECT_EQ(parked.missing[0].need, "driver=550");
  EXPECT_EQ(parked.missing[0].combinations, 1);
  const auto able = join("b", {"driver=550"});
  tick();
  EXPECT_EQ(get(run).state, runs::RunState::running);
  EXPECT_EQ(work_off(able), 1);
  EXPECT_EQ(combinations(run).at(0).status, Status::passed);
  EXPECT_EQ(get(run).state, runs::RunState::done);
}

TEST_F(JobsTest, ParksNothingOnAServerThatHasJustStarted) {
  const auto run = submit(kDriver);
  change("update job set queued_at = now() - interval '5 minutes' where state = 'queued'");
  tick();
  EXPECT_EQ(get(run).jobs[JobState::queued], 1);
  clock_.advance(std::chrono::seconds(31));
  tick();
  EXPECT_EQ(get(run).jobs[JobState::parked], 1);
  EXPECT_EQ(combinations(run).at(0).reason, "no agent is connected");
}

TEST_F(JobsTest, DropsACancelledRunEverywhere) {
  const auto run = submit(kThreeArchs);
  const auto agent = join("a");
  const auto held = claim_one(agent);
  EXPECT_EQ(wait(runs_.cancel(run)).value().state, runs::RunState::cancelled);
  EXPECT_EQ(wait(jobs_.heartbeat(agent, {{{held.attempt, "resolve"}}})).value().drop, (std::vector{held.attempt}));
  EXPECT_EQ(pass(held), Finished::gone);
  EXPECT_TRUE(claim(agent).empty());
  for (const auto& verdict : combinations(run)) EXPECT_EQ(verdict.status, Status::skipped);
  EXPECT_EQ(wait(runs_.cancel(run)).value().state, runs::RunState::cancelled);
  EXPECT_EQ(wait(runs_.cancel(run + 1)).error().code, ErrorCode::not_found);
}

TEST_F(JobsTest, KeepsALogWithoutHoleOrRepeat) {
  submit(kOneArch);
  const auto held = claim_one(join("a"));
  EXPECT_EQ(wait(jobs_.append_log(held.attempt, 0, "hello ")).value().size, 6u);
  const auto repeated = wait(jobs_.append_log(held.attempt, 0, "hello ")).value();
  EXPECT_EQ(repeated.outcome, Appended::Outcome::misplaced);
  EXPECT_EQ(repeated.size, 6u);
  EXPECT_EQ(wait(jobs_.append_log(held.attempt, 9, "hole")).value().outcome, Appended::Outcome::misplaced);
  EXPECT_EQ(wait(jobs_.append_log(held.attempt, 6, std::string("w\0rld", 5))).value().size, 11u);
  EXPECT_EQ(log_of(held), std::string("hello w\0rld", 11));
  const auto piece = wait(jobs_.read_log(held.job, std::nullopt, 4, 4)).value();
  EXPECT_EQ(piece.text, std::string("o w\0", 4));
  EXPECT_EQ(piece.size, 11u);
  EXPECT_FALSE(piece.ended);
  EXPECT_EQ(wait(jobs_.read_log(held.job, std::nullopt, 99, 4)).value().text, "");
  pass(held);
  EXPECT_TRUE(wait(jobs_.read_log(held.job, std::nullopt, 0, 4)).value().ended);
  EXPECT_EQ(wait(jobs_.read_log(held.job + 1, std::nullopt, 0, 4)).error().code, ErrorCode::not_found);
}

TEST_F(JobsTest, TellsWhoFollowsALogThatItsAttemptHasEnded) {
  const auto run = submit(kOneArch);
  const auto held = claim_one(join("a"));
  boost::asio::cancellation_signal stop;
  boost::asio::co_spawn(context_, jobs_.listen(),
                        boost::asio::bind_cancellation_slot(stop.slot(), [](std::exception_ptr) {}));
  std::optional<LogPiece> end;
  boost::asio::co_spawn(context_, jobs_.follow_log(held.job, held.attempt, 0, 1, std::chrono::seconds(30)),
                        [&](std::exception_ptr, Result<LogPiece> piece) { end = piece.value(); });
  context_.restart();
  context_.run_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(end.has_value());
  wait(runs_.cancel(run)).value();
  const auto begun = std::chrono::steady_clock::now();
  context_.restart();
  while (!end && std::chrono::steady_clock::now() - begun < std::chrono::seconds(10))
    context_.run_one_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(end.has_value());
  EXPECT_TRUE(end->ended);
  stop.emit(boost::asio::cancellation_type::terminal);
  context_.restart();
  context_.run();
}

TEST(Signal, LetsNothingSlipByThatHappensWhileOneLooks) {
  boost::asio::io_context context;
  Signal signal;
  const auto seen = signal.count();
  signal.raise();
  bool woken = false;
  boost::asio::co_spawn(context, signal.wait(seen, std::chrono::hours(1)), [&](std::exception_ptr) { woken = true; });
  context.run_for(std::chrono::seconds(5));
  EXPECT_TRUE(woken);
}

TEST_F(JobsTest, RefusesALogPastItsBound) {
  jobs::Jobs small(pool_, clock_, {.log_limit_bytes = 10});
  submit(kOneArch);
  const auto held = claim_one(join("a"));
  EXPECT_EQ(wait(small.append_log(held.attempt, 0, "0123456789")).value().outcome, Appended::Outcome::appended);
  EXPECT_EQ(wait(small.append_log(held.attempt, 10, "x")).value().outcome, Appended::Outcome::full);
}

}  // namespace
}  // namespace crosswarp::jobs
