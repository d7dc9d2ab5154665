// SPDX-License-Identifier: Apache-2.0
#include "server/http/range.hpp"

#include <gtest/gtest.h>

namespace crosswarp::http {
namespace {

TEST(ReadRange, FollowsTheRfc) {
  const struct {
    const char* header;
    std::uint64_t size;
    bool satisfiable;
    std::optional<ByteRange> range;
  } rows[] = {
      {"bytes=0-499", 1000, true, ByteRange{0, 499}},
      {"bytes=500-", 1000, true, ByteRange{500, 999}},
      {"bytes=500-5000", 1000, true, ByteRange{500, 999}},
      {"bytes=-100", 1000, true, ByteRange{900, 999}},
      {"bytes=-5000", 1000, true, ByteRange{0, 999}},
      {"bytes=1000-", 1000, false, std::nullopt},
      {"bytes=0-", 0, false, std::nullopt},
      {"bytes=-0", 1000, false, std::nullopt},
      {"bytes=9-3", 1000, true, std::nullopt},
      {"bytes=0-1,5-6", 1000, true, std::nullopt},
      {"lines=0-1", 1000, true, std::nullopt},
      {"Bytes=0-499", 1000, true, ByteRange{0, 499}},
      {"bytes=99999999999999999999-", 1000, false, std::nullopt},
      {"bytes=5-99999999999999999999", 1000, true, ByteRange{5, 999}},
      {"bytes=-99999999999999999999", 1000, true, ByteRange{0, 999}},
      {"bytes=", 1000, true, std::nullopt},
      {"bytes=-", 1000, true, std::nullopt},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.header);
    const RangeAnswer answer = read_range(row.header, row.size);
    EXPECT_EQ(answer.satisfiable, row.satisfiable);
    EXPECT_EQ(answer.range, row.range);
  }
}

TEST(ContentRange, NamesFirstLastAndSize) { EXPECT_EQ(content_range({500, 999}, 1234), "bytes 500-999/1234"); }

}  // namespace
}  // namespace crosswarp::http
