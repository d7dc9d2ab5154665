// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crosswarp::smoke {

struct VectorAddCase {
  std::string distribution;  // D1 integers, D2 N(0,1), D7 subnormals, D9 NaN, infinities and signed zeros
  std::int64_t n = 0;
  std::uint64_t seed = 0;
};

struct VectorAddInputs {
  std::vector<float> a;
  std::vector<float> b;
};

/// Every distribution at the awkward sizes: none, one, a block, one past it, a large prime.
std::vector<VectorAddCase> vector_add_cases(std::uint64_t seed);

/// The inputs of a case: equal cases give equal bits on every machine.
VectorAddInputs make_inputs(const VectorAddCase& which);

}  // namespace crosswarp::smoke
