# SPDX-License-Identifier: Apache-2.0
"""A first use of Triton's native module: a compiler context with its dialects, and an empty module built in it."""

from triton._C.libtriton import ir

context = ir.context()
ir.load_dialects(context)
print(ir.builder(context).create_module())
