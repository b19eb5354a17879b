"""What benchmarks print becomes rows with netloom's names and sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from netloom import measured
from netloom.measured import Measurement, PairMatrix

DATA = Path(__file__).parents[1] / "data" / "measured"
#: The public sets of measurements, where this machine has them next to the checkout.
PUBLIC = Path(__file__).parents[3] / "shared" / "reference" / "measured"
ON = {"nodes": 4, "ranks_per_node": 2}


def short(row: Measurement) -> tuple[str, str, int, int, int, float]:
    return row.collective, row.algorithm, row.nodes, row.ranks_per_node, row.bytes, row.time_s


def us(time: float) -> float:
    return pytest.approx(time * 1e-6, rel=1e-12)


def test_osu_collectives_have_average_times() -> None:
    found = measured.read(DATA / "osu_allreduce.txt", **ON)
    assert found.tool == "OSU micro-benchmarks"
    assert [short(row) for row in found.rows] == [
        ("allreduce", "default", 4, 2, 4, us(11.02)),
        ("allreduce", "default", 4, 2, 1024, us(14.75)),
        ("allreduce", "default", 4, 2, 65536, us(81.40)),
        ("allreduce", "default", 4, 2, 1048576, us(702.31)),
    ]
    assert found.rows[0].place == f"{DATA / 'osu_allreduce.txt'}:5"


def test_osu_counts_a_block_but_the_whole_of_reduce_scatter() -> None:
    found = measured.read(DATA / "osu_more.txt", **ON)
    assert [short(row) for row in found.rows] == [
        ("alltoall", "default", 4, 2, 1, us(20.10)),
        ("alltoall", "default", 4, 2, 4096, us(95.22)),
        ("reduce-scatter", "default", 4, 2, 512, us(33.10)),
        ("barrier", "default", 4, 2, 0, us(9.87)),
    ]
    assert [one.reason for one in found.dropped] == [
        "4 B do not divide among 8 ranks",
        "the test 'multiple bandwidth / message rate' is not read: blocking collectives, osu_latency and osu_bw are",
    ]


@pytest.mark.parametrize(("said", "where"), [({}, (2, 1)), (ON, (2, 1)), ({"nodes": 1}, (1, 2))])
def test_a_pair_is_on_two_nodes_unless_there_is_one(said: dict[str, int], where: tuple[int, int]) -> None:
    found = measured.read(DATA / "osu_pairs.txt", **said)
    assert [short(row) for row in found.rows] == [
        ("pingpong", "", *where, 0, us(1.52)),
        ("pingpong", "", *where, 8, us(1.54)),
        ("pingpong", "", *where, 65536, us(11.80)),
        ("bandwidth", "", *where, 8, pytest.approx(8 / 9.31e6)),
        ("bandwidth", "", *where, 1048576, pytest.approx(1048576 / 11890.44e6)),
    ]


@pytest.mark.parametrize("said", [ON, {"nodes": 4}, {"ranks_per_node": 2}])
def test_imb_tells_its_processes(said: dict[str, int]) -> None:
    found = measured.read(DATA / "imb.txt", **said)
    assert [short(row) for row in found.rows] == [
        ("pingpong", "", 2, 1, 0, us(1.43)),
        ("pingpong", "", 2, 1, 1024, us(2.21)),
        ("allgather", "default", 4, 2, 8, us(7.35)),
        ("allgather", "default", 4, 2, 1024, us(12.11)),
        ("reduce-scatter", "default", 4, 2, 128, us(10.11)),
        ("barrier", "default", 4, 2, 0, us(5.32)),
    ]
    assert [one.reason for one in found.dropped] == [
        "2 of 8 processes: where they ran is not told",
        "0 bytes: nothing is sent",
        "4 B do not divide among 8 ranks",
    ]
    assert not found.notes


def test_nccl_tests_tell_where_they_ran() -> None:
    found = measured.read(DATA / "nccl.txt")
    assert [short(row) for row in found.rows] == [
        ("allreduce", "default", 2, 2, 1024, us(22.41)),
        ("allreduce", "default", 2, 2, 1048576, us(61.02)),
        ("allreduce", "default", 2, 2, 1 << 30, us(17150)),
        ("alltoall", "default", 2, 2, 256, us(24.10)),
    ]
    assert {(row.library, row.memory) for row in found.rows} == {("nccl 2.29.2", "gpu")}
    # What was wrong in place alone says nothing of the times out of place.
    assert [one.reason for one in found.dropped] == ["verification failed: 3 wrong"]
    assert found.notes == ("of times out of place and in place those out of place were taken",)


@pytest.mark.parametrize(
    ("name", "of", "size"),
    [
        ("all_gather", "allgather", 256),
        ("reduce_scatter", "reduce-scatter", 256),
        ("gather", "gather", 256),
        ("scatter", "scatter", 256),
        ("alltoall", "alltoall", 256),
        ("broadcast", "broadcast", 1024),
        ("reduce", "reduce", 1024),
        ("sendrecv", "sendrecv", 1024),
    ],
)
def test_sizes_of_nccl_tests(name: str, of: str, size: int) -> None:
    text = (DATA / "nccl.txt").read_text().partition("  1048576  ")[0].replace("all_reduce", name)
    (row,) = measured.read_bytes("log", f"{text}\n# Avg bus bandwidth    : 0.07\n".encode()).rows
    assert (row.collective, row.bytes) == (of, size)


def test_in_place_times_are_taken_where_there_are_no_others() -> None:
    text = (DATA / "nccl.txt").read_text().partition("# Collective test starting: alltoall")[0]
    for out in ("22.41    0.05    0.07      0", "61.02   17.18   25.78      0", "17150   62.61   93.91      0"):
        text = text.replace(out, "N/A N/A N/A N/A")
    found = measured.read_bytes("log", text.encode())
    assert [row.time_s for row in found.rows] == [us(22.38), us(60.77)]
    assert found.notes == ("of times out of place and in place those in place were taken",)
    mixed = text.replace("N/A N/A N/A N/A", "22.41 0.05 0.07 0", 1)
    found = measured.read_bytes("log", mixed.encode())
    assert [row.time_s for row in found.rows] == [us(22.41)]
    assert "in place is another measurement" in found.dropped[0].reason


@pytest.mark.parametrize(
    "text",
    [
        "# GB/s\n  D\\D   0    1   2\n 0 900 40 41\n 1 42 900 43\n 2 44 45 900\n",
        "GB/s\n 0 1 2\n0 - 40 41\n1 42 - 43\n2 44 45 -\n",
        "# GB/s\n0,40,41\n42,0,43\n44,45,0\n",
    ],
)
def test_matrices_with_numbers_for_names(text: str) -> None:
    (matrix,) = measured.read_bytes("m", text.encode()).pairs
    assert matrix.nodes == ("0", "1", "2")
    assert matrix.bytes_per_s == ((None, 40e9, 41e9), (42e9, None, 43e9), (44e9, 45e9, None))


def test_lines_between_rows_are_passed_over() -> None:
    text = (DATA / "nccl.txt").read_text().replace("node01:4101", "2026-11-26 12:00:01 node01: up\nnode01:4101")
    assert len(measured.read_bytes("log", text.encode()).rows) == 4


def test_capitals_in_a_header_are_no_other_columns() -> None:
    text = (DATA / "own.csv").read_text().replace("time_s,collective", "Time_s,Collective")
    assert measured.read_bytes("log", text.encode()).rows


def test_an_old_log_of_nccl_tests_needs_its_collective() -> None:
    text = (DATA / "nccl.txt").read_text().partition("# Collective test starting: alltoall")[0]
    old = text.replace("# Collective test starting: all_reduce_perf\n", "").replace("#wrong", " error").encode()
    found = measured.read_bytes("log", old, collective="all_reduce")
    assert [row.collective for row in found.rows] == ["allreduce"] * 3


def test_the_json_of_nccl_tests_says_the_same() -> None:
    found = measured.read(DATA / "nccl.json")
    assert [(*short(row), row.library) for row in found.rows] == [
        ("allgather", "default", 2, 1, 512, us(20.5), "nccl 2.29.2"),
        ("allgather", "default", 2, 1, 1 << 29, us(11340.2), "nccl 2.29.2"),
    ]
    assert found.rows[1].place.endswith("nccl.json, results 2")
    assert [one.reason for one in found.dropped] == ["verification failed: 7 wrong"]


def test_tests_of_an_old_version_are_told_apart_by_their_commands() -> None:
    table = (DATA / "nccl.txt").read_text().partition("# Collective test starting: alltoall")[0]
    one = table[table.index("# nThread") :]
    two = one.replace("25.78", "12.89").replace("93.91", "46.96")
    text = f"+ srun all_reduce_perf -b 1K\n{one}+ srun all_gather_perf -b 1K\n{two}"
    found = measured.read_bytes("log", text.encode())
    assert [row.collective for row in found.rows] == ["allreduce"] * 3 + ["allgather"] * 3


def test_reprompi_gives_medians_of_bytes() -> None:
    found = measured.read(DATA / "reprompi.txt", nodes=4)
    assert [short(row) for row in found.rows] == [
        ("allreduce", "default", 4, 2, 4, us(8.1)),
        ("allreduce", "default", 4, 2, 1024, us(12.1)),
    ]
    found = measured.read(DATA / "reprompi_summary.txt", nodes=4)
    assert [short(row) for row in found.rows] == [
        ("broadcast", "default", 4, 2, 1024, us(6.1)),
        ("allgather", "default", 4, 2, 1024, us(14.1)),
    ]


def test_pico_has_the_catalogues_names_and_netlooms_sizes() -> None:
    found = measured.read(DATA / "pico.csv")
    assert [(*short(row)[:5], row.library, row.memory) for row in found.rows] == [
        ("allreduce", "ring", 16, 1, 1048576, "pico on ompi 4.1.6", "host"),
        ("allreduce", "rabenseifner", 16, 1, 1048576, "ompi 4.1.6", "host"),
        ("allreduce", "default", 16, 1, 1048576, "ompi 4.1.6", "host"),
        ("allreduce", "swing", 16, 1, 1048576, "pico on ompi 4.1.6", "host"),
        ("allgather", "ring", 16, 1, 65536, "ompi 4.1.6", "host"),
        ("reduce-scatter", "ring", 10, 1, 104856, "pico on ompi 4.1.6", "host"),
        ("broadcast", "k-ary(k=2,segments=1)", 16, 1, 4096, "ompi 4.1.6", "host"),
        ("allreduce", "chained-trees", 2, 4, 1048576, "nccl", "gpu"),
        ("allreduce", "recursive-doubling", 2, 4, 4096, "cray-mpich 8.1.29", "host"),
    ]
    assert [(one.place.rpartition(":")[2], one.reason.partition(",")[0]) for one in found.dropped] == [
        ("6", "allreduce has no algorithm 'bine_bdw_remap_segmented_over' in the catalogue"),
        ("8", "32 B are less than an element for each of 16 ranks"),
        ("13", "Cray MPICH chooses the algorithm itself from 8 KiB on"),
    ]


def test_own_table_in_any_order_of_columns() -> None:
    found = measured.read(DATA / "own.csv")
    assert [short(row) for row in found.rows] == [
        ("allreduce", "ring", 8, 2, 1024, 2.1e-5),
        ("broadcast", "default", 8, 2, 1024, 1.9e-5),
        ("barrier", "default", 8, 2, 0, 9.5e-6),
        ("pingpong", "", 2, 1, 8, 1.6e-6),
    ]
    assert found.notes == ("not read: column operator",)
    assert [one.reason for one in found.dropped] == [
        "reduce-scatter has no algorithm 'segmented' in the catalogue",
        "400 ns: below 1 µs between nodes measures nothing",
    ]


@pytest.mark.parametrize("name", ["own.csv", "pico.csv", "nccl.txt", "osu_pairs.txt"])
def test_what_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    rows = measured.read(DATA / name).rows
    measured.write_csv(tmp_path / "rows.csv", rows)
    back = measured.read(tmp_path / "rows.csv").rows
    assert [(short(row), row.library, row.memory) for row in back] == [
        (short(row), row.library, row.memory) for row in rows
    ]


def test_missing_columns_may_be_options() -> None:
    text = b"bytes;time_s\n8;1e-5\n"
    (row,) = measured.read_bytes("a.csv", text, nodes=4, ranks_per_node=2, collective="bcast", algorithm="linear").rows
    assert short(row) == ("broadcast", "linear", 4, 2, 8, 1e-5)


def test_algorithms_go_by_alias_and_with_parameters() -> None:
    lines = ["segmented-ring(segments=8)", "allreduce:ring", "ompi:allreduce:rabenseifner", "mpich:bcast:binomial"]
    text = "collective,algorithm,nodes,ranks_per_node,bytes,time_s\n"
    text += "".join(f'allreduce,"{name}",4,1,1024,1e-4\n' for name in lines)
    found = measured.read_bytes("a.csv", text.encode())
    assert [row.algorithm for row in found.rows] == ["segmented-ring(segments=8)", "ring", "rabenseifner"]
    assert len(found.dropped) == 1


def test_matrices_of_pairs() -> None:
    one, eight = measured.read(DATA / "pairs.csv").pairs
    assert (one.collective, one.nodes, one.ranks_per_node) == ("alltoall", ("n1", "n2", "n10"), 1)
    assert one.bytes_per_s == ((None, 44.2e9, 43.9e9), (44.2e9, None, 21.7e9), (43.9e9, 21.7e9, None))
    assert (eight.nodes, eight.ranks_per_node) == (("n1", "n2"), 8)
    (square,) = measured.read(DATA / "matrix.txt").pairs
    assert square.nodes == ("n1", "n2", "n3")
    assert square.bytes_per_s[1] == (44.0e9, None, 21.7e9)


def test_a_symmetric_matrix_without_names_has_all_its_rows() -> None:
    """Its first row is its first column: these are no names."""
    (square,) = measured.read_bytes("m.txt", b"# GB/s\n- 45 20\n45 - 20\n20 20 -\n").pairs
    assert square.nodes == ("0", "1", "2")
    assert square.bytes_per_s[2] == (20e9, 20e9, None)


@pytest.mark.parametrize(("unit", "bytes_per_s"), [("GB/s", 40e9), ("Gb/s", 5e9), ("GiB/s", 40 * 2.0**30)])
def test_a_small_b_is_a_bit(unit: str, bytes_per_s: float) -> None:
    (matrix,) = measured.read_bytes("m", f"0 40\n40 0\n# {unit}\n".encode()).pairs
    assert matrix.bytes_per_s[0][1] == bytes_per_s
    (other,) = measured.read_bytes("m", b"0 40\n40 0\n", unit=unit).pairs
    assert other.bytes_per_s == matrix.bytes_per_s


@pytest.mark.parametrize("name", ["osu_allreduce.txt", "imb.txt", "nccl.txt", "reprompi.txt", "own.csv", "matrix.txt"])
@pytest.mark.parametrize("dress", ["crlf", "mark", "mpirun", "prrte", "srun", "hydra", "colours", "stderr"])
def test_what_surrounds_a_log_changes_nothing(name: str, dress: str) -> None:
    plain, said = (DATA / name).read_text(), ON if name in ("osu_allreduce.txt", "imb.txt", "reprompi.txt") else {}
    lines = plain.splitlines()
    dressed = {
        "crlf": "".join(f"{line}\r\n" for line in lines),
        "mark": f"\ufeff{plain}",
        "mpirun": "".join(f"[1,0]<stdout>:{line}\n" for line in lines),
        "prrte": "".join(f"[prterun-n1-77@1,0]<stdout>: {line}\n" for line in lines),
        "srun": "".join(f" 0: {line}\n" for line in lines),
        "hydra": "".join(f"[0] {line}\n" for line in lines),
        "colours": "".join(f"\x1b[32m{line}\x1b[0m\n" for line in lines),
        "stderr": "".join(f"{line}\n[1,3]<stderr>:99 0.1\n" for line in lines),
    }[dress]
    want, got = measured.read_bytes("f", plain.encode(), **said), measured.read_bytes("f", dressed.encode(), **said)
    assert [short(row) for row in got.rows] == [short(row) for row in want.rows]
    assert [one.bytes_per_s for one in got.pairs] == [one.bytes_per_s for one in want.pairs]
    assert len(got.rows) + len(got.pairs) > 0


@pytest.mark.parametrize(("name", "used"), [("fugaku", 747), ("leonardo", 1046), ("lumi", 410), ("mare_nostrum", 388)])
def test_public_results_of_pico_are_read(name: str, used: int) -> None:
    path = PUBLIC / "pico" / f"{name}.csv"
    if not path.exists():
        pytest.skip("the public measurements are not next to the checkout")
    found = measured.read(path)
    lines = len(path.read_text().splitlines()) - 1
    assert len(found.rows) + len(found.dropped) == lines
    assert len(found.rows) == used and all(one.reason for one in found.dropped)
    assert {row.collective for row in found.rows} >= {"allreduce", "allgather", "reduce"}


def test_public_rates_of_pairs_are_read() -> None:
    path = PUBLIC / "nccl-h100-pairs" / "pair_matrix_cluster01.csv"
    if not path.exists():
        pytest.skip("the public measurements are not next to the checkout")
    matrices = measured.read(path).pairs
    assert {(one.collective, one.ranks_per_node) for one in matrices} == {
        (of, each) for of in ("alltoall", "sendrecv") for each in (1, 2, 4, 8)
    }
    assert all(isinstance(one, PairMatrix) and len(one.nodes) == 10 for one in matrices)
