// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/kernels/vector_add_reference.hpp"

namespace crosswarp::smoke {

std::vector<double> vector_add_reference(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<double> sums(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sums[i] = static_cast<double>(a[i]) + static_cast<double>(b[i]);
  return sums;
}

}  // namespace crosswarp::smoke
