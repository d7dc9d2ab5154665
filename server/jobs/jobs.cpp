// SPDX-License-Identifier: Apache-2.0
#include "server/jobs/jobs.hpp"

#include "matrix/base/log.hpp"
#include "server/db/listener.hpp"
#include "server/db/transaction.hpp"
#include "server/jobs/outcome.hpp"
#include "server/table/verdict.hpp"

#include <algorithm>

namespace crosswarp::jobs {
namespace {

using db::Query;

constexpr Query kHeard{"jobs.heard", "update agent set heard_at = now() where id = $1 returning offers"};

// $1 agent, $2 slots, $3 memory, $4 lease in seconds, $5 offers. Shallow jobs first (every combination gets its early
// verdicts early), then light ones, then old ones; as many as fit into the memory together.
constexpr Query kClaim{"jobs.claim", R"sql(
  with candidate as (
    select id, depth, memory_bytes from job
    where state = 'queued' and needs <@ $5::text[] and memory_bytes <= $3
      and (avoid_agent_id is distinct from $1 or avoid_until < now())
    order by depth, memory_bytes, id limit $2 for update skip locked
  ), summed as (
    select id, sum(memory_bytes) over (order by depth, memory_bytes, id) as total from candidate
  ), leased as (
    update job j
    set state = 'leased', attempt_id = nextval(pg_get_serial_sequence('attempt', 'id')),
        lease_until = now() + make_interval(secs => $4)
    from summed s where j.id = s.id and s.total <= $3
    returning j.*
  ), begun as (
    insert into attempt (id, job_id, agent_id, number)
    select l.attempt_id, l.id, $1, 1 + (select coalesce(max(a.number), 0) from attempt a where a.job_id = l.id)
    from leased l
  )
  select l.attempt_id, l.id, l.run_id, m.library, l.axes, l.rungs, l.environment, l.control, l.memory_bytes, m.files,
         e.rungs as environment_rungs, convert_from(b.bytes, 'UTF8') as lock
  from leased l
  join matrix m on m.run_id = l.run_id and m.number = l.matrix
  left join job e on e.run_id = l.run_id and e.matrix = l.matrix and e.key = l.environment and e.key <> l.key
                     and not e.control
  left join blob b on b.sha256 = l.lock_sha256
  order by l.depth, l.memory_bytes, l.id)sql"};

// $1 agent, $2 attempts, $3 lease in seconds
constexpr Query kExtend{"jobs.extend", R"sql(
  update job j set lease_until = now() + make_interval(secs => $3)
  from attempt a
  where a.id = any($2) and a.agent_id = $1 and a.ended_at is null and j.attempt_id = a.id and j.state = 'leased'
  returning a.id)sql"};

// $1 agent, $2 attempts, $3 what each does now
constexpr Query kStages{"jobs.stages", R"sql(
  update attempt a set stage = t.stage
  from unnest($2::bigint[], $3::text[]) as t (id, stage)
  where a.id = t.id and a.agent_id = $1 and a.ended_at is null and a.stage <> t.stage)sql"};

constexpr Query kHold{"jobs.hold", R"sql(
  select a.agent_id, a.outcome, a.job_id, j.run_id, j.control,
         coalesce(j.attempt_id = a.id and j.state = 'leased', false) as current
  from attempt a join job j on j.id = a.job_id where a.id = $1 for update of j)sql"};

constexpr Query kBusy{"jobs.busy",
                      "select exists (select from job where run_id = $1 and state in ('queued', 'leased')) as busy"};

std::vector<Rung> rungs_of(const db::Row& row, const char* column) {
  std::vector<Rung> rungs;
  for (const auto& text : row.strings(column)) rungs.push_back(rung_from_text(text).value());
  return rungs;
}

/// The stages that make an environment again from a known lock: those of the job that made it, up to `install`.
std::vector<Rung> preparation(std::vector<Rung> rungs, bool locked) {
  const auto install = std::find(rungs.begin(), rungs.end(), Rung::install);
  if (install != rungs.end()) rungs.erase(install + 1, rungs.end());
  if (locked) std::erase(rungs, Rung::resolve);
  return rungs;
}

std::vector<protocol::FileRef> files_of(const boost::json::value& json) {
  std::vector<protocol::FileRef> files;
  for (const auto& file : json.as_array())
    files.push_back({std::string(file.at("path").as_string()), std::string(file.at("sha256").as_string())});
  return files;
}

protocol::Assignment assignment_of(const db::Row& row) {
  protocol::Assignment assignment;
  assignment.attempt = row.integer("attempt_id");
  assignment.job = row.integer("id");
  assignment.run = row.integer("run_id");
  assignment.library = row.string("library");
  assignment.axes = table::axes_of_json(row.json("axes"));
  assignment.rungs = rungs_of(row, "rungs");
  assignment.environment = row.string("environment");
  assignment.lock = row.optional_string("lock").value_or("");
  if (!row.is_null("environment_rungs"))
    assignment.prepare = preparation(rungs_of(row, "environment_rungs"), !assignment.lock.empty());
  assignment.control = row.boolean("control");
  assignment.memory_bytes = static_cast<std::uint64_t>(row.integer("memory_bytes"));
  assignment.files = files_of(row.json("files"));
  return assignment;
}

Error unknown_agent(std::int64_t agent) {
  return {ErrorCode::not_found, "no agent " + std::to_string(agent) + ": register first"};
}

asio::awaitable<void> apply(db::Connection& connection, const Held& held, const protocol::Finish& finish,
                            const JobOptions& options) {
  switch (finish.status) {
    case Status::passed: co_await job_passed(connection, held, finish); break;
    case Status::failed: co_await job_failed(connection, held, finish); break;
    case Status::broken: co_await job_troubled(connection, held, finish, "broken", options); break;
    default: co_await job_returned(connection, held); break;
  }
}

asio::awaitable<Result<Finished>> finish_in(db::Connection& connection, std::int64_t attempt,
                                            const protocol::Finish& finish, const JobOptions& options) {
  const auto rows = co_await connection.execute(kHold, attempt);
  if (rows.empty()) co_return Error{ErrorCode::not_found, "no attempt " + std::to_string(attempt)};
  const auto row = rows.front();
  const std::string outcome(to_text(finish.status));
  if (!row.boolean("current"))
    co_return row.optional_string("outcome") == outcome ? Finished::accepted : Finished::gone;
  const Held held{row.integer("job_id"), attempt, row.integer("run_id"), row.integer("agent_id"),
                  row.boolean("control")};
  co_await end_attempt(connection, held, outcome, finish);
  co_await apply(connection, held, finish, options);
  const auto busy = co_await connection.execute(kBusy, held.run);
  if (!busy.front().boolean("busy")) co_await settle(connection, held.run);
  log_event(LogLevel::info, "job.finished",
            {{"run", held.run}, {"job", held.job}, {"attempt", attempt}, {"status", outcome}});
  co_return Finished::accepted;
}

}  // namespace

Jobs::Jobs(db::Pool& pool, const Clock& clock, JobOptions options) : pool_(pool), clock_(clock), options_(options) {}

asio::awaitable<Result<std::vector<protocol::Assignment>>> Jobs::claim_now(std::int64_t agent,
                                                                           const protocol::ClaimRequest& request) {
  using Assignments = std::vector<protocol::Assignment>;
  const db::Work<Assignments> work = [&](db::Connection& connection) -> asio::awaitable<Result<Assignments>> {
    const auto heard = co_await connection.execute(kHeard, agent);
    if (heard.empty()) co_return unknown_agent(agent);
    const auto rows = co_await connection.execute(kClaim, agent, request.slots, request.memory_bytes,
                                                  options_.lease.count(), heard.front().text("offers"));
    Assignments assignments;
    for (const auto row : rows) assignments.push_back(assignment_of(row));
    co_return assignments;
  };
  co_return co_await db::transaction<Assignments>(pool_, work);
}

asio::awaitable<Result<protocol::Claim>> Jobs::claim(std::int64_t agent, protocol::ClaimRequest request,
                                                     std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const auto seen = work_.count();
    auto assignments = co_await claim_now(agent, request);
    if (assignments.has_error()) co_return assignments.error();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (!assignments->empty() || left.count() <= 0) co_return protocol::Claim{std::move(*assignments)};
    co_await work_.wait(seen, left);
  }
}

