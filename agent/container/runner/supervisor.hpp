// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/runner/child.hpp"
#include "agent/container/runner/request.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crosswarp::runner {

/// Serves one agent: reads requests from `in`, a JSON object a line, and writes frames to `out`: a JSON object a line,
/// and after {"event":"output","bytes":N} that many octets of the command's output.
///   {"event":"ready","version":1}                          once, at start
///   {"event":"output","id","bytes"}
///   {"event":"exit","id","code","signal","seconds","peak_memory_bytes",
///    "stopped":"no|time_limit|memory_limit|process_limit|cancelled"}
///   {"event":"error","message"}                            the request was not understood or not possible
/// States of a command, one at a time:
///   running -> stopping (limit hit: TERM) -> ended (KILL) -> drained (exit is reported)
/// Its output is read only when what was read before is written, so it takes no memory and a slow agent slows it down.
class Supervisor {
 public:
  /// `alone`: this is process 1 of a container, so the control group's counters are those of the job.
  Supervisor(int in, int out, bool alone);

  /// Until `in` closes or the agent is gone; all descendants are dead then. The program's exit code.
  int serve();

 private:
  using Clock = std::chrono::steady_clock;

  struct Running {
    RunRequest request;
    Child child;
    Clock::time_point started;
    std::optional<Clock::time_point> kill_at;  ///< set once TERM was sent
    bool ended = false;                        ///< the command's own process, and soon its descendants
    int status = 0;
    Clock::time_point end;
    std::string_view stopped = "no";
    std::uint64_t peak_memory_bytes = 0;
    std::uint64_t memory_kills = 0;       ///< the counters at its start
    std::uint64_t processes_refused = 0;
  };

  bool wait_for_events();
  void take_requests();
  void take(const RunRequest& request);
  void take_line(std::string_view line);
  void read_output();
  void write_pending();
  bool reap();
  void enforce();
  void enforce_usage();
  void stop(std::string_view reason);
  void conclude();
  void explain_end();
  void queue(const boost::json::object& event);
  bool sampling_due() const;

  int in_;
  int out_;
  bool alone_;
  int signals_ = -1;
  bool finished_ = false;
  int exit_code_ = 0;
  std::string request_;
  std::string pending_;
  std::size_t written_ = 0;
  Clock::time_point sampled_{};
  std::optional<Running> running_;
};

}  // namespace crosswarp::runner
