"""Each tuning file, read by the rules of its own library, chooses what the table of times says, and nothing beyond."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from netloom.base.errors import NetloomError
from netloom.library import Communicator, run
from netloom.library.decide import table_of
from netloom.tuning import Timing, time_collective, winners
from netloom.tuning.reorder import split
from netloom.tuning.write import emit, write_files
from netloom.tuning.write.names import ompi, variants

RANKS = 16
#: Microseconds at 0 bytes, and nanoseconds for a byte.
Lines = dict[str, tuple[float, float]]


def timed(collective: str, lines: Lines, sizes: str = "1KiB:1MiB", ask: bool = True, ranks: int = RANKS) -> Timing:
    """Times on straight lines, the same at any size."""

    def at(call: str, size: int) -> float:
        start, slope = lines[call]
        return start * 1e-6 + slope * 1e-9 * size

    plain = {split(call)[0]: call for call in lines}

    def clock(net: Any, call: str, mapping: Any, size: int, root: int) -> dict[str, Any]:
        return {"time_s": at(plain[call], size)}

    found = time_collective(f"star({ranks})", collective, ranks=ranks, sizes=sizes, algorithms=list(lines), clock=clock)
    found.ask = at if ask else None
    return found


# What each library's documentation says of its file: the choice for a call, None where it decides by itself.


def chosen_by_ompi(text: str, ranks: int, size: int) -> int | None:
    """Open MPI's dynamic rules: the last communicator size and the last message size that are not above the call's."""
    numbers = iter([int(word) for line in text.splitlines() for word in line.partition("#")[0].split()])
    found: dict[int, int] = {}
    for _ in range(next(numbers)):
        number = next(numbers)
        for _ in range(next(numbers)):
            least_ranks, rules = next(numbers), next(numbers)
            lines = [[next(numbers) for _ in range(4)] for _ in range(rules)]
            assert [line[0] for line in lines] == sorted({line[0] for line in lines}) and lines[0][0] == 0
            if least_ranks <= ranks:
                found[number] = [line[1] for line in lines if line[0] <= size][-1]
    assert not list(numbers) and len(found) == 1
    return next(iter(found.values())) or None


def chosen_by_mpich(text: str, word: str, ranks: int, size: int) -> object:
    """MPICH's tree: the first member that holds, down to an algorithm."""
    node: Any = json.loads(text)[f"collective={word}"]
    own: Any = table_of("mpich")["selection"][f"collective={word}"]["comm_type=intra"]
    said = {"comm_size": ranks, "avg_msg_size": size, "total_msg_size": size * ranks, "count": size}
    while not next(iter(node)).startswith("algorithm="):
        node = node.get("comm_type=intra", node)
        if node == own:
            return None
        node = next(below for condition, below in node.items() if met(condition, said))
        if node == own:
            return None
    return next(iter(node)).removeprefix("algorithm=")


def met(condition: str, said: dict[str, int]) -> bool:
    for sign, holds in (("<=", int.__le__), ("<", int.__lt__)):
        word, found, number = condition.partition(sign)
        if found and (number.isdigit() or number == "pow2"):
            return bool(holds(said[word], 1 << said["comm_size"].bit_length() - 1 if number == "pow2" else int(number)))
    return condition.endswith(("=any", "=yes", "=pow2"))


def chosen_by_nccl(text: str, word: str, ranks: int, size: int) -> tuple[str, str] | None:
    """The example plug-in: the first row that matches, both ends included."""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        collective, low, high, algorithm, protocol, channels, nodes, of_ranks = line.split(",")
        assert int(low) <= int(high) and (channels, nodes) == ("-1", "-1")
        if collective == word and int(low) <= size <= int(high) and int(of_ranks) == ranks:
            return algorithm, protocol
    return None


def chosen_by_ucc(text: str, word: str, ranks: int, size: int) -> str | None:
    """UCC's score string: ranges without their end."""
    for part in text.partition("'")[2].partition("'")[0].split("#"):
        collective, span, _, of_ranks, _, algorithm = part.split(":")
        low, high = map(int, span.split("-"))
        assert low < high
        if collective == word and low <= size < high and of_ranks == f"[{ranks}-{ranks}]":
            return algorithm.removeprefix("@")
    return None


