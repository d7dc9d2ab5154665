// SPDX-License-Identifier: Apache-2.0
#include "tests/support/store.hpp"

#include <algorithm>
#include <fstream>

namespace crosswarp::tests {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{64} << 30;

constexpr const char* kStages = R"(
image: host
axes:
  toy: {kind: package, package: toy}
  python: {kind: interpreter}
  arch: {kind: arch}
  driver: {kind: driver}
stages:
  - rung: resolve
    depends_on: [toy, python]
    network: true
    evidence: resolved
    run: "true"
    proof: [{lock: {file: lock.txt}}]
  - rung: load
    depends_on: [toy, python]
    evidence: installed
    run: "true"
    proof: [{loaded: {file: loaded.json}}]
  - rung: build
    depends_on: [arch, driver]
    evidence: compiled
    limits: {memory: 4GiB}
    run: "true"
    proof: [{code: {file: a.cubin, arch: "${arch}", suffix: allowed}}]
)";

void write_recipe(const std::filesystem::path& folder, const std::string& name, const std::string& controls) {
  std::filesystem::create_directories(folder / name);
  std::ofstream(folder / name / "recipe.yaml") << "version: 1\nlibrary: toy\ntitle: Toy\n" << kStages << controls;
}

std::filesystem::path write_recipes(const std::filesystem::path& folder) {
  write_recipe(folder, "toy", "controls:\n  - {per: [toy, python], with: {arch: sm_80}}\n");
  write_recipe(folder, "bare", "");
  std::filesystem::create_directories(folder / "common");
  std::ofstream(folder / "common" / "load.py") << "print()\n";
  return folder;
}

}  // namespace

protocol::Finish passed(Rung proved) {
  protocol::Finish finish;
  finish.status = Status::passed;
  finish.rung = proved;
  finish.proved = proved;
  finish.evidence = proved == Rung::resolve ? Evidence::resolved
                    : proved == Rung::load  ? Evidence::installed
                                            : Evidence::compiled;
  if (proved == Rung::resolve) finish.lock = "toy==1.0\n";
  return finish;
}

protocol::Finish failed(Rung rung, const std::string& reason) {
  protocol::Finish finish;
  finish.status = Status::failed;
  finish.rung = rung;
  finish.code = "compiler_error";
  finish.reason = reason;
  return finish;
}

protocol::Finish broken(const std::string& reason) {
  protocol::Finish finish;
  finish.code = "engine";
  finish.reason = reason;
  return finish;
}

StoreTest::StoreTest()
    : pool_(context_.get_executor(), database_.url()),
      recipes_({write_recipes(recipes_folder_.path())}),
      jobs_(pool_, clock_),
      agents_(pool_, {}),
      runs_(pool_, recipes_),
      table_(pool_) {}

std::int64_t StoreTest::submit(const std::string& yaml) {
  const auto submitted = wait(runs_.submit({yaml, "", false})).value();
  for (const auto& diagnostic : submitted.diagnostics) ADD_FAILURE() << render(diagnostic, "matrix.yaml");
  return submitted.run;
}

std::int64_t StoreTest::join(const std::string& name, std::vector<std::string> more) {
  more.emplace_back("python=3.11");
  return wait(agents_.register_({name, "0.1.0", std::move(more), kPlenty, 8, {}})).value().agent;
}

std::vector<protocol::Assignment> StoreTest::claim(std::int64_t agent, int slots) {
  return wait(jobs_.claim(agent, {slots, kPlenty}, std::chrono::milliseconds(0))).value().assignments;
}

protocol::Assignment StoreTest::claim_one(std::int64_t agent) {
  auto assignments = claim(agent);
  EXPECT_EQ(assignments.size(), 1u);
  return assignments.empty() ? protocol::Assignment{} : assignments.front();
}

jobs::Finished StoreTest::finish(const protocol::Assignment& assignment, protocol::Finish finish) {
  return wait(jobs_.finish(assignment.attempt, std::move(finish))).value();
}

jobs::Finished StoreTest::pass(const protocol::Assignment& assignment) {
  return finish(assignment, passed(assignment.rungs.back()));
}

jobs::Finished StoreTest::fail(const protocol::Assignment& assignment, const std::string& reason) {
  return finish(assignment, failed(assignment.rungs.back(), reason));
}

int StoreTest::work_off(std::int64_t agent, const std::vector<std::string>& failing) {
  int count = 0;
  for (auto assignments = claim(agent, 8); !assignments.empty(); assignments = claim(agent, 8))
    for (const auto& assignment : assignments) {
      const auto arch = std::string(value_of(assignment.axes, "arch"));
      const bool fails = std::find(failing.begin(), failing.end(), arch) != failing.end();
      fails ? fail(assignment, "no code for " + arch) : pass(assignment);
      ++count;
    }
  return count;
}

void StoreTest::tick() { wait(jobs_.tick()).value(); }

void StoreTest::change(const std::string& sql) {
  const auto lease = wait(pool_.acquire());
  wait((*lease)->run_script(sql));
}

runs::Run StoreTest::get(std::int64_t run) { return wait(runs_.get(run)).value(); }

std::vector<table::Verdict> StoreTest::combinations(std::int64_t run) {
  std::vector<table::Verdict> found;
  for (auto& one : wait(runs_.combinations(run, {}, 1000, 0)).value().combinations) found.push_back(one.verdict);
  return found;
}

std::vector<table::Verdict> StoreTest::verdicts(table::VerdictFilter filter) {
  return wait(table_.query(std::move(filter))).value().verdicts;
}

}  // namespace crosswarp::tests
