// SPDX-License-Identifier: Apache-2.0
#include "server/api/serve.hpp"

#include "matrix/base/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace crosswarp::api {
namespace {

constexpr auto kTick = std::chrono::seconds(1);

jobs::JobOptions job_options(const config::Config& config) {
  jobs::JobOptions options;
  options.lease = config.lease;
  options.park_after = config.park_after;
  options.log_limit_bytes = config.log_limit_bytes + 4096;  // room for the agent's marker
  return options;
}

asio::awaitable<void> pause() {
  asio::steady_timer timer(co_await asio::this_coro::executor, kTick);
  co_await timer.async_wait(asio::use_awaitable);
}

bool is_cancelled(const std::exception& error) {
  const auto* known = dynamic_cast<const boost::system::system_error*>(&error);
  return known != nullptr && known->code() == asio::error::operation_aborted;
}

/// Tells of a failure once, and of its end: PostgreSQL may be away for long.
class Health {
 public:
  explicit Health(std::string_view what) : what_(what) {}

  void failed(std::string_view message) {
    if (!failing_) log_event(LogLevel::error, "serve.failing", {{"what", what_}, {"error", message}});
    failing_ = true;
  }
  void well() {
    if (failing_) log_event(LogLevel::info, "serve.well_again", {{"what", what_}});
    failing_ = false;
  }

 private:
  std::string_view what_;
  bool failing_ = false;
};

}  // namespace

http::ServerSettings server_settings(const config::Config& config) {
  http::ServerSettings settings;
  settings.address = config.listen.address;
  settings.port = config.listen.port;
  settings.connections = static_cast<std::size_t>(config.limits.connections);
  settings.limits.header_bytes = static_cast<std::uint32_t>(config.limits.header_bytes);
  settings.limits.request = config.limits.request_time;
  settings.limits.idle = config.limits.idle_time;
  settings.limits.first_byte = std::min(settings.limits.first_byte, settings.limits.idle);
  if (config.tls) settings.tls = http::TlsFiles{config.tls->certificate.string(), config.tls->key.string()};
  return settings;
}

Service::Service(const config::Config& config, asio::io_context& context, db::Pool& pool, const Clock& clock,
                 std::string_view version)
    : pool_(pool),
      tokens_(pool),
      recipes_(config.libraries),
      runs_(pool, recipes_),
      jobs_(pool, clock, job_options(config)),
      agents_(pool, agents::AgentTimes{.lease = config.lease}),
      table_(pool),
      metrics_(version),
      server_(context.get_executor(), router_, [&] {
        http::ServerSettings settings = server_settings(config);
        settings.observer = [this](const http::Exchange& exchange) { metrics_.count(exchange); };
        return settings;
      }()) {
  add_routes(config);
}

void Service::add_routes(const config::Config& config) {
  Routes routes(router_, tokens_, description_, config.open_to_read);
  add_run_routes(routes, runs_, jobs_, config.limits.body_bytes);
  add_job_routes(routes, jobs_);
  add_verdict_routes(routes, table_);
  add_agent_routes(routes, agents_, jobs_);
  add_attempt_routes(routes, jobs_);
  add_blob_routes(routes, runs_);
  add_health_routes(routes, pool_);
  add_metrics_routes(routes, metrics_, jobs_, agents_);
  add_openapi_routes(routes);
  add_page_routes(routes, runs_, jobs_, agents_, table_);
}

Result<void> Service::listen() { return server_.listen(); }

/// The server ends when it is stopped; the other two never do, and are cancelled then.
asio::awaitable<void> Service::run() {
  namespace ex = asio::experimental;
  const auto executor = co_await asio::this_coro::executor;
  auto all = ex::make_parallel_group(asio::co_spawn(executor, server_.run(), asio::deferred),
                                     asio::co_spawn(executor, tick_for_ever(), asio::deferred),
                                     asio::co_spawn(executor, listen_for_ever(), asio::deferred));
  co_await all.async_wait(ex::wait_for_one(), asio::use_awaitable);
}

asio::awaitable<void> Service::stop(std::chrono::milliseconds grace) { co_await server_.stop(grace); }

asio::awaitable<void> Service::tick_for_ever() {
  Health health("tick");
  while (true) {
    metrics_.set_connections(server_.connections());
    std::string failure;
    try {
      const Result<void> ticked = co_await jobs_.tick();
      if (ticked.has_error()) failure = ticked.error().message;
    } catch (const std::exception& error) {
      if (is_cancelled(error)) throw;
      failure = error.what();
    }
    failure.empty() ? health.well() : health.failed(failure);
    co_await pause();
  }
}

asio::awaitable<void> Service::listen_for_ever() {
  Health health("listen");
  while (true) {
    try {
      co_await jobs_.listen();
    } catch (const std::exception& error) {
      if (is_cancelled(error)) throw;
      health.failed(error.what());
    }
    co_await pause();
  }
}

}  // namespace crosswarp::api
