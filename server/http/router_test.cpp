// SPDX-License-Identifier: Apache-2.0
#include "server/http/router.hpp"

#include <gtest/gtest.h>

namespace crosswarp::http {
namespace {

asio::awaitable<Response> nothing(const Request&) { co_return Response{}; }

class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    router_.add("GET", "/", {}, nothing);
    router_.add("GET", "/jobs/{id}", {}, nothing);
    router_.add("POST", "/jobs/{id}", {}, nothing);
    router_.add("GET", "/jobs/latest", {}, nothing);
    router_.add("GET", "/jobs/{id}/log", {}, nothing);
  }

  RouteMatch find(std::string method, std::vector<std::string> path) {
    request_ = {};
    request_.method = std::move(method);
    request_.path = std::move(path);
    return router_.find(request_);
  }

  Router router_;
  Request request_;
};

TEST_F(RouterTest, CapturesNamedSegments) {
  ASSERT_NE(find("GET", {"jobs", "a/b", "log"}).route, nullptr);
  EXPECT_EQ(request_.route, "/jobs/{id}/log");
  EXPECT_EQ(request_.capture("id"), "a/b");
  EXPECT_EQ(request_.capture("other"), "");
}

TEST_F(RouterTest, PrefersALiteralSegment) {
  ASSERT_NE(find("GET", {"jobs", "latest"}).route, nullptr);
  EXPECT_EQ(request_.route, "/jobs/latest");
}

TEST_F(RouterTest, ServesHeadByGet) { EXPECT_NE(find("HEAD", {}).route, nullptr); }

TEST_F(RouterTest, SaysWhichMethodsAPathHas) {
  const RouteMatch match = find("DELETE", {"jobs", "7"});
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allowed, (std::vector<std::string>{"GET", "HEAD", "POST"}));
}

TEST_F(RouterTest, KnowsNoOtherPaths) {
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{"job"}, {"jobs", ""}, {"jobs", "7", ""}, {"jobs", "7", "log", "x"}}) {
    const RouteMatch match = find("GET", path);
    EXPECT_EQ(match.route, nullptr);
    EXPECT_TRUE(match.allowed.empty());
  }
}

TEST_F(RouterTest, RefusesARouteAddedTwice) {
  EXPECT_THROW(router_.add("GET", "/jobs/{id}", {}, nothing), std::invalid_argument);
  EXPECT_THROW(router_.add("GET", "jobs", {}, nothing), std::invalid_argument);
}

}  // namespace
}  // namespace crosswarp::http
