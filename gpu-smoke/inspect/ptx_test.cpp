// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/ptx.hpp"

#include <gtest/gtest.h>

#include "gpu-smoke/inspect/test_files.hpp"

namespace crosswarp::smoke {
namespace {

TEST(ReadPtx, CountsProductsOutsideCommentsAndBehindLineInformation) {
  const auto code = read_ptx(test::kPtx);
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_EQ(code->arch, "sm_90a");
  EXPECT_EQ(code->ptx_version.value_or(""), "8.7");
  EXPECT_EQ(code->toolkit.value_or(""), "12.8");
  EXPECT_EQ(code->products.mma, 1U);
  EXPECT_EQ(code->products.wgmma, 1U);
  EXPECT_EQ(code->products.tcgen05, 1U);
  EXPECT_EQ(code->products.fma, 1U);
  ASSERT_EQ(code->kernels.size(), 1U);
  EXPECT_EQ(code->kernels[0].name, "k");
  EXPECT_EQ(code->kernels[0].instructions, 7U);
  EXPECT_FALSE(code->kernels[0].empty);
}

TEST(ReadPtx, TellsAnEmptyBodyAndATrap) {
  const std::string head = ".version 8.0\n.target sm_80\n";
  const auto empty = read_ptx(head + ".entry k()\n{\nret;\n}\n");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->kernels.at(0).empty);
  const auto trap = read_ptx(head + ".entry k()\n{\ntrap;\n}\n");
  ASSERT_TRUE(trap);
  EXPECT_TRUE(trap->kernels.at(0).trap_only);
}

TEST(ReadPtx, FindsAStubTextWrittenAsBytes) {
  std::string bytes;
  for (const char c : std::string("not implemented")) bytes += std::to_string(static_cast<int>(c)) + ", ";
  const auto code = read_ptx(".version 8.0\n.target sm_80\n.global .align 1 .b8 $str[17] = {" + bytes + "10, 0};\n");
  ASSERT_TRUE(code);
  EXPECT_EQ(code->stub_texts, std::vector<std::string>{"not implemented"});
}

TEST(ReadPtx, RefusesATextWithoutTarget) {
  const auto code = read_ptx(".version 8.0\n.address_size 64\n");
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().message, ".target: missing");
}

TEST(LooksLikePtx, LooksBehindCommentsOnly) {
  EXPECT_TRUE(looks_like_ptx("\n/* x */ // y\n.version 8.0"));
  EXPECT_FALSE(looks_like_ptx("int main() {}"));
}

}  // namespace
}  // namespace crosswarp::smoke