ALLREDUCE: Lines = {
    "allreduce:recursive-doubling": (1.0, 3.0),
    "allreduce:rabenseifner@bit-reversed": (4.0, 1.7),
    "allreduce:ring": (40.0, 1.6),
}


def test_open_mpi_and_mpich_choose_the_winner_at_every_size_timed() -> None:
    timing = timed("allreduce", ALLREDUCE)
    ids = {"recursive-doubling": 3, "rabenseifner@bit-reversed": 6, "ring": 4}
    text = emit([timing], "ompi")
    assert len({name for _, name, _ in winners(timing)}) == 3
    for size, name, _ in winners(timing):
        assert chosen_by_ompi(text, RANKS, size) == ids[name.partition(":")[2]], size
    own = {call: facts for call, facts in ALLREDUCE.items() if call != "allreduce:ring"}
    timing = timed("allreduce", own)
    tree = emit([timing], "mpich")
    algorithms = {"recursive-doubling": "recursive_doubling", "rabenseifner@bit-reversed": "reduce_scatter_allgather"}
    for size, name, _ in winners(timing):
        found = chosen_by_mpich(tree, "allreduce", RANKS, size)
        assert found == f"MPIR_Allreduce_intra_{algorithms[name.partition(':')[2]]}", size


def test_beyond_the_sizes_timed_every_library_decides_by_itself() -> None:
    timing = timed("allreduce", ALLREDUCE, "64KiB:1MiB")
    first, last = 64 << 10, 1 << 20
    text, tree = emit([timing], "ompi"), emit([timing], "mpich")
    rows = emit([timing], "nccl")
    ucc = emit([timed("allreduce", {"allreduce:ring": (1.0, 1.0)}, "64KiB:1MiB")], "ucc")
    for size in (0, 8, first - 1, last + 1, 1 << 40):
        assert chosen_by_ompi(text, RANKS, size) is None
        assert chosen_by_mpich(tree, "allreduce", RANKS, size) is None
        assert chosen_by_nccl(rows, "allreduce", RANKS, size) is None
        assert chosen_by_ucc(ucc, "allreduce", RANKS, size) is None
    for size in (first, last):
        assert chosen_by_ompi(text, RANKS, size) and chosen_by_nccl(rows, "allreduce", RANKS, size) == (
            "ring",
            "simple",
        )
        assert (
            chosen_by_mpich(tree, "allreduce", RANKS, size) and chosen_by_ucc(ucc, "allreduce", RANKS, size) == "ring"
        )
    for ranks in (RANKS - 1, RANKS + 1):
        assert chosen_by_ompi(text, ranks, first) is None and chosen_by_nccl(rows, "allreduce", ranks, first) is None
        assert chosen_by_mpich(tree, "allreduce", ranks, first) is None


def test_a_takeover_is_where_the_times_are_equal() -> None:
    # 1 + 3 s and 4 + 1.7 s meet at 2,307.7 bytes; the table has 2 and 4 KiB.
    text = emit([timed("allreduce", {call: ALLREDUCE[call] for call in list(ALLREDUCE)[:2]})], "ompi")
    assert [chosen_by_ompi(text, RANKS, size) for size in (2048, 2230, 2390, 4096)] == [3, 3, 6, 6]
    # A clock of measured times cannot be asked: the size at which the second one was measured.
    text = emit([timed("allreduce", {call: ALLREDUCE[call] for call in list(ALLREDUCE)[:2]}, ask=False)], "ompi")
    assert [chosen_by_ompi(text, RANKS, size) for size in (2048, 4095, 4096)] == [3, 3, 6]


@pytest.mark.parametrize("seed", range(8))
def test_between_sizes_the_choice_is_within_reach_of_the_best(seed: int) -> None:
    draw = random.Random(seed)
    lines: Lines = {call: (draw.uniform(1, 300), draw.uniform(0.2, 3)) for call in ALLREDUCE}
    timing = timed("allreduce", lines, "64B:4MiB")
    text, calls = emit([timing], "ompi"), {3: "recursive-doubling", 6: "rabenseifner@bit-reversed", 4: "ring"}
    assert timing.ask is not None
    for _ in range(100):
        size = int(2 ** draw.uniform(6, 22))
        chosen = chosen_by_ompi(text, RANKS, size)
        # Three lines may meet between two sizes that were timed: only the winners of both are compared.
        ends = {name for at, name, _ in winners(timing) if size / 2 <= at <= size * 2}
        best = min(timing.ask(name, size) for name in ends)
        assert chosen and timing.ask(f"allreduce:{calls[chosen]}", size) <= best * 1.035


