// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/spec/diagnostic.hpp"
#include "server/agents/agents.hpp"
#include "server/db/pool.hpp"
#include "server/jobs/job.hpp"
#include "server/runs/recipe_source.hpp"
#include "server/table/verdict.hpp"

#include <boost/asio/thread_pool.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswarp::runs {

namespace asio = boost::asio;

enum class RunState { running, done, cancelled };

std::string_view to_text(RunState state);

struct Submission {
  std::string yaml;
  std::string label;
  bool verify = false;  ///< combinations that a fact forbids are run all the same, to prove the fact
};

/// What came of a submission: a run, or (with errors among `diagnostics`) none and why, each with line and column.
struct Submitted {
  std::int64_t run = 0;
  std::int64_t combinations = 0;
  std::int64_t jobs = 0;
  std::int64_t unsupported = 0;
  std::vector<Diagnostic> diagnostics;
  bool ok() const { return !has_errors(diagnostics); }
};

/// Something that agents lack, and how many combinations wait for it.
struct Missing {
  std::string need;  ///< "driver=550"
  std::string text;  ///< "no agent offers driver 550"
  std::int64_t combinations = 0;
};

struct RunDoing {
  std::string agent;
  agents::Doing job;
};

struct Run {
  std::int64_t id = 0;
  std::string label;
  RunState state = RunState::running;
  std::string created;                  ///< RFC 3339
  std::optional<std::string> finished;  ///< RFC 3339
  double elapsed_seconds = 0;
  std::vector<std::string> libraries;
  std::int64_t combinations = 0;
  std::int64_t done = 0;                ///< combinations that are no longer pending
  std::map<std::string, std::int64_t> by_status;  ///< of statuses, and "pending"
  std::map<jobs::JobState, std::int64_t> jobs;
  std::vector<RunDoing> doing;          ///< only from get
  std::vector<Missing> missing;         ///< only from get
};

struct RunPage {
  std::vector<Run> runs;  ///< newest first
  std::optional<std::int64_t> next;
};

/// A combination of one run and the chain of jobs that decides it, first one first; none where no job is needed.
struct RunCombination {
  table::Verdict verdict;
  std::vector<std::int64_t> jobs;
};

struct CombinationPage {
  std::vector<RunCombination> combinations;
  std::optional<std::int64_t> next;
};

struct RunOptions {
  std::uint64_t combination_limit = 1'000'000;  ///< of one matrix
};

/// Submitted matrices, and how far each has come.
class Runs {
 public:
  Runs(db::Pool& pool, const RecipeSource& recipes, RunOptions options = {});

  /// Parses, expands and plans `submission` and stores all of it in one transaction.
  /// Errors: too_large past the limit of combinations, saying the size; unavailable.
  asio::awaitable<Result<Submitted>> submit(Submission submission);
  /// Errors: not_found.
  asio::awaitable<Result<Run>> get(std::int64_t run);
  asio::awaitable<Result<RunPage>> list(std::size_t limit, std::optional<std::int64_t> cursor);
  /// Combinations in the order of the matrix. `statuses`: any of them ("pending" among them); empty: all.
  /// Errors: not_found for an unknown run.
  asio::awaitable<Result<CombinationPage>> combinations(std::int64_t run, std::vector<std::string> statuses,
                                                        std::size_t limit, std::int64_t cursor);
  /// The jobs planned for the combination, first one first; empty where it needs none, or is not of the run.
  asio::awaitable<Result<std::vector<std::int64_t>>> chain(std::int64_t run, std::string library, std::string id);
  /// Ends the run: what has not begun is not begun, agents are told to drop the rest. A run that is over stays as it
  /// is. Errors: not_found.
  asio::awaitable<Result<Run>> cancel(std::int64_t run);
  /// A file that a run pinned. Errors: not_found.
  asio::awaitable<Result<std::string>> blob(std::string sha256);

 private:
  db::Pool& pool_;
  const RecipeSource& recipes_;
  RunOptions options_;
  asio::thread_pool planning_{1};  ///< reading and planning would hold up the event loop
};

}  // namespace crosswarp::runs
