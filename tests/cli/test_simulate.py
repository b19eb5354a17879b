"""`netloom simulate` as a user runs it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import netloom as package
from netloom.mapping import emitted

Run = Callable[..., tuple[int, str, str]]
RECORDED = Path(__file__).resolve().parents[1] / "data" / "smpi_trace"


@pytest.fixture
def netloom(netloom: Run) -> Run:
    """`netloom simulate ...`"""
    return partial(netloom, "simulate")


def facts(outcome: tuple[int, str, str]) -> dict[str, str]:
    code, out, err = outcome
    assert code == 0, err
    return {name.strip(): value for name, _, value in (line.partition("  ") for line in out.splitlines())}


def found(outcome: tuple[int, str, str]) -> dict[str, object]:
    code, out, err = outcome
    assert code == 0, err
    made: dict[str, object] = json.loads(out)
    return made


def refused(outcome: tuple[int, str, str], *words: str) -> None:
    code, out, err = outcome
    assert code == 2 and out == "", (code, out, err)
    assert err.startswith("error: NL-") and "internal" not in err and "Traceback" not in err, err
    assert err.count("error: ") == 1 and all(len(line) < 1000 for line in err.splitlines()), err
    assert all(word in err for word in words), err


def test_a_collective(netloom: Run) -> None:
    shown = facts(
        netloom("-n", "torus(4,4)", "-c", "alltoall:bruck", "--size", "4KiB", "--critical-path", "-r", "single-minimal")
    )
    assert shown["ranks"].strip() == "16" and shown["messages"].strip() == "64"
    assert "contention" in shown["critical path"] and "compute" not in shown["critical path"]


def test_json_is_what_python_says(netloom: Run) -> None:
    told = found(netloom("-n", "torus(4,4)", "-c", "allreduce:ring", "--size", "1MiB", "--repetitions", "3", "--json"))
    ours = package.simulate("torus(4,4)", workload="allreduce:ring", size_bytes=1 << 20, repetitions=3)
    (job,) = told["jobs"]  # type: ignore[misc]
    assert told["time_s"] == ours["time_s"] and job["finish_s"] == ours["finish_s"].tolist()
    assert told["messages"] == ours["messages"] and job["mop_per_s"] is None


def test_the_machine_is_as_told(netloom: Run) -> None:
    """Every setting has its part in the time."""
    plain = ("-n", "torus(4,4)", "-a", "is(class=S)", "--json")
    base = found(netloom(*plain))["time_s"]
    for change in (
        ("--speed", "1 Gflops"),
        ("--switch-latency", "1 us"),
        ("--duplex", "half"),
        ("--calibration", "simgrid-smpi"),
        ("--algorithm", "alltoall:pairwise", "--algorithm", "allreduce:ring"),
        ("--background", "0:5"),
        ("--placement", "random(seed=1)"),
        ("--order", "shuffle(seed=1)"),
    ):
        assert found(netloom(*plain, *change))["time_s"] != base, change


def test_an_application_counts_operations(netloom: Run) -> None:
    slow = facts(netloom("-n", "complete(8)", "-a", "ft(class=S)", "--speed", "1 Gflops"))
    # Eight ranks of 1 Gflop/s cannot do more than 8000 Mop/s, and do most of that.
    assert 6000 < float(slow["Mop/s"]) < 8000


def test_a_recorded_trace(netloom: Run) -> None:
    shutil.copytree(RECORDED, "recorded")
    told = found(netloom("-n", "star(4)", "--trace", "recorded/mixed_4.txt", "--json"))
    together = "".join((RECORDED / f"mixed_4_rank_{rank}.txt").read_text() for rank in range(4))
    Path("merged.txt").write_text(together)
    merged = found(netloom("-n", "star(4)", "--trace", "merged.txt", "--json"))
    assert told["time_s"] == merged["time_s"] and told["messages"] == merged["messages"] != 0


@pytest.mark.parametrize(
    "load",
    [
        ("-c", "alltoall:bruck", "--size", "4KiB", "--repetitions", "3"),
        ("-c", "allreduce:recursive-doubling", "--size", "64KiB"),
        ("-t", "stencil(4,4,bytes=100000)"),
        ("-a", "cg(class=S,iterations=2)"),
    ],
    ids=["collective", "reduction", "traffic", "application"],
)
def test_what_is_written_runs_as_before(netloom: Run, load: tuple[str, ...]) -> None:
    # A trace has no time of copies, combining and calls.
    pure = ("-n", "torus(4,4)", "--calibration", "pure", "--json")
    before = found(netloom(*pure, *load, "--write-trace", "made"))
    assert len(list(Path("made").iterdir())) == 17 == len(before["files"])  # type: ignore[arg-type]
    after = found(netloom(*pure, "--trace", "made/trace.txt"))
    assert after["time_s"] == pytest.approx(before["time_s"], rel=1e-12)
    assert (after["messages"], after["bytes"]) == (before["messages"], before["bytes"])


def test_several_jobs(netloom: Run) -> None:
    Path("jobs.toml").write_text(
        '[[job]]\ncollective = "allreduce:ring"\nsize = "1 MiB"\nranks = 8\n'
        '[[job]]\napplication = "is(class=S)"\nranks = 8\norder = "shuffle(seed=1)"\nstart = "1 ms"\nrepetitions = 2\n'
        '[[job]]\ntraffic = "uniform(messages=10,bytes=1000,seed=1)"\nmapping = "here.csv"\n'
    )
    code, out, err = netloom("-n", "star(20)", "--jobs", "jobs.toml")
    assert code == 2 and "here.csv" in err
    write = emitted("csv", package.network("star(20)"), package.place("star(20)", 4, "linear(first=16)"), 1)
    Path("here.csv").write_bytes(write)
    told = found(netloom("-n", "star(20)", "--jobs", "jobs.toml", "--json"))
    ring, integers, uniform = told["jobs"]  # type: ignore[misc]
    assert [job["ranks"] for job in (ring, integers, uniform)] == [8, 8, 4]
    assert integers["start_s"] == 1e-3 and integers["last_s"] == 1e-3 + integers["time_s"]
    # The second starts when the first has ended, and stands elsewhere: it is as if it were alone.
    alone = package.simulate("star(20)", workload="is(class=S)", mapping=list(range(8, 16)), repetitions=2)
    assert integers["time_s"] == pytest.approx(alone["time_s"], rel=1e-9)
    code, out, err = netloom("-n", "star(20)", "--jobs", "jobs.toml")
    assert code == 0 and len(out.splitlines()) == 14 and "wires alone" in out and "is(class=S" in out


def test_pictures_are_the_same_bytes(netloom: Run) -> None:
    pytest.importorskip("matplotlib")
    command = ("-n", "torus(4,4)", "-a", "lu(class=S,iterations=2)", "--ranks", "16")
    for folder in ("a", "b"):
        assert netloom(*command, "--pictures", folder)[0] == 0
    names = [
        f"{name}.{kind}" for name in ("critical-path", "in-flight", "links", "timeline") for kind in ("png", "svg")
    ]
    assert sorted(path.name for path in Path("a").iterdir()) == names
    assert all(Path("a", name).read_bytes() == Path("b", name).read_bytes() for name in names)


def test_a_picture_of_nothing_is_left_out(netloom: Run) -> None:
    pytest.importorskip("matplotlib")
    Path("t.txt").write_text("0 init\n0 compute 1e9\n0 finalize\n")
    code, _, err = netloom("-n", "star(1)", "--trace", "t.txt", "--pictures", "p")
    assert code == 0 and "no picture links: no link carried anything" in err
    assert sorted(path.name for path in Path("p").glob("*.png")) == ["critical-path.png", "timeline.png"]


def test_deadlocks_and_lonely_messages_of_a_trace(netloom: Run) -> None:
    big = 1 << 20
    cases = {
        "NL-E012": [f"0 send 1 0 {big} 6", f"0 recv 1 0 {big} 6", f"1 send 0 0 {big} 6", f"1 recv 0 0 {big} 6"],
        "NL-E013": ["0 send 1 0 8 6", "1 compute 1"],
        "NL-E014": ["0 send 1 0 9 6", "1 recv 0 0 8 6"],
    }
    for code, lines in cases.items():
        Path("t.txt").write_text("0 init\n1 init\n" + "\n".join(lines) + "\n")
        refused(netloom("-n", "star(2)", "--trace", "t.txt"), code, "rank 0")
        assert ("cycle of 2 ranks" in netloom("-n", "star(2)", "--trace", "t.txt")[2]) == (code == "NL-E012")


HOSTILE = {
    "gone": "gone.txt\n",
    "above": "../above.txt\n",
    "absolute": "/etc/passwd\n",
    "link": "link.txt\n",
    "empty": "",
    "noise": "0 init\n0 fly 1 2 3\n",
    "rank": "99999999 init\n",
    "folder": "inside\n",
    "long": "x" * 5000 + "\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_traces(netloom: Run, name: str, tmp_path: Path) -> None:
    (tmp_path.parent / "above.txt").write_text("0 init\n0 finalize\n")
    folder = Path("in")
    folder.mkdir()
    (folder / "link.txt").symlink_to("/etc/passwd")
    (folder / "inside").mkdir()
    (folder / "t.txt").write_text(HOSTILE[name])
    refused(netloom("-n", "star(2)", "--trace", "in/t.txt"), "in")


JOBS = {
    "": "[[job]]",
    "x = 1": "[[job]]",
    "[[job]]": "exactly one of",
    '[[job]]\ncollective = "allreduce:ring"\ntraffic = "uniform()"\nranks = 2': "workload twice",
    '[[job]]\ncollective = "allreduce:ring"\nrank = 2': '"ranks"',
    '[[job]]\ncollective = "allreduce:ring"\nranks = "2"': "ranks must be an integer",
    '[[job]]\ncollective = "allreduce:ring"\nranks = 0': "ranks",
    '[[job]]\ncollective = "allreduce:ring"\nranks = 99': "NL-M",
    '[[job]]\ncollective = "allreduce:ring"\nranks = 2\nsize = "2 parsecs"': "size",
    '[[job]]\ncollective = "allreduce:ring"\nranks = 2\nstart = "-1 s"': "start",
    '[[job]]\ncollective = "allreduce:ring"\nranks = 2\nrepetitions = 0': "repetitions",
    '[[job]]\ncollective = "allreduce:ring"\nranks = 2\norder = "sideways"': "sideways",
    '[[job]]\ncollective = "allreduce:ring"\n[[job]]\ntraffic = "uniform()"\nranks = 2': "job 1: needs exactly one of",
    "job = 3": "[[job]]",
    "job = [1]": "job 1 must be a table",
    "a" + "[" * 3000: "levels deep",
    "a = " + "[" * 100_000: "levels deep",
}


@pytest.mark.parametrize("text", JOBS, ids=lambda text: text[-40:])
def test_jobs_that_cannot_be(netloom: Run, text: str) -> None:
    Path("jobs.toml").write_text(text)
    refused(netloom("-n", "star(8)", "--jobs", "jobs.toml"), JOBS[text])


BAD = {
    (): "exactly one is needed",
    ("-c", "allreduce:ring", "-t", "uniform()"): "exactly one is needed",
    ("-c", "allreduce:rong"): "allreduce:ring",
    ("-a", "ftt(class=S)"): "ft",
    ("-a", "ft(class=Z)"): "class",
    ("-c", "allreduce:ring", "--size", "-1"): "--size",
    ("-c", "allreduce:ring", "--size", "nan"): "--size",
    ("-c", "allreduce:ring", "--repetitions", "0"): "--repetitions",
    ("-c", "allreduce:ring", "--repetitions", "1e9"): "--repetitions",
    ("-c", "allreduce:ring", "--ranks", "9"): "NL-M",
    ("-c", "broadcast:binomial", "--root", "8"): "root",
    ("-c", "allreduce:ring", "--speed", "0"): "--speed",
    ("-c", "allreduce:ring", "--speed", "nan"): "--speed",
    ("-c", "allreduce:ring", "--speed", "3 GHz"): "Gflops",
    ("-c", "allreduce:ring", "--switch-latency", "-1 ns"): "--switch-latency",
    ("-c", "allreduce:ring", "--duplex", "both"): '"full" or "half"',
    ("-c", "allreduce:ring", "--calibration", "purr"): "pure",
    ("-c", "allreduce:ring", "--routing", "backwards"): "backwards",
    ("-c", "allreduce:ring", "--background", "1"): "SRC:DST",
    ("-c", "allreduce:ring", "--background", "1:x"): "--background",
    ("-c", "allreduce:ring", "--background", "1:99"): "background[0]",
    ("-c", "allreduce:ring", "--background", "1:2:-3"): "--background",
    ("-c", "allreduce:ring", "--mapping", "none.csv"): "none.csv",
    ("-c", "allreduce:ring", "--jobs", "jobs.toml", "--ranks", "4"): "NL-H003 --ranks: has no effect",
    ("--jobs", "jobs.toml", "--write-trace", "made"): "--write-trace",
    ("--jobs", "none.toml"): "none.toml",
    ("--trace", "none.txt"): "none.txt",
    ("-c", "allreduce:ring", "--write-trace", "file/none"): "NL-X003",
    ("-a", "ft(class=S)", "--algorithm", "alltoall:slow"): "alltoall",
}


@pytest.mark.parametrize("options", BAD, ids=lambda options: " ".join(options))
def test_options_that_cannot_be(netloom: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "file").touch()
    refused(netloom("-n", "star(8)", *options), BAD[options])


def test_several_messages_of_a_pair_are_said_to_be_one(netloom: Run) -> None:
    args = ("-n", "star(4)", "-t", "uniform(messages=200,seed=2)")
    pairs = json.loads(netloom(*args, "--json")[1])["messages"]
    assert pairs <= 12
    for more in ((), ("--model", "packet")):
        code, out, _ = netloom(*args, *more)
        assert code == 0 and f"sent as one: {pairs} in place of 200" in out
    assert "sent as one" not in netloom("-n", "star(4)", "-t", "all-pairs")[1]


def test_a_routing_that_concentrates_is_said_in_one_line(netloom: Run) -> None:
    tree = ("-n", "fat_tree(radix=8,levels=3,top=full)", "-t", "shift(k=64)")
    code, out, _ = netloom(*tree, "-r", "single-minimal")
    assert code == 0 and "Note: The busiest link carries 16 times what it would" in out
    code, out, _ = netloom(*tree)
    assert code == 0 and "Note" not in out and "d-mod-k" in out
    code, out, _ = netloom("-n", "dragonfly(a=4,p=2,h=2,g=9)", "-c", "allreduce:ring")
    assert code == 0 and "stands in for the adaptive routing" in out
    code, out, _ = netloom("-n", "dragonfly(a=4,p=2,h=2,g=9)", "-c", "allreduce:ring", "-v", "AH")
    assert code == 0 and "Note" not in out


def test_details_of_packets(netloom: Run) -> None:
    asked = ("-n", "torus(4,4)", "-c", "alltoall:pairwise", "--size", "4KiB", "--model", "packet")
    code, plain, _ = netloom(*asked)
    code, more, err = netloom(*asked, "--links", "3")
    assert code == 0 and more.startswith(plain), err
    assert "99.9 %" in more and "busiest links" in more and "in the queue of an endpoint" in more
    found = json.loads(netloom(*asked, "--details", "--json")[1])["details"]
    assert {"latency", "latencies", "by_hops", "class_use", "busiest", "occupancy", "queue_max"} <= set(found)
    assert "details" not in json.loads(netloom(*asked, "--json")[1])
    code, _, err = netloom(*asked[:-2], "--links", "3")
    assert code == 2 and "add --model packet" in err


def test_a_run_that_is_stopped_says_so(netloom: Run, tmp_path: Path) -> None:
    long = ("-n", "torus(32,32)", "-c", "alltoall:pairwise", "--size", "1MiB", "--stop-after", "0.2")
    for model in ("flow", "packet"):
        code, out, err = netloom(*long, "--model", model)
        assert code == 0 and "not known: stopped at" in out and "Note: Stopped in time" in out, err
        found = json.loads(netloom(*long, "--model", model, "--json", "--report", str(tmp_path / "page.html"))[1])
        assert found["time_s"] is None and found["stopped_s"] > 0 and found["ranks_ended"] == 0
        assert found["jobs"][0]["finish_s"] == [None] * 1024
        assert "was stopped before its end" in (tmp_path / "page.html").read_text()
    code, _, err = netloom(*long, "--critical-path")
    assert code == 2 and "NL-X010 --stop-after" in err


def test_input_queued_switches_run_under_the_default(netloom: Run) -> None:
    """Their wires alone are those of the same switch: the rate of mpi-rdma, without its software."""
    asked = ("-n", "ring(4)", "-c", "broadcast:binomial", "--size", "64KiB", "--model", "packet", "--json")
    ours = found(netloom(*asked, "--switch", "input-queued"))
    pure = found(netloom(*asked, "--switch", "input-queued", "--calibration", "pure"))
    assert ours["calibration"] == "mpi-rdma" and ours["time_s"] > ours["wires_s"]  # type: ignore[operator]
    assert ours["wires_s"] == pytest.approx(pure["time_s"] / 0.96, rel=0.01)  # type: ignore[operator]
    assert ours["wires_s"] != found(netloom(*asked))["wires_s"]
    # Two ranks of an endpoint have a limit, which these switches do not know: one that is given is refused.
    both = (*asked, "--switch", "input-queued", "--cores", "2")
    assert found(netloom(*both))["time_s"] > 0  # type: ignore[operator]
    refused(netloom(*both, "--calibration", "mpi-rdma"), "NL-A007 --calibration", "output-queued")


def test_time_in_each_call_of_an_application(netloom: Run, tmp_path: Path) -> None:
    asked = ("-n", "torus(4,4)", "-a", "cg(class=S)", "--speed", "1Gflops")
    _, plain, _ = netloom(*asked)
    code, more, err = netloom(*asked, "--details")
    # Calls are counted in all iterations, so that none is skipped.
    same = "".join(line for line in plain.splitlines(keepends=True) if not line.startswith("skipped"))
    assert code == 0 and more.startswith(same) and same != plain, err
    assert "time of ranks in each call" in more and "wait" in more and "compute" in more
    rows = json.loads(netloom(*asked, "--details", "--json")[1])["calls"]
    assert {"compute", "wait"} <= {row["call"] for row in rows}
    assert "calls" not in json.loads(netloom(*asked, "--json")[1])
    page = tmp_path / "page.html"
    assert netloom(*asked, "--report", str(page))[0] == 0
    assert "Time of ranks in each call" in page.read_text()
    code, _, err = netloom(*asked, "--details", "--stop-after", "60")
    assert code == 0 and "note: A run that may be stopped is not recorded" in err


def test_events_a_second_are_said_with_the_counts_of_the_parts(netloom: Run) -> None:
    asked = ("-n", "torus(4,4)", "-c", "alltoall:pairwise", "--size", "4KiB", "--model", "packet", "--threads", "2")
    found = json.loads(netloom(*asked, "--parallel", "optimistic", "--details", "--json")[1])
    rate = found["parallel"]["events_per_s"]
    assert rate > 0 and "parallel" not in json.loads(netloom(*asked, "--json")[1])
    # Those that stay are those of a run that undoes none.
    steady = json.loads(netloom(*asked, "--parallel", "conservative", "--json")[1])["parallel"]
    ran = json.loads(netloom(*asked, "--parallel", "optimistic", "--json")[1])["parallel"]
    assert ran["events_per_s"] * ran["seconds"] == pytest.approx(steady["events_per_s"] * steady["seconds"])
    assert ran["events_per_s"] * ran["seconds"] <= ran["processed"] * (1 + 1e-9)
    assert "events per s" in netloom(*asked, "--parallel", "optimistic")[1]
