// SPDX-License-Identifier: Apache-2.0
#include "server/api/description.hpp"

#include <gtest/gtest.h>

namespace crosswarp::api {
namespace {

constexpr const char* kDocument = R"({"paths": {"/things": {
  "get": {"parameters": [
    {"name": "limit", "in": "query", "schema": {"type": "integer"}},
    {"name": "status", "in": "query", "schema": {"type": "array"}},
    {"name": "Range", "in": "header", "schema": {"type": "string"}}]},
  "post": {"parameters": [{"name": "axes", "in": "query", "schema": {"type": "object"}}]}}}})";

TEST(Description, TellsWhichParametersAnOperationTakes) {
  const Description description(kDocument);
  const QueryParameters get = description.query_parameters("GET", "/things");
  EXPECT_EQ(get.known, (std::map<std::string, bool, std::less<>>{{"limit", false}, {"status", true}}));
  EXPECT_FALSE(get.open);
  EXPECT_TRUE(description.query_parameters("POST", "/things").open);
  EXPECT_TRUE(description.query_parameters("GET", "/others").known.empty());
}

TEST(QueryParameters, SayWhatIsUnknownAndWhatComesTwice) {
  const QueryParameters parameters{{{"limit", false}, {"status", true}}, false};
  EXPECT_TRUE(parameters.check({{"limit", "1"}, {"status", "a"}, {"status", "b"}}).has_value());
  EXPECT_EQ(parameters.check({{"limitt", "1"}}).error().message, "unknown parameter \"limitt\"; known: limit, status");
  EXPECT_EQ(parameters.check({{"limit", "1"}, {"limit", "2"}}).error().message, "parameter \"limit\" comes twice");
  EXPECT_EQ(QueryParameters{}.check({{"x", ""}}).error().message, "unknown parameter \"x\"; there is none here");
  EXPECT_TRUE((QueryParameters{{}, true}.check({{"arch", "sm_90"}, {"arch", "sm_100"}}).has_value()));
}

}  // namespace
}  // namespace crosswarp::api
