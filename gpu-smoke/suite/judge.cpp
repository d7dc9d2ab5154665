// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/judge.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace crosswarp::smoke {
namespace {

constexpr double kRoundoff = 1.0 / (1 << 24);
const double kHalfLeastSubnormal = std::ldexp(1.0, -150);

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool is_right(double exact, float output) {
  if (std::isnan(exact)) return std::isnan(output);
  return bits_of(static_cast<float>(exact)) == bits_of(output);
}

// The error over its bound; 0 where the bits are right, infinite where a NaN, an infinity or a zero's sign is wrong.
double excess(double exact, float output) {
  if (is_right(exact, output)) return 0;
  const bool only_sign = static_cast<double>(output) == exact;
  if (only_sign || !std::isfinite(exact) || !std::isfinite(output)) return std::numeric_limits<double>::infinity();
  return std::fabs(static_cast<double>(output) - exact) / (kRoundoff * std::fabs(exact) + kHalfLeastSubnormal);
}

void blame(CaseResult& result, const std::string& reason) {
  result.verdict = Verdict::kernel_fault;
  result.reason = reason;
}

void blame_element(CaseResult& result, std::size_t index, const std::string& reason) {
  result.worst_index = static_cast<std::int64_t>(index);
  blame(result, "element " + std::to_string(index) + " " + reason);
}

}  // namespace

void judge_by_bits(const std::vector<double>& exact, const GuardedImage& output, CaseResult& result) {
  if (output.count() != exact.size()) return blame(result, "output has another length");
  if (!output.guards_intact()) return blame(result, "guard band of the output changed");
  double worst = -1;
  std::size_t at = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (output.bits(i) == kPoison) return blame_element(result, i, "was never written");
    const double here = excess(exact[i], output.value(i));
    if (here > 0) ++wrong;
    if (here > worst) worst = here, at = i;
  }
  result.a = result.h = exact.empty() ? 0 : worst;
  if (wrong == 0) {
    result.verdict = Verdict::within_bound;
    return;
  }
  char values[96];
  std::snprintf(values, sizeof values, "is %.9g, exactly %.17g (%zu elements wrong)",
                static_cast<double>(output.value(at)), exact[at], wrong);
  blame_element(result, at, values);
}

void judge_input(const char* name, const GuardedImage& before, const GuardedImage& after, CaseResult& result) {
  if (!(before == after)) blame(result, std::string("input ") + name + " or its guard band changed");
}

}  // namespace crosswarp::smoke
