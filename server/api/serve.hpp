// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/clock.hpp"
#include "server/agents/agents.hpp"
#include "server/agents/tokens.hpp"
#include "server/api/metrics.hpp"
#include "server/api/resources.hpp"
#include "server/config/config.hpp"
#include "server/db/pool.hpp"
#include "server/http/server.hpp"
#include "server/jobs/jobs.hpp"
#include "server/runs/recipe_source.hpp"
#include "server/runs/runs.hpp"
#include "server/table/table.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <string_view>

namespace crosswarp::api {

namespace asio = boost::asio;

/// The whole server over one migrated database: services, resources, connections, and what time brings about.
class Service {
 public:
  /// All that is passed must outlive the service. `version` is of this program.
  Service(const config::Config& config, asio::io_context& context, db::Pool& pool, const Clock& clock,
          std::string_view version);

  /// Binds the address. Errors: as http::Server::listen.
  Result<void> listen();
  std::uint16_t port() const { return server_.port(); }

  /// Serves until stop() has been called; start it before that.
  asio::awaitable<void> run();
  /// Accepts no more, lets answers being made go out for `grace`, then ends all; run() returns thereafter.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  const http::Router& router() const { return router_; }

 private:
  void add_routes(const config::Config& config);
  asio::awaitable<void> tick_for_ever();
  asio::awaitable<void> listen_for_ever();

  db::Pool& pool_;
  agents::Tokens tokens_;
  runs::RecipeSource recipes_;
  runs::Runs runs_;
  jobs::Jobs jobs_;
  agents::Agents agents_;
  table::Table table_;
  Metrics metrics_;
  Description description_{openapi_text()};
  http::Router router_;
  http::Server server_;
};

/// What the HTTP server is told of `config`.
http::ServerSettings server_settings(const config::Config& config);

}  // namespace crosswarp::api
