// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/scalar.hpp"

#include <gtest/gtest.h>

namespace crosswarp::spec {
namespace {

TEST(PlainScalar, IsWhatAnyYamlReaderTakesItFor) {
  for (const std::string_view text : {"3.10", "12", "-1", "+1", "1_000", "0x1f", "0o17", "017", "0b11", "1e3", "1.5E-3",
                                      ".5", "1.", ".inf", "-.Inf", ".NaN", "1:30", "190:20:30.15"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(kind_of_plain_scalar(text), ScalarKind::number);
  }
  for (const std::string_view text : {"true", "False", "YES", "no", "on", "Off", "y", "N"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(kind_of_plain_scalar(text), ScalarKind::boolean);
  }
  for (const std::string_view text : {"", "~", "null", "NULL"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(kind_of_plain_scalar(text), ScalarKind::null);
  }
  for (const std::string_view text : {"3.3.0", "sm_90", "none", "2.8.0+cu128", "3.0rc1", "90a", "1.2.", "e3", ".", "-",
                                      "+", "_1", "0xg", "1e", "1:300", "1:", "12.8-real", "580.126.09", "0x"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(kind_of_plain_scalar(text), ScalarKind::text);
  }
}

TEST(Duration, NeedsItsUnit) {
  EXPECT_EQ(*parse_duration("90s"), std::chrono::seconds(90));
  EXPECT_EQ(*parse_duration("2m"), std::chrono::seconds(120));
  EXPECT_EQ(*parse_duration("1h"), std::chrono::seconds(3600));
  for (const std::string_view text : {"90", "s", "", "1.5h", "-1s", "0s", "1 s", "1d", "9999999999s"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(parse_duration(text).has_value());
  }
  EXPECT_EQ(parse_duration("90").error().message, "\"90\" is not a duration; write it with its unit: 90s, 2m, 1h");
}

TEST(Size, NeedsItsUnit) {
  EXPECT_EQ(*parse_size("512MiB"), std::uint64_t{512} << 20);
  EXPECT_EQ(*parse_size("2GiB"), std::uint64_t{2} << 30);
  EXPECT_EQ(*parse_size("8KiB"), 8192u);
  for (const std::string_view text : {"512", "512MB", "512mib", "GiB", "0GiB", "1.5GiB", "9999999999GiB"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(parse_size(text).has_value());
  }
}

TEST(Quoted, KeepsMessagesShortAndOnOneLine) {
  EXPECT_EQ(in_quotes("a\nb"), "\"a\\x0ab\"");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), '"' + std::string(60, 'x') + "...\"");
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "\xc3\xa9y"), '"' + std::string(59, 'x') + "...\"");
}

}  // namespace
}  // namespace crosswarp::spec
