# SPDX-License-Identifier: Apache-2.0
"""What happens when a part dies, or somebody means ill."""

import signal
import subprocess
import time
import urllib.request

from conftest import PROGRAM, containers, toy, wait_until


def log_of(site, run):
    job = next(job for job in site.jobs(run) if job["rungs"] == ["build"] and job["axes"].get("case") == "slow")
    with urllib.request.urlopen(f"{site.server.url}/api/v1/jobs/{job['id']}/log", timeout=30) as reply:
        return reply.read().decode()


def started(site, run):
    """The jobs of the run that an agent works on."""
    return wait_until(lambda: [doing for doing in site.run(run)["doing"] if "build" in doing["stage"]], 60, "a build runs")


def test_a_killed_agent_leaves_nothing_and_another_does_its_job(site):
    first = site.agent("first")
    run = site.submit(toy(["long"]))
    started(site, run)
    first.kill(signal.SIGKILL)
    wait_until(lambda: not containers(site.folder), 30, "the containers of the killed agent are gone")
    site.command("cancel", run, check=0)
    assert site.run(run)["state"] == "cancelled"

    run = site.submit(toy(["slow"]))
    second = site.agent("second")
    started(site, run)
    second.kill(signal.SIGKILL)
    site.agent("second")  # the same name: what it held is given out again at once
    assert site.wait(run, 120)["by_status"]["passed"] == 1
    build = next(job for job in site.jobs(run) if job["rungs"] == ["build"])
    assert len([attempt for attempt in build["attempts"] if attempt["outcome"] == "passed"]) == 1


def test_a_killed_server_loses_nothing(site):
    site.agent()
    run = site.submit(toy(["slow", "pass"]))
    started(site, run)
    time.sleep(1)
    site.server.kill(signal.SIGKILL)
    time.sleep(2)
    site.server.start()
    assert site.wait(run, 120)["by_status"]["passed"] == 2
    lines = [line for line in log_of(site, run).splitlines() if line.startswith("line ")]
    assert lines == [f"line {number}" for number in range(1, 13)]


def test_a_cancelled_run_ends_its_jobs(site):
    site.agent()
    run = site.submit(toy(["long"]))
    started(site, run)
    site.command("cancel", run, check=0)
    wait_until(lambda: not containers(site.folder), 40, "the container of the cancelled job is gone")
    row = site.combinations(run)[0]
    assert row["status"] in ("untested", "skipped")


def test_a_hostile_matrix_is_refused_with_its_place(site):
    ten = ", ".join(f'"{number}"' for number in range(10))
    product = "version: 1\nlibrary: toy\naxes:\n  toy: [\"1\"]\n" + "".join(f"  a{i}: [{ten}]\n" for i in range(12))
    bomb = "version: 1\nlibrary: toy\na0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in range(1, 30))
    cases = {
        "product": (product, ""),
        "bomb": (bomb, "matrix.yaml:"),
        "number": ("version: 1\nlibrary: toy\naxes:\n  toy: [1.10]\n", "matrix.yaml:4:9"),
        "unknown key": ("version: 1\nlibrary: toy\naxis:\n  toy: [\"1\"]\n", "matrix.yaml:3:1"),
        "not yaml": ("{[", "matrix.yaml:1"),
        "unknown axis": ("version: 1\nlibrary: toy\naxes:\n  toy: [\"1\"]\n  gpu: [a]\n", "matrix.yaml:5:"),
        "huge": ("# " + "x" * (50 << 20), "matrix.yaml"),
    }
    for name, (text, place) in cases.items():
        path = site.folder / "matrix.yaml"
        path.write_text(text)
        begun = time.monotonic()
        done = site.command("submit", path)
        assert done.returncode == 2, (name, done.stdout, done.stderr)
        assert place in done.stderr, (name, done.stderr)
        assert time.monotonic() - begun < 10, name
    assert site.server.get("/api/v1/runs")["runs"] == []


def test_a_wrong_token_is_refused(site):
    request = urllib.request.Request(site.server.url + "/api/v1/runs", data=b"version: 1", method="POST")
    assert site.server.status_of(request)[0] == 401
    request.add_header("Authorization", "Bearer " + site.tokens["agent"].read_text().strip())
    assert site.server.status_of(request)[0] == 403


def test_two_servers_in_one_state_folder_are_refused(site):
    second = subprocess.run([PROGRAM, "serve", "--state-dir", site.folder / "server", "--listen", "127.0.0.1:0"],
                            capture_output=True, text=True, timeout=60)
    assert second.returncode != 0 and str(site.folder / "server") in second.stderr
