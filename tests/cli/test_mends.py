"""What commands once got wrong, each as a user met it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom import evaluate

Run = Callable[..., tuple[int, str, str]]

OWN = """
from netloom import plugin

class Direct(plugin.Collective):
    "Every rank sends its vector to every other."
    name = "allreduce:direct"

    def steps(self, ranks, root, size_bytes):
        return [[(a, b, [0], True) for a in range(ranks) for b in range(ranks) if a != b]]
"""


def told(outcome: tuple[int, str, str]) -> dict[str, object]:
    code, out, err = outcome
    assert code == 0, err
    made: dict[str, object] = json.loads(out)
    return made


def refused(outcome: tuple[int, str, str], *words: str) -> None:
    code, out, err = outcome
    assert code == 2 and out == "" and err.startswith("error: NL-"), (code, out, err)
    assert "internal" not in err and all(word in err for word in words), err


def test_a_matrix_of_messages_says_how_many_ranks_there_are(netloom: Run) -> None:
    rows = [",".join("0" if a == b else "8" for b in range(4)) for a in range(4)]
    Path("comm.csv").write_text("\n".join(rows) + "\n")
    job = ("-n", "star(9)", "-t", "comm.csv", "--json")
    assert told(netloom("hops", *job))["ranks"] == 4
    assert told(netloom("map", *job, "--optimise", "two-opt(swaps=10)"))["ranks"] == 4
    assert told(netloom("simulate", *job))["jobs"][0]["ranks"] == 4  # type: ignore[index]
    assert told(netloom("loads", *job))["messages"] == 12


def test_bytes_of_every_link_go_to_stdout(netloom: Run) -> None:
    code, out, err = netloom("loads", "-n", "ring(4)", "-t", "shift(1)", "--csv", "-")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0 and err == "" and len(rows) == 16 and sum(float(row["bytes"]) for row in rows) == 12
    assert not list(Path().iterdir())
    refused(netloom("loads", "-n", "ring(4)", "-t", "shift(1)", "--csv", "-", "--json"), "--csv -", "--json")


@pytest.mark.parametrize("format", ["rankfile", "csv", "plain", "slurm-arbitrary"])
def test_a_rank_file_of_ones_own_is_told_by_its_content(netloom: Run, format: str) -> None:
    job = ("-n", "torus(4,4)", "-c", "allreduce:ring")
    there = ("--placement", "random(seed=3)", "--json")
    assert netloom("map", *job, *there[:2], "--optimise", "none", "--emit", format, "-o", "made")[0] == 0
    (written,) = Path("made").iterdir()
    assert (
        told(netloom("hops", *job, "--mapping", str(written), "--json"))["total_hops"]
        == (told(netloom("hops", *job, *there))["total_hops"])
    )


def test_an_optimiser_is_an_order(netloom: Run) -> None:
    job = ("-n", "random_shortcut(64,degree=5,seed=1)", "--ranks", "32", "-c", "broadcast:binomial", "--json")
    plain = told(netloom("hops", *job))
    found = told(netloom("hops", *job, "--order", "two-opt(swaps=2000,seed=1)"))
    assert found["total_hops"] < plain["total_hops"]  # type: ignore[operator]
    assert found["value"] == found["total_hops"] and "value" not in plain
    timed = ("--order", "two-opt(swaps=2000,seed=1)")
    assert told(netloom("simulate", *job, *timed))["time_s"] != told(netloom("simulate", *job))["time_s"]
    assert told(netloom("loads", *job, *timed))["mean_hops"] < told(netloom("loads", *job))["mean_hops"]  # type: ignore[operator]


def test_a_format_that_the_job_cannot_have_is_refused_before_the_search(netloom: Run) -> None:
    job = ("map", "-n", "torus(4,4)", "-c", "allreduce:ring", "--emit", "csv,bgq", "-o", "maps")
    forever = ("--optimise", "anneal(swaps=1000000000000)")
    refused(netloom(*job, *forever), "NL-F018", "5 or 3 dimensions")
    assert not Path("maps").exists()


def test_a_plugins_algorithm_is_timed_and_does_not_stop_the_tuning_files(netloom: Run, forget: None) -> None:
    Path("mine.py").write_text(OWN)
    job = ("collectives", "-n", "star(4)", "--sizes", "8,1KiB", "--plugin", "mine.py", "-c", "allreduce", "--json")
    named = {row["algorithm"] for row in told(netloom(*job))["collectives"][0]["rows"]}  # type: ignore[index]
    assert {"allreduce:direct", "allreduce:ring"} <= named
    made = told(netloom(*job, "--emit", "ompi,mpich,nccl", "-o", "tuned"))
    assert {Path(entry["path"]).name for entry in made["files"]} >= {"ompi-rules.conf", "mpich-selection.json"}  # type: ignore[attr-defined,index]
    named = {row["algorithm"] for row in made["collectives"][0]["rows"]}  # type: ignore[index]
    assert "allreduce:direct" in named


@pytest.mark.parametrize("text", ["allreduce:ring", "uniform(messages=40,seed=1)", "is(class=S)", "comm.csv"])
def test_a_text_means_the_same_to_every_command(netloom: Run, text: str) -> None:
    Path("comm.csv").write_text("src,dst,bytes\n" + "".join(f"{r},{(r + 1) % 8},64\n" for r in range(8)))
    job = ("-n", "ring(8)", "-t", text, *(("--size", "1KiB") if ":" in text else ()), "--json")
    sent = {command: told(netloom(command, *job))["messages"] for command in ("hops", "simulate", "loads")}
    assert all(count > 0 for count in sent.values())  # type: ignore[operator]


def test_one_file_of_jobs_for_every_command(netloom: Run) -> None:
    lines = '[[job]]\nname = "a"\nnodes = 4\nworkload = "allreduce:ring"\nsize_bytes = "1 KiB"\n'
    Path("jobs.toml").write_text(lines + '[[job]]\nname = "b"\nranks = 4\ntraffic = "shift(1)"\n')
    Path("jobs.txt").write_text("a n[1-4]\nb n[5-8]\n")
    for more in (("--jobs", "jobs.toml"), ("--jobs", "jobs.txt", "--first-node", "1", "-t", "shift(1)")):
        for command in ("loads", "simulate"):
            jobs = told(netloom(command, "-n", "ring(8)", *more, "--json"))["jobs"]
            assert [job.get("name", job.get("job")) for job in jobs] == ["a", "b"]  # type: ignore[attr-defined]
    text = ("--job", "a=4: allreduce:ring", "--job", "b: shift(1)")
    made = told(netloom("simulate", "-n", "ring(8)", *text, "--json"))["jobs"]
    assert [job["ranks"] for job in made] == [4, 4]  # type: ignore[attr-defined]
    both = ("--jobs", "jobs.toml", "--job", "one more: alltoall:pairwise")
    for command in ("loads", "simulate"):
        jobs = told(netloom(command, "-n", "ring(12)", *both, "--json"))["jobs"]
        assert [job.get("name", job.get("job")) for job in jobs] == ["a", "b", "one more"]  # type: ignore[attr-defined]
    refused(netloom("loads", "-n", "ring(12)", *both[:3], "c=5: alltoall:pairwise"), "NL-M017", '"c"')
    Path("late.toml").write_text(lines + 'start = "1 ms"\n')
    assert netloom("simulate", "-n", "ring(8)", "--jobs", "late.toml")[0] == 0
    refused(netloom("loads", "-n", "ring(8)", "--jobs", "late.toml"), "NL-H003", 'job "a".start', "loads")
    Path("way.toml").write_text(lines + 'variant = "hashed"\n')
    assert netloom("simulate", "-n", "ring(8)", "--jobs", "way.toml")[0] == 0
    refused(netloom("loads", "-n", "ring(8)", "--jobs", "way.toml"), "NL-E030", "variant of job a", "static-direct")


SCENARIO = 'network = "torus(4,4)"\nworkload = "allreduce:ring"\nsize_bytes = "1 KiB"\n'


@pytest.mark.parametrize("name", ["hops", "loads", "time", "metrics", "cost"])
def test_evaluate_prints_the_answer(netloom: Run, name: str) -> None:
    Path("s.toml").write_text(SCENARIO if name not in ("metrics", "cost") else 'network = "torus(4,4)"\n')
    code, out, err = netloom("evaluate", "s.toml", "-e", name, "--json")
    assert (code, err) == (0, "")
    assert out == json.dumps(evaluate("s.toml", name).to_dict(), indent=2, ensure_ascii=False) + "\n"
    code, out, _ = netloom("evaluate", "s.toml", "-e", name)
    assert code == 0 and f"model: {evaluate('s.toml', name).model}" in out


def test_evaluate_takes_options(netloom: Run) -> None:
    Path("s.toml").write_text(SCENARIO)
    told_ = told(
        netloom("evaluate", "s.toml", "-e", "loads", "--option", "hottest=1", "--option", "tolerance=0.01", "--json")
    )
    assert {row["place"] for row in told_["tables"]["hottest"]} == {1}  # type: ignore[call-overload,index]
    steps = told(netloom("evaluate", "s.toml", "--option", "steps=true", "--json"))["tables"]
    assert len(steps["steps"]) == 30  # type: ignore[call-overload]
    refused(netloom("evaluate", "s.toml", "-e", "loads", "--option", "hotest=1"), "NL-A003", "hottest")
    refused(netloom("evaluate", "s.toml", "-e", "loads", "--option", "hottest=many"), "NL-A007", "hottest")
    refused(netloom("evaluate", "s.toml", "-e", "loads", "--option", "hottest"), "NL-X010", "--option")
    refused(netloom("evaluate", "s.toml", "-e", "hosp"), "NL-A002", "hops")
    refused(netloom("evaluate", "none.toml"), "NL-X001", "none.toml")


def test_evaluators_and_algorithms_are_listed(netloom: Run) -> None:
    assert {"hops", "loads", "time"} <= {row["name"] for row in json.loads(netloom("list", "evaluators", "--json")[1])}
    names = [row["name"] for row in json.loads(netloom("list", "allreduce", "--json")[1])]
    assert "allreduce:ring" in names and all(name.startswith("allreduce:") for name in names)
    assert netloom("list", "bcast")[1] == netloom("list", "broadcast")[1] != ""


FAULTS = {
    ("--size", "3 parsecs"): "--size",
    ("--ranks", "0"): "--ranks",
    ("--cores", "x"): "--cores",
    ("--root", "-1"): "--root",
    ("--fail", "nothing"): "--fail",
    ("--size", "-1", "--ranks", "0"): "--ranks",
}


@pytest.mark.parametrize("options", FAULTS, ids=" ".join)
@pytest.mark.parametrize("command", ["hops", "loads", "simulate", "map"])
def test_faults_name_the_option(netloom: Run, command: str, options: tuple[str, ...]) -> None:
    code, out, err = netloom(command, "-n", "ring(8)", "-c", "broadcast:binomial", *options)
    assert code == 2 and out == "" and FAULTS[options] in err
    assert err.count("error: ") == len(options) // 2


@pytest.mark.parametrize(
    ("network", "workload", "option"),
    [
        ("rng(8)", ("-c", "broadcast:binomial"), "--network"),
        ("ring(8)", ("-c", "broadcast:binomail"), "--collective"),
        ("ring(8)", ("-t", "shfit(k=1)"), "--traffic"),
        ("ring(8)", ("-a", "mlic"), "--application"),
    ],
)
def test_an_unknown_name_is_told_with_its_option(
    netloom: Run, network: str, workload: tuple[str, ...], option: str
) -> None:
    code, _, err = netloom("loads", "-n", network, *workload)
    assert code == 2 and err.startswith(f"error: NL-A002 {option}: ") and "did you mean" in err, err


@pytest.mark.parametrize("name", ["ranks", "cores", "scenario.ranks"])
@pytest.mark.parametrize(
    "options",
    [
        ("-n", "ring(8)", "-t", "shift(k=1)", "--mapping", "{}"),
        ("-n", "ring(8)", "-t", "{}"),
        ("-n", "ring(8)", "-t", "shift(k=1)", "--routing", 'tables("{}")'),
        ("-n", "{}", "-t", "shift(k=1)"),
        ("-n", "ring(8)", "--jobs", "{}"),
    ],
    ids=lambda options: options[-2],
)
def test_a_file_that_is_called_like_an_axis_is_named_as_the_file(
    netloom: Run, options: tuple[str, ...], name: str
) -> None:
    Path(name).write_text("")
    code, _, err = netloom("loads", *(text.format(name) for text in options))
    assert code == 2 and re.match(rf"error: NL-[FJ]\d+ {re.escape(name)}: ", err), err


@pytest.mark.parametrize("name", ["ranks", "cpus"])
def test_a_node_file_is_named_as_the_file(netloom: Run, name: str) -> None:
    Path(name).write_text("")
    job = ("-n", "ring(8)", "-t", "shift(k=1)", "--cores", "2", "--optimise", "none", "--emit", "map-cpu")
    code, _, err = netloom("map", *job, "--cpus", name)
    assert code == 2 and err.startswith(f"error: NL-F009 {name}: "), err
    code, _, err = netloom("map", *job, "--cpus", "missing")
    assert code == 2 and err.startswith("error: NL-X001 missing: cannot be read"), err


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("describe", "torus(4,4)", "--from", "slurm"), "a call such as torus(4,4) goes without a format (--from)"),
        (("map", "-n", "ring(8)", "-t", "shift(k=1)", "-o", "maps"), "-o: is the folder of rank files"),
        (("map", "-n", "ring(8)", "-t", "shift(k=1)", "--first-node", "1"), "--first-node: is about running jobs"),
        (("map", "-n", "ring(8)", "-t", "shift(k=1)", "--others", "shift(k=1)"), "give --jobs FILE and --nodes N"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(netloom: Run, command: tuple[str, ...], says: str) -> None:
    code, out, err = netloom(*command)
    assert (code, out) == (2, "") and says in err, err


def test_every_command_knows_failures_cores_and_mappings(netloom: Run) -> None:
    Path("two.csv").write_text("rank,endpoint\n0,3\n1,5\n")
    job = ("-n", "ring(8)", "-c", "allreduce:ring", "--json")
    for command in ("hops", "loads", "simulate", "map"):
        assert netloom(command, *job, "--fail", "link:0-1")[0] == 0, command
        assert netloom(command, *job, "--mapping", "two.csv")[0] == 0, command
    for command in ("loads", "simulate", "map"):
        assert netloom(command, *job, "--cores", "2", "--ranks", "16")[0] == 0, command
    assert told(netloom("describe", "ring(8)", "--fail", "link:0-1", "--json"))["switch_links"] == 7
