"""What runs are thought to cost: learned, kept, never part of a result."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom.study import prepare
from netloom.study.backends import walltime
from netloom.study.costs import MOST, Cost, Costs, memory_of, time_text
from netloom.study.execute import longest_first, require_time
from netloom.study.run import run_study

STUDY = """
title = "Costs"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["ring(16)", "torus(8,8)"]
ranks = [4, 16]
workload = ["alltoall:pairwise", "nearest-ring"]
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "netloom" / "costs.json"


def calls(ranks: int = 64, network: str = "torus(8,8)", workload: str = "alltoall:pairwise") -> dict[str, object]:
    return {"network": network, "ranks": ranks, "workload": workload, "order": "draw"}


def test_measured_runs_replace_the_guess_and_scale_with_size() -> None:
    costs = Costs()
    guess, measured = costs.seconds("time", calls())
    assert not measured
    for _ in range(10):
        costs.learn("time", calls(), 100 * guess)
    assert costs.seconds("time", calls()) == (pytest.approx(100 * guess), True)
    larger, measured = costs.seconds("time", calls(ranks=128))
    assert measured and larger > 200 * guess
    far, measured = costs.seconds("time", calls(2**20, "torus(64,64,64)", "other"))
    assert not measured and far > larger
    assert costs.seconds("packet", calls()) == (guess, False)


def test_loads_that_go_in_rounds_are_guessed_to_take_longer() -> None:
    costs = Costs()
    static, direct, indirect = (
        costs.seconds("loads", calls() | {"variant": variant})[0]
        for variant in ("static-direct", "adaptive-direct", "adaptive-indirect(fresh_paths=4)")
    )
    assert static < direct < indirect
    # What was measured of one variant tells of the other what the rounds are to it.
    costs.learn("loads", calls() | {"variant": "static-direct"}, 8.0)
    learned, _ = costs.seconds("loads", calls() | {"variant": "adaptive-indirect"})
    assert learned == pytest.approx(8.0 * indirect / static)


def test_all_ranks_of_a_machine_are_counted_and_variants_are_kinds_of_their_own() -> None:
    costs = Costs()
    machine = calls(network="torus(64,64)") | {"ranks": "all", "cores": 24}
    counted = calls(64 * 64 * 24, "torus(64,64)") | {"cores": 24}
    assert costs.seconds("loads", machine) == costs.seconds("loads", counted)
    direct = machine | {"variant": "static-direct"}
    for _ in range(10):
        costs.learn("loads", direct, 8.0)
        costs.learn("loads", machine | {"variant": "adaptive-indirect(fresh_paths=4)"}, 500.0)
    assert costs.seconds("loads", direct)[0] == pytest.approx(8.0, rel=0.1)
    assert costs.seconds("loads", machine | {"variant": "adaptive-indirect"})[0] == pytest.approx(500.0, rel=0.1)


def test_what_only_counts_grows_with_its_ranks() -> None:
    none, few, many = (Costs().seconds("loads", calls(ranks, "torus(64,64)"))[0] for ranks in (1, 2**12, 2**22))
    assert many - none == pytest.approx(2**10 * (few - none), rel=1e-3)


def test_the_last_runs_of_a_kind_tell_most() -> None:
    costs = Costs()
    for seconds in (1.0,) * 1000 + (4.0,) * 400:
        costs.learn("time", calls(), seconds)
    assert costs.seconds("time", calls())[0] == pytest.approx(4.0, rel=0.1)


