# SPDX-License-Identifier: Apache-2.0
"""The two kernels that the build rung compiles, and the shapes they are compiled for.

They keep to the part of the language that every release since 3.0 has. Names of parameters are part of the contract
with compile.py, which takes their types and values from SHAPES.
"""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, stride_a, stride_b, stride_c,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """c[m, n] = a[m, k] @ b[k, n], row-major, one BLOCK_M x BLOCK_N tile a program; any m, n, k by masks."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a_tile = a + rows[:, None] * stride_a + depth[None, :]
    b_tile = b + depth[:, None] * stride_b + columns[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        left = tl.load(a_tile, mask=(rows[:, None] < m) & (start + depth[None, :] < k), other=0.0)
        right = tl.load(b_tile, mask=(start + depth[:, None] < k) & (columns[None, :] < n), other=0.0)
        sums += tl.dot(left, right)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * stride_b
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], sums, mask=inside)


@triton.jit
def softmax(x, y, n, stride_x, stride_y, BLOCK: tl.constexpr):
    """y[row, :n] = softmax(x[row, :n]), one row a program, n at most BLOCK."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride_x + columns, mask=columns < n, other=-float("inf"))
    raised = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * stride_y + columns, raised / tl.sum(raised, axis=0), mask=columns < n)


# For each kernel: the types of its run-time parameters in order, its compile-time values, and the warps of a program.
SHAPES = {
    "matmul": {
        "kernel": matmul,
        "types": {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32",
                  "stride_a": "i32", "stride_b": "i32", "stride_c": "i32"},
        "values": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "num_warps": 4,
    },
    "softmax": {
        "kernel": softmax,
        "types": {"x": "*fp32", "y": "*fp32", "n": "i32", "stride_x": "i32", "stride_y": "i32"},
        "values": {"BLOCK": 1024},
        "num_warps": 4,
    },
}
