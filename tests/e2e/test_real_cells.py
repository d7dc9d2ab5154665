# SPDX-License-Identifier: Apache-2.0
"""A real cell of each kind: real packages, real compilers, code that is looked into. What a cell comes to is not written
down here; what must hold of any cell that came to it is."""

import pytest
from conftest import ROOT, wait_until

TRITON = """
version: 1
library: triton
axes:
  triton: ["3.2.0", "3.3.0"]
  setuptools: ["none"]
  python: ["3.11"]
  arch: [sm_75, sm_80]
"""
CUTLASS = """
version: 1
library: cutlass
axes:
  cutlass: ["4.2.0.0"]
  cuda: ["13.0", "11.8"]
  arch: [sm_70, sm_75]
include:
  - {cutlass: "4.2.0.0", cuda: "13.0", arch: sm_90}
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    from conftest import Site
    site = Site(tmp_path_factory.mktemp("real"))
    # The package cache outlives the test: what was downloaded once is not downloaded again.
    cache = ROOT / "build/test-tools/agent"
    cache.mkdir(parents=True, exist_ok=True)
    site.agent("real", "--slots", "2", folder=cache)
    run = site.submit(TRITON + "---" + CUTLASS)
    site.wait(run, 1400)
    yield {"rows": site.combinations(run), "jobs": {job["id"]: job for job in site.jobs(run)}, "site": site, "run": run}
    site.close()


def rows(table, **wanted):
    return [row for row in table["rows"]
            if all(row.get(key, row["combination"].get(key)) == value for key, value in wanted.items())]


def attempt_of(table, row):
    job = table["site"].server.get(f"/api/v1/jobs/{row['job']}")
    return next(attempt for attempt in job["attempts"] if attempt["id"] == row["attempt"])


def test_every_cell_is_decided_by_an_attempt_or_a_fact(table):
    assert len(table["rows"]) == 4 + 5
    for row in table["rows"]:
        assert row["status"] in ("passed", "failed", "unsupported"), row
        assert row["status"] == "passed" or row["reason"], row
        if row["status"] == "unsupported":
            assert row["source"] and row["rung"] == "feasible"
        else:
            assert attempt_of(table, row)["units"]


def test_both_libraries_pass_somewhere_with_their_product_in_the_code(table):
    for library in ("triton", "cutlass"):
        passed = rows(table, library=library, status="passed")
        assert passed, table["rows"]
        for row in passed:
            assert row["rung"] == "build" and row["evidence"] == "compiled"
            proofs = [proof for unit in attempt_of(table, row)["units"] for proof in unit["proofs"]]
            products = [proof["found"] for proof in proofs if proof["kind"] == "product"]
            assert products and all(sum(found.values()) > 0 for found in products), proofs


def test_a_release_that_needs_what_it_does_not_declare_fails_at_load(table):
    failed = rows(table, triton="3.2.0", status="failed")
    assert failed and {row["rung"] for row in failed} == {"load"}
    assert all("setuptools" in row["reason"] and "setuptools" in (row["remedy"] or "") for row in failed)


def test_two_kernels_of_one_release_are_kept_apart(table):
    row = rows(table, triton="3.3.0", arch="sm_75")[0]
    units = {unit["unit"]: unit["outcome"] for unit in attempt_of(table, row)["units"]}
    assert set(units) == {"matmul", "softmax"}
    assert (row["status"] == "passed") == (set(units.values()) == {"passed"})


def test_a_stub_is_no_pass_though_the_compiler_exits_0(table):
    row = rows(table, library="cutlass", arch="sm_90")[0]
    unit = attempt_of(table, row)["units"][0]
    assert unit["exit"] == 0
    assert row["status"] == "failed" and row["rung"] == "build"


def test_a_toolkit_that_dropped_an_arch_is_unsupported_and_never_run(table):
    row = rows(table, library="cutlass", cuda="13.0", arch="sm_70")[0]
    assert row["status"] == "unsupported" and not row["attempt"] and "sm_70" in row["reason"]


def test_the_lock_says_what_was_installed(table):
    row = rows(table, triton="3.3.0", arch="sm_80")[0]
    job = table["site"].server.get(f"/api/v1/jobs/{row['job']}")
    chain = [job]
    while chain[-1].get("parent"):
        chain.append(table["site"].server.get(f"/api/v1/jobs/{chain[-1]['parent']}"))
    locks = [attempt.get("lock") or "" for each in chain for attempt in each["attempts"]]
    assert any("triton==3.3.0" in lock for lock in locks)


def test_the_command_line_shows_the_same(table):
    import json
    listed = table["site"].command("query", "triton", "--json", check=0).stdout.splitlines()
    found = {json.loads(line)["id"]: json.loads(line)["status"] for line in listed}
    assert found == {row["id"]: row["status"] for row in rows(table, library="triton")}
    only = table["site"].command("query", "triton", "triton>=3.3", "arch=sm_80", "--json", check=0).stdout.splitlines()
    assert [json.loads(line)["version"] for line in only] == ["3.3.0"]
