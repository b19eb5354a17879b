"""`netloom loads` as a user runs it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import netloom as package
from netloom.base.errors import Fault, NetloomError

Run = Callable[..., tuple[int, str, str]]
SMALL = ("-n", "dragonfly(a=4,p=2,h=1,g=5)")
#: One rank on each switch of a ring of 5, twice.
JOBS = {"direct": [0, 2, 4, 6, 8], "detours": [1, 3, 5, 7, 9]}


@pytest.fixture
def netloom(netloom: Run) -> Run:
    """`netloom loads ...`"""
    return partial(netloom, "loads")


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


def test_json_is_what_python_says(netloom: Run) -> None:
    made = found(netloom(*SMALL, "--cores", "2", "-t", "spread", "-v", "AH", "--json"))
    places = [rank // 2 for rank in range(80)]
    job = package.Job("spread", mapping=places, name="job")
    direct = package.loads(SMALL[1], job, variant="adaptive-hybrid")
    keys = ("classes", "jobs", "hottest", "messages", "bytes_sent", "rounds", "flows", "mean_hops")
    assert {key: made[key] for key in keys} == json.loads(json.dumps({key: getattr(direct, key) for key in keys}))
    assert made["says"] == direct.explain() and made["routing"] == "group-minimal"
    assert made["model"] == direct.model and made["assumptions"] == list(direct.assumptions)


def test_six_numbers_of_every_class_and_the_hottest_links_are_shown(netloom: Run) -> None:
    code, out, err = netloom(*SMALL, "-t", 'unstructured-mesh(bytes="64 KiB")', "--hottest", "2")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("all ", "local ", "global "))] == [
        "all", "local", "global",
    ]  # fmt: skip
    assert sum(line.startswith(("The local link", "The global link")) for line in out.splitlines()) == 2


def test_several_choices_are_ranked(netloom: Run) -> None:
    args = (*SMALL, "-t", "spread", "-p", "rdn", "-p", "rrn", "-v", "SD", "-v", "AD", "-v", "SI")
    made = found(netloom(*args, "--json"))
    ranking, results = made["ranking"], made["results"]
    assert isinstance(ranking, list) and isinstance(results, list)
    most = {(r["placement"], r["variant"]): r["classes"]["all"]["max_bytes"] for r in results}
    assert len(most) == 6
    assert [row["max_bytes"] for row in ranking] == sorted(most.values())
    assert all(most[row["placement"], row["variant"]] == row["max_bytes"] for row in ranking)
    code, out, _ = netloom(*args)
    assert code == 0 and "its own average" in out


def test_jobs_by_name_share_the_machine(netloom: Run) -> None:
    args = ("--job", "mesh=50%: stencil(4,5)", "--job", 'ring: shift(1,bytes="1 KiB")', "--job", "noise: uniform")
    made = found(netloom(*SMALL, *args, "-p", "random(seed=1)", "--json"))
    jobs = made["jobs"]
    assert isinstance(jobs, list)
    assert [job["name"] for job in jobs] == ["mesh", "ring", "noise"]
    assert jobs[1]["messages"] == 10
    code, out, _ = netloom(*SMALL, *args, "-p", "random(seed=1)")
    assert code == 0 and "slowdown" in out and "share links: the worst link of" in out


def test_a_file_of_jobs(netloom: Run, tmp_path: Path) -> None:
    lines = 'cores = 2\n[[job]]\nname = "a"\nnodes = 8\ntraffic = "spread"\nvariant = "AI"\n'
    (tmp_path / "jobs.toml").write_text(lines + '[[job]]\nname = "b"\nnodes = 32\n')
    jobs = found(netloom(*SMALL, "--jobs", "jobs.toml", "-c", "allreduce:ring", "--size", "1KiB", "--json"))["jobs"]
    assert isinstance(jobs, list)
    assert [job["variant"] for job in jobs] == ["adaptive-indirect", "static-direct"]
    refused(netloom(*SMALL, "--jobs", "jobs.toml"), "NL-H004", 'job "b"')
    refused(netloom(*SMALL, "--jobs", "jobs.toml", "--ranks", "4", "-t", "spread"), "--ranks")


def test_each_job_has_its_routing(netloom: Run, tmp_path: Path) -> None:
    """Each rank of a ring of 5 sends to the next switch: one hop by the shortest path, more by detours."""
    head = "routing = 'single-minimal'\n"
    rows = [f"[[job]]\nname = '{name}'\nnode_list = {on}\ntraffic = 'shift(1)'\n" for name, on in JOBS.items()]
    (tmp_path / "jobs.toml").write_text(head + rows[0] + rows[1] + "routing = 'valiant(samples=4)'\n")
    made = found(netloom("-n", "ring(5,p=2)", "--jobs", "jobs.toml", "--json"))
    jobs = made["jobs"]
    assert isinstance(jobs, list)
    assert [job["routing"] for job in jobs] == ["single-minimal", "valiant(samples=4)"]
    assert jobs[0]["links"]["total_bytes"] == 5 < jobs[1]["links"]["total_bytes"]
    code, out, _ = netloom("-n", "ring(5,p=2)", "--jobs", "jobs.toml")
    assert code == 0 and "job      variant        routing " in out and "valiant(samples=4)" in out
    # One that the network has no paths for: said of the job that asks for it.
    (tmp_path / "jobs.toml").write_text(head + rows[0] + rows[1] + "routing = 'group-minimal'\n")
    refused(netloom("-n", "ring(5,p=2)", "--jobs", "jobs.toml"), "NL-R009", "job detours: group-minimal", "groups")
    (tmp_path / "jobs.toml").write_text("routing = 'valiant'\n" + rows[0])
    code, out, _ = netloom("-n", "ring(5,p=2)", "--jobs", "jobs.toml")
    assert code == 0 and "routing              valiant" in out
    (tmp_path / "jobs.toml").write_text("routing = 'minmal'\n" + rows[0])
    refused(netloom("-n", "ring(5,p=2)", "--jobs", "jobs.toml"), "jobs.toml.routing", '"minmal"', '"minimal"')


PLUGIN = """
from netloom import plugin

