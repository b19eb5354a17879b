"""`netloom.read` and `netloom.write`: everything that a file can hold goes out and comes back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import netloom
from netloom.formats import HOLDS

if TYPE_CHECKING:
    from collections.abc import Callable

    Trial = Callable[[Path], None]

NET = netloom.fat_tree(radix=4, levels=3)


def _sent(ranks: int, *flows: tuple[int, int, int]) -> netloom.Traffic:
    source, target, size = np.array(flows).T
    return netloom.Traffic.from_flows("sent", ranks, source, target, np.ones_like(size), size)


def _network(path: Path) -> None:
    assert netloom.write(NET, path / "n.graphml") == [path / "n.graphml"]
    again = netloom.read(path / "n.graphml", "network")
    assert (again.switches, again.endpoints, again.switch_links) == (NET.switches, NET.endpoints, NET.switch_links)


def _mapping(path: Path) -> None:
    for cores, slots in ((1, [5, 0, 7, 2]), (4, [5, 0, 31, 2, 4, 7])):
        netloom.write(slots, path / "m.csv", network=NET, cores=cores)
        again = netloom.read(path / "m.csv", "mapping", network=NET, cores=cores)
        assert again.tolist() == slots and again.dtype == np.uint32


def _traffic(path: Path) -> None:
    traffic = _sent(4, (0, 2, 7), (1, 3, 9))
    netloom.write(traffic, path / "t.csv")
    again = netloom.read(path / "t.csv", "traffic", ranks=6)
    assert again.bytes == 16 and again.ranks == 6


def _programs(path: Path) -> None:
    body: list[list[tuple[str | float, ...]]] = [[("send", 1, 5)], [("receive", 0, 5)]]
    index = netloom.write(netloom.programs(body), path / "trace", repetitions=3)[0]
    again = netloom.read(index, "programs")
    once = netloom.simulate(NET, workload=netloom.programs(body))["time_s"]
    assert netloom.simulate(NET, workload=again)["time_s"] > once
    traffic = _sent(2, (0, 1, 5))
    assert len(netloom.write(traffic, path / "other", format="smpi-trace")) == 3


def _jobs(path: Path) -> None:
    netloom.write([{"name": "a", "nodes": 2}, {"name": "b", "nodes": 3}], path / "j.toml")
    placed = netloom.read(path / "j.toml", "jobs", network=NET, cores=2)
    assert [(job.name, job.ranks) for job in placed] == [("a", 4), ("b", 6)]


def _forwarding(path: Path) -> None:
    netloom.write(NET.routing("d-mod-k"), path / "tables.csv", format="forwarding-csv")
    again = netloom.read(path / "tables.csv", "forwarding", network=NET)
    given = {"ranks": 8, "workload": "shift(k=3)"}
    ours = netloom.loads(NET, routing="d-mod-k", **given)["max_bytes"]  # type: ignore[arg-type]
    name = f'tables("{path / "tables.csv"}")'
    assert netloom.loads(again, routing=name, **given)["max_bytes"] == ours  # type: ignore[arg-type]


TRIALS: dict[str, Trial] = {
    "network": _network,
    "mapping": _mapping,
    "traffic": _traffic,
    "programs": _programs,
    "jobs": _jobs,
    "forwarding": _forwarding,
}


@pytest.mark.parametrize("holds", HOLDS)
def test_goes_out_and_comes_back(holds: str, tmp_path: Path) -> None:
    TRIALS[holds](tmp_path)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: cast("Any", netloom.read)("x", "nets"), "read.holds"),
        (lambda: cast("Any", netloom.read)("x", "traffic", rank=3), 'did you mean "ranks"'),
        (lambda: cast("Any", netloom.read)("x", "mapping"), "read.network"),
        (lambda: netloom.read("no-such-file", "network"), "NL-X001"),
        (lambda: netloom.write(NET, "x.unknown"), "NL-X014"),
        (lambda: netloom.write([1, 2], "x.csv"), "write.value"),
        (lambda: netloom.write(cast("Any", "text"), "x.csv", network=NET), "write.value"),
        (lambda: netloom.write([16], "x.csv", network=NET), "NL-M"),
    ],
)
def test_refused(call: Callable[[], object], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(netloom.NetloomError, match=told):
        call()
    assert not list(tmp_path.iterdir())
