// SPDX-License-Identifier: Apache-2.0
#include "server/api/routes.hpp"

#include "server/api/answer.hpp"

#include <boost/beast/core/string.hpp>

namespace crosswarp::api {
namespace {

bool may_use(agents::Role role, Access access) {
  if (access == Access::submit) return agents::may(role, agents::Role::submit);
  if (access == Access::agent) return agents::may(role, agents::Role::agent);
  return true;
}

std::string_view role_wanted(Access access) { return access == Access::submit ? "submit" : "agent"; }

}  // namespace

Result<std::string_view> bearer_token(const http::Request& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const auto header = request.headers.find("Authorization");
  if (!header) {
    return Error{ErrorCode::unauthorized,
                 "a token is needed: Authorization: Bearer cw_...; see crosswarp token create"};
  }
  if (!boost::beast::iequals(header->substr(0, kScheme.size()), kScheme)) {
    return Error{ErrorCode::unauthorized, "expected Authorization: Bearer cw_..."};
  }
  return header->substr(kScheme.size());
}

void Routes::add(std::string_view method, std::string_view pattern, Access access, http::RouteLimits limits,
                 Action action) {
  QueryParameters parameters = description_.query_parameters(method, pattern);
  if (!pattern.starts_with("/api/")) parameters.open = true;  // a page or a probe may be linked to with anything
  router_.add(method, pattern, limits,
              [routes = *this, access, parameters = std::move(parameters),
               action = std::move(action)](const http::Request& request) -> asio::awaitable<http::Response> {
                Result<http::Response> result = co_await routes.run(request, access, parameters, action);
                co_return result.has_error() ? error_answer(result.error()) : std::move(*result);
              });
}

asio::awaitable<Result<void>> Routes::admit(const http::Request& request, Access access) const {
  if (access == Access::open || (access == Access::read && open_to_read_)) co_return Result<void>();
  const Result<std::string_view> token = bearer_token(request);
  if (token.has_error()) co_return token.error();
  const Result<agents::Role> role = co_await tokens_.role_of(std::string(*token));
  if (role.has_error()) co_return role.error();
  if (may_use(*role, access)) co_return Result<void>();
  co_return Error{ErrorCode::forbidden, "this needs a token of the role " + std::string(role_wanted(access)) +
                                            "; yours is " + std::string(agents::to_text(*role))};
}

/// What could not be gone on from but has a name, such as a lost database, becomes an answer too; the rest is a 500.
asio::awaitable<Result<http::Response>> Routes::run(const http::Request& request, Access access,
                                                    const QueryParameters& parameters, const Action& action) const {
  try {
    const Result<void> admitted = co_await admit(request, access);
    if (admitted.has_error()) co_return admitted.error();
    const Result<void> understood = parameters.check(request.query);
    if (understood.has_error()) co_return understood.error();
    co_return co_await action(request);
  } catch (const ErrorException& failure) {
    co_return Error{failure.code(), failure.what()};
  }
}

}  // namespace crosswarp::api
