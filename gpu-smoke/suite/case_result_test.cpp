// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/case_result.hpp"

#include <gtest/gtest.h>

namespace crosswarp::smoke {
namespace {

CaseResult with(Verdict verdict) {
  CaseResult result;
  result.verdict = verdict;
  return result;
}

TEST(ExitCode, IsNeverAPassWithoutARun) {
  EXPECT_EQ(exit_code({}), 3);
  EXPECT_EQ(exit_code({with(Verdict::skipped)}), 3);
  EXPECT_EQ(exit_code({with(Verdict::within_bound), with(Verdict::not_run)}), 3);
  EXPECT_EQ(exit_code({with(Verdict::skipped), with(Verdict::kernel_fault)}), 1);
  EXPECT_EQ(exit_code({with(Verdict::within_bound)}), 0);
}

TEST(ToJson, PrintsACaseOnOneLine) {
  CaseResult result = with(Verdict::kernel_fault);
  result.op = "vector_add";
  result.contract = "c";
  result.distribution = "D1";
  result.shape = {257};
  result.seed = 7;
  result.reason = "r";
  result.a = 2.5;
  result.h = 2.5;
  result.worst_index = 256;
  result.bytes = 3084;
  result.flops = 257;
  EXPECT_EQ(to_json(result),
            R"({"op":"vector_add","contract":"c","distribution":"D1","shape":[257],"seed":7,)"
            R"("verdict":"kernel-fault","reason":"r","a":2.5,"h":2.5,"z":null,"worst_index":256,"time_ms":null,)"
            R"("bytes":3084,"flops":257})");
}

}  // namespace
}  // namespace crosswarp::smoke
