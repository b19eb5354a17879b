"""Tables of times, winners, layouts and tuning files, on a clock of the test's own."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.base.sizes import parse_sizes
from netloom.tuning import switch_points, time_collective, winners
from netloom.tuning.bandwidth import bus_factor, total_bytes
from netloom.tuning.benchmark_text import benchmark_text
from netloom.tuning.reorder import reversed_ranks, split
from netloom.tuning.tables import Timing
from netloom.tuning.write import emit, write_files
from netloom.tuning.write.names import aliased, calls, canonical, ompi

ALPHA, BETA = 1e-6, 1e-9


def steps_and_bytes(net: Any, call: str, mapping: Any, size: int, root: int) -> dict[str, Any]:
    """A clock by hand: a microsecond per step and a nanosecond per byte that the busiest rank sends."""
    counts = netloom.workload(call, len(mapping), root=root, size_bytes=size).verify()
    time_s = ALPHA * counts["steps"] + BETA * counts["max_bytes_sent"]
    return {"time_s": time_s, "finish_s": [time_s] * (len(mapping) - 1) + [time_s / 2]}


def timed(collective: str = "allreduce", **options: Any) -> Timing:
    chosen: dict[str, Any] = {"ranks": 8, "sizes": "256B:1MiB", "clock": steps_and_bytes, **options}
    return time_collective("torus(4,4)", collective, **chosen)


def test_sizes_are_powers_of_two_or_a_list() -> None:
    assert parse_sizes("256B:1KiB") == [256, 512, 1024]
    assert parse_sizes("3:20") == [3, 6, 12]
    assert parse_sizes("1KiB, 4,4") == [4, 1024]
    assert parse_sizes([8, "2KiB"]) == [8, 2048]
    for wrong in ("", "4:2", "0:8", ",", [], list(range(1, 70))):
        with pytest.raises(NetloomError, match="NL-D002"):
            parse_sizes(wrong)
    with pytest.raises(NetloomError, match="NL-A008"):
        parse_sizes("4:big")


def test_every_registered_algorithm_is_timed_or_left_out_with_the_reason() -> None:
    for ranks in (7, 8):
        timing = timed(ranks=ranks)
        rows = [row["name"] for row in netloom.catalogue("collectives") if row["name"].startswith("allreduce:")]
        assert sorted([*timing.algorithms(), *timing.left_out]) == sorted(rows)
        assert ("allreduce:swing-all-ports" in timing.left_out) == (ranks == 7)
    assert "even" in timed(ranks=7).left_out["allreduce:swing-all-ports"]


def test_the_winner_is_the_least_time_and_switches_once_from_doubling_to_halving() -> None:
    timing = timed(algorithms=["allreduce:recursive-doubling", "allreduce:rabenseifner", "allreduce:ring"])
    for size in timing.sizes:
        rows = timing.table.where({"size_bytes": size}).rows
        assert [row["algorithm"] for row in rows if row["winner"]] == [
            min(rows, key=lambda r: r["time_s"])["algorithm"]
        ]
    # 3 steps and 3 n bytes against 6 steps and 1.75 n: equal at 3 us / 1.25 ns = 2,400 bytes.
    assert switch_points(timing) == [(256, "allreduce:recursive-doubling"), (4096, "allreduce:rabenseifner")]
    assert [name for _, name, _ in winners(timing, ["allreduce:ring"])] == ["allreduce:ring"] * len(timing.sizes)


def test_bandwidths_are_those_of_nccl_tests() -> None:
    assert bus_factor("allreduce", 8) == 1.75 and bus_factor("allgather", 8) == 0.875
    assert bus_factor("broadcast", 8) == bus_factor("reduce", 8) == 1
    assert total_bytes("allgather", 8, 100) == 800 and total_bytes("allreduce", 8, 100) == 100
    row = timed(algorithms=["allreduce:ring"], sizes=[1 << 20]).table.rows[0]
    assert row["algbw_bytes_per_s"] == pytest.approx((1 << 20) / row["time_s"])
    assert row["busbw_bytes_per_s"] == pytest.approx(1.75 * row["algbw_bytes_per_s"])
    assert row["bound_percent"] == pytest.approx(100 * row["bound_s"] / row["time_s"])


def test_what_cannot_be_timed() -> None:
    with pytest.raises(NetloomError, match=r"NL-D001.*bcsat"):
        timed("bcsat")
    with pytest.raises(NetloomError, match=r"NL-D001.*no algorithm of allreduce"):
        timed(algorithms=["broadcast:binomial"])
    with pytest.raises(NetloomError, match="NL-D003"):
        timed(ranks=7, algorithms=["allreduce:swing-all-ports"])
    with pytest.raises(NetloomError, match="NL-A00"):
        timed(algorithms=["allreduce:rnig"])


def test_progress_counts_every_simulation() -> None:
    seen: list[tuple[int, int]] = []
    timed(sizes="1KiB:4KiB", algorithms=["allreduce:ring"], progress=lambda *done: seen.append(done))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_layouts_have_the_columns_that_scripts_cut() -> None:
    timing = timed(sizes=[1024], algorithms=["allreduce:ring"])
    time_us = 1e6 * (timing.time_s("allreduce:ring", 1024) or 0)
    osu = [line for line in benchmark_text(timing, "osu").splitlines() if not line.startswith("#")]
    assert len(osu) == 1 and len(osu[0]) == 10 + 4 * 20
    size, mean, first, last, repetitions = osu[0].split()
    assert (size, repetitions) == ("1024", "1") and float(last) == pytest.approx(time_us, abs=0.005)
    assert float(first) == pytest.approx(time_us / 2, abs=0.005) and float(first) < float(mean) < float(last)
    imb = [line for line in benchmark_text(timing, "imb").splitlines() if line and not line.startswith("#")]
    heads = next(line for line in benchmark_text(timing, "imb").splitlines() if "#repetitions" in line)
    assert heads.split() == ["#bytes", "#repetitions", "t_min[usec]", "t_max[usec]", "t_avg[usec]"]
    rows = [line.split() for line in imb if line.split()[0] == "1024"]
    assert rows == [["1024", "1", first, last, mean]]
    nccl = [line.split() for line in benchmark_text(timing, "nccl").splitlines() if not line.startswith("#")]
    assert nccl[0][:5] == ["1024", "1024", "uint8", "sum", "-1"] and len(nccl[0]) == 13
    assert float(nccl[0][5]) == pytest.approx(time_us, abs=0.05)
    assert float(nccl[0][7]) == pytest.approx(1.75 * float(nccl[0][6]), abs=0.02)
    with pytest.raises(NetloomError, match="NL-D001"):
        benchmark_text(timing, "oso")


@pytest.mark.parametrize("size", [1024, 64 << 10, 8 << 20, 2 << 30, 1 << 40])
def test_columns_of_nccl_tests_stay_apart_and_as_precise_as_theirs(size: int) -> None:
    """Two places of a microsecond below 100, one below 10,000, none above; a column is as wide as it must be."""
    timing = timed(sizes=[size], algorithms=["allreduce:ring"])
    row = next(line for line in benchmark_text(timing, "nccl").splitlines() if not line.startswith("#")).split()
    # A ring of 8: 14 steps, in each an eighth of the data.
    time_us = 1e6 * (14 * ALPHA + 14 / 8 * size * BETA)
    written = f"{time_us:.{2 if time_us < 100 else 1 if time_us < 10_000 else 0}f}"
    rate = size / time_us / 1e3
    result = [written, f"{rate:.2f}", f"{1.75 * rate:.2f}", "N/A"]
    assert row == [str(size), str(size), "uint8", "sum", "-1", *result, *result]


def test_open_mpi_s_names_of_our_schedules() -> None:
    assert ompi("allreduce", "allreduce:ring", 8, 1024) == ("ring", 0)
    assert ompi("allreduce", "allreduce:segmented-ring(segments=4)", 8, 1024) == ("segmented_ring", 32)
    assert ompi("bcast", "broadcast:chain(segments=1)", 8, 1000) == ("pipeline", 0)
    assert ompi("bcast", "broadcast:k-ary(k=2,segments=4)", 8, 1000) == ("binary_tree", 250)
    assert ompi("bcast", "broadcast:k-ary(k=3,segments=4)", 8, 1000) is None
    assert ompi("bcast", "broadcast:k-nomial(k=4)", 8, 1000) == ("knomial", 0)
    assert ompi("bcast", "broadcast:k-nomial(k=3)", 8, 1000) is None
    # Open MPI shifts where we may exchange.
    assert ompi("alltoall", "alltoall:pairwise(partner=shift)", 8, 8) == ("pairwise", 0)
    assert ompi("allreduce", "allreduce:swing", 8, 8) is None
    assert aliased("nccl", "allgather:pat") == "pat" and aliased("nccl", "allreduce:swing") is None


def test_reversed_bits() -> None:
    assert reversed_ranks(8).tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
    turned = reversed_ranks(8, root=3)
    assert turned[3] == 3 and sorted(turned) == list(range(8)) and turned[4] == (3 + 4) % 8
    timing = timed("broadcast", algorithms=["broadcast:binomial", "broadcast:binomial@bit-reversed"], sizes=[64])
    assert timing.algorithms() == ["broadcast:binomial", "broadcast:binomial@bit-reversed"]
    timing = timed(ranks=6, algorithms=["allreduce:ring", "allreduce:rabenseifner@bit-reversed"], sizes=[64])
    assert timing.left_out == {"allreduce:rabenseifner@bit-reversed": "a power of two"}


def numbers(text: str) -> list[int]:
    return [int(word) for line in text.splitlines() for word in line.partition("#")[0].split()]


def test_open_mpi_s_rules_say_when_to_leave_the_fixed_decision() -> None:
    timing = timed(algorithms=["allreduce:recursive-doubling", "allreduce:rabenseifner@bit-reversed"])
    fixed = [1, 0, 0, 0, 0]
    timed_sizes = [0, 0, 0, 0, 256, 3, 0, 0, 4096, 6, 0, 0, 1048577, 0, 0, 0]
    wanted = [1, 2, 3, 0, *fixed, 8, 4, *timed_sizes, 9, *fixed]
    assert numbers(emit([timing], "ompi")) == wanted
    # Blocks: the file counts the bytes of all ranks.
    timing = timed("allgather", algorithms=["allgather:bruck", "allgather:ring"], sizes=[64, 1 << 20])
    chosen = [name for _, name in switch_points(timing)]
    ids = {"allgather:bruck": 2, "allgather:ring": 4}
    assert numbers(emit([timing], "ompi"))[:2] == [1, 0] and all(name in ids for name in chosen)


def test_mpich_s_tree_keeps_its_own_choices_elsewhere() -> None:
    timing = timed(algorithms=["allreduce:recursive-doubling", "allreduce:rabenseifner@bit-reversed"])
    tree = json.loads(emit([timing], "mpich"))
    intra = tree["collective=allreduce"]["comm_type=intra"]
    assert list(intra) == ["comm_size<=7", "comm_size<=8", "comm_size=any"]
    assert intra["comm_size<=7"] == intra["comm_size=any"]
    ours = intra["comm_size<=8"]
    assert list(ours) == ["avg_msg_size<256", "avg_msg_size<4096", "avg_msg_size<=1048576", "avg_msg_size=any"]
    assert ours["avg_msg_size<256"] == ours["avg_msg_size=any"] == intra["comm_size=any"]
    assert ours["avg_msg_size<4096"] == {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}
    large = ours["avg_msg_size<=1048576"]["is_op_built_in=yes"]["count=any"]
    assert large == {"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {}}
    assert tree["collective=ibcast"] and tree["collective=allreduce"]["comm_type=inter"]
    assert len(tree) == len(json.loads(emit([timed("alltoall")], "mpich")))


def test_nccl_s_ranges_meet_without_gap_or_overlap() -> None:
    timing = timed("allgather", algorithms=["allgather:pat", "allgather:ring"], sizes="64:64KiB")
    rows = [line.split(",") for line in emit([timing], "nccl").splitlines() if not line.startswith("#")]
    assert rows[0][1] == "65536" and rows[-1][2] == str(8 * 65536)
    assert all(int(b[1]) == int(a[2]) + 1 for a, b in pairwise(rows))
    assert {row[0] for row in rows} == {"allgather"} and {row[3] for row in rows} <= {"pat", "ring"}
    assert all(row[4:] == ["simple", "-1", "-1", "8"] for row in rows)


def test_ucc_s_string() -> None:
    timing = timed(algorithms=["allreduce:recursive-exchange(k=4)", "allreduce:ring"])
    text = emit([timing], "ucc")
    parts = text.removeprefix("export UCC_TL_UCP_TUNE='").removesuffix("'\n").split("#")
    assert parts[0].startswith("allreduce:256-") and parts[-1].split(":")[1].endswith("-1048577")
    assert [part.rpartition("@")[2] for part in parts] == ["knomial", "ring"]
    assert all(part.split(":")[2:5] == ["host", "[8-8]", "inf"] for part in parts)


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    timing = timed(algorithms=["allreduce:swing"])
    with pytest.raises(NetloomError, match="NL-D004"):
        write_files([timing], ["ucc"], tmp_path)
    timing = timed(algorithms=["allreduce:ring", "allreduce:rabenseifner@bit-reversed"])
    with pytest.raises(NetloomError, match="NL-D001"):
        write_files([timing], ["ompi", "ompii"], tmp_path)
    assert list(tmp_path.iterdir()) == []
    written = write_files([timing], ["ompi", "mpich", "nccl", "ucc"], tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path, _ in written)
    assert emit([timing], "ompi").encode() == (tmp_path / "ompi-rules.conf").read_bytes()


@pytest.mark.parametrize("library", ["ompi", "mpich", "nccl", "ucc"])
def test_all_that_a_library_has_can_be_timed(library: str) -> None:
    for collective in ("allgather", "allreduce", "alltoall", "broadcast", "reduce", "reduce-scatter"):
        for call in calls(library, collective, 8):
            assert canonical(call) == call
            netloom.workload(split(call)[0], 8, size_bytes=64)
