// SPDX-License-Identifier: Apache-2.0
#include "server/runs/runs.hpp"

#include "server/db/transaction.hpp"
#include "server/runs/preparation.hpp"
#include "server/runs/run_store.hpp"
#include "server/table/publish.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace crosswarp::runs {
namespace {

using db::Query;

// $1 run or null, $2 cursor or null, $3 limit
constexpr Query kRuns{"runs.read", R"sql(
  select id, label, state, created_at, finished_at,
         extract(epoch from coalesce(finished_at, now()) - created_at) as elapsed,
         (select array_agg(library) from (select distinct library from matrix m where m.run_id = r.id
                                          order by library) named) as libraries
  from run r
  where ($1::bigint is null or id = $1) and ($2::bigint is null or id < $2)
  order by id desc limit $3)sql"};

constexpr Query kStatuses{"runs.statuses", R"sql(
  select run_id, coalesce(status::text, 'pending') as status, count(*) as n
  from combination where run_id = any($1) group by 1, 2)sql"};

constexpr Query kJobStates{"runs.job_states", R"sql(
  select run_id, state, count(*) as n from job where run_id = any($1) group by 1, 2)sql"};

constexpr Query kDoing{"runs.doing", R"sql(
  select g.name as agent, a.id as attempt, a.stage, j.id as job, j.run_id, j.axes, m.library,
         extract(epoch from clock_timestamp() - a.started_at)::bigint as since_seconds
  from job j join attempt a on a.id = j.attempt_id join agent g on g.id = a.agent_id
       join matrix m on m.run_id = j.run_id and m.number = j.matrix
  where j.run_id = $1 and j.state = 'leased' order by a.id)sql"};

constexpr Query kMissing{"runs.missing", R"sql(
  select j.missing_need, j.missing, count(*) as n
  from combination c join job j on j.id = c.job_id
  where c.run_id = $1 and c.state = 'parked' and j.state = 'parked' group by 1, 2 order by 3 desc, 1)sql"};

// $1 run, $2 statuses or null, $3 first ordinal, $4 limit
constexpr Query kCombinations{"runs.combinations", R"sql(
  select c.ordinal + 1 as row_id, m.library, coalesce(c.axes ->> m.library, 'none') as version, c.axes, c.id, c.status,
         c.rung, c.proved, c.evidence, c.reason, c.code, c.remedy, c.source, c.decided_at as since,
         c.decided_at as checked, c.run_id, c.job_id, c.attempt_id, c.control,
         array(with recursive up as (
                 select id, parent_id, 0 as height from job where id = c.leaf_job_id
                 union all select j.id, j.parent_id, u.height + 1 from job j join up u on j.id = u.parent_id)
               select id from up order by height desc) as jobs
  from combination c join matrix m on m.run_id = c.run_id and m.number = c.matrix
  where c.run_id = $1 and c.ordinal >= $3
    and ($2::text[] is null or coalesce(c.status::text, 'pending') = any($2))
  order by c.ordinal limit $4)sql"};

// $1 run, $2 library, $3 combination
constexpr Query kChain{"runs.chain", R"sql(
  with recursive leaf as (
    select c.leaf_job_id as id from combination c join matrix m on m.run_id = c.run_id and m.number = c.matrix
    where c.run_id = $1 and m.library = $2 and c.id = $3 order by c.ordinal limit 1
  ), up as (
    select j.id, j.parent_id, 0 as height from job j join leaf on leaf.id = j.id
    union all select j.id, j.parent_id, up.height + 1 from job j join up on j.id = up.parent_id
  )
  select id from up order by height desc)sql"};

constexpr Query kCancelRun{"runs.cancel", R"sql(
  update run set state = 'cancelled', finished_at = now() where id = $1 and state = 'running')sql"};

constexpr Query kCancelJobs{"runs.cancel_jobs", R"sql(
  with ended as (
    update attempt set ended_at = now(), outcome = 'skipped', reason = 'the run was cancelled', stage = ''
    where ended_at is null and job_id in (select id from job where run_id = $1 and state = 'leased')
  )
  update job set state = 'cancelled', attempt_id = null, lease_until = null, missing = null, missing_need = null
  where run_id = $1 and state <> 'done')sql"};

constexpr Query kCancelCombinations{"runs.cancel_combinations", R"sql(
  update combination set state = 'decided', status = 'skipped', code = 'cancelled', decided_at = now(),
    reason = case when state = 'provisional' then 'the run was cancelled before this failure was confirmed: ' || reason
                  else 'the run was cancelled' end
  where run_id = $1 and state <> 'decided' returning ordinal)sql"};

constexpr Query kBlob{"runs.blob", "select bytes from blob where sha256 = $1"};

RunState state_of(std::string_view text) {
  for (const auto state : {RunState::running, RunState::done, RunState::cancelled})
    if (text == to_text(state)) return state;
  throw std::logic_error("no such state");
}

Run run_of(const db::Row& row) {
  Run run;
  run.id = row.integer("id");
  run.label = row.string("label");
  run.state = state_of(row.text("state"));
  run.created = row.time("created_at");
  run.finished = row.optional_time("finished_at");
  run.elapsed_seconds = row.number("elapsed");
  if (!row.is_null("libraries")) run.libraries = row.strings("libraries");
  return run;
}

/// Runs by the statement's values, with their counts.
asio::awaitable<Result<std::vector<Run>>> read_runs(db::Pool& pool, std::optional<std::int64_t> id,
                                                    std::optional<std::int64_t> cursor, std::size_t limit) {
  const auto rows = co_await db::query(pool, kRuns, id, cursor, limit);
  if (rows.has_error()) co_return rows.error();
  std::vector<Run> runs;
  std::vector<std::int64_t> ids;
  std::unordered_map<std::int64_t, std::size_t> places;
  for (const auto row : *rows) {
    places.emplace(row.integer("id"), runs.size());
    ids.push_back(row.integer("id"));
    runs.push_back(run_of(row));
  }
  const auto statuses = co_await db::query(pool, kStatuses, ids);
  if (statuses.has_error()) co_return statuses.error();
  for (const auto row : *statuses) {
    auto& run = runs[places.at(row.integer("run_id"))];
    const auto count = row.integer("n");
    run.by_status[row.string("status")] = count;
    run.combinations += count;
    if (row.text("status") != "pending") run.done += count;
  }
  const auto states = co_await db::query(pool, kJobStates, ids);
  if (states.has_error()) co_return states.error();
  for (const auto row : *states)
    runs[places.at(row.integer("run_id"))].jobs[jobs::job_state_from_text(row.text("state")).value()] =
        row.integer("n");
  co_return runs;
}

Error unknown_run(std::int64_t run) { return {ErrorCode::not_found, "no run " + std::to_string(run)}; }

Submitted summary_of(const Preparation& preparation) {
  Submitted submitted;
  submitted.diagnostics = preparation.diagnostics;
  for (const auto& matrix : preparation.matrices) {
    submitted.combinations += static_cast<std::int64_t>(matrix.combinations.size());
    submitted.jobs += std::count(matrix.needed.begin(), matrix.needed.end(), true);
    submitted.unsupported += std::count_if(matrix.combinations.begin(), matrix.combinations.end(),
                                           [](const auto& one) { return one.unsupported.has_value(); });
  }
  return submitted;
}

/// Runs `prepare` on the pool for it and comes back.
asio::awaitable<Result<Preparation>> prepare_aside(asio::thread_pool& pool, const RecipeSource& recipes,
                                                   const Submission& submission, std::uint64_t limit) {
  std::optional<Result<Preparation>> prepared;
  const auto work = [&]() -> asio::awaitable<void> {
    prepared.emplace(prepare(submission.yaml, recipes, submission.verify, limit));
    co_return;
  };
  co_await asio::co_spawn(pool, work(), asio::use_awaitable);
  co_return std::move(*prepared);
}

asio::awaitable<Result<void>> cancel_in(db::Connection& connection, std::int64_t run) {
  const auto cancelled = co_await connection.execute(kCancelRun, run);
  if (cancelled.affected() == 0) co_return Result<void>{};
  co_await connection.execute(kCancelJobs, run);
  const auto skipped = co_await connection.execute(kCancelCombinations, run);
  std::vector<std::int64_t> ordinals;
  for (const auto row : skipped) ordinals.push_back(row.integer("ordinal"));
  co_await table::publish(connection, run, std::move(ordinals));
  co_return Result<void>{};
}

}  // namespace

