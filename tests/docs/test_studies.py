"""The studies in `examples/` are sound: every name, range, column and claim in them is known before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from netloom import plugin
from netloom.study.run import prepare

from .pages import ROOT

STUDIES = sorted((ROOT / "examples").glob("*.toml"))


@pytest.mark.parametrize("study", STUDIES, ids=lambda path: path.stem)
def test_the_plan_is_sound(study: Path) -> None:
    plugin.trust(study.parent)
    plan = prepare(study)
    assert plan.parts and all(part.runs for part in plan.parts)
    # Both were axes of studies, which named rows, before they became inputs: runs were refused, and no test saw it.
    assert not {name for part in plan.parts for name in part.axes} & {"nodes", "part"}


def test_make_demo_runs_them() -> None:
    (listed,) = re.findall(r"(?m)^DEMO := (.*)$", (ROOT / "Makefile").read_text())
    names = listed.split()
    # What engineers ask today comes first.
    assert [name.startswith("today_") for name in names] == [True] * 3 + [False] * (len(names) - 3)
    assert {ROOT / "examples" / f"{name}.toml" for name in names} <= set(STUDIES)