class Last(plugin.Placement):
    "The last free endpoints."
    name = "last"
    def place(self, network, ranks, *, available):
        return available[-ranks:]

class Top(plugin.Placement):
    "The last endpoints."
    name = "top"
    def place(self, network, ranks):
        return range(network.endpoints - ranks, network.endpoints)
"""


def test_jobs_where_a_plugin_places_them(netloom: Run, tmp_path: Path, forget: None) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    args = ("-n", "ring(8)", "--plugin", "mine.py", "--job", "a=2: shift(1)", "--job", "b=2: shift(1)")
    direct = found(netloom(*args, "-p", "last", "--json"))["jobs"]
    assert isinstance(direct, list) and [job["links"]["total_bytes"] for job in direct] == [2, 2]
    refused(netloom(*args, "-p", "top"), "NL-G005", 'job "b": top', "got 6", "available")


def test_bytes_of_every_link_as_csv(netloom: Run, tmp_path: Path) -> None:
    args = ("--job", "a: spread", "--job", "b: spread", "--csv", "out/links.csv", "--json")
    made = found(netloom(*SMALL, *args))
    rows = list(csv.DictReader((tmp_path / "out" / "links.csv").read_text().splitlines()))
    net = package.network(SMALL[1])
    assert len(rows) == 2 * net.switch_links + 2 * net.endpoints
    switch = [row for row in rows if row["class"] in ("local", "global")]
    classes = made["classes"]
    assert isinstance(classes, dict)
    assert sum(float(row["bytes"]) for row in switch) == pytest.approx(classes["all"]["total_bytes"])
    assert all(float(r["bytes"]) == pytest.approx(float(r["a bytes"]) + float(r["b bytes"])) for r in switch)
    assert made["files"] == ["out/links.csv"]


def test_cables_between_the_same_switches_are_told_apart(netloom: Run, tmp_path: Path) -> None:
    """By ports where the network has them, else by number."""
    call = "xgft(m=[4,4],w=[1,2],parallel=[1,2])"
    Path("tree.ibnet").write_bytes(package.network(call).write("ibnetdiscover"))
    for source, columns, words in (
        (call, ["cable"], ["from switch 0 to 4 (cable 0)", "from switch 0 to 4 (cable 1)"]),
        ("tree.ibnet", ["from_port", "to_port"], ["from switch 0[1] to 4[1]", "from switch 0[2] to 4[2]"]),
    ):
        code, out, err = netloom("-n", source, "-t", "shift(k=5)", "--hottest", "32", "--csv", "links.csv")
        assert code == 0, err
        assert all(out.count(f"link {word} carries") == 1 for word in words), out
        rows = list(csv.DictReader((tmp_path / "links.csv").read_text().splitlines()))
        assert list(rows[0])[4:-2] == columns
        known = [tuple(row[name] for name in ("from", "to", *columns)) for row in rows]
        assert len(set(known)) == len(known) == 64
        assert all(len(row) == 6 + len(columns) and None not in row.values() for row in rows)


def test_a_collective_has_its_size(netloom: Run) -> None:
    for size, total in (("0", 0), ("1", 30), ("1 MiB", 31_457_280)):
        for more in ((), ("-p", "rdn", "-v", "SD", "-v", "AD")):
            made = found(netloom("-n", "torus(4,4)", "-c", "allreduce:ring", "--size", size, *more, "--json"))
            results = made["results"] if more else [made]
            assert isinstance(results, list) and {row["bytes_sent"] for row in results} == {total}, (size, more)


def test_nodes_may_count_from_one(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text("a n[37-40]\n")
    args = (*SMALL, "--jobs", "jobs.txt", "-t", "uniform")
    refused(netloom(*args), "NL-J003", "n40", "--first-node 1")
    code, _, err = netloom(*args, "--first-node", "1")
    assert code == 0, err


def test_speeds_that_differ_show_times(netloom: Run) -> None:
    network = 'dragonfly(a=4,p=2,h=1,g=5,global_bandwidth="400 Gbps")'
    code, out, _ = netloom("-n", network, "-t", "spread", "-v", "SD", "-v", "AH")
    heads = next(line for line in out.splitlines() if "placement" in line).split()
    assert code == 0 and heads == ["placement", "variant", "max", "time", "ratio", "why"]


def test_the_answer_stands_when_a_file_cannot_be_written(
    netloom: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NetloomError([Fault("NL-X003", "a.csv", "cannot be written: No space left on device")])

    monkeypatch.setattr(package.base.files, "write", full)
    code, out, err = netloom(*SMALL, "-t", "spread", "--csv", "a.csv", "--json")
    assert code == 2 and "NL-X003" in err and json.loads(out)["bytes_sent"] > 0


def test_pictures(netloom: Run, tmp_path: Path) -> None:
    for picture in ("classes", "histogram", "groups", "jobs"):
        args = ("--job", "a: spread", "--job", "b: spread", "--plot", f"{picture}.png", "--picture", picture)
        code, _, err = netloom(*SMALL, *args)
        assert code == 0 and err == f"wrote {picture}.png\n"
        assert (tmp_path / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
    for picture in ("slices", "minimaps"):
        refused(netloom(*SMALL, "-t", "spread", "--plot", "a.png", "--picture", picture), "NL-X105", "grid")
        torus = ("-n", "torus(3,4,2)", "-t", "spread", "--plot", f"{picture}.png", "--picture", picture)
        assert netloom(*torus)[0] == 0 and (tmp_path / f"{picture}.png").is_file()
    refused(netloom(*SMALL, "-t", "spread", "--plot", "a.jpg"), "NL-X102", ".svg")
    assert not (tmp_path / "a.png").exists()


def test_loads_follow_failures(netloom: Run) -> None:
    whole = found(netloom("-n", "ring(6)", "-t", "shift(1)", "--json"))["classes"]
    cut = found(netloom("-n", "ring(6)", "-t", "shift(1)", "--fail", "link:0-1", "--json"))["classes"]
    assert isinstance(whole, dict) and isinstance(cut, dict)
    # The message from 0 to 1 goes the other way round: five links in place of one.
    assert whole["all"]["total_bytes"] == 6 and cut["all"]["total_bytes"] == 10
    both = ("--fail", "link:0-1", "--fail", "link:3-4")
    refused(netloom("-n", "ring(6)", "-t", "shift(1)", *both), "NL-N001", "cannot reach each other", "link:")
    # Ranks are placed on what is in service.
    made = found(netloom(*SMALL, "-t", "spread", "--fail", "switch:0", "--json"))["classes"]
    assert isinstance(made, dict) and made["injection"]["used"] <= 38


BAD = {
    "no traffic": ([], ["NL-X010", "exactly one"]),
    "two traffics": (["-t", "uniform", "-c", "allreduce:ring"], ["NL-X010", "exactly one"]),
    "unknown pattern": (["-t", "foo"], ["NL-A002", '"foo"', "uniform"]),
    "unknown variant": (["-t", "spread", "-v", "XX"], ["static-direct", "XX"]),
    "unknown routing": (["-t", "spread", "-r", "foo"], ["NL-A002", "group-minimal"]),
    "more ranks than cores": (["-t", "spread", "--ranks", "81", "--cores", "2"], ["NL-J004", "80", "81"]),
    "ranks beyond all bounds": (["-t", "spread", "--cores", "20000000"], ["NL-J004", "16777216"]),
    "no cores": (["-t", "spread", "--cores", "0"], ["--cores", "integer in 1.."]),
    "job without traffic": (["--job", "a uniform"], ["--job", "NAME: WORKLOAD", "a uniform"]),
    "job without size": (["--job", "a=: uniform"], ["--job", "NAME=N"]),
    "job of a bad share": (["--job", "a=1e9%: uniform"], ["--job", "1e9%"]),
    "job of too much": (["--job", "a=140%: uniform"], ["NL-J002", "140%"]),
    "jobs that do not fit": (["--job", "a=30: uniform", "--job", "b=30: uniform"], ["NL-M017", '"b"', "30"]),
    "jobs of one name": (["--job", "a=3: uniform", "--job", "a: uniform"], ["NL-J005", '"a"']),
    "jobs and traffic": (["--job", "a: uniform", "-t", "uniform"], ["--job", "exactly one"]),
    "no such switch": (["-t", "spread", "--fail", "switch:99"], ["NL-N014", "99"]),
    "too many hot links": (["-t", "spread", "--hottest", "5000"], ["hottest", "1000"]),
    "no increments": (["-t", "spread", "--increments", "0"], ["--increments", "1..10000"]),
    "no tolerance": (["-t", "spread", "--tolerance", "1%"], ["--tolerance", "1%"]),
    "too much tolerance": (["-t", "spread", "-v", "AI", "--tolerance", "2"], ["tolerance", "2"]),
    "files of several": (["-t", "spread", "-v", "SD", "-v", "AD", "--csv", "a.csv"], ["--csv"]),
    "a failure of nothing": (["-t", "spread", "--fail", ""], ["NL-X010", "--fail"]),
    "seed of more than 64 bits": (["-t", "spread", "--seed", "9" * 19], ["NL-A007", "--seed", "9223372036854775807"]),
    "nodes from 1 without a list": (["-t", "spread", "--first-node", "1"], ["NL-X010", "--first-node", "--jobs"]),
    "a folder in place of a file": (["-t", "spread", "--csv", "."], ["NL-X003", "."]),
    "no picture of one job": (["-t", "spread", "--plot", "a.png", "--picture", "jobs"], ["NL-X105", "one job"]),
    "no such file": (["--jobs", "missing.toml"], ["NL-X001", "missing.toml"]),
}  # fmt: skip


@pytest.mark.parametrize(("args", "words"), BAD.values(), ids=BAD)
def test_bad_input(netloom: Run, args: list[str], words: list[str]) -> None:
    refused(netloom(*SMALL, *args), *words)


def test_overlapping_allocations(netloom: Run, tmp_path: Path) -> None:
    jobs = [("a", [0, 1, 2]), ("b", [2, 3])]
    text = "".join(f'[[job]]\nname = "{name}"\nnode_list = {nodes}\ntraffic = "uniform"\n' for name, nodes in jobs)
    (tmp_path / "jobs.toml").write_text(text)
    refused(netloom(*SMALL, "--jobs", "jobs.toml"), "NL-M018", '"a"', '"b"', "endpoint 2")
