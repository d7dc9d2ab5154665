// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/agents/agents.hpp"
#include "server/http/connection.hpp"
#include "server/jobs/job.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace crosswarp::api {

/// What is counted, in Prometheus's text format. Labels are bounded: routes by their template, methods that no route
/// has as "other".
class Metrics {
 public:
  explicit Metrics(std::string_view version);

  void count(const http::Exchange& exchange);
  void set_jobs(const std::map<jobs::JobState, std::int64_t>& counts);
  void set_agents(const std::vector<agents::Agent>& agents);
  void set_connections(std::size_t open);

  std::string text() const;

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Family<prometheus::Histogram>& durations_;
  prometheus::Family<prometheus::Gauge>& jobs_;
  prometheus::Family<prometheus::Gauge>& agents_;
  prometheus::Gauge& connections_;
};

}  // namespace crosswarp::api
