"""The promises of each kind, for every row: the public contract, and what the other registries say of themselves."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

import netloom
from netloom import _core, contract

from .rows import HOSTS, ONE_WAY, READ_ONLY, recorded, with_tables

Row = dict[str, Any]
UNDER_CONTRACT = ("topologies", "collectives", "patterns", "placements", "orders", "optimisers")
#: Where the row's example needs more ranks than the contract tries.
SMALLER = {"stencil": "stencil(4,4,periodic=true)"}
ROWS = [(kind, row) for kind in UNDER_CONTRACT for row in netloom.catalogue(kind)]


@pytest.mark.parametrize(("kind", "subject"), ROWS, ids=[f"{kind}-{row['name']}" for kind, row in ROWS])
def test_contract(kind: str, subject: Row) -> None:
    text = SMALLER.get(subject["name"], subject["example"])
    assert contract.check(text, kind)["checks"] > 0


def _named(kind: str) -> Any:
    return pytest.mark.parametrize("subject", netloom.catalogue(kind), ids=lambda row: str(row["name"]))


@_named("routings")
def test_paths_of_a_routing_lead_to_their_destination(subject: Row) -> None:
    """All pairs on every host: links follow each other, shares add up to one; other networks are refused."""
    built = 0
    for host in (*HOSTS, ONE_WAY):
        net = _core.Network.build(host)
        try:
            named = subject["name"] == "tables" and host != ONE_WAY
            routing = (with_tables(net) if named else net).routing(subject["example"])
        except netloom.NetloomError as error:
            assert all(fault.code[:4] in ("NL-R", "NL-N") for fault in error.faults), (host, str(error))
            continue
        built += 1
        ends = sorted(set(map(int, net.endpoint_switch)))
        for source, destination in itertools.permutations(ends[:16], 2):
            paths = routing.paths(source, destination)
            assert sum(path["fraction"] for path in paths) == pytest.approx(1.0)
            assert len(paths) == 1 or not routing.is_deterministic
            for path in paths:
                assert (path["switches"][0], path["switches"][-1]) == (source, destination)
                assert len(path["links"]) == len(path["switches"]) - 1 == len(path["channels"])
                assert max(path["channels"]) < routing.virtual_channels
    assert (
        built == len(HOSTS)
        if subject["name"] == "tables" or subject["restrictions"].startswith("any connected network")
        else 0 < built < len(HOSTS)
    )


LOAD = {"ranks": 16, "size_bytes": 64}
ALGORITHM = "allreduce:recursive-doubling"


def _schedule() -> _core.Schedule:
    return _core.Schedule.build(ALGORITHM, 16, 0, 64)


def _step_load(net: _core.Network, mapping: Any) -> Any:
    """The worst link of every step alone, as loads see it, summed."""
    table, total = _schedule().table(), 0.0
    for step in range(int(table["step"].max()) + 1):
        now = table["step"] == step
        ends = {name: table[name][now].astype("int64") for name in ("src", "dst", "bytes")}
        one = _core.Traffic.from_flows("step", 16, ends["src"], ends["dst"], ends["src"] * 0 + 1, ends["bytes"])
        loads = netloom.loads(net, workload=one, mapping=mapping)
        total += max(links.get("max_s", 0.0) for links in loads.classes.values())
    return pytest.approx(total * 1e12, rel=1e-4)


#: What an objective says that a mapping is worth, from the evaluation that is not part of the search.
WORTH: dict[str, Callable[[_core.Network, Any], Any]] = {
    "hops": lambda net, mapping: netloom.hops(net, workload=_schedule(), mapping=mapping)["total_hops"],
    "inter-node": lambda net, mapping: netloom.loads(net, workload=_schedule(), mapping=mapping)["bytes_sent"],
    "step-load": _step_load,
    "hop-bytes": lambda net, mapping: netloom.hops(net, workload=_schedule(), mapping=mapping)["hop_bytes"],
    "contentions": lambda net, mapping: netloom.evaluate(
        netloom.Scenario(net, workload=_schedule(), mapping=mapping), "loads", contentions=True
    )["contentions"],
    "max-link-load": lambda net, mapping: netloom.loads(
        net, workload=_schedule(), mapping=mapping, routing="single-minimal"
    )["max_bytes"],
}


@_named("objectives")
def test_an_objective_is_what_the_evaluation_says(subject: Row) -> None:
    net = _core.Network.build("torus(4,4)")
    asked = {"placement": "random(seed=1)", "optimiser": "two-opt(swaps=200)", "objective": subject["example"]}
    found = netloom.map_ranks(net, workload=ALGORITHM, **LOAD, **asked)
    assert found["bound"] is None or found["bound"] <= found["value"]
    assert found["value"] <= found["start_value"]
    if subject["name"] in WORTH:
        assert found["value"] == WORTH[subject["name"]](net, found["mapping"])
    else:
        timed = netloom.simulate(net, workload=ALGORITHM, mapping=found["mapping"], **LOAD)["time_s"]
        assert subject["name"] in ("time", "auto") and found["value"] == round(timed * 1e12)
    if "steps" in subject["restrictions"]:
        with pytest.raises(netloom.NetloomError, match="NL-O004"):
            netloom.map_ranks(net, workload="stencil(4,4)", **asked)
    if "one path per pair" in subject["restrictions"]:
        with pytest.raises(netloom.NetloomError):
            netloom.map_ranks(net, workload=ALGORITHM, routing="minimal", **LOAD, **asked)


@_named("applications")
def test_an_application_takes_the_ranks_that_it_says(subject: Row) -> None:
    """A number of ranks is taken, or refused with the nearest ones that are."""

    def build(ranks: int) -> _core.Programs:
        return _core.Programs.application(subject["example"], ranks)

    taken = []
    for ranks in range(1, 34):
        try:
            made = build(ranks)
        except netloom.NetloomError as error:
            assert [fault.code for fault in error.faults] == ["NL-P004"] and subject["restrictions"] in str(error)
            near = [int(number) for number in re.findall(r"\d+", error.faults[0].hint)]
            assert near and all(build(number).ranks == number for number in near if number <= 64)
            continue
        taken.append(ranks)
        table = _core.Traffic.of_programs(made).table()
        assert made.ranks == ranks and (made.actions > 0 or ranks == 1)
        assert all(int(end) < ranks for column in ("src", "dst") for end in table[column])
    if any(parameter["name"] == "dims" for parameter in subject["params"]):
        # The grid says how many.
        assert taken == [8]
        return
    assert taken[0] <= 4 and {n for n in (1, 2, 4, 8, 16, 32) if n >= taken[0]} <= set(taken)


def _held(format_: str, host: str) -> tuple[str, bytes, Callable[[str, str | None], Any], Any] | None:
    """What a format's files hold, a file, a reader of it and what it must give; None if it cannot hold this network."""
    net, mapping = _core.Network.build(host), netloom.place(host, 8)
    traffic, programs = _core.Traffic.pattern("stencil(2,4)"), _core.Programs.application("is(class=S)", 4)
    ways: dict[str, tuple[Callable[[], bytes], Callable[[bytes, str, str | None], Any], Any]] = {
        "network": (lambda: net.write(format_), _core.Network.read, None),
        "mapping": (
            lambda: _core.emit(format_, net, mapping),
            lambda data, place, given: list(_core.read_mapping(data, place, given, net)),
            list(mapping),
        ),
        "forwarding": (
            lambda: net.routing("single-minimal").write(format_),
            lambda data, place, given: net.with_tables(data, place, given).routing(f'tables("{place}")').write(format_),
            net.routing("single-minimal").write(format_) if format_ in ("forwarding-csv", "opensm-lfts") else None,
        ),
        "traffic": (lambda: traffic.write(format_), _core.Traffic.read, traffic),
        "programs": (
            lambda: _first(programs.write(format_)),
            lambda data, place, given: _replayed(data, place, programs.write(format_), given),
            _core.Traffic.of_programs(programs),
        ),
    }
    for holds, (write, read, expected) in ways.items():
        try:
            data = write()
        except netloom.NetloomError as error:
            assert {fault.code for fault in error.faults} <= {"NL-F017", "NL-F018"}, str(error)
        else:
            return holds, data, functools.partial(read, data), expected
    return None


