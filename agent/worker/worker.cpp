// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/worker.hpp"

#include "matrix/base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include <algorithm>

namespace crosswarp::worker {

using namespace std::chrono_literals;
namespace {

constexpr auto kRetry = 1000ms;            ///< between tries while the server is away
constexpr auto kLogEvery = 300ms;          ///< how long a log may gather before it is sent
constexpr auto kHeartbeatLook = 100ms;     ///< between looks at whether a heartbeat is due
constexpr auto kHeartbeatSoonest = 500ms;  ///< between two heartbeats, however often jobs turn to something else
constexpr auto kFarewell = 10s;            ///< how long a server that is away is waited for when the agent stops
constexpr std::size_t kLogPiece = 512 * 1024;
constexpr unsigned kGone = 410;
constexpr unsigned kConflict = 409;
constexpr unsigned kNotFound = 404;

/// The first of a row of failures is told, and the end of the row.
class Outage {
 public:
  void failed(std::string_view event, const std::string& reason) {
    if (reason != told_) log_event(LogLevel::warning, event, {{"reason", reason}});
    told_ = reason;
  }
  void over(std::string_view event) {
    if (!told_.empty()) log_event(LogLevel::info, event);
    told_.clear();
  }

 private:
  std::string told_;
};

/// What stands for a result that the server will not have, so that the job does not wait for its lease to run out.
protocol::Finish refused(const protocol::Finish& finish, const std::string& why) {
  protocol::Finish bare;
  bare.rung = finish.rung;
  bare.code = "result_refused";
  bare.reason = "the server did not take the result of this attempt: " + why;
  return bare;
}

std::string serialized(const boost::json::value& value) { return boost::json::serialize(value); }

bool is_final(ErrorCode code) { return code == ErrorCode::unauthorized || code == ErrorCode::forbidden; }

}  // namespace

/// An attempt that this agent holds.
struct Worker::Active {
  Active(Worker& worker, protocol::Assignment taken)
      : assignment(std::move(taken)),
        log(worker.options_.log_head_bytes, worker.options_.log_tail_bytes),
        client(worker.make_client()),
        log_client(worker.make_client()),
        job(worker.shared_, assignment, log, client) {}

