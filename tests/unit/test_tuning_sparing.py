"""Tables of which not all is simulated: who is left out cannot win, and what was not timed is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

import netloom
from netloom import NetloomError
from netloom.base.ahead import LongWork
from netloom.base.errors import Fault
from netloom.base.stopping import Stopped
from netloom.evaluate.ask import bound_job
from netloom.tuning.budget import Effort
from netloom.tuning.clock import Taken
from netloom.tuning.least import Least
from netloom.tuning.sparing import Contest, Sparing, inwards
from netloom.tuning.tables import algorithms_of, simulated, switch_points
from netloom.tuning.taking import Allowance, take
from netloom.tuning.write.names import known_to

SIZES = [1 << at for at in range(8, 15)]


@dataclass
class Told:
    """What is known of simulations, told by the test: a second each, and the time of a line."""

    lines: dict[str, tuple[float, float]]
    each_s: dict[str, float] = field(default_factory=dict)
    least: dict[str, float] = field(default_factory=dict)
    alike: dict[str, str] = field(default_factory=dict)
    jumps: tuple[int, ...] = ()
    ran: list[tuple[str, int]] = field(default_factory=list)

    def seconds(self, name: str, size: int) -> float:
        return self.each_s.get(name, 1.0)

    def most_s(self, name: str, size: int) -> float:
        return self.seconds(name, size)

    def least_s(self, name: str, size: int) -> float:
        return self.least.get(name, 0.0)

    def guess_s(self, name: str, size: int) -> float:
        return 0.0

    def same(self, name: str, size: int) -> str:
        return self.alike.get(name, name)

    def taken(self, name: str, size: int) -> Taken:
        self.ran.append((name, size))
        fixed, per_byte = self.lines[name]
        return {"time_s": fixed + per_byte * size}

    def run(self, budget_s: float, **contest: object) -> Sparing:
        asked = Contest(list(self.lines), 0.02, dict.fromkeys(self.lines, 0.0), **contest)  # type: ignore[arg-type]
        found = Sparing(asked, SIZES, self, budget_s)
        found.run(self.taken, lambda sizes: None)
        return found


def winners(found: Sparing) -> dict[int, str | None]:
    return {size: found._fastest(size) for size in found.timed}


LINES = {"early": (1e-6, 1e-8), "late": (2e-5, 1e-9), "slow": (1e-3, 1e-7), "dear": (5e-6, 5e-9)}


def test_from_both_ends_inwards() -> None:
    assert list(inwards([1, 2, 3, 4, 5, 6, 7])) == [1, 7, 4, 2, 5, 3, 6]
    assert list(inwards([1])) == [1] and list(inwards([1, 2])) == [1, 2] and list(inwards([])) == []


def test_the_winners_of_all_sizes_with_less_than_all_simulations() -> None:
    told = Told(LINES)
    found = told.run(budget_s=100.0)
    everywhere = {size: min(LINES, key=lambda name: LINES[name][0] + LINES[name][1] * size) for size in SIZES}
    assert winners(found) == everywhere and len(told.ran) < len(LINES) * len(SIZES)
    # It lost at the smallest size, and larger ones take longer.
    assert [size for name, size in told.ran if name == "slow"] == [SIZES[0]]
    why = found.reasons()
    assert why.left_out == {} and why.may_win == {}
    assert why.elsewhere["slow"].startswith("timed at 1 of 7 sizes: cannot win at others: thought to take")


def test_whoever_cannot_win_by_its_least_time_is_never_simulated() -> None:
    told = Told(LINES, least={"slow": 1e-3})
    found = told.run(budget_s=100.0)
    assert "slow" not in {name for name, _ in told.ran}
    assert found.reasons()[0] == {"slow": "cannot win: thought to take 1 ms or more at 256B, early 3.56 µs"}


def test_a_size_is_begun_where_there_is_time_to_finish_it() -> None:
    told = Told(LINES)
    found = told.run(budget_s=12.0)
    assert 2 <= len(found.timed) < len(SIZES) and {SIZES[0], SIZES[-1]} <= set(found.timed)
    for size, best in winners(found).items():
        assert best == min(LINES, key=lambda name: LINES[name][0] + LINES[name][1] * size)
    assert found.spent_s <= 12.0


def test_what_there_is_no_time_for_may_win_and_that_is_said() -> None:
    told = Told(LINES, each_s={"dear": 50.0})
    found = told.run(budget_s=100.0)
    assert "dear" not in {name for name, _ in told.ran}
    said, may_win = found.reasons().left_out["dear"], found.reasons().may_win["dear"]
    assert may_win and all(LINES["dear"][0] + LINES["dear"][1] * size < 1e-3 for size in may_win)
    assert said.startswith("takes about ") and "name it with --algorithms; it may win at " in said
    # The cheapest of all is simulated whatever it takes.
    assert Told({"one": (1.0, 0.0)}, each_s={"one": 1e6}).run(budget_s=1.0).timed == [SIZES[0]]


def test_times_that_jump_say_nothing_of_smaller_sizes() -> None:
    """Half of a larger size's share of time is less than nothing jumps, and unknown where it does."""
    lines = {"early": (1e-6, 1e-8), "jumps": (0.0, 0.0)}
    for jumps, timed in (((), False), ((SIZES[-1],), True)):
        told = Told(lines, jumps=jumps)

        def taken(name: str, size: int, told: Told = told) -> Taken:
            found = told.taken(name, size)
            return found if name == "early" else {"time_s": 1e-6 if size < SIZES[-1] else 1.0}

        found = Sparing(Contest(list(lines), 0.02, dict.fromkeys(lines, 0.0)), SIZES, told, 100.0)
        found.run(taken, lambda sizes: None)
        assert (("jumps", SIZES[3]) in told.ran) is timed