asio::awaitable<Result<protocol::HeartbeatReply>> Jobs::heartbeat(std::int64_t agent, protocol::Heartbeat heartbeat) {
  std::vector<std::int64_t> attempts;
  std::vector<std::string> stages;
  for (const auto& doing : heartbeat.attempts) {
    attempts.push_back(doing.attempt);
    stages.push_back(doing.stage);
  }
  using Reply = protocol::HeartbeatReply;
  const db::Work<Reply> work = [&](db::Connection& connection) -> asio::awaitable<Result<Reply>> {
    const auto heard = co_await connection.execute(kHeard, agent);
    if (heard.empty()) co_return unknown_agent(agent);
    Reply reply{attempts};
    const auto kept = co_await connection.execute(kExtend, agent, attempts, options_.lease.count());
    for (const auto row : kept) std::erase(reply.drop, row.integer("id"));
    co_await connection.execute(kStages, agent, attempts, stages);
    co_return reply;
  };
  co_return co_await db::transaction<Reply>(pool_, work);
}

asio::awaitable<Result<Finished>> Jobs::finish(std::int64_t attempt, protocol::Finish finish) {
  const db::Work<Finished> work = [&](db::Connection& connection) {
    return finish_in(connection, attempt, finish, options_);
  };
  co_return co_await db::transaction<Finished>(pool_, work);
}

asio::awaitable<void> Jobs::listen() {
  return db::listen(pool_.url(), "crosswarp", [this](std::string_view what) {
    if (what != "log") work_.raise();
    if (what != "work") logs_.raise();
  });
}

}  // namespace crosswarp::jobs
