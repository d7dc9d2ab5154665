// SPDX-License-Identifier: Apache-2.0
// The part of Jobs that tells of jobs and their attempts.
#include "server/db/transaction.hpp"
#include "server/jobs/jobs.hpp"
#include "server/table/verdict.hpp"

#include <unordered_map>

namespace crosswarp::jobs {
namespace {

using db::Query;

// $1 job or null, $2 run or null
constexpr Query kJobs{"jobs.read", R"sql(
  select j.id, j.run_id, j.parent_id, m.library, j.key, j.rungs, j.axes, j.state, j.outcome, j.needs, j.missing,
         j.memory_bytes, j.depth, j.control
  from job j join matrix m on m.run_id = j.run_id and m.number = j.matrix
  where j.id = $1 or j.run_id = $2 order by j.id)sql"};

// $1 job or null, $2 run or null: of a run without what is large
constexpr Query kAttempts{"jobs.read_attempts", R"sql(
  select a.id, a.job_id, a.number, g.name as agent, a.started_at, a.ended_at, a.outcome, a.stage, a.rung, a.proved,
         a.evidence, a.code, a.reason, a.remedy, a.log_size,
         extract(epoch from coalesce(a.ended_at, clock_timestamp()) - a.started_at) as seconds,
         case when $2::bigint is null then a.units else '[]' end as units,
         case when $2::bigint is null then a.details else '{}' end as details,
         case when $2::bigint is null then convert_from(b.bytes, 'UTF8') end as lock
  from attempt a join agent g on g.id = a.agent_id left join blob b on b.sha256 = a.lock_sha256
  where a.job_id = $1 or a.job_id in (select id from job where run_id = $2)
  order by a.job_id, a.number)sql"};

constexpr Query kRunExists{"jobs.run_exists", "select from run where id = $1"};

constexpr Query kCounts{"jobs.counts", R"sql(
  select j.state, count(*) as n from job j join run r on r.id = j.run_id
  where r.state = 'running' group by j.state)sql"};

template <class T>
std::optional<T> word_of(const db::Row& row, const char* column, std::optional<T> (*parse)(std::string_view)) {
  return row.is_null(column) ? std::nullopt : parse(row.text(column));
}

Job job_of(const db::Row& row) {
  Job job;
  job.id = row.integer("id");
  job.run = row.integer("run_id");
  job.parent = row.optional_integer("parent_id");
  job.library = row.string("library");
  job.key = row.string("key");
  for (const auto& rung : row.strings("rungs")) job.rungs.push_back(rung_from_text(rung).value());
  job.axes = table::axes_of_json(row.json("axes"));
  job.state = job_state_from_text(row.text("state")).value();
  job.outcome = row.optional_string("outcome").value_or("");
  job.needs = row.strings("needs");
  job.missing = row.optional_string("missing").value_or("");
  job.memory_bytes = static_cast<std::uint64_t>(row.integer("memory_bytes"));
  job.depth = static_cast<int>(row.integer("depth"));
  job.control = row.boolean("control");
  return job;
}

Attempt attempt_of(const db::Row& row) {
  Attempt attempt;
  attempt.id = row.integer("id");
  attempt.number = static_cast<int>(row.integer("number"));
  attempt.agent = row.string("agent");
  attempt.started = row.time("started_at");
  attempt.ended = row.optional_time("ended_at");
  attempt.seconds = row.number("seconds");
  attempt.outcome = row.optional_string("outcome").value_or("");
  attempt.stage = row.string("stage");
  attempt.rung = word_of(row, "rung", rung_from_text);
  attempt.proved = word_of(row, "proved", rung_from_text);
  attempt.evidence = word_of(row, "evidence", evidence_from_text);
  attempt.code = row.string("code");
  attempt.reason = row.string("reason");
  attempt.remedy = row.string("remedy");
  attempt.units = row.json("units").as_array();
  attempt.lock = row.optional_string("lock").value_or("");
  attempt.details = row.json("details").as_object();
  attempt.log_size = static_cast<std::uint64_t>(row.integer("log_size"));
  return attempt;
}

/// One job, or all of a run, with their attempts.
asio::awaitable<Result<std::vector<Job>>> read(db::Pool& pool, std::optional<std::int64_t> job,
                                               std::optional<std::int64_t> run) {
  const auto rows = co_await db::query(pool, kJobs, job, run);
  if (rows.has_error()) co_return rows.error();
  const auto attempts = co_await db::query(pool, kAttempts, job, run);
  if (attempts.has_error()) co_return attempts.error();
  std::vector<Job> jobs;
  std::unordered_map<std::int64_t, std::size_t> places;
  for (const auto row : *rows) {
    places.emplace(row.integer("id"), jobs.size());
    jobs.push_back(job_of(row));
  }
  for (const auto row : *attempts)
    if (const auto place = places.find(row.integer("job_id")); place != places.end())
      jobs[place->second].attempts.push_back(attempt_of(row));
  co_return jobs;
}

}  // namespace

asio::awaitable<Result<Job>> Jobs::get(std::int64_t job) {
  auto jobs = co_await read(pool_, job, std::nullopt);
  if (jobs.has_error()) co_return jobs.error();
  if (jobs->empty()) co_return Error{ErrorCode::not_found, "no job " + std::to_string(job)};
  co_return std::move(jobs->front());
}

asio::awaitable<Result<std::vector<Job>>> Jobs::of_run(std::int64_t run) {
  const auto known = co_await db::query(pool_, kRunExists, run);
  if (known.has_error()) co_return known.error();
  if (known->empty()) co_return Error{ErrorCode::not_found, "no run " + std::to_string(run)};
  co_return co_await read(pool_, std::nullopt, run);
}

asio::awaitable<Result<std::map<JobState, std::int64_t>>> Jobs::counts() {
  const auto rows = co_await db::query(pool_, kCounts);
  if (rows.has_error()) co_return rows.error();
  std::map<JobState, std::int64_t> counts;
  for (const auto row : *rows) counts[job_state_from_text(row.text("state")).value()] = row.integer("n");
  co_return counts;
}

}  // namespace crosswarp::jobs
