// SPDX-License-Identifier: Apache-2.0
#include "server/jobs/outcome.hpp"

#include "matrix/base/log.hpp"
#include "server/table/publish.hpp"

#include <boost/json/array.hpp>

namespace crosswarp::jobs {
namespace {

using db::Query;

constexpr Query kKeepLock{"jobs.keep_lock",
                          "insert into blob (sha256, bytes) values ($1, $2) on conflict (sha256) do nothing"};

// $1 attempt, $2 outcome, $3 to $10 what the agent tells, $11 lock
constexpr Query kEndAttempt{"jobs.end_attempt", R"sql(
  update attempt
  set ended_at = clock_timestamp(), outcome = $2, rung = $3, proved = $4, evidence = $5, code = $6, reason = $7,
      remedy = $8, units = $9, details = $10, lock_sha256 = $11, stage = ''
  where id = $1 and ended_at is null)sql"};

// $1 job, $2 attempt, $3 outcome, $4 lock or null
constexpr Query kDecideJob{"jobs.decide", R"sql(
  update job set state = 'done', outcome = $3, attempt_id = null, lease_until = null,
                 lock_sha256 = coalesce($4, lock_sha256)
  where id = $1 and attempt_id = $2 and state = 'leased')sql"};

constexpr Query kQueueChildren{"jobs.queue_children", R"sql(
  update job c set state = 'queued', queued_at = now(), lock_sha256 = p.lock_sha256
  from job p where p.id = $1 and c.parent_id = p.id and c.state = 'waiting')sql"};

// $1 job, $2 attempt, $3 proved, $4 evidence. Those whose last job it is are decided, the others advance.
constexpr Query kAdvance{"jobs.advance", R"sql(
  with recursive below as (
    select id from job where id = $1 union all select j.id from job j join below b on j.parent_id = b.id
  )
  update combination c
  set proved = greatest(c.proved, $3::rung), evidence = coalesce($4::evidence, c.evidence),
      state = case when c.leaf_job_id = $1 then 'decided' else c.state end,
      status = case when c.leaf_job_id = $1 then 'passed'::verdict_status end,
      rung = case when c.leaf_job_id = $1 then greatest(c.proved, $3::rung) end,
      job_id = case when c.leaf_job_id = $1 then $1 end,
      attempt_id = case when c.leaf_job_id = $1 then $2::bigint end,
      decided_at = case when c.leaf_job_id = $1 then now() end
  from below b where c.leaf_job_id = b.id and c.state = 'pending'
  returning c.ordinal)sql"};

constexpr Query kCancelBelow{"jobs.cancel_below", R"sql(
  with recursive below as (
    select id from job where parent_id = $1 union all select j.id from job j join below b on j.parent_id = b.id
  )
  update job j set state = 'cancelled' from below b
  where j.id = b.id and j.state in ('waiting', 'waiting_control'))sql"};

// $1 job, $2 attempt, $3 status, $4 rung, $5 proved, $6 evidence, $7 code, $8 reason, $9 remedy
constexpr Query kFail{"jobs.fail", R"sql(
  with recursive below as (
    select id from job where id = $1 union all select j.id from job j join below b on j.parent_id = b.id
  ), hit as (
    select c.run_id, c.ordinal,
           $3::text = 'failed' and $4::rung is distinct from 'resolve' and cardinality(c.controls) > 0 as provisional
    from combination c join below b on c.leaf_job_id = b.id where c.state in ('pending', 'parked')
  )
  update combination c
  set state = case when h.provisional then 'provisional' else 'decided' end,
      status = case when not h.provisional then $3::text::verdict_status end,
      rung = $4::rung, proved = greatest(c.proved, $5::rung), evidence = coalesce($6::evidence, c.evidence),
      code = $7, reason = $8, remedy = $9, job_id = $1, attempt_id = $2, decided_at = now()
  from hit h where c.run_id = h.run_id and c.ordinal = h.ordinal
  returning c.ordinal)sql"};

// $1 job, $2 attempt, $3 agent, $4 seconds within which an agent must have been heard of. Another agent gets the first
// chance, where there is one that could do it.
constexpr Query kTrouble{"jobs.trouble", R"sql(
  update job j
  set state = 'queued', queued_at = now(), attempt_id = null, lease_until = null, troubles = troubles + 1,
      avoid_agent_id = (select $3::bigint from agent a
                        where a.id <> $3 and a.heard_at > now() - make_interval(secs => $4) and j.needs <@ a.offers
                          and a.memory_bytes >= j.memory_bytes limit 1),
      avoid_until = now() + interval '30 seconds'
  where id = $1 and attempt_id = $2 and state = 'leased')sql"};

constexpr Query kTroubles{"jobs.troubles", "select troubles from job where id = $1"};

constexpr Query kReturn{"jobs.return", R"sql(
  update job set state = 'queued', queued_at = now(), attempt_id = null, lease_until = null
  where id = $1 and attempt_id = $2 and state = 'leased')sql"};

constexpr Query kNotify{"jobs.notify", "select pg_notify('crosswarp', 'work')"};

// $1 job of the control, $2 attempt that passed
constexpr Query kControlPassed{"jobs.control_passed", R"sql(
  update control k set passed_at = a.started_at from attempt a where k.job_id = $1 and a.id = $2)sql"};

// $1 run. Failures whose controls have all passed since.
constexpr Query kBelieve{"jobs.believe", R"sql(
  update combination c set state = 'decided', status = 'failed'
  where c.run_id = $1 and c.state = 'provisional'
    and not exists (select from control k where k.id = any(c.controls)
                      and (k.passed_at is null or k.passed_at <= c.decided_at))
  returning c.ordinal)sql"};

// $1 run, $2 job of the control, $3 attempt of the control or null, $4 code, $5 what is said of the control
constexpr Query kDisbelieve{"jobs.disbelieve", R"sql(
  update combination c
  set state = 'decided', status = 'broken', code = $4, remedy = '',
      reason = 'control ' || k.title || ' ' || $5::text || '; the failure seen was: ' || c.reason
  from control k
  where c.run_id = $1 and k.run_id = $1 and k.job_id = $2 and c.state = 'provisional' and k.id = any(c.controls)
    and ($3::bigint is null or c.decided_at < (select started_at from attempt where id = $3))
  returning c.ordinal)sql"};

// $1 run. Controls with failures that they have not spoken on, whose family has nothing left to do.
constexpr Query kQueueControls{"jobs.queue_controls", R"sql(
  update job j
  set state = 'queued', queued_at = now(), outcome = null, troubles = 0,
      lock_sha256 = (select p.lock_sha256 from job p where p.id = j.parent_id)
  from control k
  where k.run_id = $1 and j.id = k.job_id and j.state in ('waiting_control', 'done')
    and exists (select from combination c
                where c.run_id = $1 and c.state = 'provisional' and k.id = any(c.controls)
                  and (k.passed_at is null or k.passed_at <= c.decided_at))
    and not exists (select from combination c
                    where c.run_id = $1 and c.state = 'pending' and k.id = any(c.controls))
    and not exists (select from job p where p.id = j.parent_id and (p.state <> 'done' or p.outcome <> 'passed'))
  returning j.id)sql"};

// $1 run. Controls that will never be tried, since a job above them did not pass; with what that job said.
constexpr Query kBlockedControls{"jobs.blocked_controls", R"sql(
  with recursive path as (
    select k.job_id, j.parent_id as above
    from control k join job j on j.id = k.job_id
    where k.run_id = $1 and j.state in ('cancelled', 'waiting_control')
      and exists (select from combination c
                  where c.run_id = $1 and c.state = 'provisional' and k.id = any(c.controls))
      and not exists (select from combination c
                      where c.run_id = $1 and c.state = 'pending' and k.id = any(c.controls))
    union all
    select p.job_id, j.parent_id from path p join job j on j.id = p.above
  )
  select distinct on (p.job_id) p.job_id, coalesce(j.missing, a.reason) as reason
  from path p join job j on j.id = p.above left join attempt a on a.job_id = j.id
  where j.state = 'parked' or (j.state = 'done' and j.outcome <> 'passed')
  order by p.job_id, a.number desc)sql"};

constexpr Query kEndRun{"jobs.end_run", R"sql(
  update run r set state = 'done', finished_at = now()
  where r.id = $1 and r.state = 'running'
    and not exists (select from job j where j.run_id = r.id and j.state in ('queued', 'leased'))
    and not exists (select from combination c where c.run_id = r.id and c.state = 'provisional')
  returning extract(epoch from finished_at - created_at)::bigint as seconds)sql"};

template <class T>
std::optional<std::string> word(const std::optional<T>& value) {
  return value ? std::optional(std::string(to_text(*value))) : std::nullopt;
}

std::vector<std::int64_t> ordinals(const db::Rows& rows) {
  std::vector<std::int64_t> out;
  for (const auto row : rows) out.push_back(row.integer("ordinal"));
  return out;
}

boost::json::value units_json(const protocol::Finish& finish) {
  boost::json::array units;
  for (const auto& unit : finish.units) units.push_back(protocol::to_json(unit));
  return units;
}

std::optional<std::string> lock_hash(const protocol::Finish& finish) {
  return finish.lock.empty() ? std::nullopt : std::optional(sha256_hex(finish.lock));
}

}  // namespace

asio::awaitable<void> end_attempt(db::Connection& connection, const Held& held, std::string_view outcome,
                                  const protocol::Finish& finish) {
  const auto hash = lock_hash(finish);
  if (hash) co_await connection.execute(kKeepLock, *hash, db::bytea(finish.lock));
  co_await connection.execute(kEndAttempt, held.attempt, outcome, word(finish.rung), word(finish.proved),
                              word(finish.evidence), finish.code, finish.reason, finish.remedy, units_json(finish),
                              finish.details, hash);
}

asio::awaitable<void> job_passed(db::Connection& connection, const Held& held, const protocol::Finish& finish) {
  co_await connection.execute(kDecideJob, held.job, held.attempt, "passed", lock_hash(finish));
  if (held.control) {
    co_await connection.execute(kControlPassed, held.job, held.attempt);
    const auto believed = co_await connection.execute(kBelieve, held.run);
    co_await table::publish(connection, held.run, ordinals(believed));
    co_return;
  }
  const auto queued = co_await connection.execute(kQueueChildren, held.job);
  if (queued.affected() > 0) co_await tell_of_work(connection);
  const auto advanced = co_await connection.execute(kAdvance, held.job, held.attempt, word(finish.proved),
                                                    word(finish.evidence));
  co_await table::publish(connection, held.run, ordinals(advanced));
}

asio::awaitable<void> job_failed(db::Connection& connection, const Held& held, const protocol::Finish& finish) {
  const std::string status(to_text(finish.status));
  co_await connection.execute(kDecideJob, held.job, held.attempt, status, lock_hash(finish));
  if (held.control) {
    co_await disbelieve(connection, held.run, held.job, held.attempt, "control_failed", "failed: " + finish.reason);
    co_return;
  }
  co_await connection.execute(kCancelBelow, held.job);
  const auto hit = co_await connection.execute(kFail, held.job, held.attempt, status, word(finish.rung),
                                               word(finish.proved), word(finish.evidence), finish.code, finish.reason,
                                               finish.remedy);
  co_await table::publish(connection, held.run, ordinals(hit));
}

asio::awaitable<void> job_troubled(db::Connection& connection, const Held& held, const protocol::Finish& finish,
                                   std::string_view outcome, const JobOptions& options) {
  const auto before = co_await connection.execute(kTroubles, held.job);
  if (before.front().integer("troubles") + 1 < options.tries) {
    co_await connection.execute(kTrouble, held.job, held.attempt, held.agent, options.lease.count());
    co_await tell_of_work(connection);
    co_return;
  }
  auto last = finish;
  last.status = Status::broken;
  last.reason = std::to_string(options.tries) + " attempts ended as broken or lost, the last as " +
                std::string(outcome) + ": " + finish.reason;
  co_await job_failed(connection, held, last);
}

asio::awaitable<void> job_returned(db::Connection& connection, const Held& held) {
  co_await connection.execute(kReturn, held.job, held.attempt);
  co_await tell_of_work(connection);
}

asio::awaitable<void> disbelieve(db::Connection& connection, std::int64_t run, std::int64_t job,
                                 std::optional<std::int64_t> attempt, std::string code, std::string what) {
  const auto decided = co_await connection.execute(kDisbelieve, run, job, attempt, code, what);
  co_await table::publish(connection, run, ordinals(decided));
}

asio::awaitable<void> settle(db::Connection& connection, std::int64_t run) {
  const auto due = co_await connection.execute(kQueueControls, run);
  if (!due.empty()) co_await tell_of_work(connection);
  const auto blocked = co_await connection.execute(kBlockedControls, run);
  for (const auto row : blocked)
    co_await disbelieve(connection, run, row.integer("job_id"), std::nullopt, "control_blocked",
                        "could not be tried: " + row.optional_string("reason").value_or("a job before it was lost"));
  const auto ended = co_await connection.execute(kEndRun, run);
  if (!ended.empty())
    log_event(LogLevel::info, "run.done", {{"run", run}, {"seconds", ended.front().integer("seconds")}});
}

asio::awaitable<void> tell_of_work(db::Connection& connection) { co_await connection.execute(kNotify); }

}  // namespace crosswarp::jobs
