// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/judge.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gpu-smoke/kernels/vector_add_reference.hpp"

namespace crosswarp::smoke {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const std::vector<float> kA = {1.0F, 0.1F, kNan, 3e38F, -0.0F, 1e-45F};
const std::vector<float> kB = {2.0F, 0.2F, 1.0F, 3e38F, -0.0F, 1e-45F};
const std::vector<float> kRight = {3.0F, 0.1F + 0.2F, kNan, kInfinity, -0.0F, 1e-45F + 1e-45F};

CaseResult judged(const GuardedImage& output) {
  CaseResult result;
  judge_by_bits(vector_add_reference(kA, kB), output, result);
  return result;
}

TEST(JudgeByBits, PassesTheRightAnswer) {
  const CaseResult result = judged(GuardedImage::holding(kRight));
  EXPECT_EQ(result.verdict, Verdict::within_bound) << result.reason;
  EXPECT_EQ(result.a, 0.0);
}

TEST(JudgeByBits, FlagsEveryPlantedFault) {
  const struct {
    const char* name;
    std::size_t index;
    float value;
  } rows[] = {{"one unit in the last place", 0, 2.9999998F}, {"NaN swallowed", 2, 1.0F},
              {"overflow saturated", 3, 3.4028235e38F},      {"sign of zero lost", 4, 0.0F},
              {"subnormal flushed", 5, 0.0F},                {"operand left in place", 1, 0.1F}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<float> values = kRight;
    values[row.index] = row.value;
    const CaseResult result = judged(GuardedImage::holding(values));
    EXPECT_EQ(result.verdict, Verdict::kernel_fault);
    EXPECT_EQ(result.worst_index, static_cast<std::int64_t>(row.index));
  }
}

TEST(JudgeByBits, FlagsAnElementThatWasNeverWritten) {
  std::vector<std::uint32_t> words = GuardedImage::holding(kRight).words();
  words[kGuardWords + 5] = kPoison;
  const CaseResult result = judged(GuardedImage(words));
  EXPECT_EQ(result.verdict, Verdict::kernel_fault);
  EXPECT_EQ(result.reason, "element 5 was never written");
}

TEST(JudgeByBits, FlagsAStoreOutsideTheOutput) {
  std::vector<std::uint32_t> words = GuardedImage::holding(kRight).words();
  words[words.size() - kGuardWords] = 0;
  EXPECT_EQ(judged(GuardedImage(words)).reason, "guard band of the output changed");
}

TEST(JudgeInput, FlagsAnInputThatWasModified) {
  CaseResult result;
  result.verdict = Verdict::within_bound;
  judge_input("a", GuardedImage::holding(kA), GuardedImage::holding(kA), result);
  EXPECT_EQ(result.verdict, Verdict::within_bound);
  judge_input("a", GuardedImage::holding(kA), GuardedImage::holding(kB), result);
  EXPECT_EQ(result.reason, "input a or its guard band changed");
}

}  // namespace
}  // namespace crosswarp::smoke
