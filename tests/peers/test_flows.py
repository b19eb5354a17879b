"""Finish times of flow sets, flow by flow, against SimGrid and against fifty digits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from . import cases, exact
from .conftest import IS_FULL, TABLES

#: Largest difference of two finish times, relative to the flow's duration.
AGREES = 1e-9
SIZES = (512, 2048, 8192, 20_000) if IS_FULL else (300,)
#: SimGrid's full update of tied flows, all at once, is beyond reach above this.
MOST_TIES = 2048
SETS = [(family, flows) for family in cases.FAMILIES for flows in SIZES if family != "ties" or flows <= MOST_TIES]

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(7200 if IS_FULL else 300)]


def settings(family: str) -> tuple[str, ...]:
    """SimGrid's default update forgets flows that start in one instant (see below); its full one does not."""
    return ("network/optim:Full",) if family == "ties" else ()


@pytest.mark.parametrize("sharing", ["equal", "rtt", "smpi"])
@pytest.mark.parametrize(("family", "flows"), SETS)
def test_every_flow_ends_as_in_simgrid(family: str, flows: int, sharing: str, folder: Path) -> None:
    case = cases.make(family, flows)
    theirs, _ = cases.theirs(case, sharing, folder, settings(family))
    ours = cases.ours(case, sharing)
    apart = cases.difference(case, ours, theirs)
    slowest = float(((theirs - case.start_s) / case.alone_s(sharing)).max())
    how = "all flows" if settings(family) else "what changed"
    TABLES["flows"][1].append((case.name, flows, sharing, how, slowest, float(apart.max())))
    worst = int(apart.argmax())
    assert apart.max() <= AGREES, f"flow {worst}: SimGrid {theirs[worst]!r} s, netloom {ours[worst]!r} s"
    # A set whose flows never met would agree under any rule of sharing.
    assert slowest > 1.2


@pytest.mark.parametrize("sharing", ["equal", "rtt"])
@pytest.mark.parametrize("family", cases.FAMILIES)
def test_every_flow_ends_as_fifty_digits_say(family: str, sharing: str) -> None:
    case = cases.make(family, 120, seed=2)
    assert cases.difference(case, cases.ours(case, sharing), exact.finish_s(case, sharing)).max() <= 1e-12


def test_the_rules_of_sharing_differ(folder: Path) -> None:
    case = cases.make("chain", 300)
    equal, rtt, smpi = (cases.theirs(case, sharing, folder)[0] for sharing in ("equal", "rtt", "smpi"))
    for a, b in ((equal, rtt), (equal, smpi), (rtt, smpi)):
        assert cases.difference(case, a, b).max() > 0.1


def test_simgrid_forgets_a_flow_that_starts_with_another(folder: Path) -> None:
    """Why ties are compared with SimGrid's full update: by default it marks only the first link of a flow that
    becomes active as changed, and not even the flow's other links if another flow of the same instant marked it
    already. Flow 1 has link 8 to itself until 4 ms; from then on flow 2 takes half. SimGrid keeps the old rate."""
    routes = [[5, 0, 2, 7], [6, 4, 8], [5, 1, 3, 8]]
    lengths = [len(route) for route in routes]
    case = cases.Case(
        "three-flows",
        np.full(9, 1e9),
        np.full(9, 1e-3),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.array([link for route in routes for link in route]),
        np.array([4_000_000, 2_000_000, 1_000_000]),
        np.zeros(3),
    )
    truth = exact.finish_s(case, "equal")
    np.testing.assert_allclose(truth, [0.009, 0.006, 0.006], rtol=1e-12)
    np.testing.assert_allclose(cases.ours(case, "equal"), truth, rtol=1e-12)
    np.testing.assert_allclose(cases.theirs(case, "equal", folder, ("network/optim:Full",))[0], truth, rtol=1e-12)
    np.testing.assert_allclose(cases.theirs(case, "equal", folder)[0], [0.009, 0.005, 0.006], rtol=1e-12)