std::string_view to_text(RunState state) {
  switch (state) {
    case RunState::running: return "running";
    case RunState::done: return "done";
    case RunState::cancelled: return "cancelled";
  }
  throw std::logic_error("no such state");
}

Runs::Runs(db::Pool& pool, const RecipeSource& recipes, RunOptions options)
    : pool_(pool), recipes_(recipes), options_(options) {}

asio::awaitable<Result<Submitted>> Runs::submit(Submission submission) {
  const auto prepared = co_await prepare_aside(planning_, recipes_, submission, options_.combination_limit);
  if (prepared.has_error()) co_return prepared.error();
  auto submitted = summary_of(*prepared);
  if (!submitted.ok()) co_return submitted;
  const db::Work<std::int64_t> work = [&](db::Connection& connection) -> asio::awaitable<Result<std::int64_t>> {
    co_return co_await store_run(connection, submission, *prepared);
  };
  const auto run = co_await db::transaction<std::int64_t>(pool_, work);
  if (run.has_error()) co_return run.error();
  submitted.run = *run;
  co_return submitted;
}

asio::awaitable<Result<Run>> Runs::get(std::int64_t run) {
  auto runs = co_await read_runs(pool_, run, std::nullopt, 1);
  if (runs.has_error()) co_return runs.error();
  if (runs->empty()) co_return unknown_run(run);
  auto& found = runs->front();
  const auto doing = co_await db::query(pool_, kDoing, run);
  if (doing.has_error()) co_return doing.error();
  for (const auto row : *doing) found.doing.push_back({row.string("agent"), agents::doing_of(row)});
  const auto missing = co_await db::query(pool_, kMissing, run);
  if (missing.has_error()) co_return missing.error();
  for (const auto row : *missing)
    found.missing.push_back({row.string("missing_need"), row.string("missing"), row.integer("n")});
  co_return std::move(found);
}

