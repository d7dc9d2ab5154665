// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/message.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::http {

/// Answers one request, which outlives the call. An exception becomes a 500.
using Handler = std::function<asio::awaitable<Response>(const Request&)>;

/// Bounds on one route.
struct RouteLimits {
  std::uint64_t body_bytes = 0;                ///< 0: it takes no body
  std::chrono::milliseconds time{30'000};      ///< for the handler; past it the answer is 503
  bool ends_with_peer = false;                 ///< the handler is cancelled when the peer closes: for long polls
};

struct Route {
  std::string method;
  std::string pattern;                ///< "/api/v1/jobs/{id}/log"
  std::vector<std::string> segments;
  RouteLimits limits;
  Handler handler;
};

/// What a method and path lead to.
struct RouteMatch {
  const Route* route = nullptr;      ///< null: nothing has this path, or not with this method
  std::vector<std::string> allowed;  ///< methods that this path has, when `route` is null; empty: no such path
};

/// The resources of a server: method and path template to handler. A `{name}` matches one segment that is not empty;
/// a literal segment wins over a name. GET serves HEAD too. Routes are added before the server starts.
class Router {
 public:
  /// Throws std::invalid_argument for a template without a leading slash, and for a route that is there already.
  void add(std::string_view method, std::string_view pattern, RouteLimits limits, Handler handler);

  /// Finds the route and fills `request.captures` and `request.route`.
  RouteMatch find(Request& request) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace crosswarp::http