def test_algorithms_that_are_run_by_one_call_are_run_once() -> None:
    told = Told(LINES, alike={"late": "early"})
    found = told.run(budget_s=100.0)
    assert "late" not in {name for name, _ in told.ran} or "early" not in {name for name, _ in told.ran}
    assert all(found.found[size, "late"] == found.found[size, "early"] for size in found.timed)


def test_the_library_s_own_call_and_the_fastest_of_a_group_are_timed() -> None:
    told = Told(LINES)
    told.run(100.0, own=lambda size: "slow")
    assert {size for name, size in told.ran if name == "slow"} == set(SIZES)
    # A tuning file that has neither the fastest of small sizes nor of large ones.
    told = Told(LINES)
    found = told.run(100.0, among=[{"slow", "late"}])
    few = {size: found._fastest(size, {"slow", "late"}) for size in SIZES}
    assert set(few.values()) == {"late"}


@pytest.mark.filterwarnings("ignore::netloom.base.ahead.LongWork")
def test_refused_and_stopped() -> None:
    told = Told(LINES)

    def taken(name: str, size: int) -> Taken:
        if name == "early":
            raise NetloomError([Fault("NL-N018", "in-network", "no switch combines", "")])
        if len(told.ran) == 6:
            raise Stopped
        return told.taken(name, size)

    allowance = Allowance(_Short(told), spares=True)  # type: ignore[arg-type]
    found, sizes, why = take(dict.fromkeys(LINES, 1.0), SIZES, 0.0, taken, None, allowance)
    assert why.left_out["early"] == "no switch combines" and all(name != "early" for _, name in found)
    # The size that was under way is not shown.
    assert sizes == [SIZES[0]] or SIZES[-1] in sizes

    def never(name: str, size: int) -> Taken:
        raise Stopped

    with pytest.raises(Stopped):
        take(dict.fromkeys(LINES, 1.0), SIZES, 0.0, never, None, allowance)


class _Short:
    """An effort that is too much."""

    def exceeds(self, budget_s: float) -> bool:
        return True

    def __init__(self, told: Told) -> None:
        self.told = told

    def __getattr__(self, name: str) -> object:
        return getattr(self.told, name)


CLOCKS: list[dict[str, str]] = [{}, {"calibration": "pure"}]


