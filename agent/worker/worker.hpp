// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/client/client.hpp"
#include "agent/container/container.hpp"
#include "agent/worker/job.hpp"
#include "agent/worker/store.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace crosswarp::worker {

struct WorkerOptions {
  ServerUrl server;
  std::string token;
  std::string version;
  std::vector<std::string> offers;
  boost::json::object facts;
  std::uint64_t memory_bytes = 0;  ///< what jobs may use together
  int slots = 1;                   ///< jobs at a time
  std::uint64_t log_head_bytes = std::uint64_t{48} << 20;
  std::uint64_t log_tail_bytes = std::uint64_t{8} << 20;
};

/// Takes work from a server and does it: registers, claims by long poll, heartbeats, streams logs, reports. A server
/// that is away is waited for; results are kept until they are accepted. One executor, single-threaded.
class Worker {
 public:
  Worker(asio::any_io_executor executor, WorkerOptions options, const Host& host, Store& store,
         container::ContainerRuntime& runtime);
  ~Worker();

  /// Works until stop(). Errors: unauthorized or forbidden when the server does not take the token.
  asio::awaitable<Result<void>> run();

  /// Claims no more, cancels what runs; run() ends when all have ended and been told to the server, or when the server
  /// has been away for some seconds since.
  void stop();

 private:
  struct Active;

  asio::awaitable<Result<void>> register_agent();
  asio::awaitable<void> claim_loop();
  asio::awaitable<void> heartbeat_loop();
  asio::awaitable<void> until_next_heartbeat(protocol::Heartbeat told);
  asio::awaitable<void> begin_anew();
  asio::awaitable<void> work_off(std::shared_ptr<Active> active);
  asio::awaitable<void> send_log(std::shared_ptr<Active> active);
  asio::awaitable<void> report(Active& active, const protocol::Finish& finish);
  asio::awaitable<void> pause(std::chrono::milliseconds time);
  static void drop(Active& active);
  protocol::Heartbeat heartbeat() const;
  bool waiting_is_over() const;
  std::uint64_t free_memory() const;
  std::string agent_target(std::string_view what) const;
  static std::string attempt_target(const Active& active, std::string_view what);
  Client make_client() const;

  asio::any_io_executor executor_;
  WorkerOptions options_;
  asio::thread_pool files_{2};
  Shared shared_;
  protocol::Registered registered_;
  std::map<std::int64_t, std::shared_ptr<Active>> active_;
  asio::steady_timer changed_;  ///< cancelled when a slot becomes free or the worker stops
  bool stopping_ = false;
  std::chrono::steady_clock::time_point give_up_;  ///< when stopping: how long a server that is away is waited for
  Result<void> outcome_;
};

}  // namespace crosswarp::worker
