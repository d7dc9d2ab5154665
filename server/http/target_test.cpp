// SPDX-License-Identifier: Apache-2.0
#include "server/http/target.hpp"

#include <gtest/gtest.h>

namespace crosswarp::http {
namespace {

using Path = std::vector<std::string>;

TEST(ParseTarget, DecodesSegmentsAfterSplitting) {
  const struct {
    const char* target;
    Path path;
  } rows[] = {
      {"/", {}},
      {"/api/v1/runs", {"api", "v1", "runs"}},
      {"/runs/", {"runs", ""}},
      {"/a%2Fb/c%20d", {"a/b", "c d"}},
      {"/plus+stays", {"plus+stays"}},
      {"http://host:80/x?y=1", {"x"}},
      {"/caf%C3%A9", {"caf\xc3\xa9"}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.target);
    const Result<Target> target = parse_target(row.target);
    ASSERT_TRUE(target.has_value()) << target.error().message;
    EXPECT_EQ(target->path, row.path);
  }
}

TEST(ParseTarget, KeepsRepeatedParametersInOrder) {
  const Result<Target> target = parse_target("/v?triton=%3E%3D3.3&arch=sm_90&arch=sm_80&&empty&sum=a%2Bb+c");
  ASSERT_TRUE(target.has_value());
  const Parameters expected{{"triton", ">=3.3"}, {"arch", "sm_90"}, {"arch", "sm_80"}, {"empty", ""}, {"sum", "a+b c"}};
  EXPECT_EQ(target->query, expected);
}

TEST(ParseTarget, RefusesWhatCouldBeReadInTwoWays) {
  const struct {
    const char* target;
    const char* message;
  } rows[] = {
      {"runs", "request target: expected a path that begins with \"/\""},
      {"*", "request target: expected a path that begins with \"/\""},
      {"/a#b", "request target: a fragment is not accepted"},
      {"/a%2", "request target: \"%\" must be followed by two hexadecimal digits"},
      {"/a?x=%zz", "request target: \"%\" must be followed by two hexadecimal digits"},
      {"/a%00b", "request target: control characters are not accepted"},
      {"/a?x=%0d%0aSet-Cookie:1", "request target: control characters are not accepted"},
      {"/../etc/passwd", "request target: dot segments are not accepted"},
      {"/a/%2e%2E/b", "request target: dot segments are not accepted"},
      {"/%c0%af", "request target: not UTF-8"},
      {"/%ed%a0%80", "request target: not UTF-8"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.target);
    const Result<Target> target = parse_target(row.target);
    ASSERT_TRUE(target.has_error());
    EXPECT_EQ(target.error().message, row.message);
  }
}

TEST(PercentEncode, IsUndoneByParseTarget) {
  const std::string awkward = "a/b c+d%&=?#\"<>\xc3\xa9~";
  const Result<Target> target = parse_target("/" + percent_encode(awkward) + "?k=" + percent_encode(awkward));
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->path, Path{awkward});
  EXPECT_EQ(target->query, (Parameters{{"k", awkward}}));
}

}  // namespace
}  // namespace crosswarp::http
