"""A machine from measurements that are made up from known constants: the constants come back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from netloom.base.errors import NetloomError
from netloom.machine.writing import dumps
from netloom.mpi.micro.compared import compared, measurements
from netloom.mpi.micro.fit import fitted
from netloom.mpi.micro.messages import sizes
from netloom.mpi.micro.places import Place, pairs, together
from netloom.mpi.micro.plan import units
from netloom.mpi.micro.rows import About, Found, Row, head, line, read
from netloom.mpi.micro.timing import ENOUGH, MOST, more, of

EAGER, SEND_S, RECEIVE_S, COPY_S = 4096, 2e-7, 3e-7, 1e-10
#: Latency and rate of messages up to the eager limit and beyond it, by level.
WAYS = {
    "cache": ((1e-7, 8e9), (1e-6, 2e10)),
    "node": ((4e-7, 4e9), (2e-6, 8e9)),
    "network": ((2e-6, 5e9), (6e-6, 1e10)),
}
ABOUT = About("calibrate", "Open MPI v4.1.4", 2, 1, 2, 2, 0.0, "node(cores=2)")
EVERY = sizes(1 << 22, middle=False)


def overhead_s(fixed_s: float, size: int) -> float:
    return fixed_s + (COPY_S * size if size <= EAGER else 0.0)


def one_way_s(level: str, size: int) -> float:
    latency_s, rate = WAYS[level][size > EAGER]
    return overhead_s(SEND_S, size) + latency_s + size / rate + overhead_s(RECEIVE_S, size)


def rows(level: str) -> list[Row]:
    """Of one pair: the exchange of both takes as long as two messages, as of cores that do the copies."""
    found = [Row("pingpong", one_way_s(level, size), size, level) for size in EVERY]
    found.append(Row("eager", 0.0, EAGER, level))
    for size in (1, 64, 512, 2048, 4000):
        found.append(Row("send", overhead_s(SEND_S, size), size, level))
        found.append(Row("receive", overhead_s(RECEIVE_S, size), size, level))
    return [*found, Row("exchange", 2 * one_way_s(level, 1 << 20), 1 << 20, level), Row("rate", 8e-7, 8, level)]


COMMON = [
    Row("copy", 1e-6, 1 << 15, "core"),
    Row("copy", 1e-2, 1 << 26, "core"),
    Row("combine", 4e-6, 1 << 15),
    Row("call", 7e-7, 4),
]
FOUND = Found(ABOUT, [*rows("cache"), *COMMON], "all", "made.jsonl")


def setting(found: Found, name: str) -> object:
    return fitted(found).machine.values[f"software.{name}"].value


def test_one_level_gives_its_constants_back() -> None:
    made = fitted(FOUND)
    assert setting(FOUND, "sender_returns_below_bytes") == EAGER + 1
    for name, fixed_s in (
        ("send_overhead", SEND_S),
        ("nonblocking_send_overhead", SEND_S),
        ("receive_overhead", RECEIVE_S),
    ):
        assert setting(FOUND, name) == [
            [0, pytest.approx(fixed_s - COPY_S), pytest.approx(COPY_S)], [EAGER + 1, pytest.approx(fixed_s), 0.0]
        ]  # fmt: skip
    (small, large), latency, caps = WAYS["cache"], setting(FOUND, "inside_latency"), setting(FOUND, "inside_flow_cap")
    assert isinstance(latency, list) and isinstance(caps, list)
    assert [latency[0][1], latency[-1][1]] == [pytest.approx(small[0], rel=0.01), pytest.approx(large[0], rel=0.01)]
    assert [caps[0][1], caps[-1][1]] == [pytest.approx(small[1], rel=0.01), pytest.approx(large[1], rel=0.01)]
    assert all(abs(error) < 1e-3 for error in made.residuals["cache"].values())
    assert setting(FOUND, "message_gap_s") == 8e-7
    assert setting(FOUND, "call_overhead_s") == 7e-7
    assert setting(FOUND, "copy_s_per_byte") == [[0, 1e-6 / 2**15], [int(2**20.5), 1e-2 / 2**26]]
    assert made.notes == ["one pair in a cache: what several pairs share there is not determined"]


def test_the_simulator_gives_the_measured_times_back(tmp_path: Path) -> None:
    """End to end: the machine that is written predicts the ping-pongs that it was made from."""
    path = tmp_path / "made.toml"
    path.write_text(dumps(fitted(FOUND).machine))
    measured = Found(replace(ABOUT, purpose="validate"), FOUND.of("pingpong"), "all", "made.jsonl")
    held = compared(measured, path)
    assert len(held.compared) == len(EVERY)
    assert held.score.worst < 0.01, [(one.row.bytes, one.ratio) for one in held.compared]


def test_an_exchange_takes_what_the_core_allows(tmp_path: Path) -> None:
    """Both copies of an exchange are of the same cores: the two messages take twice as long as one."""
    path = tmp_path / "made.toml"
    path.write_text(dumps(fitted(FOUND).machine))
    size, time_s = 1 << 22, one_way_s("cache", 1 << 22)
    row = Row("collective", time_s, size, name="exchange")
    (one,) = compared(Found(ABOUT, [row], "all"), path).compared
    # Two messages each way, of which all four share the two cores.
    assert one.predicted_s == pytest.approx(4 * size / 2e10, rel=0.02)


def test_each_level_has_its_own_settings() -> None:
    about = replace(ABOUT, ranks=8, nodes=2, ranks_per_node=4, cores=4, node="node(sockets=2,cores=2)")
    values = fitted(Found(about, [row for level in WAYS for row in rows(level)] + COMMON, "all")).machine.values
    for level, latency, cap in (
        ("cache", "cache_message_latency", "cache_flow_cap"),
        ("node", "inside_latency", "inside_flow_cap"),
        ("network", "message_latency", "flow_cap"),
    ):
        found = values[f"software.{latency}"].value, values[f"software.{cap}"].value
        assert isinstance(found[0], list) and isinstance(found[1], list)
        assert found[0][-1][1] == pytest.approx(WAYS[level][1][0], rel=0.02)
        assert found[1][-1][1] == pytest.approx(WAYS[level][1][1], rel=0.02)
    assert str(values["network"].value).startswith("star(2,")


def test_pairs_that_share_a_domain_find_its_memory() -> None:
    """Four pairs at a quarter of what one reaches alone: the domain is full with one message."""
    about = replace(ABOUT, ranks=8, ranks_per_node=8, cores=8, node="node(numa=2,cores=4)")
    several = [Row("pingpong", 4 * one_way_s("cache", size), size, "numa", 4) for size in (1 << 18, 1 << 20)]
    alone = [replace(row, level="numa") for row in rows("cache")]
    made = fitted(Found(about, [*alone, *several, *COMMON], "all"))
    node = str(made.machine.values["node"].value)
    rate = 2 * sum(size / one_way_s("cache", size) for size in (1 << 18, 1 << 20)) / 2
    assert float(node.split('numa_memory="')[1].split(" Gbps")[0]) == pytest.approx(8e-9 * rate, rel=0.1)


def test_pairs_that_do_not_disturb_each_other_find_none() -> None:
    about = replace(ABOUT, ranks=8, ranks_per_node=8, cores=8, node="node(numa=2,cores=4)")
    several = [Row("pingpong", one_way_s("cache", 1 << 20), 1 << 20, "numa", 4)]
    alone = [replace(row, level="numa") for row in rows("cache")]
    assert "numa_memory" not in str(fitted(Found(about, [*alone, *several], "all")).machine.values["node"].value)


def test_disturbed_times_are_not_fitted() -> None:
    wrong = [replace(row, time_s=30 * row.time_s, scatter=20.0) if row.bytes == 1 << 21 else row for row in FOUND.rows]
    made = fitted(replace(FOUND, rows=wrong))
    assert made.notes[0] == "1 of 24 ping-pongs were disturbed, and not fitted"
    assert all(abs(error) < 1e-3 for size, error in made.residuals["cache"].items() if size != 1 << 21)
    assert made.residuals["cache"][1 << 21] < -0.9


def test_overheads_that_exceed_a_message_are_scaled() -> None:
    """What is measured alone may be slower than in a ping-pong; no message may take less than its overheads."""
    slow = [replace(row, time_s=5 * row.time_s) if row.what == "receive" else row for row in FOUND.rows]
    made = fitted(replace(FOUND, rows=slow))
    assert made.residuals["cache"][1] == pytest.approx(0, abs=0.06)
    assert "exceeded the whole" in made.machine.values["software.send_overhead"].source


def test_too_few_sizes_are_refused() -> None:
    with pytest.raises(NetloomError, match="NL-I075"):
        fitted(replace(FOUND, rows=FOUND.of("pingpong")[:3]))


def test_a_file_gives_its_rows_back(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join([head(ABOUT), *map(line, FOUND.rows), '{"done": 1, "of": 2}', '{"end": "all"}']) + "\n")
    assert read(path) == FOUND


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[:-30], "NL-I074"),
        (lambda text: text.replace('"time_s": 8e-07', '"time_s": NaN'), "NL-I074"),
        (lambda text: text.replace('"what": "rate"', '"what": "speed"'), "NL-I074"),
        (lambda text: text.replace('"ranks": 2', '"ranks": -2'), "NL-I074"),
        (lambda text: text.replace('"netloom-measured": 1', '"netloom-measured": 7'), "NL-I074"),
        (lambda text: "", "NL-I074"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path, change: object, says: str) -> None:
    assert callable(change)
    path = tmp_path / "made.jsonl"
    path.write_text(change("\n".join([head(ABOUT), *map(line, FOUND.rows)])))
    with pytest.raises(NetloomError, match=says) as error:
        read(path)
    assert f"{path}:" in str(error.value)


def test_pairs_are_disjoint_and_of_their_level() -> None:
    places = [Place("a", core, core // 4, core // 2, core // 2) for core in range(8)]
    places += [replace(one, host="b") for one in places]
    assert pairs(places, "cache")[:2] == [(0, 1), (2, 3)]
    assert len(pairs(places, "cache")) == 8 and pairs(places, "numa") == []
    assert pairs(places, "socket")[:2] == [(0, 2), (1, 3)]
    assert len(pairs(places, "network")) == 8
    assert together(places, "cache", pairs(places, "cache")) == [(0, 1)]
    assert len(together(places, "network", pairs(places, "network"))) == 8
    assert [(level, len(members)) for level, members in units(places)] == [
        ("core", 1), ("cache", 2), ("socket", 4), ("node", 8),
    ]  # fmt: skip


def test_repetitions_end_in_time_but_not_before_some_were_undisturbed() -> None:
    assert more(9, 0.9, 1.0) == 9, "few: four times the time"
    assert more(ENOUGH, 1.0, 1.0) == 0
    assert more(MOST, 1e-6, 1.0) == 0
    assert of([1.0] * 8 + [5.0] * 2).seconds == 1.0


def test_sizes_of_validation_are_none_of_calibration() -> None:
    assert not set(sizes(1 << 22, middle=True)) & set(EVERY)
    rows = [Row("pingpong", 1e-6, 8, "network"), Row("collective", 1e-6, 8, name="allreduce")]
    made = measurements(Found(ABOUT, rows, "all", "x"))
    assert [(one.collective, one.nodes, one.ranks_per_node, one.algorithm) for one in made] == [
        ("pingpong", 2, 1, ""), ("allreduce", 1, 2, "default"),
    ]  # fmt: skip
