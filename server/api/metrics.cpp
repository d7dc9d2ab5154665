// SPDX-License-Identifier: Apache-2.0
#include "server/api/metrics.hpp"

#include "server/api/answer.hpp"
#include "server/api/resources.hpp"

#include <prometheus/text_serializer.h>

#include <algorithm>

namespace crosswarp::api {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

const prometheus::Histogram::BucketBoundaries kSecondsBuckets{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30};

constexpr std::array kJobStates{jobs::JobState::waiting, jobs::JobState::waiting_control, jobs::JobState::queued,
                                jobs::JobState::leased,  jobs::JobState::done,            jobs::JobState::parked,
                                jobs::JobState::cancelled};

/// A method that anybody may make up must not become a label that anybody may make up.
std::string method_label(const std::string& method) {
  return method == "GET" || method == "HEAD" || method == "POST" ? method : std::string("other");
}

std::string route_label(const std::string& route) { return route.empty() ? std::string("none") : route; }

asio::awaitable<Result<http::Response>> scrape(Metrics& metrics, jobs::Jobs& jobs, agents::Agents& agents) {
  const auto counts = co_await jobs.counts();
  if (counts.has_error()) co_return counts.error();
  const auto known = co_await agents.list();
  if (known.has_error()) co_return known.error();
  metrics.set_jobs(*counts);
  metrics.set_agents(*known);
  co_return http::text_response(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text());
}

}  // namespace

Metrics::Metrics(std::string_view version)
    : requests_(BuildCounter()
                    .Name("crosswarp_http_requests_total")
                    .Help("HTTP requests answered, by route, method and status.")
                    .Register(registry_)),
      durations_(BuildHistogram()
                     .Name("crosswarp_http_request_duration_seconds")
                     .Help("From a request's first byte to its answer being made, by route; streams until they begin.")
                     .Register(registry_)),
      jobs_(BuildGauge().Name("crosswarp_jobs").Help("Jobs of runs that go on, by state.").Register(registry_)),
      agents_(BuildGauge().Name("crosswarp_agents").Help("Agents that registered, by state.").Register(registry_)),
      connections_(BuildGauge()
                       .Name("crosswarp_http_connections")
                       .Help("Connections being served.")
                       .Register(registry_)
                       .Add({})) {
  BuildGauge()
      .Name("crosswarp_build_info")
      .Help("Always 1; the version is in the label.")
      .Register(registry_)
      .Add({{"version", std::string(version)}})
      .Set(1);
}

void Metrics::count(const http::Exchange& exchange) {
  const std::string route = route_label(exchange.route);
  requests_
      .Add({{"route", route}, {"method", method_label(exchange.method)}, {"status", std::to_string(exchange.status)}})
      .Increment();
  durations_.Add({{"route", route}}, kSecondsBuckets)
      .Observe(std::chrono::duration<double>(exchange.duration).count());
}

void Metrics::set_jobs(const std::map<jobs::JobState, std::int64_t>& counts) {
  for (const jobs::JobState state : kJobStates) {
    const auto found = counts.find(state);
    jobs_.Add({{"state", std::string(jobs::to_text(state))}})
        .Set(found == counts.end() ? 0 : static_cast<double>(found->second));
  }
}

void Metrics::set_agents(const std::vector<agents::Agent>& agents) {
  const auto live = std::count_if(agents.begin(), agents.end(), [](const agents::Agent& agent) { return agent.live; });
  agents_.Add({{"state", "live"}}).Set(static_cast<double>(live));
  agents_.Add({{"state", "lost"}}).Set(static_cast<double>(agents.size()) - static_cast<double>(live));
}

void Metrics::set_connections(std::size_t open) { connections_.Set(static_cast<double>(open)); }

std::string Metrics::text() const { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

void add_metrics_routes(Routes& routes, Metrics& metrics, jobs::Jobs& jobs, agents::Agents& agents) {
  routes.get("/metrics", Access::open,
             [&](const http::Request&) { return scrape(metrics, jobs, agents); });
}

}  // namespace crosswarp::api
