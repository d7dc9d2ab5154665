// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/kernels/vector_add.cuh"
#include "gpu-smoke/support/check.cuh"
#include "gpu-smoke/support/launch.hpp"

namespace crosswarp::smoke {
namespace {

__global__ void vector_add_kernel(const float* a, const float* b, float* out, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

}  // namespace

void vector_add(const float* a, const float* b, float* out, std::int64_t n, cudaStream_t stream) {
  if (n == 0) return;  // a launch of no blocks is an error
  const Launch at = one_thread_per(n);
  vector_add_kernel<<<at.grid, at.block, 0, stream>>>(a, b, out, n);
  check(cudaGetLastError());
}

}  // namespace crosswarp::smoke
