// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/protocol.hpp"
#include "matrix/base/combination.hpp"
#include "matrix/base/ladder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::jobs {

/// ```
///            parent passed             claim                 finish: passed, failed, third broken
///  waiting ----------------> queued ------------> leased ------------------------------------> done
///     |                      ^  |  ^                |                                           |
///     |     an agent offers  |  |  +----------------+ lease ran out, finish: broken, skipped    |
///     |          its needs   |  | no agent offers its needs                                     |
///     |                      |  v                                                               |
///     |                     parked                          a failure of its family came later  |
///     |                                                     (controls only)                     |
///     |     waiting_control ----> queued <------------------------------------------------------+
///     |        its family has failures and no other work
///     v
///  cancelled   from every state but done: the run was cancelled, or a job above it failed
/// ```
enum class JobState { waiting, waiting_control, queued, leased, done, parked, cancelled };

std::string_view to_text(JobState state);
std::optional<JobState> job_state_from_text(std::string_view text);

/// One try of a job by one agent under one lease.
struct Attempt {
  std::int64_t id = 0;
  int number = 0;
  std::string agent;      ///< its name
  std::string started;    ///< RFC 3339
  std::optional<std::string> ended;
  double seconds = 0;     ///< until now while it goes on
  std::string outcome;    ///< passed, failed, broken, skipped, lost; empty while it goes on
  std::string stage;      ///< what it does now
  std::optional<Rung> rung;
  std::optional<Rung> proved;
  std::optional<Evidence> evidence;
  std::string code;
  std::string reason;
  std::string remedy;
  boost::json::array units;     ///< protocol::UnitReport as JSON, with proofs
  std::string lock;
  boost::json::object details;
  std::uint64_t log_size = 0;
};

struct Job {
  std::int64_t id = 0;
  std::int64_t run = 0;
  std::optional<std::int64_t> parent;
  std::string library;
  std::string key;
  std::vector<Rung> rungs;
  Combination axes;
  JobState state = JobState::waiting;
  std::string outcome;              ///< of a done job: passed, failed, broken
  std::vector<std::string> needs;
  std::string missing;              ///< why it is parked: "no agent offers driver 550"
  std::uint64_t memory_bytes = 0;
  int depth = 0;
  bool control = false;
  std::vector<Attempt> attempts;    ///< oldest first
};

}  // namespace crosswarp::jobs
