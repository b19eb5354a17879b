"""`--library`: a collective left to the library's own choice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
TORUS = ["-n", "torus(4,4)"]
LUMI = ["--machine", "lumi-g", "--nodes", "16", "--ranks-per-node", "1"]


@pytest.mark.parametrize("command", ["simulate", "hops", "loads"])
def test_default_is_the_algorithm_that_is_named(netloom: Run, command: str) -> None:
    more = [*TORUS, "--size", "4KiB", "--json"]
    chosen = json.loads(netloom(command, "-c", "allreduce:default", "--library", "mpich", *more)[1])
    alone = json.loads(netloom(command, "-c", "allreduce", "--library", "mpich", *more)[1])
    named = json.loads(netloom(command, "-c", "allreduce:rabenseifner", *more)[1])
    assert alone == chosen
    for key in ("time_s", "total_hops", "bytes_sent", "messages"):
        assert chosen.get(key) == named.get(key)


def test_the_answer_says_what_was_chosen_and_why(netloom: Run) -> None:
    code, out, _ = netloom("simulate", *TORUS, "-c", "allreduce:default", "--library", "openmpi", "--size", "4KiB")
    assert code == 0 and "openmpi 4.1.4 chooses allreduce:rabenseifner (" in out
    node = ["-n", "rail_cluster(nodes=1)", "-c", "allreduce:default", "--size", "1GiB"]
    code, out, _ = netloom("simulate", *node, "--library", "nccl")
    assert code == 0 and "its nvls simple" in out and "trees of switches, which combine" in out
    # Where no switch is said to combine, the ring stands in.
    code, out, _ = netloom("simulate", *node, "--library", "nccl", "--calibration", "pure")
    assert code == 0 and "its nvls simple" in out and "the switch of the node combines" in out


@pytest.mark.parametrize("command", ["map", "compare", "throughput", "compare-models"])
def test_others_say_it_too(netloom: Run, command: str) -> None:
    more = {
        "map": [*TORUS, "-q", "--optimise", "greedy"],
        "compare": ["torus(4,4)", "star(16)", "--no-spread"],
        "throughput": [*TORUS, "-q", "--loads", "0.2", "--no-saturation", "--cycles", "300", "--warm-up", "50"],
        "compare-models": [*TORUS, "-q"],
    }[command]
    code, out, err = netloom(command, *more, "-c", "alltoall:default", "--library", "mpich")
    assert code == 0 and "mpich 4.0.2 chooses alltoall:bruck(k=2)" in out + err


def test_a_machine_names_its_library(netloom: Run) -> None:
    code, out, _ = netloom("simulate", *LUMI, "-c", "reduce", "--size", "1MiB")
    assert code == 0 and "cray-mpich 8.1 chooses reduce:rabenseifner" in out
    # Another one in its place.
    code, out, _ = netloom("simulate", *LUMI, "-c", "barrier:default", "--library", "openmpi")
    assert code == 0 and "openmpi 4.1.4 chooses barrier:recursive-doubling" in out
    assert "never measured: library of lumi-g was changed" in out
    _, out, _ = netloom("simulate", *LUMI, "-c", "reduce", "--size", "1MiB", "--library", "cray")
    assert "median error on 120 measurements of this machine" in out


def test_a_machine_with_an_unknown_library_is_refused(netloom: Run) -> None:
    Path("m.toml").write_text('network = "torus(4,4)"\nlibrary = "mpic"\n')
    code, _, err = netloom("simulate", "--machine", "m.toml", "-c", "allreduce")
    assert code == 2 and "m.toml" in err and 'did you mean "mpich"' in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-c", "allreduce:default"], "NL-D006 --collective"),
        (["-c", "allreduce"], "is a collective without an algorithm"),
        (["-c", "allreduce:default", "--library", "opnmpi"], 'did you mean "openmpi"'),
        (["-c", "barrier:default", "--library", "nccl"], "NL-D007 --library: nccl has no barrier"),
    ],
)
def test_bad_input_is_one_line_and_a_remedy(netloom: Run, words: list[str], said: str) -> None:
    code, _, err = netloom("simulate", *TORUS, *words)
    assert code == 2 and said in err
    assert len(err.strip().splitlines()) == 2 and "hint:" in err


def test_a_library_that_nobody_typed_is_said_with_where_it_comes_from(netloom: Run) -> None:
    for given, whose in (
        (("-n", "rail_cluster(nodes=2)"), "the default where nodes have GPUs"),
        (("--machine", "dgx-h100"), "the library of the machine dgx-h100"),
    ):
        code, _, err = netloom("simulate", *given, "-c", "barrier")
        assert code == 2 and f"NL-D007 --collective: nccl, {whose}, has no barrier" in err
        assert "such as barrier:dissemination" in err and "--library" not in err


def test_costs_of_a_machine_are_not_called_pure(netloom: Run) -> None:
    Path("bare.toml").write_text('network = "torus(4,4)"\n')
    Path("slow.toml").write_text('network = "torus(4,4)"\n[software]\nmessage_latency = [[0, 1e-3, 0.0]]\n')
    own = "of the machine slow"
    for given, costs in (
        (("--machine", "slow.toml"), own),
        (("--machine", "slow.toml", "--calibration", "pure"), "pure"),
        (("--machine", "bare.toml"), "pure"),
        (("-n", "torus(4,4)"), "mpi-rdma"),
    ):
        line = ["simulate", *given, "-c", "allreduce:ring", "--size", "1KiB"]
        assert re.search(f"^calibration +{costs}$", netloom(*line)[1], re.MULTILINE)
        assert json.loads(netloom(*line, "--json")[1])["calibration"] == costs


def test_a_library_that_has_nothing_to_choose_is_of_no_effect(netloom: Run) -> None:
    code, _, err = netloom("simulate", *TORUS, "-c", "allreduce:ring", "--library", "mpich")
    assert code == 0 and "--library has no effect: every algorithm is named" in err


def test_open_mpi_5_goes_level_by_level_on_nodes_with_several_ranks(netloom: Run) -> None:
    nodes = ["-n", "star(4)", "--node", "node(sockets=1,cores=8)", "--nodes", "4"]
    line = ["simulate", *nodes, "-c", "allreduce:default", "--library", "openmpi-5", "--size", "4KiB"]
    code, out, _ = netloom(*line, "--ranks-per-node", "8")
    call = 'allreduce:hierarchical(4,8,top="rabenseifner+linear",algorithms=binomial)'
    assert code == 0 and f"openmpi-5 5.0.10 chooses {call}, its coll/han" in out
    named = json.loads(netloom("simulate", *nodes, "--ranks-per-node", "8", "-c", call, "--size", "4KiB", "--json")[1])
    assert json.loads(netloom(*line, "--ranks-per-node", "8", "--json")[1])["time_s"] == named["time_s"]
    _, out, _ = netloom(*line, "--ranks-per-node", "1")
    assert "openmpi-5 5.0.10 chooses allreduce:recursive-doubling (" in out
    _, out, _ = netloom(*line[:-4], "--library", "openmpi", "--size", "4KiB", "--ranks-per-node", "8")
    assert "openmpi 4.1.4 chooses allreduce:rabenseifner" in out


@pytest.mark.parametrize("word", ["openmpi-5", "ompi-5", "ompi5", "open-mpi-5"])
def test_explain_has_what_open_mpi_5_asks_on_one_level(netloom: Run, word: str) -> None:
    code, out, _ = netloom("explain", word, "allreduce", "--ranks", "128", "--bytes", "4")
    assert code == 0 and "coll/tuned (one node, or one rank a node) 5.0.10" in out and "nonoverlapping" in out
    assert "coll/han decides first" in netloom("explain", word, "barrier", "--ranks", "8", "--json")[1]


def test_a_tuning_file_of_open_mpi_5_is_asked_after_coll_han(netloom: Run) -> None:
    nodes = ["-n", "star(4)", "--node", "node(sockets=1,cores=2)", "--nodes", "4", "-q"]
    line = ["collectives", *nodes, "-c", "allreduce", "--sizes", "1KiB,128KiB", "--emit", "ompi", "-o", "made"]
    code, out, err = netloom(*line, "--ranks-per-node", "2", "--library", "openmpi-5")
    assert code == 0 and "OMPI_MCA_coll=^han" in err
    for size, made in (
        ("1KiB", 'hierarchical(4,2,top="rabenseifner+linear",algorithms=linear)'),
        ("128KiB", 'hierarchical(4,2,top="rabenseifner+linear",algorithms=binomial,up=linear,segments=2)'),
    ):
        assert f"unchanged, openmpi-5 5.0.10, from {size}: {made}, " in out
    assert "a leader waits for the messages of all its levels" in err
    for more in (
        ["--ranks-per-node", "2", "--library", "openmpi"],
        ["--ranks-per-node", "1", "--library", "openmpi-5"],
    ):
        assert "^han" not in netloom(*line, *more)[2]
    code, _, err = netloom(*line[:-3], "openmpi-5", "-o", "made")
    assert code == 2 and 'there is no tuning file "openmpi-5"' in err


def test_collectives_says_what_is_unchanged(netloom: Run) -> None:
    # Without time of software, recursive doubling is as fast as any barrier.
    line = ["collectives", *TORUS, "-c", "allreduce,barrier", "--sizes", "1KiB,1MiB", "-q", "--calibration", "pure"]
    _, out, _ = netloom(*line, "--library", "openmpi")
    assert "unchanged, openmpi 4.1.4, from 1KiB: recursive-doubling, " in out
    assert "unchanged, openmpi 4.1.4, from 0B: recursive-doubling, as fast as any" in out
    assert "unchanged" not in netloom(*line)[1]
    (allreduce, barrier) = json.loads(netloom(*line, "--library", "openmpi", "--json")[1])["collectives"]
    assert [row["call"] for row in allreduce["unchanged"]] == ["allreduce:recursive-doubling", "allreduce:rabenseifner"]
    assert all(row["slower_by"] >= 1 for row in allreduce["unchanged"])
    assert len(barrier["unchanged"]) == 1
    assert "unchanged" not in json.loads(netloom(*line, "--json")[1])["collectives"][0]
    assert "nccl has no barrier" in netloom(*line, "--library", "nccl")[2]


def test_collectives_takes_the_costs_of_the_machine(netloom: Run) -> None:
    said = 'network = "torus(4,4)"\n'
    Path("bare.toml").write_text(said)
    Path("slow.toml").write_text(said + "[software]\nmessage_latency = [[0, 1e-3, 0.0]]\n")
    times = []
    for name in ("bare", "slow"):
        line = ["--machine", f"{name}.toml", "-c", "allreduce", "--algorithms", "allreduce:ring", "--sizes", "1KiB"]
        _, text, _ = netloom("collectives", *line, "-q", "--json")
        times.append(json.loads(text)["collectives"][0]["rows"][0]["time_s"])
    assert times[1] == pytest.approx(times[0] + 30e-3, rel=1e-6)


def test_a_study_has_the_library_as_an_axis(netloom: Run) -> None:
    Path("s.toml").write_text(
        'title = "t"\n[[experiment]]\nname = "e"\nevaluate = "time"\n[experiment.axes]\nnetwork = "torus(4,4)"\n'
        'workload = "allreduce:default"\nsize_bytes = "1KiB"\nlibrary = ["mpich", "cray-mpich"]\n'
    )
    code, _, err = netloom("run", "s.toml", "-o", "out", "-q")
    assert code == 0, err
    (table,) = Path("out").rglob("e.csv")
    rows = table.read_text().splitlines()
    assert len(rows) == 3 and rows[1] != rows[2]


def test_list_names_the_libraries(netloom: Run) -> None:
    _, out, _ = netloom("list", "libraries", "--json")
    assert [row["name"] for row in json.loads(out)] == ["openmpi", "openmpi-5", "mpich", "cray-mpich", "nccl", "rccl"]


def test_another_library_undoes_how_the_usual_one_runs_a_named_algorithm(netloom: Run) -> None:
    rails = ["hops", "-n", "rail_cluster(nodes=2)", "--size", "1MiB", "--json", "-c"]
    usual, err = netloom(*rails, "allreduce:ring")[1:]
    other, said = netloom(*rails, "allreduce:ring", "--library", "mpich")[1:]
    assert json.loads(usual)["messages"] == 3840 and json.loads(other)["messages"] == 480
    assert "no effect" not in err + said
    assert "--library has no effect" in netloom(*rails, "barrier:dissemination", "--library", "mpich")[2]


def test_collectives_on_gpus_times_a_named_algorithm_as_simulate_does(netloom: Run) -> None:
    gpus = ["-n", "rail_cluster(nodes=2)", "--json"]
    _, out, _ = netloom("collectives", *gpus, "-c", "allreduce", "--algorithms", "allreduce:ring", "--sizes", "64MiB")
    (row,) = json.loads(out)["collectives"][0]["rows"]
    found = json.loads(netloom("simulate", *gpus, "-c", "allreduce:ring", "--size", "64MiB")[1])
    assert row["time_s"] == found["time_s"]
