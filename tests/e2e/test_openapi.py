# SPDX-License-Identifier: Apache-2.0
"""The description of the API is valid, and answers of the real server are what it says; so are the metrics."""

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator

MATRIX = 'version: 1\nlibrary: toy\naxes:\n  toy: ["1"]\n  case: [pass, fail, "2.8.0+cu128"]\n  driver: [none, "550"]\n'
EVIL = "<script>alert('x')</script>\"&"


class Api:
    """Calls that are held against openapi.json: status, content type and body of each answer."""

    def __init__(self, site):
        self.site = site
        self.document = site.server.get("/openapi.json")
        self.seen = set()

    def operation(self, method, target):
        path = target.split("?")[0]
        for pattern, item in self.document["paths"].items():
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path) and method.lower() in item:
                return pattern, item[method.lower()]
        raise AssertionError(f"not described: {method} {target}")

    def resolved(self, value):
        return self.document["components"]["responses"][value["$ref"].rsplit("/", 1)[1]] if "$ref" in value else value

    def check(self, method, target, status, content_type, body):
        pattern, operation = self.operation(method, target)
        assert str(status) in operation["responses"], f"{method} {pattern} does not describe {status}: {body[:300]}"
        content = self.resolved(operation["responses"][str(status)])["content"]
        assert content_type in content, f"{method} {pattern} {status} does not describe {content_type}"
        self.seen.add((method, pattern, status))
        if not content_type.endswith("json"):
            return body.decode(errors="replace")
        value = json.loads(body)
        schema = {**content[content_type]["schema"], "components": self.document["components"]}
        errors = [f"{error.json_path}: {error.message}" for error in
                  Draft202012Validator(schema, format_checker=FormatChecker()).iter_errors(value)]
        assert not errors, f"{method} {target} {status}: {errors[:5]}"
        return value

    def call(self, method, target, body=None, role=None, status=200, **headers):
        data = body.encode() if isinstance(body, str) else body if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.site.server.url + target, data=data, method=method, headers=headers)
        if role:
            request.add_header("Authorization", "Bearer " + self.site.tokens[role].read_text())
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                found, kind, body = reply.status, reply.headers.get_content_type(), reply.read()
        except urllib.error.HTTPError as error:
            found, kind, body = error.code, error.headers.get_content_type(), error.read()
        assert found == status, f"{method} {target}: {found} {body[:300]}"
        return self.check(method, target, found, kind, body)


@pytest.fixture
def api(site):
    return Api(site)


def register(api):
    host = {"name": EVIL, "version": "0", "offers": [], "memory_bytes": 1 << 34, "slots": 4, "facts": {"os": EVIL}}
    return api.call("POST", "/api/v1/agents", host, "agent", 201)["agent"]


def work_off(api, agent):
    """Answers every job as an agent whose every word is hostile would; the cases named `fail` fail."""
    while True:
        claim = api.call("POST", f"/api/v1/agents/{agent}/claim?wait=2", {"slots": 4, "memory_bytes": 1 << 34}, "agent")
        if not claim["assignments"]:
            return
        for one in claim["assignments"]:
            attempt, rung = one["attempt"], one["rungs"][-1]
            status = "failed" if one["axes"].get("case") == "fail" else "passed"
            api.call("POST", f"/api/v1/attempts/{attempt}/log?offset=0", EVIL + "\n", "agent")
            api.call("POST", f"/api/v1/attempts/{attempt}/log?offset=3", "x", "agent", 409)
            api.call("POST", f"/api/v1/agents/{agent}/heartbeat", {"attempts": [{"attempt": attempt, "stage": EVIL}]}, "agent")
            unit = {"rung": rung, "unit": EVIL, "outcome": status, "proofs": [{"kind": EVIL, "holds": True}]}
            answer = {"status": status, "rung": rung, "evidence": "resolved", "reason": EVIL, "lock": EVIL,
                      "units": [unit], "details": {EVIL: EVIL}}
            answer.update({"proved": rung} if status == "passed" else {})
            api.call("POST", f"/api/v1/attempts/{attempt}/finish", answer, "agent")
            api.call("POST", f"/api/v1/attempts/{attempt}/log?offset=0", "late", "agent", 410)


def test_the_document_is_valid(api):
    OpenAPIV31SpecValidator(api.document).validate()


def test_answers_are_as_described(api):
    made = api.call("POST", "/api/v1/runs?label=first", MATRIX, "submit", 201)
    run = f"/api/v1/runs/{made['run']}"
    work_off(api, register(api))
    api.call("GET", "/api/v1/agents")
    api.call("GET", run)
    assert api.call("GET", run + "/combinations?status=failed&status=passed")["combinations"]
    jobs = api.call("GET", run + "/jobs")["jobs"]
    tried = next(job for job in jobs if job["attempts"])
    job = api.call("GET", f"/api/v1/jobs/{tried['id']}")
    assert "units" not in tried["attempts"][0] and job["attempts"][0]["units"]
    log = f"/api/v1/jobs/{tried['id']}/log"
    assert api.call("GET", log) == EVIL + "\n"
    assert api.call("GET", log, status=206, Range="bytes=0-3") == EVIL[:4]
    api.call("GET", log, status=416, Range="bytes=999-")
    assert "event: end" in api.call("GET", log + "/events")
    api.call("GET", "/api/v1/blobs/" + "0" * 64, status=404)
    verdicts = api.call("GET", "/api/v1/verdicts?library=toy&case=2.8.0+cu128&toy=>=0.5&driver=none")["verdicts"]
    assert [one["combination"]["case"] for one in verdicts] == ["2.8.0+cu128"]
    api.call("POST", run + "/cancel", "", "submit")
    api.call("GET", "/api/v1/runs?limit=1")
    for target in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
        api.call("GET", target)
    pages = ["/", "/runs", "/agents", f"/runs/{made['run']}", f"/jobs/{tried['id']}", "/libraries/toy"]
    pages += [f"/combinations/toy/{one['id']}" for one in verdicts]
    for page in pages:
        assert "<script>alert" not in api.call("GET", page)


def test_refusals_are_as_described(api):
    api.call("POST", "/api/v1/runs", MATRIX, None, 401)
    api.call("POST", "/api/v1/runs", MATRIX, "agent", 403)
    api.call("POST", "/api/v1/runs", "library: [", "submit", 422)
    api.call("POST", "/api/v1/runs", "#" * (1 << 20) + "#", "submit", 413)
    api.call("POST", "/api/v1/agents", {"name": 1}, "agent", 400)
    api.call("GET", "/api/v1/runs?limitt=1", status=400)
    api.call("GET", "/api/v1/verdicts?status=fine", status=400)
    for target in ("/api/v1/runs/77", "/api/v1/runs/77/jobs", "/api/v1/runs/77/combinations", "/api/v1/jobs/77",
                   "/api/v1/jobs/77/log", "/api/v1/jobs/77/log/events", "/runs/77", "/libraries/none"):
        api.call("GET", target, status=404)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed (Debian's prometheus)")
def test_metrics_pass_promtool(api):
    metrics = api.call("GET", "/metrics")
    checked = subprocess.run(["promtool", "check", "metrics"], input=metrics, capture_output=True, text=True)
    assert checked.returncode == 0 and not checked.stderr, checked.stdout + checked.stderr
