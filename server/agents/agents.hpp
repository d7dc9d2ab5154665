// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/protocol.hpp"
#include "server/db/pool.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace crosswarp::agents {

namespace asio = boost::asio;

/// A job that an agent is doing now.
struct Doing {
  std::int64_t run = 0;
  std::int64_t job = 0;
  std::int64_t attempt = 0;
  std::string library;
  Combination axes;
  std::string stage;
  std::int64_t since_seconds = 0;
};

struct Agent {
  std::int64_t id = 0;
  protocol::Registration host;
  bool live = false;       ///< heard of within the lease
  std::string registered;  ///< RFC 3339
  std::string heard;       ///< RFC 3339
  std::vector<Doing> doing;
};

struct AgentTimes {
  std::chrono::seconds lease{60};
  std::chrono::milliseconds heartbeat{5000};
};

/// Reads a row with the columns run_id, job, attempt, library, axes, stage and since_seconds.
Doing doing_of(const db::Row& row);

/// Who may work, and what each offers.
class Agents {
 public:
  Agents(db::Pool& pool, AgentTimes times) : pool_(pool), times_(times) {}

  /// Takes an agent in. The same name again is the same agent: what it held before is queued again at once.
  asio::awaitable<Result<protocol::Registered>> register_(protocol::Registration registration);
  asio::awaitable<Result<std::vector<Agent>>> list();

 private:
  db::Pool& pool_;
  AgentTimes times_;
};

}  // namespace crosswarp::agents