def _first(written: list[tuple[str, bytes]]) -> bytes:
    """What stands for a trace: of files of ranks behind an index all together, else the first file."""
    return b"".join(data for _, data in written[1:]) if written[0][0] == "trace.txt" else written[0][1]


def _replayed(data: bytes, place: str, written: list[tuple[str, bytes]], given: str | None) -> _core.Traffic:
    """The messages of a trace whose ranks have files with numbers, or that is one file."""
    numbered = written[0][0].endswith(".et")
    place, others = (written[0][0], written[1:]) if numbered else (place, [])
    beside = ([name for name, _ in others], lambda number: others[number][1])
    return _core.Traffic.of_programs(_core.Programs.read(data, place, beside, {}, given)[0])


#: Options of launchers and lists for daemons: they say less than a mapping or a network, so nothing reads them back.
WRITTEN_ONLY = {
    "root-guids", "node-order", "pe-list", "map-cpu", "mask-cpu", "hydra-bind", "intel-pin", "likwid-pin",
    "slurm-distribution", "flux-taskmap", "vcoordfile", "torchrun", "simgrid-deployment",
    "kubernetes",
}  # fmt: skip


@pytest.mark.parametrize("subject", _core.catalogue("formats"), ids=lambda row: str(row["name"]))
def test_what_a_format_writes_is_recognised_and_read(subject: Row) -> None:
    if subject["name"] in READ_ONLY:
        assert recorded(subject["name"]) and subject["restrictions"]
        return
    held = _held(subject["example"], "k_ary_n_tree(k=4,n=2)") or _held(subject["example"], "torus(4,4,4)")
    assert held is not None
    holds, data, read, expected = held
    if subject["name"] in WRITTEN_ONLY:
        assert data and subject["restrictions"]
        with pytest.raises(netloom.NetloomError, match=f"NL-F017 .*is not read as a {holds}"):
            read("file", subject["example"])
        return
    found = read("file", subject["example"])
    if holds == "network":
        # The first file names the network as it was called, the second one as it was read; then nothing changes.
        again = _core.Network.read(found.write(subject["example"]), "file", subject["example"]).write(
            subject["example"]
        )
        assert _core.Network.read(again, "file", subject["example"]).write(subject["example"]) == again
    elif holds in ("mapping", "forwarding"):
        assert found == expected
    else:
        assert {key: list(column) for key, column in found.table().items() if key != "messages"} == {
            key: list(column) for key, column in expected.table().items() if key != "messages"
        }
    told = "file.csv" if subject["name"] == "traffic-csv" else "file"
    assert _core.detect_format(told, data, holds) == subject["name"]
    assert subject["restrictions"]
