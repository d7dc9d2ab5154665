// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/lz4.hpp"

#include <gtest/gtest.h>

namespace crosswarp::smoke {
namespace {

TEST(DecodeLz4Block, DecodesLiteralsAndOverlappingMatches) {
  // "ab", then 20 bytes from 2 back (15 + 1 + 4), then the literal "!".
  const std::string block("\x2F" "ab" "\x02\x00\x01" "\x10!", 8);
  const auto text = decode_lz4_block(Bytes(block), 23);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "ababababababababababab!");
}

TEST(DecodeLz4Block, RefusesWhatIsMalformed) {
  const struct {
    const char* name;
    std::string block;
    std::size_t size;
    const char* message;
  } rows[] = {
      {"literals past the end", std::string("\x50" "ab", 3), 5, "lz4 literals: past the end"},
      {"more than declared", std::string("\x50" "abcde", 6), 4, "lz4 literals: past the end"},
      {"less than declared", std::string("\x50" "abcde", 6), 6, "lz4 block: holds 5 bytes, not 6"},
      {"match before the start", std::string("\x10" "a" "\x02\x00", 4), 5, "lz4 match: outside the data"},
      {"match at distance 0", std::string("\x10" "a" "\x00\x00", 4), 5, "lz4 match: outside the data"},
      {"length without an end", std::string("\xF0\xFF\xFF", 3), 600, "lz4 literals: past the end"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto text = decode_lz4_block(Bytes(row.block), row.size);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message, row.message);
  }
}

}  // namespace
}  // namespace crosswarp::smoke
