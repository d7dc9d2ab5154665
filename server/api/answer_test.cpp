// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"

#include "server/api/routes.hpp"

#include <gtest/gtest.h>

namespace crosswarp::api {
namespace {

TEST(StatusOf, GivesEachKindOfFailureItsOwn) {
  EXPECT_EQ(status_of(ErrorCode::invalid_argument), 400);
  EXPECT_EQ(status_of(ErrorCode::unauthorized), 401);
  EXPECT_EQ(status_of(ErrorCode::forbidden), 403);
  EXPECT_EQ(status_of(ErrorCode::not_found), 404);
  EXPECT_EQ(status_of(ErrorCode::conflict), 409);
  EXPECT_EQ(status_of(ErrorCode::too_large), 413);
  EXPECT_EQ(status_of(ErrorCode::unavailable), 503);
}

TEST(ErrorAnswer, SaysWhenToComeAgainAndHowToShowWhoOneIs) {
  EXPECT_TRUE(error_answer({ErrorCode::unavailable, "x"}).headers.find("Retry-After"));
  EXPECT_EQ(error_answer({ErrorCode::unauthorized, "x"}).headers.find("WWW-Authenticate"), "Bearer");
}

TEST(IdOf, TakesPositiveWholeNumbersOnly) {
  http::Request request;
  request.captures["id"] = "17";
  EXPECT_EQ(id_of(request).value(), 17);
  for (const char* text : {"0", "-1", "1x", "", " 1", "99999999999999999999"}) {
    SCOPED_TRACE(text);
    request.captures["id"] = text;
    EXPECT_EQ(id_of(request).error().code, ErrorCode::not_found);
  }
}

TEST(IntegerParameter, SaysWhatItAccepts) {
  http::Request request;
  request.query = {{"limit", "5000"}, {"wait", "20"}};
  EXPECT_EQ(integer_parameter(request, "wait", 0, 60).value(), 20);
  EXPECT_EQ(integer_parameter(request, "cursor").value(), std::nullopt);
  EXPECT_EQ(integer_parameter(request, "limit", 1, 1000).error().message,
            "parameter \"limit\": expected a whole number, at least 1 and at most 1000, found \"5000\"");
}

TEST(FlagParameter, TakesTheTwoWords) {
  http::Request request;
  EXPECT_FALSE(flag_parameter(request, "verify").value());
  request.query = {{"verify", "true"}};
  EXPECT_TRUE(flag_parameter(request, "verify").value());
  request.query = {{"verify", "1"}};
  EXPECT_EQ(flag_parameter(request, "verify").error().code, ErrorCode::invalid_argument);
}

TEST(JsonBody, RefusesWhatIsNoJsonAndWhatIsNestedTooDeep) {
  http::Request request;
  request.body = "{\"a\": [1]}";
  EXPECT_TRUE(json_body(request).has_value());
  for (const std::string& body : {std::string("{"), std::string(), std::string(1000, '[')}) {
    request.body = body;
    EXPECT_EQ(json_body(request).error().code, ErrorCode::invalid_argument);
  }
}

TEST(BearerToken, NeedsTheScheme) {
  http::Request request;
  EXPECT_EQ(bearer_token(request).error().code, ErrorCode::unauthorized);
  request.headers.set("authorization", "bearer cw_agent_x");
  EXPECT_EQ(bearer_token(request).value(), "cw_agent_x");
  request.headers.set("Authorization", "Basic Y3c6eA==");
  EXPECT_EQ(bearer_token(request).error().code, ErrorCode::unauthorized);
}

}  // namespace
}  // namespace crosswarp::api
