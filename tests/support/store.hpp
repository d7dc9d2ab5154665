// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/agents/agents.hpp"
#include "server/agents/tokens.hpp"
#include "server/db/transaction.hpp"
#include "server/jobs/jobs.hpp"
#include "server/runs/runs.hpp"
#include "server/table/table.hpp"
#include "tests/support/coroutine.hpp"
#include "tests/support/temp_database.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace crosswarp::tests {

/// The whole store on a database of its own, with verbs that wait for their answers. The recipe `toy` has the stages
/// resolve (axes toy, python), load (the same) and build (arch, driver too), and controls per (toy, python) with arch
/// sm_80; `bare` is the same without controls.
class StoreTest : public testing::Test {
 protected:
  StoreTest();

  template <class T>
  T wait(boost::asio::awaitable<T> work) {
    return run(context_, std::move(work));
  }

  /// Submits `yaml`; the run's id.
  std::int64_t submit(const std::string& yaml);
  /// Takes an agent in that offers python 3.11 and `more`; its id.
  std::int64_t join(const std::string& name, std::vector<std::string> more = {});
  /// Claims up to `slots` jobs at once.
  std::vector<protocol::Assignment> claim(std::int64_t agent, int slots = 1);
  /// Claims one job, and fails the test when there is none.
  protocol::Assignment claim_one(std::int64_t agent);
  jobs::Finished pass(const protocol::Assignment& assignment);
  jobs::Finished fail(const protocol::Assignment& assignment, const std::string& reason);
  jobs::Finished finish(const protocol::Assignment& assignment, protocol::Finish finish);
  /// Works off everything: a build for an arch in `failing` fails, all else passes. How many jobs there were.
  int work_off(std::int64_t agent, const std::vector<std::string>& failing = {});
  void tick();
  /// One statement without values.
  void change(const std::string& sql);
  runs::Run get(std::int64_t run);
  /// The combinations of a run in order.
  std::vector<table::Verdict> combinations(std::int64_t run);
  std::vector<table::Verdict> verdicts(table::VerdictFilter filter = {});

  TempDatabase database_;
  TempFolder recipes_folder_;
  boost::asio::io_context context_;
  db::Pool pool_;
  FakeClock clock_;
  runs::RecipeSource recipes_;
  jobs::Jobs jobs_;
  agents::Agents agents_;
  runs::Runs runs_;
  table::Table table_;
};

/// The outcomes of a stage as an agent tells them.
protocol::Finish passed(Rung proved);
protocol::Finish failed(Rung rung, const std::string& reason);
protocol::Finish broken(const std::string& reason);

}  // namespace crosswarp::tests