def test_kept_between_studies_and_bounded(own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    kept = Costs.kept()
    assert kept.seconds("hops", calls(16))[1]
    for number in range(MOST + 10):
        kept.learn("hops", calls(workload=f"own-{number}"), 1.0)
    kept.save()
    assert len(json.loads(own_cache.read_text())) == MOST


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[[1]]",
        '[["a","b","c","d","e",1,1,1]]',
        '[["a","b","c","d","e","x",1,1,1]]',
        "[" * 100_000,
        "\x00",
        "[null]",
        *(
            json.dumps([["a", "b", "c", "d", "e", *numbers]])
            for numbers in (
                (6, 6, 1, 1e308),
                (6, 6, 1, -1e308),
                (1e308, 6, 1, 1),
                (6, -1, 1, 1),
                (6, 6, 10**400, 1),
                (6, 6, 1.5, 1),
                (6, 6, 0, 0),
                (6, 6, 1, 10**400),
                (10**400, 6, 1, 1),
                (6, 6, 1, float("nan")),
                (float("inf"), 6, 1, 1),
                (6, True, 1, 1),
            )
        ),
    ],
)
def test_a_cache_that_makes_no_sense_is_none(own_cache: Path, text: str) -> None:
    own_cache.parent.mkdir(parents=True)
    own_cache.write_text(text)
    with pytest.warns(UserWarning, match=re.escape(f"{own_cache}: ")):
        assert not Costs.kept().kinds


def test_one_absurd_number_of_a_cache_ends_no_run(own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    lines = json.loads(own_cache.read_text())
    lines[0][-1] = 1e308
    own_cache.write_text(json.dumps(lines))
    with pytest.warns(UserWarning, match=re.escape(f"{own_cache}: 1 of its entries make no sense")):
        again = run_study(tmp_path / "s.toml", tmp_path / "again", figures=False)
    assert again.problems == []
    assert (tmp_path / "again" / "runs.jsonl").read_bytes() == (tmp_path / "out" / "runs.jsonl").read_bytes()
    # Written anew without it.
    assert len(Costs.kept().kinds) == len(lines)


def test_a_cache_that_cannot_be_written_is_let_go(own_cache: Path, tmp_path: Path) -> None:
    own_cache.parent.parent.write_text("a file where the folder should be")
    (tmp_path / "s.toml").write_text(STUDY)
    assert run_study(tmp_path / "s.toml", tmp_path / "out", figures=False).problems == []


def test_longest_first_and_networks_together(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    plan = prepare(tmp_path / "s.toml")
    queue = longest_first(plan.runs(), Costs())
    seconds = [one.seconds for one in queue]
    networks = [one.run.network for one in queue]
    assert networks == ["torus(8,8)"] * 4 + ["ring(16)"] * 4
    assert seconds[0] == max(seconds) and seconds[:4] == sorted(seconds[:4], reverse=True)


def test_results_do_not_depend_on_what_was_learned(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    for name in ("first", "second"):
        run_study(tmp_path / "s.toml", tmp_path / name, figures=False)
    files = [{p.name: p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()} for n in ("first", "second")]
    assert files[0] == files[1]


def test_a_walltime_shorter_than_the_longest_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    plan = prepare(tmp_path / "s.toml")
    costs = Costs()
    on = 'slurm(walltime="0:01:00")'
    require_time(on, longest_first(plan.runs(), costs))
    costs.learn("hops", {**dict(plan.parts[0].runs[2].calls)}, 7200.0)
    queue = longest_first(plan.runs(), costs)
    with pytest.raises(NetloomError, match=r"NL-S024 slurm\.walltime must be at least .*, got 60\.0 s"):
        require_time(on, queue)
    require_time("threads", queue)
    assert [walltime('slurm(walltime="2-0:00:01")'), walltime("dask")] == [172801.0, None]


def test_words_and_sizes() -> None:
    assert [time_text(s) for s in (0.0042, 3, 100, 7200, 1e9)] == [
        "4.2 ms",
        "3.0 s",
        "1.7 min",
        "2.0 hours",
        "31.7 years",
    ]
    assert memory_of("torus(4,4)") == 48 * 32 + 16 * 32 + 256 and memory_of("no file") < 200
    assert "a guess" in Cost(1.0, 1.0, 1 << 31, 0.0).words() and "2.15 GB" in Cost(1.0, 1.0, 1 << 31, 1.0).words()
