// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/protocol.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace crosswarp::protocol {
namespace {

namespace json = boost::json;

/// What comes back when a value is sent as text and read again, written out once more.
template <class T>
void expect_round_trip(const T& value) {
  const auto sent = json::serialize(to_json(value));
  const auto read = from_json<T>(json::parse(sent));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(json::serialize(to_json(*read)), sent);
}

template <class T>
std::string message_of(std::string_view text) {
  const auto read = from_json<T>(json::parse(text));
  if (read.has_value()) return "accepted";
  EXPECT_EQ(read.error().code, ErrorCode::invalid_argument);
  return read.error().message;
}

Finish full_finish() {
  Finish finish;
  finish.status = Status::failed;
  finish.rung = Rung::build;
  finish.proved = Rung::load;
  finish.evidence = Evidence::installed;
  finish.code = "compiler_crash";
  finish.reason = "Assertion `x' failed \"quoted\" \u00e9";
  finish.remedy = "triton==3.3.0";
  UnitReport unit;
  unit.rung = Rung::build;
  unit.unit = "matmul";
  unit.outcome = "failed";
  unit.exit_code = -1;
  unit.signal = 6;
  unit.seconds = 1.5;
  unit.peak_memory_bytes = 5'000'000'000;
  unit.log_end = 77;
  unit.proofs = {json::object{{"kind", "product"}, {"holds", false}}};
  finish.units.push_back(unit);
  finish.lock = "triton==3.0.0\n";
  finish.details = {{"sandbox", "podman"}};
  return finish;
}

Claim full_claim() {
  Assignment assignment;
  assignment.attempt = 5;
  assignment.job = 4;
  assignment.run = 3;
  assignment.library = "triton";
  assignment.axes = {{"arch", "sm_90"}, {"triton", "3.0.0"}};
  assignment.rungs = {Rung::install, Rung::load};
  assignment.environment = "abc";
  assignment.prepare = {Rung::install};
  assignment.lock = "a==1\n";
  assignment.control = true;
  assignment.memory_bytes = 6'442'450'944;
  assignment.files = {{"triton/recipe.yaml", std::string(64, 'a')}};
  return {{assignment}};
}

TEST(Protocol, CarriesEveryMessageUnchanged) {
  Registration registration;
  registration.name = "box";
  registration.version = "0.1.0";
  registration.offers = {"python=3.11", "toolkit=13.0"};
  registration.memory_bytes = 1 << 30;
  registration.slots = 2;
  registration.facts = {{"os", "debian 12"}};
  expect_round_trip(registration);
  expect_round_trip(Registered{7, std::chrono::seconds(60), std::chrono::milliseconds(5000)});
  expect_round_trip(ClaimRequest{2, 1 << 20});
  expect_round_trip(full_claim());
  expect_round_trip(Heartbeat{{{5, "build matmul"}}});
  expect_round_trip(HeartbeatReply{{5, 6}});
  expect_round_trip(full_finish());
}

TEST(Protocol, ReadsWhatAnAssignmentSays) {
  const auto claim = from_json<Claim>(to_json(full_claim())).value();
  ASSERT_EQ(claim.assignments.size(), 1u);
  const auto& read = claim.assignments[0];
  EXPECT_EQ(read.axes, (Combination{{"arch", "sm_90"}, {"triton", "3.0.0"}}));
  EXPECT_EQ(read.rungs, (std::vector{Rung::install, Rung::load}));
  EXPECT_TRUE(read.control);
  EXPECT_EQ(read.memory_bytes, 6'442'450'944u);
}

TEST(Protocol, IgnoresFieldsItDoesNotKnow) {
  const auto read = from_json<ClaimRequest>(json::parse(R"({"slots":1,"memory_bytes":5,"mood":"good"})"));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->memory_bytes, 5u);
}

TEST(Protocol, NamesTheFieldOfEveryMistakeInAFinish) {
  const struct {
    const char* name;
    const char* text;
    const char* message;
  } kRows[] = {
      {"not an object", "[]", "expected an object, found array"},
      {"no status", "{}", "status: missing"},
      {"null status", R"({"status":null})", "status: missing"},
      {"unknown status", R"({"status":"fine"})", "status: unknown word \"fine\""},
      {"status of a fact", R"({"status":"unsupported"})", "status: expected passed, failed, broken or skipped"},
      {"unknown rung", R"({"status":"passed","rung":"attic"})", "rung: unknown word \"attic\""},
      {"wrong type", R"({"status":"passed","reason":3})", "reason: expected a text, found int64"},
      {"zero byte", "{\"status\":\"passed\",\"reason\":\"a\\u0000b\"}",
       "reason: a text must not hold a zero byte"},
      {"zero byte deep down", "{\"status\":\"passed\",\"details\":{\"a\":[\"\\u0000\"]}}",
       "details: a text must not hold a zero byte"},
      {"an escaped backslash is no zero byte", "{\"status\":\"passed\",\"details\":{\"a\":\"\\\\u0000\"}}", "accepted"},
      {"units no array", R"({"status":"passed","units":{}})", "units: expected an array, found object"},
      {"unit no object", R"({"status":"passed","units":[1]})", "units[0]: expected an object, found int64"},
      {"unit without name", R"({"status":"passed","units":[{"rung":"load"}]})", "units[0].unit: missing"},
      {"unit's outcome", R"({"status":"passed","units":[{"rung":"load","unit":"a","outcome":"odd"}]})",
       "units[0].outcome: unknown word \"odd\""},
      {"unit's exit", R"({"status":"passed","units":[{"rung":"load","unit":"a","outcome":"passed","exit":999}]})",
       "units[0].exit: expected -1 to 255, found 999"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(message_of<Finish>(row.text), row.message);
  }
}

TEST(Protocol, RefusesWhatIsPastItsBound) {
  const auto reason = R"({"status":"failed","reason":")" + std::string(5000, 'x') + "\"}";
  EXPECT_EQ(message_of<Finish>(reason), "reason: at most 4096 bytes, found 5000");
  const auto name = R"({"memory_bytes":1,"name":")" + std::string(201, 'x') + "\"}";
  EXPECT_EQ(message_of<Registration>(name), "name: at most 200 bytes, found 201");
  EXPECT_EQ(message_of<Registration>(R"({"memory_bytes":1,"name":""})"), "name: must not be empty");
  EXPECT_EQ(message_of<ClaimRequest>(R"({"slots":0,"memory_bytes":1})"), "slots: expected 1 to 4096, found 0");
  EXPECT_EQ(message_of<ClaimRequest>(R"({"slots":1,"memory_bytes":-1})").substr(0, 13), "memory_bytes:");
  EXPECT_EQ(message_of<ClaimRequest>(R"({"slots":1.5,"memory_bytes":1})"), "slots: expected an integer, found double");
  EXPECT_EQ(message_of<HeartbeatReply>(R"({"drop":[1,"2"]})"), "drop[1]: expected an integer, found string");
  EXPECT_EQ(message_of<Registration>(R"({"name":"a","memory_bytes":1,"offers":["a",2]})"),
            "offers[1]: expected a text, found int64");
}

}  // namespace
}  // namespace crosswarp::protocol
