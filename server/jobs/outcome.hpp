// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/protocol.hpp"
#include "server/db/connection.hpp"
#include "server/jobs/jobs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crosswarp::jobs {

/// A leased job and the attempt that holds it, its row locked by the transaction.
struct Held {
  std::int64_t job = 0;
  std::int64_t attempt = 0;
  std::int64_t run = 0;
  std::int64_t agent = 0;
  bool control = false;
};

// What follows from the end of an attempt, each within the transaction open on `connection`.

/// Ends the attempt as `outcome` with all that `finish` tells.
asio::awaitable<void> end_attempt(db::Connection& connection, const Held& held, std::string_view outcome,
                                  const protocol::Finish& finish);
/// The job passed: its children may be done, its combinations advance, those whose last job it is pass.
asio::awaitable<void> job_passed(db::Connection& connection, const Held& held, const protocol::Finish& finish);
/// The job is decided otherwise: what hangs below is not done. A failure past `resolve` of a combination that has
/// controls waits for them; the resolver's no needs none, for no probe of ours is in it.
asio::awaitable<void> job_failed(db::Connection& connection, const Held& held, const protocol::Finish& finish);
/// The attempt came to nothing by no fault of the job: it is queued again, for another agent first, or after as many
/// such attempts as `options` allows decided as broken.
asio::awaitable<void> job_troubled(db::Connection& connection, const Held& held, const protocol::Finish& finish,
                                   std::string_view outcome, const JobOptions& options);
/// The agent gave the job back: it is queued again.
asio::awaitable<void> job_returned(db::Connection& connection, const Held& held);

/// Queues the controls that are due in `run`, decides what can have none, and ends the run when nothing is left.
asio::awaitable<void> settle(db::Connection& connection, std::int64_t run);

/// Tells all servers that there may be something to claim.
asio::awaitable<void> tell_of_work(db::Connection& connection);

/// Decides the provisional failures of the control whose last job is `job` as broken, those from before the start of
/// `attempt` (nothing: all): "control C `what`; the failure seen was: ...".
asio::awaitable<void> disbelieve(db::Connection& connection, std::int64_t run, std::int64_t job,
                                 std::optional<std::int64_t> attempt, std::string code, std::string what);

}  // namespace crosswarp::jobs
