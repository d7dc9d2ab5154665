// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/vector_add_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace crosswarp::smoke {
namespace {

TEST(VectorAddCases, CoverTheAwkwardSizesInEveryDistribution) {
  std::set<std::string> distributions;
  std::set<std::int64_t> sizes;
  for (const VectorAddCase& which : vector_add_cases(1)) {
    distributions.insert(which.distribution);
    sizes.insert(which.n);
  }
  EXPECT_EQ(distributions, (std::set<std::string>{"D1", "D2", "D7", "D9"}));
  EXPECT_EQ(sizes, (std::set<std::int64_t>{0, 1, 256, 257, 1000003}));
}

TEST(MakeInputs, AreWhatTheDistributionSays) {
  const auto all = [](const VectorAddInputs& inputs, auto holds) {
    return std::all_of(inputs.a.begin(), inputs.a.end(), holds) && std::all_of(inputs.b.begin(), inputs.b.end(), holds);
  };
  EXPECT_TRUE(all(make_inputs({"D1", 1000, 1}), [](float x) { return x == std::trunc(x) && std::fabs(x) <= 1024; }));
  EXPECT_TRUE(all(make_inputs({"D2", 1000, 1}), [](float x) { return std::fabs(x) <= 6; }));
  EXPECT_TRUE(all(make_inputs({"D7", 1000, 1}), [](float x) { return x == 0 || std::fpclassify(x) == FP_SUBNORMAL; }));
  const VectorAddInputs special = make_inputs({"D9", 1000, 1});
  EXPECT_TRUE(std::any_of(special.a.begin(), special.a.end(), [](float x) { return std::isnan(x); }));
  EXPECT_TRUE(std::any_of(special.a.begin(), special.a.end(), [](float x) { return std::isinf(x); }));
}

TEST(MakeInputs, RepeatForASeedAndDifferBetweenSeeds) {
  EXPECT_EQ(make_inputs({"D2", 257, 5}).a, make_inputs({"D2", 257, 5}).a);
  EXPECT_NE(make_inputs({"D2", 257, 5}).a, make_inputs({"D2", 257, 6}).a);
}

}  // namespace
}  // namespace crosswarp::smoke
