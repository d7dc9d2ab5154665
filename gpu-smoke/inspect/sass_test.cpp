// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/sass.hpp"

#include <gtest/gtest.h>

#include "gpu-smoke/inspect/test_files.hpp"

namespace crosswarp::smoke {
namespace {

// Opcodes as ptxas wrote them; the names are nvdisasm's.
TEST(CountSass, NamesMatrixInstructionsByGeneration) {
  const struct {
    const char* name;
    unsigned sm;
    std::uint64_t low;
    std::uint64_t high;
    std::map<std::string, std::uint64_t> matrix;
  } rows[] = {
      {"HMMA.884 on sm_75", 75, 0x7236, 0, {{"hmma", 1}}},
      {"VIADD on sm_90", 90, 0x7836, 0, {}},
      {"HMMA.16816", 80, 0x723c, 0, {{"hmma", 1}}},
      {"IMMA", 80, 0x7237, 0, {{"imma", 1}}},
      {"BMMA", 80, 0x723d, 0, {{"bmma", 1}}},
      {"DMMA", 90, 0x723f, 0, {{"dmma", 1}}},
      {"QMMA", 89, 0x727a, 0, {{"qmma", 1}}},
      {"QMMA.SF", 120, 0x747a, 0, {{"qmma", 1}}},
      {"OMMA.SF", 120, 0x747f, 0, {{"omma", 1}}},
      {"HGMMA", 90, 0x79f0, 0, {{"hgmma", 1}}},
      {"IGMMA", 90, 0x7df1, 0, {{"igmma", 1}}},
      {"BGMMA", 90, 0x79f2, 0, {{"bgmma", 1}}},
      {"QGMMA", 90, 0x7df3, 0, {{"qgmma", 1}}},
      {"FFMA", 90, 0x000000080a0a7223, 0, {}},
      {"UTCHMMA", 100, 0x00ff0408060075ea, 0x0001d8000800000a, {{"utchmma", 1}}},
      {"UTCIMMA", 100, 0x00ff0408060075ea, 0x0001d8000800010a, {{"utcimma", 1}}},
      {"UTCQMMA", 100, 0x00ff0408060075ea, 0x0001d8000800030a, {{"utcqmma", 1}}},
      {"UTCOMMA", 100, 0x8006040a080075ea, 0x0001f4000800000c, {{"utcomma", 1}}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string code = test::instruction(row.low, row.high);
    const SassCount count = count_sass(Bytes(code), row.sm);
    EXPECT_EQ(count.instructions, 1U);
    EXPECT_EQ(count.matrix, row.matrix);
  }
}

TEST(CountSass, CountsMultiplyAddsButNotMovesOfConstants) {
  const std::string code = test::instruction(0x0000000802007223) + test::instruction(0x00000000ff027431) +
                           test::instruction(0x0000000602047c2b);
  EXPECT_EQ(count_sass(Bytes(code), 120).products.fma, 2U);
}

TEST(CountSass, TakesIaddOfNewerGenerationsForNoMultiplyAdd) {
  const std::string code = test::instruction(0x0000000802007235);
  EXPECT_EQ(count_sass(Bytes(code), 90).products.fma, 1U);
  EXPECT_EQ(count_sass(Bytes(code), 120).products.fma, 0U);
}

}  // namespace
}  // namespace crosswarp::smoke
