// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/resources.hpp"

namespace crosswarp::api {
namespace {

bool is_digest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

asio::awaitable<Result<http::Response>> get(runs::Runs& runs, const http::Request& request) {
  const std::string digest(request.capture("sha256"));
  if (!is_digest(digest)) co_return Error{ErrorCode::not_found, "expected a SHA-256 in lower-case hexadecimal"};
  Result<std::string> bytes = co_await runs.blob(digest);
  if (bytes.has_error()) co_return bytes.error();
  http::Response response = http::text_response(200, "application/octet-stream", std::move(*bytes));
  response.headers.set("ETag", '"' + digest + '"');
  response.headers.set("Cache-Control", "private, max-age=31536000, immutable");
  co_return response;
}

}  // namespace

void add_blob_routes(Routes& routes, runs::Runs& runs) {
  routes.get("/api/v1/blobs/{sha256}", Access::read,
             [&runs](const http::Request& request) { return get(runs, request); });
}

}  // namespace crosswarp::api
