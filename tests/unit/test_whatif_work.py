"""Networks of other sizes have other numbers of ranks: that is said, and no gain is given across them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from netloom.study.run import run_study
from netloom.whatif import Settings, WhatIf, whatif

pytest.importorskip("sklearn")

RATE = 'bandwidth="100 Gbps"'
PAIRS = {
    "network": f"torus(4,4,p=2,{RATE})", "workload": "alltoall:pairwise", "size_bytes": "64 KiB", "calibration": "pure",
}  # fmt: skip
SIZES = f"network=torus(4,4,p=2,{RATE})|ring(8,{RATE})|complete(1,p=128,{RATE})"
WHY = "as `ranks` is not given and each network is filled"
NOTE = f"Ranks differ, {{}} to {{}}, {WHY}: give ranks={{}} to compare the same work."
#: `9.82 times`, `1.5 % worse`.
GAIN = re.compile(r"[0-9] (times|%)")


def asked(*vary: str, evaluator: str = "time", **more: Any) -> WhatIf:
    scenario, target = {**PAIRS, **more}, "mean_hops" if evaluator == "hops" else None
    if evaluator == "hops":
        scenario.pop("calibration")
    return whatif(scenario, list(vary), evaluator, target=target, how=Settings(samples=16))


def test_no_network_is_best_across_other_work() -> None:
    found = asked(SIZES)
    said, made = found.explain(), found.to_dict()
    assert NOTE.format(8, 128, 8) in said and NOTE.format(8, 128, 8) in found.notes
    assert made["ranks_differ"] == {"network": {"least": 8, "most": 128}}
    assert not any("is best" in one or GAIN.search(one) for one in said)
    assert any("none is called best" in one for one in said)


def test_a_range_that_changes_the_ranks_gives_nothing_times() -> None:
    found = asked("network.p=1..8")
    assert NOTE.format(16, 128, 16) in found.explain()
    assert not any(GAIN.search(one) for one in found.explain())


def test_the_same_work_has_its_winner() -> None:
    found = asked(SIZES, ranks=8)
    assert found.to_dict()["ranks_differ"] == {} and any("is best, " in one for one in found.explain())
    assert not any("Ranks differ" in one for one in found.notes)
    # And so it is where none is counted.
    topologies = {"network": "torus(4,4)"}
    assert not whatif(topologies, "network=torus(4,4)|ring(8)", "metrics").asked.ranks


def test_others_are_compared_on_the_network_as_written() -> None:
    """The best point keeps it: a smaller one is no gain."""
    found = asked(f"network=torus(4,4,p=2,{RATE})|ring(8,{RATE})", "size_bytes=1 KiB..64 KiB log")
    assert found.best is not None and found.best.point[0] == PAIRS["network"]
    said = found.explain()
    assert any("Ranks differ, 8 to 32" in one for one in said)
    # What the other one gives is still told.
    assert any(one.startswith("Size: halving it from 64 KiB") or "halving it from 64 KiB" in one for one in said)
    assert not any("From the base point" in one for one in said)


def test_the_remedy_is_what_is_missing() -> None:
    found = asked("network=torus(4,4,p=4)|torus(4,4)", evaluator="hops")
    assert any("give ranks=16" in one for one in found.notes)
    nodes = asked("cores=1|2", nodes=4)
    assert any("`ranks_per_node` is not given: give it" in one for one in nodes.notes)


@pytest.mark.parametrize(("more", "told"), [("", True), ("ranks = 16\n", False)])
def test_a_study_says_it_next_to_its_answer(tmp_path: Path, more: str, told: bool) -> None:
    head = 'title = "t"\n[[experiment]]\nname = "e"\nevaluate = "time"\n[experiment.axes]\nsize_bytes = "1 KiB"\n'
    text = f'{head}network = ["torus(4,4)", "torus(4,4,p=2)"]\nworkload = "alltoall:pairwise"\n{more}'
    (tmp_path / "study.toml").write_text(text)
    found: Any = run_study(tmp_path / "study.toml", tmp_path / "out", figures=False).as_dict()
    says = [one["says"] for one in found["cautions"]]
    assert (NOTE.format(16, 32, 16) in says) is told
    page = (tmp_path / "out" / "report.html").read_text()
    assert ("each network is filled: give ranks=16" in page) is told
