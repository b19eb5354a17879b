"""`netloom.Schedule.from_transfers`: whatever is wrong with its arguments is a fault that names the place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom

GOOD: list[Any] = [[(0, 1, [0], False)], [(0, 2, [0], False)]]


def made(steps: Any, collective: str = "broadcast", ranks: Any = 3, root: Any = 0, size: Any = 8) -> netloom.Schedule:
    return netloom.Schedule.from_transfers(collective, ranks, root, size, steps)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (3, "steps must be a list of steps, got 3"),
        ("ab", "steps must be a list of steps, got 'ab'"),
        ([3], "steps[0] must be a list of transfers, got 3"),
        ([*GOOD, [(0, 1)]], "steps[2][0] must be (source, destination, blocks, combine), got (0, 1)"),
        ([[(0, 1, [0], False, 1)]], "steps[0][0] must be (source, destination, blocks, combine)"),
        ([[(0, 1, [0], False), 7]], "steps[0][1] must be (source, destination, blocks, combine), got 7"),
        ([[(0.9, 1, [0], False)]], "steps[0][0][0] must be an integer, got 0.9"),
        ([[(0, True, [0], False)]], "steps[0][0][1] must be an integer, got True"),
        ([[(0, 2**70, [0], False)]], "steps[0][0][1] must be an integer, got 1180591620717411303424"),
        ([[(0, 1, 0, False)]], "steps[0][0][2] must be a list of blocks, got 0"),
        ([[(0, 1, [0.7], False)]], "steps[0][0][2] must be an integer, got 0.7"),
        ([[(0, 1, [0], "False")]], "steps[0][0][3] must be True or False, got 'False'"),
        ([[(0, 1, [0], 1)]], "steps[0][0][3] must be True or False, got 1"),
    ],
)
def test_a_malformed_transfer_is_named(steps: Any, words: str) -> None:
    with pytest.raises(netloom.NetloomError) as caught:
        made(steps)
    assert caught.value.faults[0].code == "NL-A007" and words in str(caught.value)


@pytest.mark.parametrize("name", ["ranks", "root", "size"])
def test_numbers_are_integers(name: str) -> None:
    for wrong in (1.5, "3", None, True):
        with pytest.raises(netloom.NetloomError, match=r"NL-A007.*must be an integer"):
            made(GOOD, **{name: wrong})


def test_any_integers_in_any_lists() -> None:
    of_numpy = ((*np.array(ends, dtype=np.int16), np.array([0]), np.False_) for ends in ((0, 1), (1, 2)))
    assert made([[transfer] for transfer in of_numpy], ranks=np.int64(3)).verify()["messages"] == 2
    assert made([step] for (step,) in GOOD).verify()["steps"] == 2


def test_combining_needs_an_operation_that_combines() -> None:
    late = [[(0, 1, [0], False)], [(0, 2, [0], False), (1, 2, [0], True)]]
    for collective in ("broadcast", "allgather", "gather", "scatter", "alltoall", "barrier"):
        with pytest.raises(netloom.NetloomError, match=f"NL-C005.*combines, but {collective} only moves blocks"):
            made(late, collective)
    assert made([[(1, 0, [0], True)], [(2, 0, [0], True)]], "reduce").verify()["messages"] == 2
