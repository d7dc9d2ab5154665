// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/encode.hpp"
#include "server/api/resources.hpp"

namespace crosswarp::api {
namespace {

constexpr std::int64_t kLongestWaitSeconds = 60;
constexpr std::uint64_t kMessageBytes = 1 << 20;

template <class Message>
Result<Message> message_of(const http::Request& request) {
  const Result<boost::json::value> body = json_body(request);
  if (body.has_error()) return body.error();
  return protocol::from_json<Message>(*body);
}

asio::awaitable<Result<http::Response>> list(agents::Agents& agents) {
  const Result<std::vector<agents::Agent>> found = co_await agents.list();
  if (found.has_error()) co_return found.error();
  co_return json_answer(200, {{"agents", to_json_array(*found)}});
}

asio::awaitable<Result<http::Response>> register_agent(agents::Agents& agents, const http::Request& request) {
  Result<protocol::Registration> registration = message_of<protocol::Registration>(request);
  if (registration.has_error()) co_return registration.error();
  const Result<protocol::Registered> registered = co_await agents.register_(std::move(*registration));
  if (registered.has_error()) co_return registered.error();
  co_return json_answer(201, protocol::to_json(*registered));
}

asio::awaitable<Result<http::Response>> claim(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const auto wait = integer_parameter(request, "wait", 0, kLongestWaitSeconds);
  if (wait.has_error()) co_return wait.error();
  const Result<protocol::ClaimRequest> wanted = message_of<protocol::ClaimRequest>(request);
  if (wanted.has_error()) co_return wanted.error();
  const Result<protocol::Claim> claim = co_await jobs.claim(*id, *wanted, std::chrono::seconds(wait->value_or(0)));
  if (claim.has_error()) co_return claim.error();
  co_return json_answer(200, protocol::to_json(*claim));
}

asio::awaitable<Result<http::Response>> heartbeat(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  Result<protocol::Heartbeat> beat = message_of<protocol::Heartbeat>(request);
  if (beat.has_error()) co_return beat.error();
  const Result<protocol::HeartbeatReply> reply = co_await jobs.heartbeat(*id, std::move(*beat));
  if (reply.has_error()) co_return reply.error();
  co_return json_answer(200, protocol::to_json(*reply));
}

}  // namespace

void add_agent_routes(Routes& routes, agents::Agents& agents, jobs::Jobs& jobs) {
  http::RouteLimits message;
  message.body_bytes = kMessageBytes;
  http::RouteLimits long_poll = message;
  long_poll.time = std::chrono::seconds(kLongestWaitSeconds + 30);
  long_poll.ends_with_peer = true;  // or a job would be leased to an agent that is gone
  routes.get("/api/v1/agents", Access::read, [&agents](const http::Request&) { return list(agents); });
  routes.add("POST", "/api/v1/agents", Access::agent, message,
             [&agents](const http::Request& request) { return register_agent(agents, request); });
  routes.add("POST", "/api/v1/agents/{id}/claim", Access::agent, long_poll,
             [&jobs](const http::Request& request) { return claim(jobs, request); });
  routes.add("POST", "/api/v1/agents/{id}/heartbeat", Access::agent, message,
             [&jobs](const http::Request& request) { return heartbeat(jobs, request); });
}

}  // namespace crosswarp::api
