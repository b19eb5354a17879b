"""A schedule of one's own is folded if its ranks are found to behave alike, and not on its word: it cannot give any."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as package

Run = Callable[..., tuple[int, str, str]]

OWN = """from netloom.plugin import Collective


class Turn(Collective):
    '''300 steps to the next rank.'''

    name = "alltoall:turn"

    def steps(self, ranks, root, size_bytes):
        ends = [(src, (src + 1) % ranks) for src in range(ranks)]
        return [[(src, dst, [src * ranks + dst], False) for src, dst in ends] for step in range(300)]


class Bent(Collective):
    '''As many steps to ranks that follow no rule.'''

    name = "alltoall:bent"

    def steps(self, ranks, root, size_bytes):
        state, made = 7, []
        for step in range(300):
            made.append([])
            for src in range(ranks):
                state = (1103515245 * state + 12345) % 2**31
                dst = (src + 1 + (state >> 8) % (ranks - 1)) % ranks
                made[-1].append((src, dst, [src * ranks + dst], False))
        return made
"""


@pytest.mark.parametrize(("algorithm", "folded"), [("turn", 16), ("bent", None)])
def test_a_schedule_of_ones_own(netloom: Run, algorithm: str, folded: int | None) -> None:
    Path("own.py").write_text(OWN)
    line = ("simulate", "--plugin", "own.py", "-n", "fat_tree(radix=32,levels=2)", "-c", f"alltoall:{algorithm}")
    found = []
    for more in ((), ("--no-fold",)):
        code, out, err = netloom(*line, "--ranks", "256", "--size", "64B", "--json", "-q", *more)
        assert code == 0, err
        found.append(json.loads(out))
    assert [one["folded_ranks"] for one in found] == [folded, None]
    assert found[0]["time_s"] == pytest.approx(found[1]["time_s"], rel=1e-12)
    assert [one["ranks_ended"] for one in found] == [256, 256]


def test_a_schedule_says_nothing_of_who_is_alike() -> None:
    """Transfers are all that it gives."""
    from inspect import signature

    from netloom.plugin import Collective

    assert [*signature(Collective.steps).parameters][1:4] == ["ranks", "root", "size_bytes"]
    rows = package.Schedule.from_transfers("broadcast", 2, 0, 8, [[(0, 1, [0], False)]])
    assert rows.messages == 1
    with pytest.raises(TypeError):
        package.Schedule.from_transfers("broadcast", 2, 0, 8, [[(0, 1, [0], False)]], folded=1)  # type: ignore[call-arg]