asio::awaitable<Result<RunPage>> Runs::list(std::size_t limit, std::optional<std::int64_t> cursor) {
  auto runs = co_await read_runs(pool_, std::nullopt, cursor, limit);
  if (runs.has_error()) co_return runs.error();
  RunPage page{std::move(*runs), std::nullopt};
  if (limit > 0 && page.runs.size() == limit) page.next = page.runs.back().id;
  co_return page;
}

asio::awaitable<Result<CombinationPage>> Runs::combinations(std::int64_t run, std::vector<std::string> statuses,
                                                            std::size_t limit, std::int64_t cursor) {
  const auto known = co_await db::query(pool_, kRuns, run, std::nullopt, 1);
  if (known.has_error()) co_return known.error();
  if (known->empty()) co_return unknown_run(run);
  const auto wanted = statuses.empty() ? std::nullopt : std::optional(statuses);
  const auto rows = co_await db::query(pool_, kCombinations, run, wanted, cursor, limit);
  if (rows.has_error()) co_return rows.error();
  CombinationPage page;
  for (const auto row : *rows) page.combinations.push_back({table::verdict_of(row), row.integers("jobs")});
  if (limit > 0 && page.combinations.size() == limit) page.next = page.combinations.back().verdict.row;
  co_return page;
}

asio::awaitable<Result<std::vector<std::int64_t>>> Runs::chain(std::int64_t run, std::string library,
                                                               std::string id) {
  const auto rows = co_await db::query(pool_, kChain, run, library, id);
  if (rows.has_error()) co_return rows.error();
  std::vector<std::int64_t> jobs;
  for (const auto row : *rows) jobs.push_back(row.integer("id"));
  co_return jobs;
}

asio::awaitable<Result<Run>> Runs::cancel(std::int64_t run) {
  const db::Work<void> work = [run](db::Connection& connection) { return cancel_in(connection, run); };
  const auto cancelled = co_await db::transaction<void>(pool_, work);
  if (cancelled.has_error()) co_return cancelled.error();
  co_return co_await get(run);
}

asio::awaitable<Result<std::string>> Runs::blob(std::string sha256) {
  const auto rows = co_await db::query(pool_, kBlob, sha256);
  if (rows.has_error()) co_return rows.error();
  if (rows->empty()) co_return Error{ErrorCode::not_found, "no blob " + sha256};
  co_return rows->front().bytes("bytes");
}

}  // namespace crosswarp::runs
