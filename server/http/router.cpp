// SPDX-License-Identifier: Apache-2.0
#include "server/http/router.hpp"

#include <algorithm>
#include <stdexcept>

namespace crosswarp::http {
namespace {

std::vector<std::string> split(std::string_view pattern) {
  std::vector<std::string> segments;
  pattern.remove_prefix(1);
  while (!pattern.empty()) {
    const auto slash = pattern.find('/');
    segments.emplace_back(pattern.substr(0, slash));
    pattern.remove_prefix(slash == std::string_view::npos ? pattern.size() : slash + 1);
  }
  return segments;
}

bool is_name(std::string_view segment) { return segment.starts_with('{') && segment.ends_with('}'); }

bool fits(const Route& route, const std::vector<std::string>& path) {
  return std::equal(route.segments.begin(), route.segments.end(), path.begin(), path.end(),
                    [](const std::string& segment, const std::string& found) {
                      return is_name(segment) ? !found.empty() : segment == found;
                    });
}

/// Whether `a` has a literal where `b`, which fits the same path, has the first name.
bool more_literal(const Route& a, const Route& b) {
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    if (is_name(a.segments[i]) != is_name(b.segments[i])) return is_name(b.segments[i]);
  }
  return false;
}

bool serves(const Route& route, std::string_view method) {
  return route.method == method || (route.method == "GET" && method == "HEAD");
}

void capture(const Route& route, Request& request) {
  request.route = route.pattern;
  for (std::size_t i = 0; i < route.segments.size(); ++i) {
    const std::string& segment = route.segments[i];
    if (is_name(segment)) request.captures[segment.substr(1, segment.size() - 2)] = request.path[i];
  }
}

void allow(const Route& route, std::vector<std::string>& allowed) {
  const auto add = [&](const std::string& method) {
    if (std::find(allowed.begin(), allowed.end(), method) == allowed.end()) allowed.push_back(method);
  };
  add(route.method);
  if (route.method == "GET") add("HEAD");
}

}  // namespace

void Router::add(std::string_view method, std::string_view pattern, RouteLimits limits, Handler handler) {
  if (!pattern.starts_with('/')) throw std::invalid_argument("route without a leading slash: " + std::string(pattern));
  for (const Route& route : routes_) {
    if (route.method == method && route.pattern == pattern) {
      throw std::invalid_argument("route added twice: " + route.method + ' ' + route.pattern);
    }
  }
  routes_.push_back({std::string(method), std::string(pattern), split(pattern), limits, std::move(handler)});
}

RouteMatch Router::find(Request& request) const {
  RouteMatch match;
  for (const Route& route : routes_) {
    if (!fits(route, request.path)) continue;
    allow(route, match.allowed);
    if (!serves(route, request.method)) continue;
    if (match.route == nullptr || more_literal(route, *match.route)) match.route = &route;
  }
  if (match.route != nullptr) {
    capture(*match.route, request);
    match.allowed.clear();
  }
  return match;
}

}  // namespace crosswarp::http
