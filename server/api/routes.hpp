// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/agents/tokens.hpp"
#include "server/api/description.hpp"
#include "server/http/router.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace crosswarp::api {

namespace asio = boost::asio;

/// Who may use a resource. `read` is everybody where the server is public, else whoever has any token.
enum class Access { open, read, submit, agent };

/// Answers one request; an error becomes a problem document.
using Action = std::function<asio::awaitable<Result<http::Response>>(const http::Request&)>;

/// The token of an `Authorization: Bearer` header. Errors: unauthorized where there is none.
Result<std::string_view> bearer_token(const http::Request& request);

/// Puts resources into a router: each behind the check of who asks and (below /api/) of what parameters it is given,
/// with failures turned into answers, all here.
class Routes {
 public:
  /// All that is passed must outlive the router's use.
  Routes(http::Router& router, agents::Tokens& tokens, const Description& description, bool open_to_read)
      : router_(router), tokens_(tokens), description_(description), open_to_read_(open_to_read) {}

  void add(std::string_view method, std::string_view pattern, Access access, http::RouteLimits limits, Action action);
  void get(std::string_view pattern, Access access, Action action) {
    add("GET", pattern, access, {}, std::move(action));
  }

 private:
  asio::awaitable<Result<void>> admit(const http::Request& request, Access access) const;
  asio::awaitable<Result<http::Response>> run(const http::Request& request, Access access,
                                              const QueryParameters& parameters, const Action& action) const;

  http::Router& router_;
  agents::Tokens& tokens_;
  const Description& description_;
  bool open_to_read_;
};

}  // namespace crosswarp::api
