// SPDX-License-Identifier: Apache-2.0
#include "server/table/publish.hpp"

namespace crosswarp::table {
namespace {

// $1 run, $2 ordinals, or null for all. A combination that two matrices of the run name comes once. Rows are taken in
// the order of their ids, so that two runs with the same combinations wait for one another and do not deadlock.
constexpr db::Query kPublish{"table.publish", R"sql(
  with said as (
    select distinct on (m.library, c.id) m.library, c.id, c.axes, coalesce(c.axes ->> m.library, 'none') as version,
           case when c.state in ('pending', 'provisional') then 'untested' else c.status end as status,
           c.state = 'decided' and c.status <> 'skipped' as decided,
           c.rung, c.proved, c.evidence, c.code, c.reason, c.remedy, c.source, c.control,
           coalesce(c.decided_at, now()) as at, c.job_id, c.attempt_id
    from combination c join matrix m on m.run_id = c.run_id and m.number = c.matrix
    where c.run_id = $1 and ($2::bigint[] is null or c.ordinal = any($2))
    order by m.library, c.id, decided desc, c.ordinal
  ), kept as (
    insert into verdict_history (library, combination_id, status, rung, proved, evidence, code, reason, remedy, source,
                                 decided_at, run_id, job_id, attempt_id)
    select library, id, status, rung, proved, evidence, code, reason, remedy, source, at, $1, job_id, attempt_id
    from said where decided
  )
  insert into verdict as v (library, id, axes, version, status, decided, rung, proved, evidence, code, reason, remedy,
                            source, control, since, checked, run_id, job_id, attempt_id)
  select library, id, axes, version, status, decided, rung, proved, evidence, code, reason, remedy, source, control,
         at, at, $1, job_id, attempt_id
  from said
  on conflict (library, id) do update
  set status = excluded.status, decided = excluded.decided, rung = excluded.rung, proved = excluded.proved,
      evidence = excluded.evidence, code = excluded.code, reason = excluded.reason, remedy = excluded.remedy,
      source = excluded.source, control = excluded.control, checked = excluded.checked, run_id = excluded.run_id,
      job_id = excluded.job_id, attempt_id = excluded.attempt_id,
      since = case when v.status = excluded.status and v.rung is not distinct from excluded.rung
                        and v.code = excluded.code
                   then v.since else excluded.since end
  where excluded.decided or not v.decided)sql"};

}  // namespace

asio::awaitable<void> publish(db::Connection& connection, std::int64_t run, std::vector<std::int64_t> ordinals) {
  if (!ordinals.empty()) co_await connection.execute(kPublish, run, ordinals);
}

asio::awaitable<void> publish_all(db::Connection& connection, std::int64_t run) {
  co_await connection.execute(kPublish, run, std::nullopt);
}

}  // namespace crosswarp::table
