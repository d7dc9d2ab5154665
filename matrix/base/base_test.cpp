// SPDX-License-Identifier: Apache-2.0
#include "matrix/base/combination.hpp"
#include "matrix/base/ladder.hpp"
#include "matrix/base/log.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

TEST(CombinationId, IsBase32OfTheFirst80BitsOfTheCanonicalText) {
  const Combination combination{{"arch", "sm_90"}, {"triton", "3.3.0"}, {"setuptools", "none"}};
  EXPECT_EQ(canonical_text(combination), "arch=sm_90\ntriton=3.3.0\n");
  // python3 -c "import base64,hashlib;print(base64.b32encode(hashlib.sha256(b'arch=sm_90\ntriton=3.3.0\n').digest()[:10]))"
  EXPECT_EQ(combination_id(combination), "mgfp37ru7impmdbb");
}

TEST(CombinationId, TreatsAnAbsentAxisAsNone) {
  EXPECT_EQ(combination_id({{"triton", "3.3.0"}}), combination_id({{"triton", "3.3.0"}, {"python", "none"}}));
  EXPECT_EQ(value_of({{"triton", "3.3.0"}}, "python"), "none");
}

TEST(Ladder, NamesGoThereAndBack) {
  for (const Rung rung : kRungs) EXPECT_EQ(rung_from_text(to_text(rung)), rung);
  EXPECT_EQ(rung_from_text("compile"), std::nullopt);
  EXPECT_EQ(status_from_text("broken"), Status::broken);
  EXPECT_EQ(evidence_from_text("hardware"), Evidence::hardware);
}

TEST(LogValue, KeepsAnEventOnOneLine) {
  EXPECT_EQ(log_value("sm_90"), "sm_90");
  EXPECT_EQ(log_value("no such\nfile \"x\""), "\"no such\\nfile \\\"x\\\"\"");
  EXPECT_EQ(log_value(""), "\"\"");
}

}  // namespace
}  // namespace crosswarp
