// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/resources.hpp"
#include "server/db/transaction.hpp"

namespace crosswarp::api {
namespace {

asio::awaitable<Result<http::Response>> healthy() { co_return json_answer(200, {{"status", "ok"}}); }

asio::awaitable<Result<http::Response>> ready(db::Pool& pool) {
  const Result<void> answered = co_await db::ping(pool);
  if (answered.has_error()) co_return answered.error();
  co_return json_answer(200, {{"status", "ready"}});
}

}  // namespace

void add_health_routes(Routes& routes, db::Pool& pool) {
  routes.get("/healthz", Access::open, [](const http::Request&) { return healthy(); });
  routes.get("/readyz", Access::open, [&pool](const http::Request&) { return ready(pool); });
}

}  // namespace crosswarp::api