  protocol::Assignment assignment;
  JobLog log;
  Client client;
  Client log_client;
  Job job;
  bool ended = false;  ///< the job is over, what is left of its log is sent
  bool lost = false;   ///< the server gave the attempt up: nothing of it is wanted any more
};

std::string Worker::agent_target(std::string_view what) const {
  return "/api/v1/agents/" + std::to_string(registered_.agent) + std::string(what);
}

std::string Worker::attempt_target(const Active& active, std::string_view what) {
  return "/api/v1/attempts/" + std::to_string(active.assignment.attempt) + std::string(what);
}

Worker::Worker(asio::any_io_executor executor, WorkerOptions options, const Host& host, Store& store,
               container::ContainerRuntime& runtime)
    : executor_(executor),
      options_(std::move(options)),
      shared_{host, store, runtime, files_, {}, std::to_string(::getpid())},
      changed_(executor) {}

Worker::~Worker() = default;

Client Worker::make_client() const { return Client(executor_, options_.server, options_.token); }

asio::awaitable<void> Worker::pause(std::chrono::milliseconds time) {
  asio::steady_timer timer(executor_, time);
  co_await timer.async_wait(asio::use_awaitable);
}

void Worker::stop() {
  stopping_ = true;
  for (auto& [attempt, active] : active_) active->job.cancel();
  give_up_ = std::chrono::steady_clock::now() + kFarewell;
  changed_.cancel();
}

bool Worker::waiting_is_over() const { return stopping_ && std::chrono::steady_clock::now() > give_up_; }

asio::awaitable<Result<void>> Worker::run() {
  using namespace asio::experimental::awaitable_operators;
  const auto registered = co_await register_agent();
  if (!registered) co_return registered.error();
  co_await (claim_loop() && heartbeat_loop());
  co_return outcome_;
}

asio::awaitable<Result<void>> Worker::register_agent() {
  Client client = make_client();
  const protocol::Registration registration{shared_.host.name,     options_.version, options_.offers,
                                            options_.memory_bytes, options_.slots,   options_.facts};
  for (bool said = false; !stopping_; co_await pause(kRetry)) {
    const auto reply = co_await client.call(post("/api/v1/agents", serialized(to_json(registration))));
    if (reply) {
      auto registered = protocol::from_json<protocol::Registered>(*reply);
      if (!registered) co_return registered.error();
      registered_ = *registered;
      log_event(LogLevel::info, "agent.registered",
                {{"agent", registered_.agent}, {"name", shared_.host.name}, {"server", options_.server.text()}});
      co_return Result<void>{};
    }
    if (reply.error().code != ErrorCode::unavailable) co_return reply.error();
    if (!said) log_event(LogLevel::warning, "server.away", {{"reason", reply.error().message}});
    said = true;
  }
  co_return Result<void>{};
}

std::uint64_t Worker::free_memory() const {
  std::uint64_t used = 0;
  for (const auto& [attempt, active] : active_) used += active->assignment.memory_bytes;
  return options_.memory_bytes > used ? options_.memory_bytes - used : 0;
}

asio::awaitable<void> Worker::claim_loop() {
  Client client = make_client();
  Outage outage;
  while (!stopping_) {
    const int slots = options_.slots - static_cast<int>(active_.size());
    if (slots <= 0) {
      changed_.expires_after(10s);
      boost::system::error_code ignored;
      co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      continue;
    }
    // Short waits: a stop comes between two, and what memory a job frees must be offered again soon.
    const std::string target = agent_target("/claim?wait=") + (active_.empty() ? "5" : "2");
    const protocol::ClaimRequest wanted{slots, free_memory()};
    const auto reply = co_await client.call(post(target, serialized(to_json(wanted)), 40s));
    const auto claim = reply ? protocol::from_json<protocol::Claim>(*reply) : Result<protocol::Claim>(reply.error());
    if (!claim) {
      if (is_final(claim.error().code)) {
        outcome_ = claim.error();
        stop();
        co_return;
      }
      outage.failed("claim.failed", claim.error().message);
      co_await pause(kRetry);
      continue;
    }
    outage.over("claim.works_again");
    for (const auto& assignment : claim->assignments) {
      auto active = std::make_shared<Active>(*this, assignment);
      active_[assignment.attempt] = active;
      if (stopping_) active->job.cancel();
      asio::co_spawn(executor_, work_off(active), asio::detached);
    }
  }
  while (!active_.empty()) co_await pause(50ms);
}

asio::awaitable<void> Worker::work_off(std::shared_ptr<Active> active) {
  using namespace asio::experimental::awaitable_operators;
  const auto& assignment = active->assignment;
  log_event(LogLevel::info, "job.started",
            {{"run", assignment.run},
             {"job", assignment.job},
             {"attempt", assignment.attempt},
             {"library", assignment.library}});
  auto run_job = [](std::shared_ptr<Active> held) -> asio::awaitable<protocol::Finish> {
    auto finish = co_await held->job.run();
    held->ended = true;
    co_return finish;
  };
  try {
    const protocol::Finish finish = co_await (run_job(active) && send_log(active));
    if (!active->lost) co_await report(*active, finish);
    log_event(LogLevel::info, "job.finished",
              {{"run", assignment.run},
               {"job", assignment.job},
               {"attempt", assignment.attempt},
               {"status", std::string(to_text(finish.status))},
               {"reason", finish.reason}});
  } catch (const std::exception& error) {
    log_event(LogLevel::error, "job.lost", {{"attempt", assignment.attempt}, {"reason", error.what()}});
  }
  active_.erase(assignment.attempt);
  changed_.cancel();
}

/// Sends the log as it grows and, when the job has ended, to its end. An answer says how much the server has, so that
/// a piece sent twice is kept once.
asio::awaitable<void> Worker::send_log(std::shared_ptr<Active> active) {
  JobLog& log = active->log;
  while (!active->lost) {
    const bool last = active->ended;
    if (last) log.finish();
    if (log.pending().empty()) {
      if (last) co_return;
      co_await pause(kLogEvery);
      continue;
    }
    Request piece = post(attempt_target(*active, "/log?offset=") + std::to_string(log.sent()),
                         std::string(log.pending().substr(0, kLogPiece)));
    piece.content_type = "application/octet-stream";
    const auto reply = co_await active->log_client.send(std::move(piece));
    if (!reply || reply->status >= 500 || reply->status == 429) {
      if (waiting_is_over()) co_return;
      co_await pause(kRetry);
      continue;
    }
    if (reply->status == kGone || reply->status == kNotFound) {
      active->lost = true;
      active->job.cancel();
      co_return;
    }
    boost::system::error_code error;
    const auto json = boost::json::parse(reply->body, error);
    const auto* size = !error && json.is_object() ? json.as_object().if_contains("size") : nullptr;
    const bool known = (reply->ok() || reply->status == kConflict) && size && size->is_number();
    if (!known || !log.acknowledge(size->to_number<std::uint64_t>())) {
      log_event(LogLevel::error, "log.refused", {{"attempt", active->assignment.attempt}, {"status", reply->status}});
      co_return;
    }
    if (!last && log.pending().size() < kLogPiece) co_await pause(kLogEvery);
  }
}

/// Sends the answer until it is accepted. One that the server refuses is replaced, once, by one that says so.
asio::awaitable<void> Worker::report(Active& active, const protocol::Finish& finish) {
  std::string body = serialized(to_json(finish));
  const std::string target = attempt_target(active, "/finish");
  bool replaced = false;
  while (!active.lost) {
    const auto reply = co_await active.client.send(post(target, body));
    if (!reply || reply->status >= 500 || reply->status == 429) {
      if (waiting_is_over()) co_return;
      co_await pause(kRetry);
      continue;
    }
    if (reply->ok() || reply->status == kGone) co_return;
    const std::string why = error_of(*reply).message;
    log_event(LogLevel::error, "finish.refused", {{"attempt", active.assignment.attempt}, {"reason", why}});
    if (replaced || reply->status == kNotFound || is_final(error_of(*reply).code)) co_return;
    body = serialized(to_json(refused(finish, why)));
    replaced = true;
  }
}

protocol::Heartbeat Worker::heartbeat() const {
  protocol::Heartbeat beat;
  for (const auto& [attempt, active] : active_) beat.attempts.push_back({attempt, active->job.doing()});
  return beat;
}

/// Returns when the next heartbeat is due: after the interval the server asked for, or sooner where a job does
/// something else than `told` says.
asio::awaitable<void> Worker::until_next_heartbeat(protocol::Heartbeat told) {
  const auto before = std::chrono::steady_clock::now();
  while (!stopping_ || !active_.empty()) {
    co_await pause(kHeartbeatLook);
    const auto waited = std::chrono::steady_clock::now() - before;
    if (waited >= registered_.heartbeat) co_return;
    if (waited >= kHeartbeatSoonest && heartbeat().attempts != told.attempts) co_return;
  }
}

void Worker::drop(Active& active) {
  active.lost = true;
  active.job.cancel();
}

/// The server knows this agent no more, so none of its attempts either. Their ids may come again for other work: what
/// runs ends before the agent registers anew.
asio::awaitable<void> Worker::begin_anew() {
  log_event(LogLevel::warning, "agent.forgotten", {{"agent", registered_.agent}, {"attempts", active_.size()}});
  for (auto& [attempt, active] : active_) drop(*active);
  while (!active_.empty()) co_await pause(kHeartbeatLook);
  const auto registered = co_await register_agent();
  if (registered) co_return;
  outcome_ = registered.error();
  stop();
}

asio::awaitable<void> Worker::heartbeat_loop() {
  Client client = make_client();
  while (!stopping_ || !active_.empty()) {
    const protocol::Heartbeat beat = heartbeat();
    const auto reply = co_await client.call(post(agent_target("/heartbeat"), serialized(to_json(beat)), 10s));
    const auto answer =
        reply ? protocol::from_json<protocol::HeartbeatReply>(*reply) : Result<protocol::HeartbeatReply>(reply.error());
    if (answer) {
      for (const std::int64_t attempt : answer->drop) {
        if (const auto found = active_.find(attempt); found != active_.end()) drop(*found->second);
      }
    } else if (answer.error().code == ErrorCode::not_found && !stopping_) {
      co_await begin_anew();
    }
    co_await until_next_heartbeat(beat);
  }
}

}  // namespace crosswarp::worker
