"""The benchmark programs run by hand and rarely: at least what they import is there, and Scotch's input is right."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from benchmarks.messages.programs import Program, write_goal
from benchmarks.quality import octagon_proof, scotch
from numpy.typing import NDArray

import netloom

ROOT = Path(__file__).resolve().parents[2]
#: Peers need packages that tests do without.
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "benchmarks").rglob("*.py")
    if "peers" not in path.relative_to(ROOT).parts and path.stem != "__init__"
)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_finds_what_it_imports(name: str) -> None:
    import_module(name)


def test_a_weighted_graph_lists_every_edge_at_both_ends() -> None:
    text = scotch.graph_text(3, np.array([[0, 2], [0, 1]]), np.array([7, 5]))
    assert text == "0\n3 4\n0 010\n2 5 1 7 2\n1 5 0\n1 7 0\n"


def test_pairs_are_merged_and_weights_keep_their_ratio() -> None:
    pairs, weights = scotch.merged(np.array([[0, 1], [1, 2], [0, 1]]), np.array([1024, 6144, 1024]))
    assert (pairs.tolist(), weights.tolist()) == ([[0, 1], [1, 2]], [1, 3])


def test_ranks_that_share_a_leaf_take_the_nearest_free_one() -> None:
    assert scotch.one_each(np.array([3, 3, 1, 1])).tolist() == [3, 2, 1, 0]


def test_sets_are_worth_what_all_of_them_listed_say() -> None:
    """The proof about octagons goes through 2^1024 sets in steps: on a box of 4 x 4 parts they can be listed."""
    worths = np.random.default_rng(1).integers(-100, 400, (4, 4)).astype(np.int32)
    found = octagon_proof.dearest(worths, 6, 64)
    listed = np.full_like(found, octagon_proof.NONE)
    for size in range(7):
        for chosen in combinations(range(16), size):
            parts = np.isin(np.arange(16), chosen).reshape(4, 4)
            out = sum(octagon_proof.across(part // 4, part % 4, 4, 4) for part in chosen)
            at = octagon_proof.ACROSS.index(min(out, 10))
            listed[at, size] = max(listed[at, size], int(worths[parts].sum()) - 64 * _sent(parts))
    there = listed > octagon_proof.NONE
    assert found[there].tolist() == listed[there].tolist()
    assert (found[~there] < -1000000).all()


def _sent(parts: NDArray[np.bool_]) -> int:
    wide = np.pad(parts, 1).astype(int)
    steps = [(1, 0, 4), (0, 1, 1), (1, 1, 1), (1, -1, 1)]
    return int(sum(weight * np.abs(wide - np.roll(wide, (down, right), (0, 1))).sum() for down, right, weight in steps))


def test_only_the_octagon_sends_less_than_a_block() -> None:
    assert list(octagon_proof.columns_of(32, 91)) == [(7, 9, 9, 7)]
    assert (8, 8, 8, 8) in set(octagon_proof.columns_of(32, 92))
    octagon = np.zeros((9, 4), bool)
    for column, (first, end) in enumerate(octagon_proof.OCTAGON):
        octagon[first:end, column] = True
    assert (_sent(octagon), _sent(np.ones((8, 4), bool))) == (90, 92)


def test_octagons_laid_are_the_best_of_all_layouts() -> None:
    """In a box of 12 x 10 parts there are few layouts."""
    worths = np.random.default_rng(2).integers(-20, 40, (12, 10)).astype(np.int32)
    tiles = []
    for layer, column in np.ndindex(2, 5):
        tile = np.zeros(worths.shape, bool)
        for i, (first, end) in enumerate(octagon_proof.OCTAGON):
            tile[1 + layer + first : 1 + layer + end, 1 + column + i] = True
        tiles.append(tile)
    laid = [np.sum(some, axis=0) for n in (1, 2, 3) for some in combinations(tiles, n)]
    most = max(int(worths[one > 0].sum()) for one in laid if one.max() == 1)
    assert octagon_proof.most_laid(worths) == max(most, 0)


@pytest.mark.parametrize(("kind", "ranks"), [("ring", 5), ("pairwise", 5), ("pairwise", 8)])
def test_programs_of_the_peers_are_the_collectives(kind: str, ranks: int) -> None:
    """Steps that are written for SimGrid and LogGOPSim send what netloom's own schedule sends."""
    name, size = {"ring": ("allreduce:ring", 10 * ranks), "pairwise": ("alltoall:pairwise", 10)}[kind]
    table = netloom.workload(name, ranks, size_bytes=size).table()
    program = Program(kind, f"star(n=1,p={ranks})", ranks)
    assert table["dst"].tolist() == program.targets[table["step"], table["src"]].tolist()
    assert len(table["dst"]) == program.messages
    rows = np.arange(program.count)[:, None]
    assert (program.targets[rows, program.sources] == np.arange(ranks)).all()


def test_goal_says_what_a_step_waits_for(tmp_path: Path) -> None:
    write_goal(Program("ring", "star(n=1,p=2)", 2), tmp_path / "goal")
    rank = (
        "r0: recv 65537b from {0} tag 0\ns0: send 65537b to {0} tag 0\n"
        "r1: recv 65537b from {0} tag 0\ns1: send 65537b to {0} tag 0\n"
        "r1 requires r0\nr1 requires s0\ns1 requires r0\ns1 requires s0\n"
    )
    wanted = "".join(f"\nrank {own} {{\n{rank.format(1 - own)}}}\n" for own in (0, 1))
    assert (tmp_path / "goal").read_text() == "num_ranks 2\n" + wanted
