# SPDX-License-Identifier: Apache-2.0
"""Drives the real binaries: a server on a PostgreSQL of its own, agents with real containers, the command line."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CROSSWARP_BUILD", ROOT / "build/release"))
PROGRAM = BUILD / "cli/crosswarp"
UV = ROOT / "build/test-tools/uv/venv/bin/uv"


def wait_until(holds, seconds, what):
    """Polls `holds` until it answers something true, which is returned."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {what}")


class Server:
    """`crosswarp serve` in a state folder; start() again continues with the same data on the same port."""

    def __init__(self, folder):
        self.folder = folder
        self.port = 0
        self.process = None
        self.log = open(folder / "server.log", "ab")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--state-dir", self.folder / "server", "--listen", f"127.0.0.1:{self.port}",
             "--libraries", ROOT / "libraries", "--libraries", ROOT / "tests/e2e/libraries"],
            stdout=subprocess.PIPE, stderr=self.log, text=True, start_new_session=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"no ready line but {line!r}; see {self.log.name}:\n{Path(self.log.name).read_text()[-3000:]}"
        self.port = int(found.group(1))
        return self

    def token(self, role):
        made = subprocess.run([PROGRAM, "token", "create", "--role", role, "--state-dir", self.folder / "server", "--json"],
                              capture_output=True, text=True, check=True)
        path = self.folder / f"{role}.token"
        path.write_text(json.loads(made.stdout)["token"])
        return path

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=30)

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as reply:
            return json.load(reply)

    def status_of(self, request):
        """HTTP status and body of an urllib request, errors included."""
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.kill(signal.SIGTERM)


class Agent:
    """`crosswarp agent` with a state folder of its own."""

    def __init__(self, server, folder, name, *options):
        self.server = server
        self.folder = folder
        self.name = name
        self.options = options
        self.log = open(folder / f"{name}.log", "ab")
        self.process = None

    def start(self):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("CROSSWARP_", "LIBRARY_PATH"))}
        self.process = subprocess.Popen(
            [PROGRAM, "agent", "--server", self.server.url, "--token-file", self.server.folder / "agent.token",
             "--name", self.name, "--state-dir", self.folder / self.name, "--uv", UV, *self.options],
            stdout=self.log, stderr=self.log, env=environment, start_new_session=True)
        return self

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=60)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.kill(signal.SIGTERM)


class Site:
    """A server and what tests do with it, in their words."""

    def __init__(self, folder):
        self.folder = folder
        self.server = Server(folder).start()
        self.tokens = {role: self.server.token(role) for role in ("agent", "submit")}
        self.agents = []

    def agent(self, name="one", *options, folder=None):
        agent = Agent(self.server, folder or self.folder, name, *options).start()
        self.agents.append(agent)
        return agent

    def command(self, *arguments, check=None, **options):
        done = subprocess.run([PROGRAM, *map(str, arguments), "--server", self.server.url,
                               "--token-file", str(self.tokens["submit"])],
                              capture_output=True, text=True, **options)
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done

    def submit(self, matrix):
        path = self.folder / "matrix.yaml"
        path.write_text(matrix)
        return json.loads(self.command("submit", path, "--json", check=0).stdout.splitlines()[0])["run"]

    def run(self, run):
        return self.server.get(f"/api/v1/runs/{run}")

    def wait(self, run, seconds=120):
        return wait_until(lambda: (found := self.run(run))["state"] != "running" and found, seconds, f"run {run} is over")

    def combinations(self, run):
        """What the run says of each combination: a list of verdict objects."""
        found, cursor = [], ""
        while cursor is not None:
            page = self.server.get(f"/api/v1/runs/{run}/combinations?limit=500" + (f"&cursor={cursor}" if cursor else ""))
            found += page["combinations"]
            cursor = page.get("next")
        return found

    def jobs(self, run):
        return self.server.get(f"/api/v1/runs/{run}/jobs")["jobs"]

    def close(self):
        for agent in self.agents:
            agent.stop()
        self.server.stop()


@pytest.fixture
def site(tmp_path):
    made = Site(tmp_path)
    yield made
    made.close()


def toy(cases, **axes):
    """A matrix of the toy library; `axes` are further ones."""
    lines = ["version: 1", "library: toy", "axes:", '  toy: ["1"]', f"  case: [{', '.join(cases)}]"]
    lines += [f"  {axis}: [{', '.join(values)}]" for axis, values in axes.items()]
    return "\n".join(lines) + "\n"


def containers(folder):
    """Names of the containers that exist now of agents whose state lies below the folder."""
    listed = subprocess.run(["podman", "ps", "--all", "--format", "{{.Names}} {{.Labels}}"], capture_output=True, text=True)
    return [line.split()[0] for line in listed.stdout.splitlines() if f"crosswarp.state:{folder}/" in line]


def processes_named(argument):
    """Process ids of those whose command line holds the argument."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and argument.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found
