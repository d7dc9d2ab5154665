// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/protocol.hpp"
#include "matrix/base/clock.hpp"
#include "server/db/pool.hpp"
#include "server/jobs/job.hpp"
#include "server/jobs/signal.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswarp::jobs {

namespace asio = boost::asio;

struct JobOptions {
  std::chrono::seconds lease{60};
  std::chrono::seconds park_after{30};  ///< without an agent that offers a job's needs
  int tries = 3;                        ///< attempts that may end as lost or broken
  std::uint64_t log_limit_bytes = (std::uint64_t{64} << 20) + 4096;  ///< an attempt; room for the agent's marker
};

/// What became of an append to a log. `size` is where the log ends now: the offset to go on at.
struct Appended {
  enum class Outcome { appended, misplaced, gone, full };
  Outcome outcome = Outcome::appended;
  std::uint64_t size = 0;
};

enum class Finished { accepted, gone };

/// A piece of an attempt's log.
struct LogPiece {
  std::int64_t attempt = 0;
  std::uint64_t begin = 0;
  std::string text;
  std::uint64_t size = 0;  ///< of the whole log so far
  bool ended = false;      ///< the attempt is over: the log will not grow
};

/// The queue: hands jobs out under leases, takes answers in, and says what follows from them.
class Jobs {
 public:
  /// `clock` says how long this server has been up: nothing is parked before park_after has gone by.
  Jobs(db::Pool& pool, const Clock& clock, JobOptions options = {});

  /// Leases as many jobs as fit the request, shallow ones first, then light ones, then old ones. Where there is none
  /// it waits up to `wait` for one. Errors: not_found for an agent that has not registered.
  asio::awaitable<Result<protocol::Claim>> claim(std::int64_t agent, protocol::ClaimRequest request,
                                                 std::chrono::milliseconds wait);
  /// Extends the leases of the attempts named; answers those that are no longer the agent's.
  /// Errors: not_found for an agent that has not registered.
  asio::awaitable<Result<protocol::HeartbeatReply>> heartbeat(std::int64_t agent, protocol::Heartbeat heartbeat);
  /// Takes the answer of an attempt, once: a repeated one is accepted and changes nothing, one of an attempt that is no
  /// longer current is `gone`. Errors: not_found for an unknown attempt.
  asio::awaitable<Result<Finished>> finish(std::int64_t attempt, protocol::Finish finish);

  /// Appends `text` to the attempt's log if that ends at `offset`. Errors: not_found for an unknown attempt.
  asio::awaitable<Result<Appended>> append_log(std::int64_t attempt, std::uint64_t offset, std::string text);
  /// Up to `length` bytes of the log from `begin`; of the job's newest attempt where none is named.
  /// At most 8 MiB at once. Errors: not_found for an unknown job or attempt, and for a job that nobody has begun.
  asio::awaitable<Result<LogPiece>> read_log(std::int64_t job, std::optional<std::int64_t> attempt,
                                             std::uint64_t begin, std::uint64_t length);
  /// As read_log, but where there is nothing past `begin` yet and the attempt goes on, waits for it up to `wait`.
  asio::awaitable<Result<LogPiece>> follow_log(std::int64_t job, std::int64_t attempt, std::uint64_t begin,
                                               std::uint64_t length, std::chrono::milliseconds wait);

  /// A job with all that its attempts left. Errors: not_found.
  asio::awaitable<Result<Job>> get(std::int64_t job);
  /// The jobs of a run in the order of their ids, their attempts without units, lock and details.
  /// Errors: not_found for an unknown run.
  asio::awaitable<Result<std::vector<Job>>> of_run(std::int64_t run);
  /// How many jobs there are in each state, over the runs that go on.
  asio::awaitable<Result<std::map<JobState, std::int64_t>>> counts();

  /// What time brings about: leases that ran out, jobs nobody can do (and those somebody now can), controls that are
  /// due, runs that are over. Call it about once a second, from any number of servers.
  asio::awaitable<Result<void>> tick();
  /// Hears from all servers on this database of new work and new log text, until cancelled; without it waits are only
  /// ended by their time.
  asio::awaitable<void> listen();

 private:
  asio::awaitable<Result<std::vector<protocol::Assignment>>> claim_now(std::int64_t agent,
                                                                       const protocol::ClaimRequest& request);

  db::Pool& pool_;
  const Clock& clock_;
  JobOptions options_;
  std::optional<std::chrono::steady_clock::time_point> first_tick_;
  Signal work_;  ///< there may be something to claim
  Signal logs_;  ///< some log has grown or ended
};

}  // namespace crosswarp::jobs
