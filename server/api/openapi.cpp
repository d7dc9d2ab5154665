// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/resources.hpp"

#include "server/api/openapi_json.hpp"

namespace crosswarp::api {
namespace {

asio::awaitable<Result<http::Response>> get() {
  http::Response response = http::text_response(200, "application/json", std::string(openapi_text()));
  response.headers.set("Cache-Control", "no-cache");
  co_return response;
}

}  // namespace

std::string_view openapi_text() { return kOpenapi[0].text; }

void add_openapi_routes(Routes& routes) {
  routes.get("/openapi.json", Access::open, [](const http::Request&) { return get(); });
}

}  // namespace crosswarp::api
