// SPDX-License-Identifier: Apache-2.0
#include "server/agents/agents.hpp"

#include "server/db/transaction.hpp"
#include "server/table/verdict.hpp"

#include <map>

namespace crosswarp::agents {
namespace {

// $1 name, $2 version, $3 offers, $4 memory, $5 slots, $6 facts
constexpr db::Query kRegister{"agents.register", R"sql(
  insert into agent (name, version, offers, memory_bytes, slots, facts) values ($1, $2, $3, $4, $5, $6)
  on conflict (name) do update
  set version = excluded.version, offers = excluded.offers, memory_bytes = excluded.memory_bytes,
      slots = excluded.slots, facts = excluded.facts, registered_at = now(), heard_at = now()
  returning id)sql"};

// What the agent $1 held when it was last here; it has begun anew and knows nothing of it. Not its fault, so it does
// not count as trouble of the job.
constexpr db::Query kRelease{"agents.release", R"sql(
  with ended as (
    update attempt set ended_at = now(), outcome = 'lost', reason = 'the agent was started again'
    where agent_id = $1 and ended_at is null returning id
  ), freed as (
    update job set state = 'queued', queued_at = now(), attempt_id = null, lease_until = null
    where state = 'leased' and attempt_id in (select id from ended) returning id
  )
  select pg_notify('crosswarp', 'work') from freed limit 1)sql"};

constexpr db::Query kList{"agents.list", R"sql(
  select id, name, version, offers, memory_bytes, slots, facts, registered_at, heard_at,
         heard_at > now() - make_interval(secs => $1) as live
  from agent order by name)sql"};

constexpr db::Query kDoing{"agents.doing", R"sql(
  select a.agent_id, a.id as attempt, a.stage, j.id as job, j.run_id, j.axes, m.library,
         extract(epoch from now() - a.started_at)::bigint as since_seconds
  from attempt a join job j on j.id = a.job_id join matrix m on m.run_id = j.run_id and m.number = j.matrix
  where a.ended_at is null order by a.id)sql"};

Agent agent_of(const db::Row& row) {
  Agent agent;
  agent.id = row.integer("id");
  agent.host.name = row.string("name");
  agent.host.version = row.string("version");
  agent.host.offers = row.strings("offers");
  agent.host.memory_bytes = static_cast<std::uint64_t>(row.integer("memory_bytes"));
  agent.host.slots = static_cast<int>(row.integer("slots"));
  agent.host.facts = row.json("facts").as_object();
  agent.live = row.boolean("live");
  agent.registered = row.time("registered_at");
  agent.heard = row.time("heard_at");
  return agent;
}

}  // namespace

Doing doing_of(const db::Row& row) {
  return {row.integer("run_id"), row.integer("job"),    row.integer("attempt"), row.string("library"),
          table::axes_of_json(row.json("axes")), row.string("stage"), row.integer("since_seconds")};
}

asio::awaitable<Result<protocol::Registered>> Agents::register_(protocol::Registration registration) {
  using Id = std::int64_t;
  const db::Work<Id> work = [&registration](db::Connection& connection) -> asio::awaitable<Result<Id>> {
    const auto rows = co_await connection.execute(kRegister, registration.name, registration.version,
                                                  registration.offers, registration.memory_bytes, registration.slots,
                                                  registration.facts);
    const auto id = rows.front().integer("id");
    co_await connection.execute(kRelease, id);
    co_return id;
  };
  const auto id = co_await db::transaction<Id>(pool_, work);
  if (id.has_error()) co_return id.error();
  co_return protocol::Registered{*id, times_.lease, times_.heartbeat};
}

asio::awaitable<Result<std::vector<Agent>>> Agents::list() {
  const auto rows = co_await db::query(pool_, kList, times_.lease.count());
  if (rows.has_error()) co_return rows.error();
  const auto doing = co_await db::query(pool_, kDoing);
  if (doing.has_error()) co_return doing.error();
  std::map<std::int64_t, std::vector<Doing>> by_agent;
  for (const auto row : *doing) by_agent[row.integer("agent_id")].push_back(doing_of(row));
  std::vector<Agent> agents;
  for (const auto row : *rows) {
    agents.push_back(agent_of(row));
    agents.back().doing = std::move(by_agent[agents.back().id]);
  }
  co_return agents;
}

}  // namespace crosswarp::agents
