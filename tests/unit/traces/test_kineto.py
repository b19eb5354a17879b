"""Profiles of PyTorch: programs of files made here, those of a real one, and what is refused."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.workload.traces import read_record, recognised
from netloom.workload.traces.kineto.splitter import Splitter

REAL = Path(__file__).parents[2] / "data" / "traces" / "kineto_resnet"
#: A network on which bytes take time and nothing else does: 1 GB/s for each endpoint.
simulate = partial(netloom.simulate, calibration="pure")

PLAIN = 'star(4,bandwidth="8 Gbps",latency="0 s")'
SLOW = 'star(4,bandwidth="1 Gbps",latency="0 s")'
MS = 1000.0


def kernel(name: str, begin: float, length: float, stream: int, **args: object) -> dict[str, Any]:
    """An event on the GPU; times in microseconds."""
    where = {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream}
    return {**where, "ts": begin, "dur": length, "args": {"stream": stream, "device": 0, **args}}


def collective(name: str, begin: float, length: float, stream: int = 20, **args: object) -> dict[str, Any]:
    """A kernel of NCCL."""
    given: dict[str, object] = {
        "Collective name": name, "In msg nelems": 250_000, "Out msg nelems": 250_000, "dtype": "Float", "Group size": 2,
        "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "In split size": "[]", "Out split size": "[]",
    }  # fmt: skip
    return kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", begin, length, stream, **(given | args))


def profile(rank: int, events: list[dict[str, Any]], world: int = 2, **more: object) -> dict[str, Any]:
    group = {"pg_name": "0", "pg_desc": "default_pg", "pg_size": world, "ranks": list(range(world))}
    about = {"backend": "nccl", "rank": rank, "world_size": world, "pg_count": 1, "pg_config": [group]}
    return {"schemaVersion": 1, "deviceProperties": [], "distributedInfo": about, "traceEvents": events, **more}


def put(folder: Path, *profiles: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    for number, one in enumerate(profiles):
        (folder / f"worker{number}.pt.trace.json").write_text(json.dumps(one))
    return folder


def simulated(trace: Path, network: str = PLAIN) -> float:
    with pytest.warns(UserWarning):
        found = netloom.simulate(
            network, calibration="pure", workload=str(trace), algorithms={"allgather": "allgather:ring"}
        )
    return float(found.time_s)


def test_a_collective_follows_the_computation_of_its_rank(tmp_path: Path) -> None:
    """Rank 1 computes 3 ms, rank 0 one: each then gives 1 MB to the other, 1 ms, once rank 1 is ready."""
    slow = [kernel("gemm", 0, 3 * MS, 7), collective("_allgather_base", 3 * MS, 1 * MS)]
    quick = [kernel("gemm", 0, 1 * MS, 7), collective("_allgather_base", 1 * MS, 3 * MS)]
    folder = put(tmp_path / "p", profile(0, quick), profile(1, slow))
    assert recognised(folder) == "kineto" == recognised(folder / "worker0.pt.trace.json")
    for trace in (folder, folder / "worker1.pt.trace.json"):
        assert simulated(trace) == pytest.approx(4e-3, rel=1e-3)
    survey = read_record(folder).survey
    # What the quick rank waits is none of the call's time: 1 ms on each.
    assert survey["calls"]["allgather"] == (2, 2_000_000, pytest.approx(2e-3))
    assert survey["communicators"] == [2] and survey["span_s"] == pytest.approx(4e-3)


def test_streams_run_side_by_side(tmp_path: Path) -> None:
    """The call of 1 ms is hidden behind 4 ms of computation; a kernel that waited for it comes after both."""
    events = [
        kernel("backward", 0, 2 * MS, 7),
        collective("_allgather_base", 2 * MS, 1 * MS),
        kernel("backward2", 2 * MS + 2, 4 * MS, 7),
        kernel("optimiser", 6 * MS + 4, 1 * MS, 7),
    ]
    folder = put(tmp_path / "p", profile(0, events), profile(1, events))
    assert simulated(folder) == pytest.approx(7e-3, rel=2e-3)
    # On a network eight times as slow the call ends 2 ms after the computation next to it, which nothing waits for.
    assert simulated(folder, SLOW) == pytest.approx(10e-3, rel=2e-3)


def test_a_kernel_waits_for_the_call_that_it_began_after(tmp_path: Path) -> None:
    """The stream of computation was idle until the call ended: what follows depends on it."""
    events = [
        kernel("forward", 0, 1 * MS, 7),
        collective("_allgather_base", 1 * MS, 1 * MS),
        kernel("backward", 2 * MS + 20, 1 * MS, 7),
    ]
    folder = put(tmp_path / "p", profile(0, events), profile(1, events))
    assert simulated(folder) == pytest.approx(3.02e-3, rel=1e-3)
    assert simulated(folder, SLOW) == pytest.approx(1e-3 + 8e-3 + 1.02e-3, rel=1e-3)


#: Rows that each rank sends to each.
ROWS = [[1, 2, 3, 4], [5, 6, 7, 8], [0, 1, 0, 1], [2, 2, 2, 2]]


def test_kinds_and_groups(tmp_path: Path) -> None:
    """Of four ranks in two groups: sizes as each call counts them, messages by their ranks among all."""

    def events(rank: int) -> list[dict[str, Any]]:
        group = [rank - rank % 2, rank - rank % 2 + 1]
        own = {"Process Group Name": f"pair{rank // 2}", "Process Group Ranks": str(group)}
        whole = {"Process Group Ranks": "[0, 1, 2, 3]", "Group size": 4}
        splits = {"In msg nelems": 10 * sum(ROWS[rank]), "In split size": str(ROWS[rank]), "dtype": "Int", **whole}
        base = {"In msg nelems": 10, "Out msg nelems": 20, "dtype": "BFloat16", **own}
        part = {"In msg nelems": 20, "Out msg nelems": 10, "dtype": "Half", **own}
        sends = rank % 2 == 0
        end = {"In msg nelems": 7, "Out msg nelems": 7, "dtype": "Double", **own}
        return [
            collective("_allgather_base", 0, 10, **base),
            collective("_reduce_scatter_base", 20, 10, **part),
            collective("all_to_all", 40, 10, **{"In msg nelems": 40, "dtype": "Byte", **whole}),
            collective("all_to_allv", 60, 10, **splits),
            collective("barrier", 80, 10, **{"In msg nelems": 1, "dtype": "Byte", **whole}),
            collective(
                "send" if sends else "recv", 100, 10, **end, **{f"{'Dst' if sends else 'Src'} Rank": str(rank ^ 1)}
            ),
        ]

    folder = put(tmp_path / "p", *(profile(rank, events(rank), 4) for rank in range(4)))
    made = read_record(folder)
    calls = {name: (one.calls, one.bytes) for name, one in made.survey["calls"].items()}
    assert calls["allgather"] == (4, 4 * 20) and calls["reduce-scatter"] == (4, 4 * 20)
    assert calls["alltoall"] == (4, 4 * 10) and calls["allreduce"] == (4, 4)
    assert sorted(made.survey["communicators"]) == [2, 2, 4]
    # Each sends to the three others what its splits say, of 40 B an element's row; and the messages of 56 B.
    apart = sum(40 * size for rank, row in enumerate(ROWS) for to, size in enumerate(row) if to != rank)
    assert calls["send"] == (12 + 2, apart + 2 * 56)


def test_calls_are_matched_by_their_numbers(tmp_path: Path) -> None:
    """One profile begins a call later than the other: what only one of them has is left out, and said."""
    first = [collective("allreduce", at * 10 * MS, MS, Seq=at) for at in range(3)]
    second = [collective("allreduce", at * 10 * MS, MS, Seq=at) for at in range(1, 4)]
    made = read_record(put(tmp_path / "p", profile(0, first), profile(1, second)))
    assert made.survey["calls"]["allreduce"].calls == 4
    assert any(note.startswith("2 calls are left out") for note in made.survey["notes"])
    # Without numbers nobody can say which one is missing.
    for one in first + second:
        del one["args"]["Seq"]
    with pytest.raises(NetloomError, match=r"NL-F021 .*rank 1 enters 2 collectives, another rank 3"):
        read_record(put(tmp_path / "q", profile(0, first), profile(1, second[:2])))


def test_a_real_profile() -> None:
    """Two GPUs train a ResNet (PyTorch 2.3, NCCL 2.17.1): counts as a whole reading of the file has them."""
    whole = json.loads(gzip.decompress((REAL / "rank0.pt.trace.json.gz").read_bytes()))
    expected: dict[str, tuple[int, int]] = {}
    for event in whole["traceEvents"]:
        args = event.get("args", {})
        if event.get("cat") == "kernel" and "Collective name" in args:
            calls, size = expected.get(args["Collective name"], (0, 0))
            width = {"Float": 4, "Long": 8, "Byte": 1}[args["dtype"]]
            expected[args["Collective name"]] = calls + 1, size + width * args["In msg nelems"]
    made = read_record(REAL)
    found = {name: (one.calls // 2, one.bytes // 2) for name, one in made.survey["calls"].items()}
    assert found == expected and set(expected) == {"allreduce", "broadcast"}
    assert made.workload.ranks == 2 and any("root of each broadcast" in note for note in made.survey["notes"])
    assert simulated(REAL) > 0


def test_the_splitter_reads_what_json_reads(tmp_path: Path) -> None:
    """Whatever the sizes of events and the piece's borders, with a mended defect."""
    draw = random.Random(3)
    events = [
        {"ph": "X", "name": "n" * draw.choice([1, 10, 70_000]), "args": {"text": 'a "] }, {'}} for _ in range(120)
    ]
    whole = {"schemaVersion": 1, "traceEvents": events, "x": [1, {"y": None}], "last": 12}
    text = json.dumps(whole, indent=draw.choice([None, 1]))
    broken = text.replace('"last"', '"z": {"Process Group Description": , "b": 1}, "last"')
    path = tmp_path / "t.json"
    for data in (broken.encode(), gzip.compress(broken.encode())):
        path.write_bytes(data)
        splitter = Splitter(path)
        found = list(splitter.values())
        assert [value for key, value in found if key == "traceEvents"] == events
        assert dict(pair for pair in found if pair[0] != "traceEvents") == {
            "schemaVersion": 1, "x": [1, {"y": None}], "last": 12, "z": {"Process Group Description": "", "b": 1},
        }  # fmt: skip
        assert splitter.repaired == 1


