// SPDX-License-Identifier: Apache-2.0
#include "server/api/metrics.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace crosswarp::api {
namespace {

using namespace std::chrono_literals;

TEST(Metrics, CountsRequestsByTheTemplateOfTheirRoute) {
  Metrics metrics("0.1.0");
  for (int i = 0; i < 3; ++i) metrics.count({"GET", "/api/v1/jobs/{id}", 200, 2ms});
  metrics.count({"BREW", "", 405, 1ms});
  const std::string text = metrics.text();
  EXPECT_NE(text.find("crosswarp_http_requests_total{method=\"GET\",route=\"/api/v1/jobs/{id}\",status=\"200\"} 3"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("{method=\"other\",route=\"none\",status=\"405\"} 1"), std::string::npos);
  EXPECT_NE(text.find("crosswarp_http_request_duration_seconds_bucket{route=\"/api/v1/jobs/{id}\",le=\"0.005\"} 3"),
            std::string::npos);
}

TEST(Metrics, KnowsEveryStateOfAJob) {
  Metrics metrics("0.1.0");
  metrics.set_jobs({{jobs::JobState::queued, 4}});
  metrics.set_agents(std::vector<agents::Agent>(2));
  const std::string text = metrics.text();
  EXPECT_NE(text.find("crosswarp_jobs{state=\"queued\"} 4"), std::string::npos);
  EXPECT_NE(text.find("crosswarp_jobs{state=\"parked\"} 0"), std::string::npos);
  EXPECT_NE(text.find("crosswarp_agents{state=\"lost\"} 2"), std::string::npos);
}

TEST(Metrics, AreWellFormed) {
  Metrics metrics("0.1.0");
  metrics.count({"GET", "/", 200, 2ms});
  metrics.set_jobs({});
  metrics.set_agents({});
  metrics.set_connections(1);
  std::istringstream text(metrics.text());
  std::set<std::string> helped, typed, series;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string hash, keyword, name;
    words >> hash >> keyword >> name;
    std::set<std::string>& seen = keyword == "HELP" ? helped : keyword == "TYPE" ? typed : series;
    EXPECT_TRUE(seen.insert(hash == "#" ? name : line.substr(0, line.rfind(' '))).second) << line;
  }
  EXPECT_EQ(helped, typed);
  EXPECT_EQ(helped.size(), 6u);
}

}  // namespace
}  // namespace crosswarp::api
