// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace crosswarp::smoke {

/// The sums in fp64, which holds every sum of two fp32 closely enough that one rounding of it to fp32 is the correctly
/// rounded sum (double rounding is harmless from 2p + 2 bits on; Figueroa 1995). `a` and `b` are of equal length.
std::vector<double> vector_add_reference(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace crosswarp::smoke
