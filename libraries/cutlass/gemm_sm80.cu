// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM of CUTLASS 2.x on Ampere's tensor cores (mma.sync m16n8k16).
#include <cuda_runtime_api.h>

#include "cutlass/cutlass.h"
#include "cutlass/gemm/device/gemm.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/numeric_types.h"

using Gemm = cutlass::gemm::device::Gemm<
    cutlass::half_t, cutlass::layout::RowMajor, cutlass::half_t, cutlass::layout::ColumnMajor,
    cutlass::half_t, cutlass::layout::RowMajor, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<128, 128, 32>, cutlass::gemm::GemmShape<64, 64, 32>,
    cutlass::gemm::GemmShape<16, 8, 16>>;

/// Launches the product on `stream`; its use of the kernel is what makes the compiler emit it.
cutlass::Status launch_gemm(const Gemm::Arguments& arguments, void* workspace, cudaStream_t stream) {
  Gemm gemm;
  return gemm(arguments, workspace, stream);
}