def test_blocks_are_counted_as_each_library_counts_them() -> None:
    timing = timed("allgather", {"allgather:ring": (9.0, 1.0), "allgather:bruck": (1.0, 2.0)}, "1KiB:64KiB")
    ids, word = {"allgather:ring": 4, "allgather:bruck": 2}, "allgather"
    text, tree = emit([timing], "ompi"), emit([timing], "mpich")
    for size, name, _ in winners(timing):
        assert chosen_by_ompi(text, RANKS, size * RANKS) == ids[name]
        # MPICH's tree asks for the bytes of all ranks here.
        assert name.partition(":")[2] in str(chosen_by_mpich(tree, word, RANKS, size))
    pat = timed("allgather", {"allgather:ring": (90.0, 1.0), "allgather:pat": (1.0, 4.0)}, "1KiB:64KiB")
    rows = emit([pat], "nccl")
    for size, name, _ in winners(pat):
        total = size * RANKS
        # Below 64 KiB LL wins, of which nothing is known here.
        expected = None if total < 64 << 10 else (name.partition(":")[2], "simple")
        assert chosen_by_nccl(rows, "allgather", RANKS, total) == expected
    edges = [tuple(map(int, line.split(",")[1:3])) for line in rows.splitlines() if not line.startswith("#")]
    assert all(high + 1 == low for (_, high), (low, _) in pairwise(edges))


def test_rows_of_nccl_have_the_protocol_that_it_would_take() -> None:
    def protocol(call: str, size: int) -> str:
        return "ll" if size < 3000 else "ll128" if size < 5000 else "simple"

    for sizes in ("1KiB:64KiB", "1KiB,64KiB"):
        for collective, scale in (("allreduce", 1), ("allgather", RANKS)):
            timing = timed(collective, {f"{collective}:ring": (9.0, 1.0)}, sizes)
            timing.protocol = protocol
            rows = emit([timing], "nccl")
            for size in (1 << 10, 2999, 3000, 4999, 5000, 1 << 16):
                expected = ("ring", protocol("", size))
                assert chosen_by_nccl(rows, collective, RANKS, size * scale) == expected, (sizes, size)
    # An algorithm whose protocol is not known keeps Simple's sizes.
    timing.protocol = lambda call, size: ""
    assert chosen_by_nccl(emit([timing], "nccl"), "allgather", RANKS, RANKS << 10) is None


def test_protocols_are_those_of_the_model_of_nccl() -> None:
    net, algorithms = "rail_cluster(nodes=2)", ["allreduce:ring"]
    rows = emit([time_collective(net, "allreduce", algorithms=algorithms, sizes="4KiB,16MiB")], "nccl")
    at, found = Communicator(16, 8, 8, 50e9, 450e9, combines=True), set()
    for size in (1 << k for k in range(12, 25)):
        made = run("nccl", "allreduce", "ring", size, at)
        assert made and chosen_by_nccl(rows, "allreduce", 16, size) == ("ring", made.protocol), size
        found.add(made.protocol)
    assert found == {"ll", "ll128"}


def test_rows_of_nccl_have_no_end_before_their_beginning() -> None:
    for sizes in ("4MiB:8GiB", "8GiB", "6GiB,7GiB", "1KiB:16KiB"):
        lines: Lines = {"allgather:ring": (90.0, 1.0), "allgather:pat": (1.0, 1.0000001)}
        rows = emit([timed("allgather", lines, sizes)], "nccl")
        spans = [tuple(map(int, line.split(",")[1:3])) for line in rows.splitlines() if not line.startswith("#")]
        assert spans and all(low <= high for low, high in spans)
        assert spans[-1][1] == RANKS * timed("allgather", lines, sizes).sizes[-1]


