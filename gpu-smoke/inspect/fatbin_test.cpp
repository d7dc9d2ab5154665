// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/fatbin.hpp"

#include <gtest/gtest.h>

#include "gpu-smoke/inspect/test_files.hpp"

namespace crosswarp::smoke {
namespace {

using test::fatbin;
using test::fatbin_entry;

TEST(ReadFatbins, FindsTheEntriesOfSeveralWithPaddingBetween) {
  const std::string file = fatbin(fatbin_entry(1, "abc") + fatbin_entry(2, "de")) + std::string(8, '\0') +
                           fatbin(fatbin_entry(8, ""));
  const auto entries = read_fatbins(Bytes(file));
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].payload.text(), "abc");
  EXPECT_EQ((*entries)[1].kind, kEntryCubin);
  EXPECT_EQ((*entries)[2].sm, 90U);
}

TEST(ReadFatbins, NamesTheFieldThatIsWrong) {
  const std::string good = fatbin(fatbin_entry(1, "abc"));
  std::string far = good;
  far.replace(8, 8, test::little(~std::uint64_t{0}));
  std::string endless = good;
  endless.replace(16 + 8, 8, test::little(~std::uint64_t{0} - 70));
  std::string small_header = good;
  small_header.replace(16 + 4, 4, test::little(std::uint32_t{0}));
  const struct {
    const char* name;
    std::string file;
    const char* field;
  } rows[] = {{"size", far, "fatbin at offset 0: fatbin size"},
              {"payload", endless, "fatbin at offset 0: fatbin entry payload"},
              {"entry header size", small_header, "fatbin at offset 0: fatbin entry header size"},
              {"truncated", good.substr(0, 40), "fatbin at offset 0: fatbin size"},
              {"no magic", "12345678", "fatbin magic: not found at offset 0"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto entries = read_fatbins(Bytes(row.file));
    ASSERT_FALSE(entries);
    EXPECT_EQ(entries.error().message.substr(0, std::string(row.field).size()), row.field);
  }
}

TEST(Decompress, RefusesADeclaredSizeOverTheLimit) {
  const std::string file = fatbin(fatbin_entry(1, "abc", 0x8011, std::uint64_t{1} << 40));
  const auto entries = read_fatbins(Bytes(file));
  ASSERT_TRUE(entries);
  const auto content = decompress((*entries)[0], 1024);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().message, "fatbin entry decompressed size: 1099511627776 is over the limit of 1024");
}

TEST(Decompress, RefusesMoreThanLz4CanHoldBeforeAnyMemoryIsTaken) {
  const std::string file = fatbin(fatbin_entry(1, "abc", 0x2011, 1 << 20));
  const auto entries = read_fatbins(Bytes(file));
  ASSERT_TRUE(entries);
  const auto content = decompress((*entries)[0], std::uint64_t{1} << 30);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().message, "fatbin entry decompressed size: more than lz4 can hold");
}

}  // namespace
}  // namespace crosswarp::smoke
