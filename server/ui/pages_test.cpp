// SPDX-License-Identifier: Apache-2.0
#include "server/ui/pages.hpp"

#include "server/ui/assets.hpp"

#include <gtest/gtest.h>

namespace crosswarp::ui {
namespace {

using table::Verdict;

constexpr const char* kHostile = "<script>alert(1)</script>\"'&\x1b[31m";
constexpr const char* kEscaped = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&apos;&amp;\\x1b[31m";

const TimePoint kNow = std::chrono::system_clock::from_time_t(1'000'000'000);

bool has(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

Verdict verdict(std::string arch, std::optional<Status> status) {
  Verdict made;
  made.library = "triton";
  made.version = "3.3.0";
  made.combination = {{"arch", std::move(arch)}, {"triton", "3.3.0"}};
  made.id = combination_id(made.combination);
  made.status = status;
  made.rung = Rung::build;
  made.proved = Rung::build;
  made.evidence = Evidence::compiled;
  made.checked = "2001-09-08T22:00:00Z";
  made.job = 7;
  made.run = 3;
  return made;
}

const std::vector<table::AxisValues> kAxes{{"triton", {"3.3.0"}}, {"arch", {"sm_90", "sm_120"}}};

jobs::Job build_job() {
  jobs::Job job;
  job.id = 7;
  job.run = 3;
  job.library = "triton";
  job.rungs = {Rung::build};
  job.axes = {{"arch", "sm_90"}};
  job.state = jobs::JobState::done;
  job.outcome = "failed";
  jobs::Attempt attempt;
  attempt.id = 11;
  attempt.number = 1;
  attempt.agent = "ada";
  attempt.outcome = "failed";
  attempt.lock = "triton==3.3.0\n";
  attempt.units = {
      {{"rung", "build"},
       {"unit", "matmul"},
       {"outcome", "failed"},
       {"seconds", 1.25},
       {"peak_memory_bytes", 1048576},
       {"reason", kHostile},
       {"proofs", {{{"kind", "product"}, {"file", "matmul.ptx"}, {"found", {{"matrix", 0}}}, {"holds", false}}}}}};
  job.attempts = {attempt};
  return job;
}

TEST(Pages, LoadOnlyTheirOwnFiles) {
  const std::string page = home_page({}, {});
  EXPECT_TRUE(has(page, "href=\"/assets/style.css?v="));
  EXPECT_TRUE(has(page, "src=\"/assets/live.mjs?v="));
  EXPECT_FALSE(has(page, "http://"));
  EXPECT_FALSE(has(page, "https://"));
  EXPECT_FALSE(has(page, "style=\""));
  EXPECT_FALSE(has(std::string(find_asset("style.css")->text), "url("));
}

TEST(Assets, AreKnownByName) {
  EXPECT_TRUE(find_asset("live.mjs").has_value());
  EXPECT_FALSE(find_asset("../view.cpp").has_value());
}

TEST(HomePage, CountsTheCombinationsOfEachLibrary) {
  const std::string page = home_page({{"flash-attn", 12, {{Status::passed, 9}, {Status::failed, 3}}}}, {});
  EXPECT_TRUE(has(page, "<a href=\"/libraries/flash-attn\">flash-attn</a>"));
  EXPECT_TRUE(has(page, "href=\"/libraries/flash-attn?status=failed\""));
  EXPECT_TRUE(has(page, "9 passed"));
}

TEST(LibraryPage, SaysFiveThingsInACell) {
  const std::string page = library_page("triton", {verdict("sm_90", Status::passed)}, kAxes, {}, kNow).value();
  EXPECT_TRUE(has(page, "class=\"cell passed unrun\""));
  EXPECT_TRUE(has(page, "<span class=\"mark\" aria-hidden=\"true\">✓</span><span class=\"word\">build</span>"));
  EXPECT_TRUE(has(page, "<span class=\"age\">◇ 3 h</span>"));
  EXPECT_TRUE(has(page, "passed at build, compiled, nobody ran it on a device"));
  EXPECT_TRUE(has(page, "href=\"/combinations/triton/" + verdict("sm_90", Status::passed).id + '"'));
}

TEST(LibraryPage, ShowsTheSpreadOfAGroupedCell) {
  const std::string page = library_page("triton", {verdict("sm_90", Status::passed), verdict("sm_120", Status::failed)},
                                        kAxes, {{"rows", "triton"}, {"columns", "triton"}}, kNow)
                               .value();
  EXPECT_TRUE(has(page, "class=\"cell mixed\""));
  EXPECT_TRUE(has(page, "<span class=\"word\">1/2</span>"));
  EXPECT_TRUE(has(page, "title=\"1 failed, 1 passed\""));
}

TEST(LibraryPage, EscapesWhatCameFromOutside) {
  Verdict hostile = verdict("sm_90", Status::failed);
  hostile.reason = kHostile;
  const std::string page = library_page("triton", {hostile}, kAxes, {{"arch", "sm_90"}}, kNow).value();
  EXPECT_TRUE(has(page, kEscaped));
  EXPECT_FALSE(has(page, "<script>"));
}

TEST(LibraryPage, LinksToTheSameVerdictsAsJson) {
  const std::string page = library_page("triton", {verdict("sm_90", Status::passed)}, kAxes,
                                        {{"triton", ">=3.3"}, {"status", "passed"}}, kNow)
                               .value();
  EXPECT_TRUE(has(page, "/api/v1/verdicts?library=triton&amp;triton=%3E%3D3.3&amp;status=passed"));
}

TEST(CombinationPage, AnswersFirstAndShowsTheEvidence) {
  Verdict failed = verdict("sm_90", Status::failed);
  failed.proved = Rung::load;
  failed.reason = kHostile;
  failed.remedy = "pip install triton==3.4.0";
  const std::string page = combination_page(failed, {build_job()}, kNow);
  EXPECT_TRUE(has(page, "Fails at build"));
  EXPECT_TRUE(has(page, "<pre class=\"type\">pip install triton==3.4.0</pre>"));
  EXPECT_TRUE(has(page, kEscaped));
  EXPECT_FALSE(has(page, "<script>"));
  EXPECT_TRUE(has(page, "product matmul.ptx {&quot;matrix&quot;:0}"));
  EXPECT_TRUE(has(page, "1.2 s, 1.0 MiB"));
  EXPECT_TRUE(has(page, "triton==3.3.0"));
  EXPECT_TRUE(has(page, "href=\"/jobs/7\""));
}

/// The row of a rung on a combination's page.
std::string row_of(const std::string& page, const std::string& rung) {
  const std::size_t name = page.find("<b>" + rung + "</b>");
  return page.substr(name, page.find("</li>", name) - name);
}

TEST(CombinationPage, TellsRungsNotReachedFromThoseNotAskedFor) {
  Verdict failed = verdict("sm_90", Status::failed);
  failed.rung = Rung::load;
  failed.proved = Rung::install;
  failed.evidence = Evidence::installed;
  jobs::Job resolve;
  resolve.rungs = {Rung::resolve};
  jobs::Job install;
  install.rungs = {Rung::install, Rung::load};
  jobs::Job build;
  build.rungs = {Rung::build};
  build.state = jobs::JobState::cancelled;
  const std::string page = combination_page(failed, {resolve, install, build}, kNow);
  EXPECT_TRUE(has(row_of(page, "resolve"), "<span class=\"ev\">resolved</span>"));
  EXPECT_TRUE(has(row_of(page, "install"), "<span class=\"ev\">installed</span>"));
  EXPECT_TRUE(has(row_of(page, "build"), "not reached"));
  EXPECT_TRUE(has(row_of(page, "smoke"), "not asked for"));
  Verdict unsupported = verdict("sm_90", Status::unsupported);
  unsupported.rung = Rung::feasible;
  unsupported.proved = std::nullopt;
  EXPECT_FALSE(has(combination_page(unsupported, {}, kNow), "not asked for"));
}

TEST(CombinationPage, NamesTheEvidenceOfEachRungThatPassed) {
  Verdict passed = verdict("sm_90", Status::passed);
  jobs::Job install = build_job();
  install.rungs = {Rung::install, Rung::load};
  install.attempts.back().evidence = Evidence::installed;
  const std::string page = combination_page(passed, {install, build_job()}, kNow);
  EXPECT_TRUE(has(row_of(page, "feasible"), "<span class=\"ev\">resolved</span>"));
  EXPECT_TRUE(has(row_of(page, "load"), "<span class=\"ev\">installed</span>"));
  EXPECT_TRUE(has(row_of(page, "build"), "<span class=\"ev\">compiled</span>"));
}

TEST(JobPage, FollowsALogThatGrows) {
  const LogTail tail{11, kHostile, 5000, false, true};
  const std::string page = job_page(build_job(), tail);
  EXPECT_TRUE(has(page, "data-events=\"/api/v1/jobs/7/log/events?attempt=11\""));
  EXPECT_TRUE(has(page, kEscaped));
  EXPECT_FALSE(has(page, "<script>"));
  EXPECT_FALSE(has(job_page(build_job(), LogTail{11, "", 0, true, false}), "data-events"));
  EXPECT_FALSE(has(job_page(build_job(), std::nullopt), "<pre class=\"log"));
}

TEST(RunPage, IsFetchedAgainWhileTheRunGoesOn) {
  runs::Run run;
  run.id = 3;
  run.label = kHostile;
  run.combinations = 2;
  run.by_status = {{"passed", 1}, {"pending", 1}};
  run.missing = {{"driver=550", "no agent offers driver 550", 1}};
  const runs::CombinationPage page{{{verdict("sm_90", std::nullopt), {7}}}, std::nullopt};
  const std::string running = run_page(run, page);
  EXPECT_TRUE(has(running, "data-refresh"));
  EXPECT_TRUE(has(running, "no agent offers driver 550"));
  EXPECT_TRUE(has(running, kEscaped));
  EXPECT_TRUE(has(running, "<a href=\"/jobs/7\">7</a>"));
  run.state = runs::RunState::done;
  EXPECT_FALSE(has(run_page(run, page), "data-refresh"));
}

TEST(AgentsPage, SaysWhatEachOffersAndDoes) {
  agents::Agent agent;
  agent.host.name = "ada";
  agent.host.offers = {"python=3.11"};
  agent.live = true;
  agent.doing = {{3, 7, 11, "triton", {{"arch", "sm_90"}}, "build matmul", 12}};
  const std::string page = agents_page({agent}, kNow);
  EXPECT_TRUE(has(page, "<code>python=3.11</code>"));
  EXPECT_TRUE(has(page, "build matmul: <a href=\"/jobs/7\">triton arch sm_90</a>, 12 s"));
}

}  // namespace
}  // namespace crosswarp::ui
