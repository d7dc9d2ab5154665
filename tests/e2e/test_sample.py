# SPDX-License-Identifier: Apache-2.0
"""The sample matrix as a newcomer starts it."""

import os
import re
import subprocess

from conftest import ROOT


def quickstart(state, *options, timeout):
    environment = {**os.environ, "CROSSWARP_STATE": str(state)}
    return subprocess.run([ROOT / "deploy/quickstart", "--yes", "--exit", "--listen", "127.0.0.1:18080", *options],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)


def test_the_sample_is_worked_through_and_kept(tmp_path):
    state = ROOT / "build/test-tools/quickstart"
    done = quickstart(state, "--again", timeout=3000)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    total = int(re.search(r"(\d+) of \1 combinations", done.stderr + done.stdout).group(1))  # progress goes to stderr
    assert total == 56 + 36
    for word in ("passed", "failed", "unsupported"):
        assert word in done.stdout
    again = quickstart(state, timeout=120)
    assert again.returncode == 0 and "kept" in again.stdout
