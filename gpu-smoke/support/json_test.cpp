// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/support/json.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace crosswarp::smoke {
namespace {

TEST(JsonString, EscapesWhatJsonDoesNotTake) {
  EXPECT_EQ(json_string("a\"b\\c\n"), R"("a\"b\\c\u000a")");
  EXPECT_EQ(json_string("\xC3\xA9"), "\"\xC3\xA9\"");
  EXPECT_EQ(json_string("\xFF\xC3"), R"("\u00ff\u00c3")");
  EXPECT_EQ(json_string("\xED\xA0\x80"), R"("\u00ed\u00a0\u0080")");
}

TEST(JsonWriter, SeparatesMembers) {
  JsonWriter json;
  json.begin_object().key("a").value(std::uint64_t{1}).key("b").begin_array().value("x").null().end_array();
  json.key("c").value(true).key("d").value(std::numeric_limits<double>::infinity()).end_object();
  EXPECT_EQ(json.text(), R"({"a":1,"b":["x",null],"c":true,"d":null})");
}

}  // namespace
}  // namespace crosswarp::smoke
