// SPDX-License-Identifier: Apache-2.0
// What time brings about: Jobs::tick and its statements.
#include "matrix/base/log.hpp"
#include "matrix/plan/plan.hpp"
#include "server/db/transaction.hpp"
#include "server/jobs/jobs.hpp"
#include "server/jobs/outcome.hpp"
#include "server/table/publish.hpp"

#include <cstdio>

namespace crosswarp::jobs {
namespace {

using db::Query;

// One server at a time is enough; the number is any constant.
constexpr Query kTurn{"tick.turn", "select pg_try_advisory_xact_lock(4400773464882724184) as mine"};

constexpr Query kLost{"tick.lost", R"sql(
  select j.id as job_id, j.attempt_id, j.run_id, j.control, a.agent_id, g.name as agent
  from job j join attempt a on a.id = j.attempt_id join agent g on g.id = a.agent_id
  where j.state = 'leased' and j.lease_until < now()
  order by j.id limit 1000 for update of j skip locked)sql"};

// $1 seconds within which an agent must have been heard of
constexpr Query kUnpark{"tick.unpark", R"sql(
  with freed as (
    update job j set state = 'queued', queued_at = now(), missing = null, missing_need = null
    where j.state = 'parked'
      and exists (select from agent a where a.heard_at > now() - make_interval(secs => $1)
                    and j.needs <@ a.offers and a.memory_bytes >= j.memory_bytes)
    returning j.id, j.run_id
  ), awake as (
    update run set state = 'running', finished_at = null where id in (select run_id from freed) and state = 'done'
  ), taken_up as (
    update combination c set state = 'pending', status = null, code = '', reason = '', job_id = null
    from freed f where c.run_id = f.run_id and c.state = 'parked' and c.job_id = f.id
    returning c.run_id, c.ordinal
  ), doubted as (
    update combination c
    set state = 'provisional', status = null, code = a.code, reason = a.reason, remedy = a.remedy
    from freed f join control k on k.job_id = f.id, attempt a
    where c.run_id = f.run_id and c.state = 'decided' and c.code = 'control_missing' and k.id = any(c.controls)
      and a.id = c.attempt_id
    returning c.run_id, c.ordinal
  ), changed as (
    select * from taken_up union select * from doubted
  )
  select f.run_id, (select array_agg(c.ordinal) from changed c where c.run_id = f.run_id) as ordinals
  from freed f group by f.run_id)sql"};

// $1 park_after in seconds, $2 seconds within which an agent must have been heard of. What nobody can do, with the
// first need that nobody offers (null: each is offered, but not together).
constexpr Query kNobody{"tick.nobody", R"sql(
  with live as (select * from agent where heard_at > now() - make_interval(secs => $2)),
  wanted as (
    select distinct needs, memory_bytes from job
    where state = 'queued' and queued_at <= now() - make_interval(secs => $1)
  )
  select w.needs, w.memory_bytes, exists (select from live) as anybody,
         exists (select from live l where w.needs <@ l.offers) as offered,
         (select n from unnest(w.needs) n where not exists (select from live l where n = any(l.offers))
          order by n limit 1) as need
  from wanted w
  where not exists (select from live l where w.needs <@ l.offers and l.memory_bytes >= w.memory_bytes))sql"};

// $1 needs, $2 memory, $3 need, $4 text
constexpr Query kPark{"tick.park", R"sql(
  update job set state = 'parked', missing_need = $3, missing = $4
  where state = 'queued' and needs = $1::text[] and memory_bytes = $2
  returning id, run_id, control)sql"};

// $1 job, $2 text
constexpr Query kParkCombinations{"tick.park_combinations", R"sql(
  with recursive below as (
    select id from job where id = $1 union all select j.id from job j join below b on j.parent_id = b.id
  )
  update combination c set state = 'parked', status = 'untested', code = 'no_agent', reason = $2, job_id = $1
  from below b where c.leaf_job_id = b.id and c.state = 'pending'
  returning c.ordinal)sql"};

constexpr Query kRunning{"tick.running", "select id from run where state = 'running' order by id"};

/// What is said of a job that nobody can do.
struct Lack {
  std::string need;
  std::string text;
};

/// "python 3.11 and toolkit 12.4"
std::string joined(const std::vector<std::string>& needs) {
  std::string text;
  for (auto need : needs) {
    if (const auto equals = need.find('='); equals != std::string::npos) need[equals] = ' ';
    text += (text.empty() ? "" : " and ") + need;
  }
  return text;
}

std::string gibibytes(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

Lack lack_of(const db::Row& row) {
  if (!row.boolean("anybody")) return {"agent", "no agent is connected"};
  if (const auto need = row.optional_string("need")) return {*need, missing_need_text(*need)};
  if (!row.boolean("offered")) {
    const auto needs = joined(row.strings("needs"));
    return {needs, "no agent offers " + needs + " together"};
  }
  const auto memory = gibibytes(row.integer("memory_bytes"));
  return {"memory " + memory, "no agent has " + memory + " of memory"};
}

asio::awaitable<bool> my_turn(db::Connection& connection) {
  const auto turn = co_await connection.execute(kTurn);
  co_return turn.front().boolean("mine");
}

asio::awaitable<Result<void>> take_back_lost(db::Connection& connection, const JobOptions& options) {
  const auto lost = co_await connection.execute(kLost);
  for (const auto row : lost) {
    const Held held{row.integer("job_id"), row.integer("attempt_id"), row.integer("run_id"), row.integer("agent_id"),
                    row.boolean("control")};
    protocol::Finish finish;
    finish.code = "agent_lost";
    finish.reason = "agent " + row.string("agent") + " was not heard of for longer than its lease";
    co_await end_attempt(connection, held, "lost", finish);
    co_await job_troubled(connection, held, finish, "lost", options);
    log_event(LogLevel::warning, "job.lost", {{"run", held.run}, {"job", held.job}, {"attempt", held.attempt}});
  }
  co_return Result<void>{};
}

asio::awaitable<Result<void>> unpark(db::Connection& connection, std::chrono::seconds lease) {
  const auto freed = co_await connection.execute(kUnpark, lease.count());
  if (!freed.empty()) co_await tell_of_work(connection);
  for (const auto row : freed)
    if (!row.is_null("ordinals")) co_await table::publish(connection, row.integer("run_id"), row.integers("ordinals"));
  co_return Result<void>{};
}

asio::awaitable<void> park_job(db::Connection& connection, db::Row job, std::string text) {
  const auto id = job.integer("id");
  const auto run = job.integer("run_id");
  if (job.boolean("control")) {
    co_await disbelieve(connection, run, id, std::nullopt, "control_missing", "could not be tried: " + text);
    co_return;
  }
  const auto parked = co_await connection.execute(kParkCombinations, id, text);
  std::vector<std::int64_t> ordinals;
  for (const auto row : parked) ordinals.push_back(row.integer("ordinal"));
  co_await table::publish(connection, run, std::move(ordinals));
}

asio::awaitable<Result<void>> park(db::Connection& connection, const JobOptions& options) {
  const auto nobody = co_await connection.execute(kNobody, options.park_after.count(), options.lease.count());
  for (const auto row : nobody) {
    const auto lack = lack_of(row);
    const auto parked = co_await connection.execute(kPark, row.text("needs"), row.integer("memory_bytes"), lack.need,
                                                    lack.text);
    for (const auto job : parked) co_await park_job(connection, job, lack.text);
    log_event(LogLevel::warning, "job.parked", {{"jobs", parked.size()}, {"reason", lack.text}});
  }
  co_return Result<void>{};
}

asio::awaitable<Result<void>> settle_all(db::Connection& connection) {
  const auto running = co_await connection.execute(kRunning);
  for (const auto row : running) co_await settle(connection, row.integer("id"));
  co_return Result<void>{};
}

/// One step of a tick in a transaction of its own, left out when another server is at it.
asio::awaitable<Result<void>> step(db::Pool& pool, db::Work<void> work) {
  const db::Work<void> guarded = [&work](db::Connection& connection) -> asio::awaitable<Result<void>> {
    if (!co_await my_turn(connection)) co_return Result<void>{};
    co_return co_await work(connection);
  };
  co_return co_await db::transaction<void>(pool, guarded);
}

}  // namespace

asio::awaitable<Result<void>> Jobs::tick() {
  if (!first_tick_) first_tick_ = clock_.now();
  std::vector<db::Work<void>> steps;
  steps.push_back([this](db::Connection& connection) { return take_back_lost(connection, options_); });
  steps.push_back([this](db::Connection& connection) { return unpark(connection, options_.lease); });
  // After a start the agents need a moment to be heard of again.
  if (clock_.now() - *first_tick_ >= options_.park_after)
    steps.push_back([this](db::Connection& connection) { return park(connection, options_); });
  steps.push_back([](db::Connection& connection) { return settle_all(connection); });
  for (auto& work : steps) {
    const auto done = co_await step(pool_, work);
    if (done.has_error()) co_return done;
  }
  co_return Result<void>{};
}

}  // namespace crosswarp::jobs