#: A group of one rank, and one that the rank is not of.
ALONE = {"Process Group Ranks": "[0]", "Group size": 1}
OTHERS = {"Process Group Ranks": "[4, 5]"}


def ended(found: dict[str, Any]) -> str:
    return json.dumps(found)[:-30]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ended(profile(0, [collective("allreduce", 0, 1)] * 3)), "NL-F003 .*bytes in must be a value of JSON"),
        (json.dumps(profile(0, [collective("allreduce", 5, -2)])), "NL-F009 .*event 1.*clock ran backwards"),
        (json.dumps(profile(0, [collective("allreduce", 0, 1)])), "NL-F010 .*files of these are missing: 1"),
        (json.dumps(profile(0, [], 1)), "NL-F004 .*no call"),
        (json.dumps({**profile(0, []), "distributedInfo": {}}), "NL-F010 .*whose it is"),
        ('{"schemaVersion": 1, "distributedInfo": ' + "[" * 100 + "]" * 100 + "}", "NL-F005"),
        ('{"schemaVersion": 1, "distributedInfo": ' + "[" * 100_000, "NL-F00[35]"),
        (json.dumps(profile(0, [collective("allreduce", 0, 1, dtype="Odd", **ALONE)], 1)), "NL-F009 .*known type"),
        (json.dumps(profile(0, [collective("send", 0, 1)], 1)), "NL-F01|NL-F009"),
        (json.dumps(profile(0, [collective("allreduce", 0, 1, **OTHERS)], 1)), "NL-F010 .*members"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(NetloomError) as caught:
        read_record(path, format="kineto")
    assert re.search(says, str(caught.value), re.DOTALL), str(caught.value)


def test_two_files_of_a_rank(tmp_path: Path) -> None:
    folder = put(tmp_path / "p", profile(0, [collective("allreduce", 0, 1)]), profile(0, []))
    with pytest.raises(NetloomError, match=r"NL-F006 .*two files are of rank 0"):
        read_record(folder)


def test_a_send_that_nobody_receives(tmp_path: Path) -> None:
    send = collective("send", 0, 1, **{"Dst Rank": "1"})
    folder = put(tmp_path / "p", profile(0, [send]), profile(1, []))
    with pytest.raises(NetloomError, match=r"NL-F010 .*from rank 0 to rank 1 there are 1 sends that nobody receives"):
        read_record(folder)


@pytest.mark.parametrize("number", ["9" * 5000, "\u00b2", "\u0661"])
@pytest.mark.parametrize("key", ["Process Group Ranks", "In split size", "Dst Rank"])
def test_digits_that_are_no_number(key: str, number: str, tmp_path: Path) -> None:
    """Python converts neither thousands of digits nor all that it calls a digit."""
    name = "send" if key == "Dst Rank" else "all_to_allv"
    folder = put(tmp_path / "p", *(profile(rank, [collective(name, 0, 1, **{key: number})]) for rank in range(2)))
    with contextlib.suppress(NetloomError):
        read_record(folder)
