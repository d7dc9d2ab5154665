// SPDX-License-Identifier: Apache-2.0
#include "matrix/version/arch.hpp"

#include <gtest/gtest.h>

namespace crosswarp::version {
namespace {

TEST(Arch, HasOneStoredFormForEverySpelling) {
  const struct {
    std::string_view spelling;
    std::string_view stored;
  } rows[] = {{"sm_90a", "sm_90a"},    {"9.0a", "sm_90a"},          {"90a-real", "sm_90a"}, {"90a", "sm_90a"},
              {"90-virtual", "sm_90"}, {"compute_90", "sm_90"},     {"9.0+PTX", "sm_90"},   {"9.0", "sm_90"},
              {"120f", "sm_120f"},     {"12.0f", "sm_120f"},        {"SM_100A", "sm_100a"}, {"10.3", "sm_103"},
              {" sm_75 ", "sm_75"},    {"compute_100a", "sm_100a"}, {"90a+PTX", "sm_90a"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.spelling);
    const Result<Arch> arch = Arch::parse(row.spelling);
    ASSERT_TRUE(arch.has_value());
    EXPECT_EQ(arch->text(), row.stored);
    EXPECT_EQ(Arch::parse(row.stored)->text(), row.stored);
  }
}

TEST(Arch, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "sm_", "sm_9", "sm_9.0", "sm_90b", "sm_90aa", "9", "9.10", "009", "sm_90-fake", "cpu", "13.0.1", "compute",
        "1200", "sm_99999999999", "90a-real-virtual"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(Arch::parse(text).has_value());
  }
  EXPECT_EQ(Arch::parse("hopper").error().message,
            "\"hopper\" is not a GPU architecture; write sm_90, sm_90a or sm_120f");
}

TEST(Arch, IsOrderedByNumberWhateverTheSuffix) {
  EXPECT_TRUE(std::is_eq(compare_number(*Arch::parse("sm_90a"), *Arch::parse("9.0"))));
  EXPECT_TRUE(std::is_lt(compare_number(*Arch::parse("sm_90a"), *Arch::parse("sm_100"))));
  EXPECT_NE(*Arch::parse("sm_90a"), *Arch::parse("sm_90"));
  EXPECT_EQ(Arch::parse("sm_103")->major(), 10);
  EXPECT_EQ(Arch::parse("sm_103")->minor(), 3);
}

TEST(Arch, IsToldFromVersionsByItsSpelling) {
  for (const std::string_view text : {"sm_90", "compute_90", "90-real", "90a-virtual"})
    EXPECT_TRUE(is_surely_arch(text));
  for (const std::string_view text : {"9.0", "90", "9.0a", "9.0+PTX", "sm_x", "cpu"})
    EXPECT_FALSE(is_surely_arch(text));
}

}  // namespace
}  // namespace crosswarp::version
