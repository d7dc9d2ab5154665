// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace crosswarp::smoke {

/// out[i] = a[i] + b[i] for n fp32 elements, contiguous, correctly rounded (to nearest, ties to even), subnormals kept.
/// `out` may be `a` or `b` itself; no other overlap. n = 0 launches nothing. Asynchronous on `stream`.
/// Tolerance: none. One IEEE 754 addition has one right answer, so results are compared by bits (any NaN for a NaN).
void vector_add(const float* a, const float* b, float* out, std::int64_t n, cudaStream_t stream);

}  // namespace crosswarp::smoke
