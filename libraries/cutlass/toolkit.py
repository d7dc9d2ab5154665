# SPDX-License-Identifier: Apache-2.0
"""Prints, as JSON, the versions that the parts of an installed CUDA toolkit give of themselves.

Argument: the environment folder, with toolkit/, bin/g++ and site/. Nothing is judged: parts may disagree.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def output_of(*command):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def release_in(text):
    """The version in a tool's "Cuda compilation tools, release 13.0, V13.0.88"."""
    return re.search(r"release [\d.]+, V([\d.]+)", text).group(1)


def cicc_version(nvcc, compiler):
    """cicc answers no --version; the PTX it writes names its release."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "empty.cu")
        source.write_text("__global__ void empty() {}\n")
        ptx = source.with_suffix(".ptx")
        output_of(nvcc, "-ccbin", compiler, "-ptx", source, "-o", ptx)
        return release_in(ptx.read_text())


def crt_version(environment):
    """The crt headers name no version themselves: it is that of the wheel which brought them.

    A toolkit of the host comes in one piece, so there the runtime header beside them speaks for them.
    """
    for record in environment.glob("site/*.dist-info/RECORD"):
        if "/crt/host_config.h," in record.read_text():
            return record.parent.name.removesuffix(".dist-info").rpartition("-")[2]
    header = (environment / "toolkit/include/cuda_runtime_api.h").read_text()
    number = int(re.search(r"^#define\s+CUDART_VERSION\s+(\d+)", header, re.MULTILINE).group(1))
    return f"{number // 1000}.{number % 1000 // 10}"


def main():
    environment = pathlib.Path(sys.argv[1])
    tools = environment / "toolkit/bin"
    versions = {
        "nvcc": release_in(output_of(tools / "nvcc", "--version")),
        "cicc": cicc_version(tools / "nvcc", environment / "bin/g++"),
        "ptxas": release_in(output_of(tools / "ptxas", "--version")),
        "crt": crt_version(environment),
    }
    print(json.dumps(versions))


if __name__ == "__main__":
    main()