def test_a_schedule_whose_ranks_the_library_turns_stands_for_it_until_that_is_timed() -> None:
    plain = "allreduce:rabenseifner"
    timing = timed("allreduce", {plain: (1.0, 1.0), "allreduce:ring": (9.0, 1.1)})
    text = emit([timing], "ompi")
    assert all(chosen_by_ompi(text, RANKS, size) == 6 for size in timing.sizes)
    assert "timed with other pairs of ranks" in text
    turned = timed("allreduce", {plain: (1.0, 1.0), f"{plain}@bit-reversed": (20.0, 1.2), "allreduce:ring": (9.0, 1.1)})
    text = emit([turned], "ompi")
    assert all(chosen_by_ompi(text, RANKS, size) == 4 for size in turned.sizes)
    assert [variants(library, "allreduce", plain, RANKS)[0].endswith("@bit-reversed") for library in ("ompi", "mpich")]
    assert variants("ompi", "allreduce", plain, 12) == [] and variants("nccl", "allreduce", plain, RANKS) == []


def test_one_library_without_the_algorithm_leaves_the_files_of_the_others(tmp_path: Path) -> None:
    said: list[str] = []
    swing: Lines = {"allreduce:swing": (1.0, 1.0), "allreduce:ring": (9.0, 1.1)}
    written = write_files([timed("allreduce", swing)], ["ompi", "mpich", "nccl"], tmp_path, said.append)
    assert [path.name for path, _ in written] == ["ompi-rules.conf", "nccl-tuner.csv"]
    assert any(line.startswith("mpich-selection.json is left out: allreduce") for line in said)
    assert any("lacks the fastest allreduce at 11 of 11 sizes" in line and "swing" in line for line in said)
    with pytest.raises(NetloomError, match="NL-D004"):
        write_files([timed("allreduce", {"allreduce:swing": (1.0, 1.0)})], ["ompi", "mpich", "nccl"], tmp_path)
    # A collective that the library's file has no place for does not hide the others.
    said.clear()
    both = [timed("allreduce", {"allreduce:ring": (1.0, 1.0)}), timed("alltoall", {"alltoall:pairwise": (1.0, 1.0)})]
    assert len(write_files(both, ["nccl"], tmp_path, said.append)) == 1
    assert said == ["nccl-tuner.csv has nothing for alltoall: it has none of the algorithms that were timed"]


def test_segments_keep_the_size_that_was_timed() -> None:
    call = "broadcast:chain(segments=4)"
    timing = timed("broadcast", {call: (1.0, 1.0), "broadcast:binomial": (0.5, 3.0)}, "64B:1KiB")
    text = emit([timing], "ompi")
    numbers = [line.split("#")[0].split() for line in text.splitlines() if "pipeline" in line]
    assert [(int(first), int(segment)) for first, _, _, segment in numbers[1:]] == [
        (size, size // 4) for size in timing.sizes if size > int(numbers[0][0])
    ]
    assert all(ompi("bcast", call, RANKS, size) == ("pipeline", size // 4) for size in timing.sizes)


def simulated(collective: str, algorithms: list[str]) -> Timing:
    return time_collective("torus(4,4)", collective, sizes="1KiB:256KiB", algorithms=algorithms)


def test_simulated_takeovers_are_crossings() -> None:
    timing = simulated("allreduce", ["allreduce:recursive-doubling", "allreduce:rabenseifner@bit-reversed"])
    ask: Callable[[str, int], float] | None = timing.ask
    assert ask is not None
    numbers = [line.partition("#")[0].split() for line in emit([timing], "ompi").splitlines() if "rabenseifner" in line]
    first = int(numbers[0][0])
    assert first not in timing.sizes
    doubling, halving = timing.algorithms()
    assert ask(halving, first) < ask(doubling, first) and ask(halving, first * 31 // 32) >= ask(
        doubling, first * 31 // 32
    )


def test_the_command_times_the_order_of_ranks_that_the_library_runs(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from netloom.cli.collectives import command

    words = ["-n", "ring(16)", "-c", "allreduce", "--algorithms", "allreduce:rabenseifner,allreduce:ring", "-q"]
    words += ["--sizes", "64KiB", "--emit", "ompi,ucc", "-o", str(tmp_path), "--json"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["collectives"][0]
    times = {row["algorithm"]: row["time_s"] for row in found["rows"]}
    assert set(times) == {"allreduce:rabenseifner", "allreduce:rabenseifner@bit-reversed", "allreduce:ring"}
    own = {6: times["allreduce:rabenseifner@bit-reversed"], 4: times["allreduce:ring"]}
    chosen = chosen_by_ompi((tmp_path / "ompi-rules.conf").read_text(), 16, 64 << 10)
    assert chosen == min(own, key=own.__getitem__)