@pytest.mark.parametrize("inputs", CLOCKS)
@pytest.mark.parametrize("network", ["rail_cluster(nodes=2)", "torus(4,4)", "torus(3,5)"])
def test_no_algorithm_is_faster_than_its_least_time(network: str, inputs: dict[str, str]) -> None:
    bound = bound_job(netloom.Scenario(network, **inputs))  # type: ignore[arg-type]
    clock, least, some = simulated(netloom.Scenario(**inputs)), Least(bound), 0  # type: ignore[arg-type]
    for collective in ("allreduce", "allgather", "alltoall", "barrier"):
        for name in algorithms_of(collective):
            for size in (64, 1 << 18):
                try:
                    time_s = clock(bound.network, name, bound.mapping, size, 0, seats=bound.place.seats)["time_s"]
                except NetloomError:
                    continue
                least_s = least.of(bound.work.of(name, bound.ranks, 0, size, "test"), size)
                assert least_s <= time_s * (1 + 1e-9), (name, size)
                some += least_s > 0.3 * time_s
    assert some > 10 or inputs


def test_a_short_table_has_the_winners_of_a_whole_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a network and by a budget that let some of it be left out."""
    sizes = "256B:64KiB"
    whole = netloom.time_collective("torus(4,4)", "allreduce", sizes=sizes)
    assert whole.elsewhere == {} and whole.sizes_left_out == [] and whole.ask is not None
    monkeypatch.setattr(Effort, "exceeds", lambda self, budget_s: True)
    with pytest.warns(LongWork):
        short = netloom.time_collective("torus(4,4)", "allreduce", sizes=sizes)
    assert short.sizes == whole.sizes and switch_points(short) == switch_points(whole)
    assert 0 < len(short.table.rows) < len(whole.table.rows) and short.ask is None
    for row in short.table.rows:
        assert whole.time_s(str(row["algorithm"]), int(row["size_bytes"] or 0)) == row["time_s"]
    # Named algorithms are all timed.
    named = netloom.time_collective("torus(4,4)", "allreduce", sizes=sizes, algorithms=algorithms_of("allreduce"))
    assert len(named.table.rows) == len(whole.table.rows)


def test_what_simulations_are_thought_to_take() -> None:
    bound = bound_job(netloom.Scenario("star(64)"))
    names = ["allreduce:ring", "allreduce:recursive-doubling", "allreduce:no-such", "allreduce:rabenseifner"]
    effort = Effort.of(bound, names, [64, 96, 1024])
    assert effort.seconds("allreduce:ring", 64) > effort.seconds("allreduce:recursive-doubling", 64) > 0
    assert effort.seconds("allreduce:no-such", 64) == 0 and "allreduce:no-such" not in effort.messages
    # 96 bytes are not cut into 64 parts that are alike; whole vectors are not cut.
    assert effort.seconds("allreduce:rabenseifner", 96) > 2 * effort.seconds("allreduce:rabenseifner", 64)
    assert effort.seconds("allreduce:recursive-doubling", 96) == effort.seconds("allreduce:recursive-doubling", 64)
    assert effort.exceeds(0.0) and not effort.exceeds(1e9)
    assert effort.all_s >= sum(effort.seconds(name, size) for name in names for size in (64, 96, 1024))


def test_what_a_library_runs_by_one_call_is_one() -> None:
    bound = bound_job(netloom.Scenario("rail_cluster(nodes=4)"))
    effort = Effort.of(bound, ["allreduce:double-tree", "allreduce:chained-trees", "allreduce:ring"], [1024])
    calls = [effort.same(f"allreduce:{name}", 1024) for name in ("double-tree", "chained-trees", "ring")]
    assert len(set(calls)) < 3 or calls[0] != calls[2]


def test_algorithms_of_tuning_files() -> None:
    names = ["allreduce:ring", "allreduce:swing", "allreduce:no-such(", "allreduce:recursive-doubling"]
    (ompi,) = known_to(["ompi"], names, 8)
    assert ompi == {"allreduce:ring", "allreduce:recursive-doubling"}
    assert known_to([], names, 8) == []


def test_progress_and_estimate() -> None:
    told, heard = Told(LINES), list[tuple[int, int]]()
    hear: Callable[[int, int], object] = lambda done, total: heard.append((done, total))  # noqa: E731
    allowance = Allowance(_Short(told), spares=True)  # type: ignore[arg-type]
    with pytest.warns(LongWork, match=r"about 60 s \(4 algorithms, 7 sizes\)"):
        take(dict.fromkeys(LINES, 1.0), SIZES, 0.0, told.taken, hear, allowance)
    assert heard == [(at, len(SIZES)) for at in range(1, len(SIZES) + 1)]
