# SPDX-License-Identifier: Apache-2.0
"""What each way of ending comes to in the table."""

import pytest
from conftest import containers, processes_named, toy, wait_until

EXPECTED = {
    # case: status, word or text that must stand in the reason
    "pass": ("passed", ""),
    "fail": ("failed", "identifier"),
    "hollow": ("broken", "exited 0"),
    "environment": ("broken", "our mirror is gone"),
    "memory": ("failed", "256 MiB"),
    "sleep": ("failed", "3 s"),
    "stubborn": ("failed", "3 s"),
    "network": ("passed", ""),
    "markers": ("failed", ""),
    "link": ("broken", "exited 0"),
}


@pytest.fixture
def table(site):
    site.agent("one", "--slots", "2")
    run = site.submit(toy(EXPECTED))
    site.wait(run, 240)
    return {row["combination"]["case"]: row for row in site.combinations(run)}


def test_every_ending_has_its_status(site, table):
    found = {case: row["status"] for case, row in table.items()}
    assert found == {case: status for case, (status, _) in EXPECTED.items()}
    for case, (_, text) in EXPECTED.items():
        assert text in (table[case]["reason"] or ""), case
    assert table["pass"]["rung"] == table["pass"]["proved"] == "build"
    assert table["fail"]["rung"] == "build" and table["fail"]["proved"] == "resolve"
    wait_until(lambda: not containers(site.folder) and not processes_named("777"), 30, "nothing is left behind")


def test_failures_are_not_believed_while_the_control_fails(site):
    site.agent()
    run = site.submit(toy(["pass", "fail"], family=["sick", "well"]))
    site.wait(run)
    found = {(row["combination"]["case"], row["combination"]["family"]): row for row in site.combinations(run)}
    assert found["fail", "well"]["status"] == "failed"
    assert found["fail", "sick"]["status"] == "broken"
    assert "control" in found["fail", "sick"]["reason"] and "identifier" in found["fail", "sick"]["reason"]
    assert found["pass", "sick"]["status"] == "passed"


def test_what_no_agent_offers_is_untested_until_one_does(site):
    site.agent()
    run = site.submit(toy(["pass"], driver=['"550"', "none"]))
    ended = site.wait(run, 120)
    found = {row["combination"].get("driver", "none"): row for row in site.combinations(run)}
    assert found["550"]["status"] == "untested" and "no agent offers driver 550" in found["550"]["reason"]
    assert found["none"]["status"] == "passed"
    assert ended["missing"][0]["need"] == "driver=550"


def test_what_was_left_untested_is_taken_up_when_an_agent_joins(site):
    run = site.submit(toy(["pass"]))
    site.wait(run, 120)
    assert site.combinations(run)[0]["status"] == "untested"
    site.agent()
    wait_until(lambda: site.combinations(run)[0]["status"] == "passed", 60, "the agent takes it up")
    assert site.wait(run)["by_status"]["passed"] == 1


def test_a_job_is_asked_for_once_by_all_who_agree(site):
    site.agent("one", "--slots", "2")
    run = site.submit(toy(["pass", "slow"]))
    site.wait(run)
    resolving = [job for job in site.jobs(run) if job["rungs"] == ["resolve"]]
    assert len(resolving) == 1
