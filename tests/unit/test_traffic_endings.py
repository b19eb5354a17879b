"""What is told of a traffic that is meant as a file, with an ending that no format of traffic has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import netloom
from netloom.workload.traffic import is_traffic_file


@pytest.mark.parametrize(
    "ask",
    [
        lambda text: netloom.loads("ring(4)", netloom.Job(text, name="a", mapping=range(4))),
        lambda text: netloom.hops("ring(4)", workload=text),
    ],
    ids=["loads", "hops"],
)
@pytest.mark.parametrize("name", ["m.sav", "x.dat", "folder.d/x.txt"])
def test_files_of_other_endings(ask: Callable[[str], Any], name: str) -> None:
    with pytest.raises(netloom.NetloomError, match=r"NL-F016 .*") as caught:
        ask(name)
    (fault,) = caught.value.faults
    assert name in fault.place and ".csv, .mtx, .npy or .npz" in fault.hint


def test_calls_with_a_dot_are_no_files() -> None:
    assert not is_traffic_file("mix(alltoall:bruck,share=1.0,messages=4)")
    # A parenthesis that is left open is told as that.
    with pytest.raises(netloom.NetloomError, match="NL-A001"):
        netloom.hops("ring(4)", workload="mix(alltoall:bruck,share=1.0")
    assert all(map(is_traffic_file, ("a.csv", "a.mtx", "a.npy", "a.npz")))
