"""Traces of larger runs from small ones: every call, partner and size as the code itself does it, or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import netloom
from netloom import _core
from netloom.base.errors import NetloomError
from netloom.cli.app import main
from netloom.extrapolation import Sizes, extrapolate
from netloom.extrapolation.fold import counted, folded
from netloom.extrapolation.grid import SCHEMES, Grid, balanced, grids
from netloom.extrapolation.law import fitted
from netloom.extrapolation.listing import END, NUMBERED, listed

Actions = list[tuple[object, ...]]
Code = Callable[[int, int], Actions]


def calls(programs: _core.Programs) -> list[list[tuple[object, ...]]]:
    """Of each rank: what, with whom, how much, on which ranks, and the computation before it."""
    made = listed(programs, "calls")
    return [
        [
            (one.kind, one.peer, one.tag % NUMBERED, one.bytes, made.groups[one.members] if one.members >= 0 else ())
            for one in own
            if one.kind != END
        ]
        for own in made.ranks
    ]


def computed(programs: _core.Programs) -> list[float]:
    return [sum(one.flops + one.seconds for one in own) for own in listed(programs, "computed").ranks]


def code(of: Code, ranks: int) -> _core.Programs:
    return netloom.programs([of(rank, ranks) for rank in range(ranks)])


def ring(rank: int, ranks: int) -> Actions:
    """An allgather by P - 1 turns of a ring, its parts ever smaller; computation by 1/P."""
    made: Actions = []
    for _ in range(ranks - 1):
        made += [
            ("sendrecv", (rank + 1) % ranks, 46_080 // ranks, (rank - 1) % ranks, 46_080 // ranks),
            ("compute", 7e6 / ranks),
        ]
    return made


def doubling(rank: int, ranks: int) -> Actions:
    """Partners at doubling distance, with half as much each time."""
    steps = ranks.bit_length() - 1
    sizes = [16 << (steps - k) for k in range(steps)]
    return [("sendrecv", rank ^ (1 << k), size, rank ^ (1 << k), size) for k, size in enumerate(sizes)]


def farm(rank: int, ranks: int) -> Actions:
    """Rank 0 asks all others in turn, and hears from them."""
    if rank:
        return [("receive", 0, 4000), ("sleep", 1e-3), ("send", 0, 80)]
    return [("send", other, 4000) for other in range(1, ranks)] + [("receive", other, 80) for other in range(1, ranks)]


def transpose(rank: int, ranks: int) -> Actions:
    """An exchange with the transposed rank, and one with the opposite column, in a square."""
    side = round(ranks**0.5)
    row, column = divmod(rank, side)
    other, opposite = column * side + row, row * side + side - 1 - column
    parts = [("sendrecv", opposite, 9600 // side, opposite, 9600 // side)] if opposite != rank else []
    if other != rank:
        parts += [("sendrecv", other, 960_000 // ranks, other, 960_000 // ranks)]
    return parts


def halo(rank: int, ranks: int) -> Actions:
    """Neighbours in a square without a border, odd and even rows in another order."""
    side = round(ranks**0.5)
    row, column = divmod(rank, side)
    turns = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    made: Actions = []
    for down, right in turns if row % 2 else turns[::-1]:
        there = (row + down) % side * side + (column + right) % side
        back = (row - down) % side * side + (column - right) % side
        tag = 2 + down if down else 12 + right
        made += [("start_receive", back, 8000 // side, tag), ("start_send", there, 8000 // side, tag)]
    return [*made, ("wait_all",), ("compute", 1e9 / ranks)]


@pytest.mark.parametrize(
    ("of", "small", "ranks"),
    [
        (ring, (16, 32), 64), (ring, (8, 12, 16), 24), (doubling, (16, 32), 256), (farm, (9, 12), 40),
        (halo, (16, 64), 256), (halo, (36, 64), 144),
    ],
)  # fmt: skip
def test_codes_are_what_they_are_at_more_ranks(of: Code, small: Sequence[int], ranks: int) -> None:
    made = extrapolate([(f"{n}", code(of, n)) for n in small], ranks)
    assert all(one["fits"] for one in made.calls if one["calls"])
    expected = code(of, ranks)
    assert calls(made.programs) == calls(expected)
    # That of a ring is one turn less than P, so only nearly a power of it.
    assert computed(made.programs) == pytest.approx(computed(expected), rel=0.05 if of is ring else 1e-9)


@pytest.mark.parametrize(
    ("texts", "small", "ranks"),
    [
        (["is(class=S)"] * 3, (16, 32), 128),
        (["ft(class=S)"] * 3, (16, 32), 64),
        (["sweep(4,4)", "sweep(8,8)", "sweep(20,20)"], (16, 64), 400),
        (["sweep(3,3,3)", "sweep(4,4,4)", "sweep(6,6,6)"], (27, 64), 216),
        (["communicators(alltoall,4)"] * 3, (16, 64), 256),
        (["pf3d(x=4,y=4)", "pf3d(x=4,y=4)", "pf3d(x=4,y=4)"], (64, 128), 256),
    ],
)
def test_applications_of_the_catalogue(texts: Sequence[str], small: Sequence[int], ranks: int) -> None:
    recorded = [(f"{n}", _core.Programs.application(text, n)) for text, n in zip(texts, small, strict=False)]
    made, expected = extrapolate(recorded, ranks), _core.Programs.application(texts[-1], ranks)
    assert calls(made.programs) == calls(expected)
    times = [netloom.simulate(f"star({ranks})", workload=one).time_s for one in (made.programs, expected)]
    assert times[0] == pytest.approx(times[1], rel=1e-9)


def test_sizes_stay_where_they_are_told_to() -> None:
    made = extrapolate([("16", code(halo, 16))], 64, sizes=Sizes(is_constant=True))
    sizes = {size for own in calls(made.programs) for kind, _, _, size, _ in own if kind == "start_send"}
    assert sizes == {2000} and made.target.dims == (8, 8)


def test_a_grid_that_is_given() -> None:
    made = extrapolate([("16", code(halo, 16))], 96, (8, 12), Sizes(is_constant=True))
    assert made.target.dims == (8, 12)
    # Rank 0's neighbours: around the border, in rows of twelve.
    assert {peer for kind, peer, *_ in calls(made.programs)[0] if kind == "start_send"} == {12, 84, 1, 11}


def irregular(rank: int, ranks: int) -> Actions:
    """Partners by a stride that no grid has."""
    return [("sendrecv", (5 * rank + 1) % ranks, 8, (rank - 1) * pow(5, -1, ranks) % ranks, 8)]


def odd_sizes(rank: int, ranks: int) -> Actions:
    """A size that jumps."""
    return [
        ("sendrecv", (rank + 1) % ranks, 100 if ranks == 16 else 9000, (rank - 1) % ranks, 100 if ranks == 16 else 9000)
    ]


def own_sizes(rank: int, ranks: int) -> Actions:
    """Each rank another size."""
    return [("sendrecv", (rank + 1) % ranks, 100 + rank, (rank - 1) % ranks, 100 + (rank - 1) % ranks)]


@pytest.mark.parametrize(
    ("of", "small", "words"),
    [
        (irregular, (16, 32), "the partner of start_"),
        (odd_sizes, (16, 32), "follows none of a constant, powers of P and of the sides, and log P"),
        (own_sizes, (16, 32), "follows none of"),
        (transpose, (16, 64), "alike in the grid"),
        (ring, (16, 16), "recordings of different numbers of ranks"),
        (ring, (16,), "two recordings or more"),
        (ring, (64, 128), "more than the 128 of the largest recording"),
    ],
)
def test_what_is_not_explained_is_refused(of: Code, small: Sequence[int], words: str) -> None:
    with pytest.raises(NetloomError) as fault:
        extrapolate([(f"{n}.goal", code(of, n)) for n in small], 128)
    assert len(fault.value.faults) == 1 and words in str(fault.value)


def test_sizes_within_a_tolerance() -> None:
    recorded = [(f"{n}", code(own_sizes, n)) for n in (16, 32)]
    with pytest.raises(NetloomError, match="follows none of"):
        extrapolate(recorded, 64, sizes=Sizes(within=0.01))
    made = extrapolate(recorded, 64, sizes=Sizes(within=0.5))
    assert {one["call"]: one["fits"] for one in made.calls} == {"start_send": True, "start_receive": True}


def test_laws_are_the_simplest() -> None:
    some = [Grid((4, 4)), Grid((8, 8))]
    assert [law.name for law in fitted(some, [7, 7], 0.0)] == ["constant"]
    assert "P^-1/2" in [law.name for law in fitted(some, [1000, 500], 0.0)]
    assert fitted(some, [100, 150], 0.0)[0].name == "log2 P"
    assert fitted(some, [1000, 501], 0.0)[0].at(Grid((16, 16))) == 250
    # Nothing near: the one that is nearest, with how far it is off.
    assert fitted(some, [1000, 17], 0.0)[0].residual > 0.05


def test_grids() -> None:
    assert [[one.dims for one in some] for some in grids(27)] == [[(27,)], [(9, 3), (3, 9)], [(3, 3, 3)]]
    assert balanced(64, 3) == (4, 4, 4) and balanced(96, 2) == (12, 8) and balanced(7, 2) == (7, 1)
    # A kind is where a rank is at the border: of 5 x 5 there are nine.
    assert sorted(len(ranks) for ranks in Grid((5, 5)).kinds(SCHEMES[0]).values()) == [1, 1, 1, 1, 3, 3, 3, 3, 9]
    assert Grid((2, 3)).members((0,)).tolist() == [[0, 3], [1, 4], [2, 5]] * 2


def test_what_repeats() -> None:
    assert [(one.length, one.times) for one in folded("abababcc")] == [(2, 3), (1, 2)]
    words = [name for name, _ in counted([Grid((4, 4)), Grid((8, 8))], [15, 63])]
    assert words == ["P -1"]
    assert counted([Grid((4, 4)), Grid((8, 8))], [3, 17]) == []


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A trace is written that is read again, by any writer; the region of a recording may be taken."""
    for ranks in (16, 36):
        lines = [
            (rank, own)
            for rank in range(ranks)
            for own in ("barrier", f"send {(rank + 1) % ranks} 0 {5760 // ranks} 6")
        ]
        lines += [(rank, f"recv {(rank - 1) % ranks} 0 {5760 // ranks} 6") for rank in range(ranks)]
        (tmp_path / f"{ranks}.trace").write_text("".join(f"{rank} {own}\n" for rank, own in lines))
    names = [f'trace("{tmp_path / f"{ranks}.trace"}",begin="barrier:1")' for ranks in (16, 36)]
    target = tmp_path / "big.goal"
    with pytest.raises(SystemExit, match="0"):
        main(["extrapolate", *names, "--ranks", "144", "-o", str(target)])
    shown = capsys.readouterr()
    assert "P^-1" in shown.out and "grid 144, from 16 and 36" in shown.err
    assert netloom.workload(str(target)).ranks == 144
    with pytest.raises(SystemExit, match="2"):
        main(["extrapolate", *names, "--ranks", "144", "-o", str(tmp_path / "no.goal"), "--grid", "12,13"])
    assert "numbers whose product is 144" in capsys.readouterr().err and not (tmp_path / "no.goal").exists()
