# SPDX-License-Identifier: Apache-2.0
"""Imports a module and its native parts for real: load.py MODULE [--native MODULE]... [--use SCRIPT].

SCRIPT runs after the imports; it makes a first use of the native code, since an extension can be imported and still
be hollow. Leaves $CROSSWARP_OUT/loaded.json: what was imported and from where, the files of the native modules, and
every shared object that this process then had mapped. Errors are left to Python to print. Judges nothing.
"""

import argparse
import importlib
import importlib.metadata
import json
import os
import re
import runpy
from pathlib import Path


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("module")
    parser.add_argument("--native", action="append", default=[], metavar="MODULE")
    parser.add_argument("--use", metavar="SCRIPT")
    return parser.parse_args()


def version_of(module):
    """What the module itself says, which can differ from its package's metadata; the latter where it says nothing."""
    said = getattr(module, "__version__", None)
    return str(said) if said is not None else importlib.metadata.version(module.__name__)


def mapped_objects():
    """Paths of the shared objects in this process's memory, sorted."""
    fields = (line.split(maxsplit=5) for line in Path("/proc/self/maps").read_text().splitlines())
    paths = {field[5] for field in fields if len(field) == 6}
    return sorted(path for path in paths if re.search(r"\.so(\.\d+)*$", path))


def main():
    asked = arguments()
    module = importlib.import_module(asked.module)
    natives = [importlib.import_module(name) for name in asked.native]
    if asked.use:
        runpy.run_path(asked.use)
    loaded = {
        "module": asked.module,
        "version": version_of(module),
        "file": os.path.realpath(module.__file__),
        "extensions": [os.path.realpath(native.__file__) for native in natives],
        "mapped": mapped_objects(),
    }
    (Path(os.environ["CROSSWARP_OUT"]) / "loaded.json").write_text(json.dumps(loaded, indent=1) + "\n")


if __name__ == "__main__":
    main()
