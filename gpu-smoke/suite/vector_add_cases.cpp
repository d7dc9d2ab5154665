// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/vector_add_cases.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "gpu-smoke/support/launch.hpp"

namespace crosswarp::smoke {
namespace {

constexpr std::int64_t kLargePrime = 1000003;

// std::mt19937_64 is the same everywhere; the standard's distributions are not, so values are made here.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Irwin-Hall: the sum of 12 uniforms less 6 has mean 0 and variance 1, and needs no function that rounds differently
// from one library to the next.
float normal(std::mt19937_64& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return static_cast<float>(sum);
}

float integer(std::mt19937_64& random) { return static_cast<float>(static_cast<int>(random() % 2049) - 1024); }

float subnormal(std::mt19937_64& random) {
  const std::uint64_t drawn = random();
  const auto bits = static_cast<std::uint32_t>((drawn & 0x007FFFFF) | ((drawn >> 32 & 1) << 31));
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float special(std::mt19937_64& random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float values[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 0.0F, -0.0F, 1.0F,
                          std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()};
  return values[random() % 8];
}

float draw(const std::string& distribution, std::mt19937_64& random) {
  if (distribution == "D1") return integer(random);
  if (distribution == "D2") return normal(random);
  if (distribution == "D7") return subnormal(random);
  return special(random);
}

}  // namespace

std::vector<VectorAddCase> vector_add_cases(std::uint64_t seed) {
  std::vector<VectorAddCase> cases;
  for (const char* distribution : {"D1", "D2", "D7", "D9"}) {
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{kBlock}, std::int64_t{kBlock} + 1,
                                 kLargePrime}) {
      cases.push_back({distribution, n, seed});
    }
  }
  return cases;
}

VectorAddInputs make_inputs(const VectorAddCase& which) {
  std::mt19937_64 random(which.seed);
  VectorAddInputs inputs;
  inputs.a.reserve(static_cast<std::size_t>(which.n));
  inputs.b.reserve(static_cast<std::size_t>(which.n));
  for (std::int64_t i = 0; i < which.n; ++i) {
    inputs.a.push_back(draw(which.distribution, random));
    inputs.b.push_back(draw(which.distribution, random));
  }
  return inputs;
}

}  // namespace crosswarp::smoke
