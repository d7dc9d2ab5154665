# SPDX-License-Identifier: Apache-2.0
"""Compiles one kernel of kernels.py for one arch, without a device: compile.py KERNEL ARCH FOLDER.

Leaves KERNEL.cubin, KERNEL.ptx and KERNEL.json (what Triton says of the result: shared memory, warps, target) in
FOLDER. One kernel a process, since a compiler that does not know an arch often ends by SIGABRT. Judges nothing.
"""

import inspect
import json
import re
import sys
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from kernels import SHAPES


def capability(arch):
    """The number Triton calls an arch by: 90 for sm_90, and for sm_90a, whose suffix it adds by itself."""
    found = re.fullmatch(r"sm_(\d+)[af]?", arch)
    if found is None:
        raise SystemExit(f"unknown arch {arch!r}: sm_<number> with an optional suffix is understood")
    return int(found.group(1))


def source_of(shape):
    """The AST source in the form this release takes.

    Up to 3.2 the values are called `constants` and the signature leaves their names out; from 3.3 they are
    `constexprs` and the signature names them too.
    """
    types, values = shape["types"], shape["values"]
    if "constexprs" in inspect.signature(ASTSource.__init__).parameters:
        signature = {**types, **{name: "constexpr" for name in values}}
        return ASTSource(fn=shape["kernel"], signature=signature, constexprs=values)
    return ASTSource(fn=shape["kernel"], signature=types, constants=values)


def compiled(shape, arch):
    """Multiply-adds may be fused: that was every release's default and is said here, as 3.9 announces another."""
    options = {"num_warps": shape["num_warps"], "enable_fp_fusion": True}
    return triton.compile(source_of(shape), target=GPUTarget("cuda", capability(arch), 32), options=options)


def described(metadata):
    """Metadata as plain JSON values; what JSON has no form for is written as its text."""
    return json.dumps(metadata._asdict(), default=lambda value: getattr(value, "__dict__", str(value)), indent=1)


def main(name, arch, folder):
    result = compiled(SHAPES[name], arch)
    out = Path(folder)
    (out / f"{name}.cubin").write_bytes(result.asm["cubin"])
    (out / f"{name}.ptx").write_text(result.asm["ptx"])
    (out / f"{name}.json").write_text(described(result.metadata) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
