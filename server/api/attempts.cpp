// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/resources.hpp"

namespace crosswarp::api {
namespace {

constexpr std::uint64_t kLogPieceBytes = 1 << 20;
constexpr std::uint64_t kFinishBytes = 8 << 20;
constexpr std::string_view kGone = "the attempt is no longer the one that counts";

int status_of(jobs::Appended::Outcome outcome) {
  switch (outcome) {
    case jobs::Appended::Outcome::appended: return 200;
    case jobs::Appended::Outcome::misplaced: return 409;
    case jobs::Appended::Outcome::gone: return 410;
    case jobs::Appended::Outcome::full: break;
  }
  return 413;
}

asio::awaitable<Result<http::Response>> append(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const auto offset = integer_parameter(request, "offset");
  if (offset.has_error()) co_return offset.error();
  if (!*offset) co_return Error{ErrorCode::invalid_argument, "parameter \"offset\" is needed"};
  const Result<jobs::Appended> appended =
      co_await jobs.append_log(*id, static_cast<std::uint64_t>(**offset), request.body);
  if (appended.has_error()) co_return appended.error();
  const int status = status_of(appended->outcome);
  if (status == 410) co_return http::problem(410, kGone);
  co_return json_answer(status, {{"size", appended->size}});
}

asio::awaitable<Result<http::Response>> finish(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const Result<boost::json::value> body = json_body(request);
  if (body.has_error()) co_return body.error();
  Result<protocol::Finish> answer = protocol::from_json<protocol::Finish>(*body);
  if (answer.has_error()) co_return answer.error();
  const Result<jobs::Finished> finished = co_await jobs.finish(*id, std::move(*answer));
  if (finished.has_error()) co_return finished.error();
  if (*finished == jobs::Finished::gone) co_return http::problem(410, kGone);
  co_return json_answer(200, {{"accepted", true}});
}

}  // namespace

void add_attempt_routes(Routes& routes, jobs::Jobs& jobs) {
  http::RouteLimits log;
  log.body_bytes = kLogPieceBytes;
  routes.add("POST", "/api/v1/attempts/{id}/log", Access::agent, log,
             [&jobs](const http::Request& request) { return append(jobs, request); });
  http::RouteLimits answer;
  answer.body_bytes = kFinishBytes;
  routes.add("POST", "/api/v1/attempts/{id}/finish", Access::agent, answer,
             [&jobs](const http::Request& request) { return finish(jobs, request); });
}

}  // namespace crosswarp::api
