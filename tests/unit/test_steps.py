"""Steps on groups of ranks: closed forms, hand-written programs, sums of traffic."""

from __future__ import annotations

import itertools
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.workload import messages
from netloom.workload.groups import Groups

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "steps").glob("*.toml"))
RING = {"workload": "allreduce:ring", "size": "1 MiB"}
PAIRWISE = {"workload": "alltoall:pairwise", "size": "64 KiB"}
#: Sums and closed forms know no time of software.
simulate = partial(netloom.simulate, calibration="pure")


def steps(ranks: int, *step: dict[str, Any], **more: Any) -> netloom.Programs:
    return netloom.steps({"ranks": ranks, "step": list(step), **more})


def time_s(workload: Any, network: str = "star(8)", **more: Any) -> float:
    return float(simulate(network, workload=workload, **more)["time_s"])


def rows(workload: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """Messages and bytes by pair of ranks."""
    table = simulate("star(16)", workload=workload, trace=True)["trace"]["messages"]
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    for src, dst, size in zip(table["src"], table["dst"], table["bytes"], strict=True):
        count, total = sums.get((src, dst), (0, 0))
        sums[src, dst] = (count + 1, total + size)
    return sums


def refused(**table: Any) -> str:
    with pytest.raises(netloom.NetloomError) as caught:
        netloom.steps(table)
    return str(caught.value)


def test_a_sequence_takes_the_sum() -> None:
    alone = [
        time_s(netloom.workload(s["workload"], 8, size_bytes=b)) for s, b in ((RING, 1 << 20), (PAIRWISE, 1 << 16))
    ]
    assert time_s(steps(8, RING, PAIRWISE)) == pytest.approx(sum(alone), rel=1e-12)
    assert time_s(steps(8, RING, {"compute": "1 ms"}, PAIRWISE)) == pytest.approx(sum(alone) + 1e-3, rel=1e-12)
    assert time_s(steps(8, {**RING, "repeat": 5})) == pytest.approx(5 * alone[0], rel=1e-12)
    assert time_s(steps(8, RING, PAIRWISE, repeat=3)) == pytest.approx(3 * sum(alone), rel=1e-12)


def test_groups_on_links_of_their_own_take_the_longest() -> None:
    """Two halves of a star share no link."""
    short, long = (netloom.workload("allreduce:ring", ranks, size_bytes=1 << 20) for ranks in (2, 4))
    groups = {"two": {"lists": [[0, 1], [2, 3]]}, "four": {"lists": [[4, 5, 6, 7]]}}
    made = steps(8, {"on": "two", **RING}, {"on": "four", **RING}, groups=groups)
    found = simulate("star(8)", workload=made)["finish_s"]
    assert list(found[:4]) == pytest.approx([time_s(short)] * 4, rel=1e-12)
    assert list(found[4:]) == pytest.approx([time_s(long)] * 4, rel=1e-12)


def test_communication_and_computation_overlap() -> None:
    alone = time_s(netloom.workload("allreduce:ring", 8, size_bytes=1 << 20))
    for compute in (0.1 * alone, 3 * alone):
        for order in itertools.permutations([RING, {"compute": compute}]):
            found = time_s(steps(8, {"together": list(order)}, {"compute": "1 ms"}))
            assert found == pytest.approx(max(alone, compute) + 1e-3, rel=1e-12)


def test_two_collectives_side_by_side_share_the_links() -> None:
    """The same ring twice: every link carries both, so bandwidth halves and latency does not add."""
    size = 8 << 20
    whole = time_s(netloom.workload("allreduce:ring", 8, size_bytes=2 * size))
    once = {"workload": "allreduce:ring", "size": size}
    assert time_s(steps(8, {"together": [once, once]})) == pytest.approx(whole, rel=1e-9)
    # Each of them in two sequences that never share a link.
    groups = {"low": {"lists": [[0, 1, 2, 3]]}, "high": {"lists": [[4, 5, 6, 7]]}}
    low, high = {"on": "low", **RING, "repeat": 2}, {"on": "high", **RING}
    alone = time_s(netloom.workload("allreduce:ring", 4, size_bytes=1 << 20))
    assert time_s(steps(8, {"together": [low, high]}, groups=groups)) == pytest.approx(2 * alone, rel=1e-12)


def test_they_are_the_program_written_by_hand() -> None:
    groups = {"near": {"block": 2}, "far": {"stride": 2}}
    made = steps(
        4,
        {"on": "near", "workload": "allreduce:recursive-doubling", "size": 4096},
        {"together": [{"on": "far", "workload": "allreduce:recursive-doubling", "size": 65536}, {"flops": 1e5}]},
        groups=groups,
    )

    def body(rank: int) -> list[tuple[Any, ...]]:
        near, far = rank ^ 1, rank ^ 2
        first = ("sendrecv", near, 4096, near, 4096, 1)
        second = ("sendrecv", far, 65536, far, 65536, 2)
        return [first, ("strand", 4), second, ("compute", 1e5), ("join",)]

    hand = netloom.programs([body(rank) for rank in range(4)])
    answers = [simulate("ring(4)", workload=work) for work in (made, hand)]
    assert list(answers[0]["finish_s"]) == list(answers[1]["finish_s"])
    assert (answers[0]["messages"], answers[0]["bytes"]) == (answers[1]["messages"], answers[1]["bytes"])


def test_a_program_without_a_join_is_refused() -> None:
    with pytest.raises(netloom.NetloomError, match="a join of the strands"):
        netloom.programs([[("strand", 1), ("sleep", 1.0)]])


def test_a_strand_that_waits_for_ever_is_a_deadlock() -> None:
    waits = [("strand", 1), ("receive", 1, 8), ("sleep", 1.0), ("join",)]
    with pytest.raises(netloom.NetloomError, match=r"NL-E01[23].*rank 0 waits to receive from rank 1"):
        simulate("star(2)", workload=netloom.programs([waits, []]))


@pytest.mark.parametrize("seed", range(40))
def test_drawn_steps_send_what_their_parts_send(seed: int) -> None:
    """16 ranks; the same messages as the parts on mapped ranks, and two ways of writing the same take the same time."""
    draw = random.Random(seed)
    colour, key = [draw.randrange(-1, 3) for _ in range(16)], [draw.randrange(4) for _ in range(16)]
    groups = {"a": 4, "b": 2, "c": 2, "order": draw.sample(["a", "b", "c"], 3), "s": {"colour": colour, "key": key}}
    table = Groups(16, groups, lambda *_: pytest.fail("refused"))
    calls = ["allreduce:ring", "alltoall:bruck", "all-pairs", "broadcast:binomial", "nearest-ring"]
    made, expected = [], dict[tuple[int, int], tuple[int, int]]()
    for _ in range(draw.randrange(1, 5)):
        on, call, repeat = draw.choice(["a", "b", "c", "s", ["a", "c"]]), draw.choice(calls), draw.randrange(1, 3)
        size = 4096 if ":" in call else 0
        made.append({"on": on, "workload": call, "repeat": repeat, **({"size": size} if size else {})})
        for group in table.lists(on):
            part = rows(netloom.workload(call, len(group), size_bytes=size)) if len(group) > 1 else {}
            for (src, dst), (count, total) in part.items():
                pair = (group[src], group[dst])
                before = expected.get(pair, (0, 0))
                expected[pair] = (before[0] + repeat * count, before[1] + repeat * total)
    sequence = steps(16, *made, groups=groups)
    assert rows(sequence) == expected
    assert rows(steps(16, {"together": [[step] for step in made]}, groups=groups)) == expected
    traffic = messages(sequence)
    assert traffic.messages == sum(count for count, _ in expected.values())
    assert traffic.bytes == sum(total for _, total in expected.values())
    unrolled = [{k: v for k, v in step.items() if k != "repeat"} for step in made for _ in range(step["repeat"])]
    for network in ("star(16)", "torus(4,4)"):
        time = time_s(sequence, network)
        assert time == pytest.approx(time_s(steps(16, *unrolled, groups=groups), network), rel=1e-12)
        assert time == time_s(steps(16, {"together": [made]}, groups=groups), network)


def test_levels_are_the_digits_of_a_rank() -> None:
    """As Megatron's `--order tp-pp-dp`: the first level varies fastest."""
    table = Groups(0, {"order": ["t", "p", "d"], "d": 3, "t": 2, "p": 4}, lambda *_: pytest.fail("refused"))
    assert table.ranks == 24
    digits = {rank: {"t": rank % 2, "p": rank // 2 % 4, "d": rank // 8} for rank in range(24)}
    for names in (["t"], ["p"], ["d"], ["t", "p"], ["t", "d"], ["d", "p"], ["t", "p", "d"]):
        by: dict[tuple[int, ...], list[int]] = {}
        for rank in range(24):
            by.setdefault(tuple(digits[rank][n] for n in "tpd" if n not in names), []).append(rank)
        assert sorted(table.lists(names)) == sorted(by.values())


def test_splits_are_those_of_mpi() -> None:
    splits = {
        "block": {"block": 3},
        "stride": {"stride": 3},
        "colour": {"colour": [1, 0, 1, -1, 0, 1], "key": [2, 0, 1, 0, 0, 1]},
        "lists": {"lists": [[5, 0], [2]]},
    }
    table = Groups(6, splits, lambda *_: pytest.fail("refused"))
    assert table.lists("block") == [[0, 1, 2], [3, 4, 5]]
    assert table.lists("stride") == [[0, 3], [1, 4], [2, 5]]
    assert table.lists("colour") == [[1, 4], [2, 5, 0]]
    assert table.lists("lists") == [[5, 0], [2]]


def test_a_barrier_holds_everybody() -> None:
    slow = [{"on": "one", "compute": "1 ms"}]
    groups = {"one": {"lists": [[3]]}}
    free = simulate("star(8)", workload=steps(8, *slow, {"compute": "1 us"}, groups=groups))["finish_s"]
    held = simulate("star(8)", workload=steps(8, *slow, {"barrier": True}, groups=groups))["finish_s"]
    assert max(free) == 1.001e-3 and sorted(free)[-2] == 1e-6
    assert min(held) > 1e-3


def test_the_objective_time_is_the_simulated_time() -> None:
    """The stopwatch of a search runs programs with strands again and again."""
    made = steps(16, {"together": [RING, {**PAIRWISE, "on": "a"}]}, {"compute": 1e-3}, groups={"a": 4, "b": 4})
    asked = {"workload": made, "calibration": "pure", "objective": "time", "optimiser": "two-opt(swaps=60)"}
    found = netloom.map_ranks("torus(4,4)", **asked)
    again = time_s(made, "torus(4,4)", mapping=found["mapping"])
    assert found["value"] == round(again * 1e12) <= found["start_value"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_every_door_takes_them(path: Path, tmp_path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    assert len(lines) <= 18
    name, net = str(path), "torus(4,8)"
    made = netloom.workload(name)
    assert made.ranks == 256
    sent = messages(made)
    assert netloom.hops(net, workload=name, cores=8)["messages"] == sent.messages
    simulated = simulate(net, workload=name, cores=8)
    assert simulated["bytes"] == sent.bytes
    assert netloom.loads("torus(16,16)", workload=name)["bytes_sent"] == sent.bytes
    jobs = tmp_path / "jobs.toml"
    jobs.write_text(f'cores = 8\n[[job]]\nname = "a"\nnodes = 32\nworkload = "{name}"\n')
    assert simulate(net, jobs=str(jobs))["time_s"] == simulated["time_s"]
    with pytest.raises(netloom.NetloomError, match="the steps are of 256 ranks, not 32"):
        simulate(net, workload=name, ranks=32)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"step": [RING]}, "NL-W002 steps ranks: is missing"),
        ({"ranks": 8}, "NL-W002 steps step: at least one step"),
        ({"ranks": 8, "step": []}, "at least one step"),
        ({"ranks": 1 << 40, "step": [RING]}, "1..1048576"),
        ({"ranks": True, "step": [RING]}, "an integer, got True"),
        ({"ranks": 8, "groups": {"a": 3}, "step": [RING]}, r"NL-W003 steps groups: the levels multiply to 3 \(a 3\)"),
        ({"ranks": 8, "groups": {"a": -8}, "step": [RING]}, "NL-W003"),
        ({"groups": {"a": 1 << 20, "b": 1 << 20}, "step": [RING]}, "at most 1048576 ranks"),
        ({"ranks": 8, "groups": {"a": 8, "order": ["b"]}, "step": [RING]}, "the levels, each once: a"),
        ({"ranks": 8, "groups": {"a": 2.5}, "step": [RING]}, "the size of a level, or a split"),
        ({"ranks": 8, "groups": {"a": {"block": 3}}, "step": [RING]}, "a divisor of 8"),
        ({"ranks": 8, "groups": {"a": {"block": 2, "stride": 2}}, "step": [RING]}, "exactly one of block"),
        ({"ranks": 8, "groups": {"a": {"lists": [[0, 8]]}}, "step": [RING]}, r"ranks in 0..7"),
        ({"ranks": 8, "groups": {"a": {"lists": [[0], [0]]}}, "step": [RING]}, "each in one group only"),
        ({"ranks": 8, "groups": {"a": {"colour": [0, 1]}}, "step": [RING]}, "8 integers, one per rank"),
        ({"ranks": 8, "groups": {"rows": {"block": 2}}, "step": [{"on": "row", **RING}]}, 'did you mean "rows"'),
        ({"ranks": 8, "groups": {"rows": {"block": 2}}, "step": [{"on": ["rows", "x"], **RING}]}, "levels of"),
        ({"ranks": 8, "step": [{"workload": "allreduce:ring"}]}, "size: is missing"),
        ({"ranks": 8, "step": [{"workload": "all-pairs", "size": 8}]}, "size: is of collectives only"),
        ({"ranks": 8, "step": [{"workload": "allreduce:rong", "size": 8}]}, 'did you mean "allreduce:ring"'),
        ({"ranks": 8, "step": [{"workload": "stencil(3,3)"}]}, "NL-P001"),
        ({"ranks": 8, "step": [{"workload": "a.toml"}]}, "no file of steps"),
        ({"ranks": 8, "step": [{"compute": "2 ms", "flops": 1.0}]}, "exactly one of workload"),
        ({"ranks": 8, "step": [{}]}, "has none"),
        ({"ranks": 8, "step": [{"compute": "2 MB"}]}, "NL-A008"),
        ({"ranks": 8, "step": [{"compute": "-1 s"}]}, "zero or more"),
        ({"ranks": 8, "step": [{"flops": float("nan")}]}, "a finite amount"),
        ({"ranks": 8, "step": [{"compute": "1 s", "size": 8}]}, "does not go with compute"),
        ({"ranks": 8, "step": [{"compute": "1 s", "repeat": 0}]}, r"1..1000000"),
        ({"ranks": 8, "step": [{"comptue": "1 s"}]}, 'did you mean "compute"'),
        ({"ranks": 8, "step": [{"together": []}]}, "at least one step"),
        ({"ranks": 8, "step": [{"together": [3]}]}, "a table, got 3"),
        ({"ranks": 8, "step": [{**RING, "root": 1 << 70}]}, "a rank of the group"),
        ({"ranks": 8, "step": [{"workload": "x" * 5000}]}, 'nothing is called "x{80}"'),
        ({"ranks": 8, "groups": {"a": {None: 1}}, "step": [{3: 4}]}, "groups.a.None: is not a key"),
        ({"ranks": 8, "step": [{3: 4}]}, "3: is not a key"),
        ({"ranks": 8, "step": [{"compute": "1 s"}] * 1001}, "at most 1000 steps"),
        ({"ranks": 1 << 20, "step": [{"compute": "1 s"}] * 20}, "NL-P005"),
    ],
)
def test_what_is_wrong_is_said(table: dict[str, Any], words: str) -> None:
    assert re.search(words, refused(**table)), refused(**table)


def test_depth_is_bounded() -> None:
    deep: dict[str, Any] = {"compute": 1.0}
    for _ in range(200):
        deep = {"steps": [deep]}
    assert "nested at most 8 deep" in refused(ranks=2, step=[deep])
    loops: dict[str, Any] = {"compute": 1.0}
    for _ in range(6):
        loops = {"steps": [loops], "repeat": 2}
    assert "at most 4 deep" in refused(ranks=2, step=[loops])


def test_faults_of_a_file_name_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    head = "ranks = 8\n[groups]\nrows = { block = 2 }\n"
    file.write_text(f'{head}[[step]]\n  on = "rwos"\ncompute = "2 ms"\n[[step]]\nworkload = "allreduce:ring"\n')
    with pytest.raises(netloom.NetloomError) as caught:
        netloom.workload(str(file))
    places = [fault.place for fault in caught.value.faults]
    assert places == [f"{file}:5:3 step[0].on", f"{file}:7:1 step[1]: size"]
    for text, words in (("ranks = \n", ":1:9: is not TOML"), ("a" * (1 << 20 | 1), "larger than 1 MiB")):
        file.write_text(text)
        with pytest.raises(netloom.NetloomError, match=words):
            netloom.workload(str(file))
    file.write_bytes(b"ranks = 8\n\xff")
    with pytest.raises(netloom.NetloomError, match=":2: is not UTF-8"):
        netloom.workload(str(file))


def test_the_page_shows_the_example() -> None:
    page = (ROOT / "docs" / "how-to" / "groups.md").read_text()
    for path in EXAMPLES:
        lines = path.read_text().splitlines()[1:]
        assert "\n".join(lines) in page, path
