"""Words that sound like facts: who is fastest, which links are hottest, what a cut bounds, whom a path leads to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as library
from netloom.compare.words import verdict

from .test_compare import made

Run = Callable[..., tuple[int, str, str]]


def test_a_lead_of_less_than_two_percent_is_a_tie_of_networks() -> None:
    near = verdict(made((2.00e-6, 2.01e-6, 3e-6)))[0]
    assert near == "`w`: `a` and `b` tie as the fastest within 2 % (2 µs to 2.01 µs)."
    assert verdict(made((2.02e-6, 2.01e-6, 2e-6)))[0] == "`w`: all networks tie within 2 % (2 µs to 2.02 µs)."
    assert verdict(made((2.05e-6, 2e-6, 3e-6)))[0].startswith("`w` is fastest on `b`: 2 µs, 2.4 % less than on `a`")


def test_a_tie_of_networks_on_the_command_line(netloom: Run) -> None:
    pair = ("compare", "complete(1,p=8)", "star(8)", "-c", "allreduce:ring", "--calibration", "pure")
    code, out, _ = netloom(*pair, "--size", "1MiB")
    # 149.6 and 152.4 µs.
    assert code == 0 and "all networks tie within 2 %" in out and "is fastest" not in out
    code, _, _ = netloom(*pair, "--report", "page.html")
    assert code == 0 and "tie" in Path("page.html").read_text()


def test_a_tie_of_algorithms(netloom: Run) -> None:
    args = ("-n", "complete(1,p=8)", "--calibration", "pure", "--sizes", "4MiB:4MiB")
    args += ("--algorithms", "allreduce:ring,allreduce:rabenseifner")
    code, out, _ = netloom("collectives", *args)
    # 588.4 and 590.0 µs.
    assert code == 0 and "with allreduce:rabenseifner, level with ring;" in out
    code, out, _ = netloom("explain", "ompi", "allreduce", "--ranks", "8", "--bytes", "4MiB", *args[:2])
    assert code == 0 and "with which the choice ties (within 2 %)" in out and "slower by" not in out


def test_a_cut_between_endpoints_is_no_wider_than_one_at_hand() -> None:
    """Halves of two groups each have half the endpoints; the cables between them are counted here."""
    net = library.network("dragonfly_plus(leaves=4,spines=4,h=4,g=4,p=4)")
    groups = net.groups
    assert groups is not None
    of = [int(group) for group in groups]
    pairs = list(zip(net.tails.tolist(), net.heads.tolist(), strict=True))
    least = min(
        sum(1 for a, b in pairs if (of[a] in half) and (of[b] not in half)) for half in ({0, 1}, {0, 2}, {0, 3})
    )
    found = library.describe(net)["endpoint_bisection"]
    assert (found["value"] if found["exact"] else found["upper"]) <= least


@pytest.mark.parametrize("model", ["flow", "packet"])
def test_the_critical_path_names_its_ranks(model: str, netloom: Run) -> None:
    args = ("simulate", "-n", "complete(1,p=8)", "--critical-path", "--model", model, "-q", "--calibration", "pure")
    _, out, _ = netloom(*args, "-c", "broadcast:chain(segments=1)", "--size", "1MB")
    line = next(line for line in out.splitlines() if line.startswith("path from, to"))
    # The last message of the chain ends that of its sender and of its receiver at one time.
    assert line.endswith("which ends last") and "rank 1," in line
    jobs = ("--job", "short=2: shift(k=1,bytes=1000)", "--job", "long=2: shift(k=1,bytes=1000000)")
    _, out, _ = netloom(*args, *jobs)
    line = next(line for line in out.splitlines() if line.startswith("path from, to"))
    assert "rank 0 of job long, which ends last" in line
    path = json.loads(netloom(*args, *jobs, "--json")[1])["critical_path"]
    assert (path["job"], path["rank"], path["from_job"]) == (1, 0, 1)


def test_contention_on_a_crossbar_is_told_apart(netloom: Run) -> None:
    _, out, _ = netloom("simulate", "-n", "complete(1,p=4)", "-t", "uniform(seed=1)", "--critical-path", "-q")
    line = next(line for line in out.splitlines() if line.startswith("critical path"))
    assert "(own NIC " in line and "own job" not in line


def test_the_hottest_link_of_a_crossbar_is_that_of_an_endpoint(netloom: Run) -> None:
    _, out, _ = netloom("loads", "-n", "complete(1,p=4)", "-c", "alltoall:pairwise", "--size", "1MiB")
    assert out.splitlines()[0].split(None, 2)[2] == "252 µs, 3.15 MB, from endpoint 0 and 3 others"


def test_a_mapping_without_a_size_says_for_which_and_looks_at_another(netloom: Run) -> None:
    args = ("map", "-n", "torus(4,4)", "-c", "allreduce:ring", "--order", "random(seed=1)")
    _, out, err = netloom(*args)
    assert "no size was given: the mapping is for a collective of 1 B" in err and "at 1MiB flows" in out
    assert "as sure as" not in out
    _, out, err = netloom(*args, "--size", "1MiB")
    assert "no size was given" not in err and "at 1MiB" not in out


def test_a_job_list_with_repetitions_has_loads(netloom: Run) -> None:
    jobs = "[[job]]\nname = \"a\"\nnodes = 8\nworkload = 'shift(k=1,bytes=1000)'\nrepetitions = {}\n"
    most = []
    for times in (1, 5):
        Path("jobs.toml").write_text(jobs.format(times))
        code, out, err = netloom("loads", "-n", "torus(4,4)", "--jobs", "jobs.toml", "--json")
        assert code == 0, err
        most.append(json.loads(out)["classes"]["all"]["max_bytes"])
    assert most[1] == 5 * most[0]


@pytest.mark.parametrize("args", [(), ("--json",), ("--report", "page.html")])
def test_a_curve_stopped_before_its_first_point_says_what_is_known(args: tuple[str, ...], netloom: Run) -> None:
    code, out, err = netloom("throughput", "-n", "torus(4,4)", "-t", "uniform", "--stop-after", "1e-6", *args)
    assert code == 0, err
    assert "19.13" in out and "10 loads have no point" in out + err
    if "--report" in args:
        assert "stopped before the first load had a point" in Path("page.html").read_text()


def test_all_numbers_of_ranks_of_a_range_are_proved(netloom: Run) -> None:
    code, out, _ = netloom("verify", "allreduce:rabenseifner", "--ranks", "2:65")
    assert (code, out) == (0, "proved  64 of 64 numbers of ranks, 2 to 65\n")


def test_costs_of_software_that_differ_are_said(netloom: Run) -> None:
    asked = ("compare", "torus(4,4)", "rail_cluster(nodes=2)", "-c", "allreduce:ring", "--no-spread")
    words = "costs of software are compared too: torus(4,4) mpi-rdma, rail_cluster(nodes=2) gpu-rdma"
    assert words in netloom(*asked)[2]
    assert "costs of software" not in netloom(*asked, "--calibration", "pure")[2]
    assert "costs of software" not in netloom(*asked[:2], "star(16)", *asked[3:])[2]
