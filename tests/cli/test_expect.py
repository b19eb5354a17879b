"""`netloom expect` as a user runs it: answers, files, and bad input told in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

MACHINE = """network = 'complete(1,p=16,endpoint_bandwidth="100 Gbps",endpoint_latency="500 ns")'
[wire]
sharing = "equal"
[software]
message_latency = [[0, 2e-6, 0.0]]
"""
HEADER = "collective,algorithm,library,nodes,ranks_per_node,bytes,time_s\n"
OSU = "# OSU MPI Allreduce Latency Test v7.5\n# Size       Avg Latency(us)\n"
NCCL = """# nccl-tests version 2.17.6 nccl-headers=22902 nccl-library=22902
# Collective test starting: all_reduce_perf
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    61.02   17.18   30.07      0    60.77   17.25   30.18      0
"""
END = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 30.07\n#\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "m.toml").write_text(MACHINE)
    return tmp_path


def rows(times: list[float]) -> str:
    return HEADER + "".join(f"allreduce,ring,,8,1,{1 << (2 * at + 10)},{time_s}\n" for at, time_s in enumerate(times))


def test_a_healthy_log(netloom: Run, here: Path) -> None:
    (here / "log.csv").write_text(rows([45e-6, 46e-6, 52e-6, 76e-6]))
    code, out, err = netloom("expect", "log.csv", "--machine", "m.toml")
    assert code == 0, err
    assert "4 healthy" in out and "within the error" in out and "finding" not in out
    code, out, err = netloom("expect", "log.csv", "--machine", "m.toml", "--json")
    found = json.loads(out)
    assert found["findings"] == [] and found["counts"] == {"healthy": 4, "unhealthy": 0, "unknown": 0}
    for row in found["rows"]:
        assert row["bound_s"] <= row["expected_s"] and row["healthy"] is True
        assert row["error"]["kind"] == "none" and "nobody has held m" in row["error"]["why"]


def test_a_sick_log_names_the_fault_and_what_to_do(netloom: Run, here: Path) -> None:
    """Eight times as long at large sizes alone."""
    (here / "log.csv").write_text(
        HEADER + "".join(f"allreduce,ring,,8,1,{size},{time_s}\n" for size, time_s in (
            (1024, 44e-6), (1 << 16, 54e-6), (1 << 22, 1.24e-3), (1 << 26, 18.9e-3), (1 << 28, 75.3e-3),
        ))
    )  # fmt: skip
    code, out, err = netloom("expect", "log.csv", "--machine", "m.toml", "--report", "page.html")
    assert code == 0, err
    assert "times the expected time" in out and "half-link-rate" in out and "Compare rate and width" in out
    page = (here / "page.html").read_text()
    assert "half-link-rate" in page and "wires alone" in page
    found = json.loads(netloom("expect", "log.csv", "--machine", "m.toml", "--json")[1])
    first = found["findings"][0]
    assert first["rank"] == 1 and "half-link-rate" in (first["fault"], *first["equal"])
    assert first["explains"] > 0.8 and first["remedy"] and "expected_s" in found["rows"][0]


def test_what_the_log_does_not_say_comes_from_options(netloom: Run, here: Path) -> None:
    (here / "osu.txt").write_text(OSU + "1024 22.0\n1048576 260.0\n")
    code, _, err = netloom("expect", "osu.txt", "--machine", "m.toml")
    assert code == 2 and "NL-B004" in err and "nodes" in err
    code, out, err = netloom("expect", "osu.txt", "--machine", "m.toml", "--nodes", "8", "--ranks-per-node", "1")
    assert code == 0, err
    assert "the quickest of those that libraries have" in err
    line = ("expect", "osu.txt", "--machine", "m.toml", "--nodes", "8", "--ranks-per-node", "1", "--algorithm", "ring")
    code, out, err = netloom(*line)
    assert code == 0 and "allreduce:ring" in out and "quickest" not in err


def test_a_matrix_needs_no_machine(netloom: Run, here: Path) -> None:
    lines = [" ".join("-" if a == b else str(20 if 3 in (a, b) else 45) for b in range(10)) for a in range(10)]
    (here / "pairs.txt").write_text("\n".join(lines) + "\n")
    code, _, err = netloom("expect", "pairs.txt")
    assert code == 2 and "NL-B004" in err and "unit" in err
    code, out, err = netloom("expect", "pairs.txt", "--unit", "GB/s", "--report", "page.html")
    assert code == 0, err
    assert "slow-node" in out and "44 %" in out
    assert "% of sound pairs" in (here / "page.html").read_text()
    (finding,) = json.loads(netloom("expect", "pairs.txt", "--unit", "GB/s", "--json")[1])["findings"]
    assert (finding["fault"], finding["nodes"]) == ("slow-node", ["3"])
    code, _, err = netloom("expect", "pairs.txt", "--unit", "GB/s", "--nodes", "9")
    assert code == 2 and "NL-X010" in err
    (here / "pairs.txt").write_text("# GB/s\n" + "\n".join(lines[:9]) + "\n")
    code, _, err = netloom("expect", "pairs.txt")
    assert code == 2 and err.count("error:") == 1 and "must be a square matrix, got 9 rows of 10 columns" in err
    (here / "pairs.txt").write_text("# GB/s\n" + "\n".join(lines[:7]) + "\n")
    code, _, err = netloom("expect", "pairs.txt")
    assert code == 2 and err.count("error:") == 1 and "must be a square matrix, got 7 rows of 10 columns" in err


def test_gigabits_that_are_called_gigabytes_are_doubted(netloom: Run, here: Path) -> None:
    lines = [" ".join("-" if a == b else "3900" for b in range(4)) for a in range(4)]
    (here / "pairs.txt").write_text("# GB/s\n" + "\n".join(lines) + "\n")
    code, _, err = netloom("expect", "pairs.txt")
    assert code == 0 and "is a Gb meant where GB is written?" in err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HEADER + "allreduce,ring,,8,1,1024,2e-5\nallreduce,ring,,8,1,4096", "NL-B003"),
        (NCCL, "NL-B003"),
        (HEADER + "allreduce,ring,,8,1,1024,nan\n", "NL-B002"),
        (HEADER + "allreduce,ring,,8,1,1024,0\n", "NL-B002"),
        (HEADER + "allreduce,ring,,8,1,2e-5,1024\n", "NL-B006"),
        (HEADER.replace("bytes", "size") + "allreduce,ring,,8,1,1,2e-5\n", "NL-B004"),
        (HEADER.replace("time_s", "time_s,machine") + "allreduce,ring,,8,1,64,2e-5,a\nallreduce,ring,,8,1,64,2e-5,b\n",
         "NL-B005"),
        (HEADER + "allreduce,ring,,8,1,1024,2e-7\n", "NL-B007"),
        (HEADER + "allreduce,ring,,99,1,1024,2e-5\n", "NL-V001"),
        ("nothing of the kind\n", "NL-B001"),
    ],
    ids=["cut", "cut-nccl", "nan", "zero", "swapped", "no-unit", "two-machines", "too-quick", "too-large", "no-log"],
)  # fmt: skip
def test_bad_input_is_one_clear_line(netloom: Run, here: Path, text: str, code: str) -> None:
    (here / "log.csv").write_text(text)
    given = netloom("expect", "log.csv", "--machine", "m.toml")
    assert given[0] == 2 and given[1] == ""
    (line,) = [line for line in given[2].splitlines() if line.startswith("error:")]
    assert code in line and "log.csv" in line


@pytest.mark.parametrize("dress", ["mark", "tags"])
def test_what_launchers_and_editors_add_is_taken_away(netloom: Run, here: Path, dress: str) -> None:
    text = OSU + "1024 22.0\n1048576 260.0\n"
    if dress == "mark":
        text = "\ufeff" + text
    else:
        text = "".join(f"[1,0]<stdout>:{line}\n" for line in text.splitlines()) + "[1,1]<stderr>:WARN\n"
    (here / "log.txt").write_text(text, encoding="utf-8")
    line = ("expect", "log.txt", "--machine", "m.toml", "--nodes", "8", "--ranks-per-node", "1", "--json")
    code, out, err = netloom(*line)
    assert code == 0, err
    assert [row["bytes"] for row in json.loads(out)["rows"]] == [1024, 1048576]


@pytest.mark.parametrize(
    ("added", "says"),
    [
        (("--nodes", "0"), "--nodes"),
        (("--ranks-per-node", "x"), "--ranks-per-node"),
        (("--nodes", "9"), "is a column of the file"),
        (("--set", "software"), "--set"),
        (("--machine", "lumii"), "lumi-g"),
    ],
)
def test_a_bad_option_is_named(netloom: Run, here: Path, added: tuple[str, str], says: str) -> None:
    (here / "log.csv").write_text(rows([20e-6, 25e-6]))
    code, _, err = netloom("expect", "log.csv", "--machine", "m.toml", *added)
    assert code == 2 and says in err


@pytest.mark.parametrize(
    "added", [("--unit", "GB/s"), ("-c", "broadcast"), ("--algorithm", "bine"), ("--library", "mpich")]
)
def test_an_option_that_says_nothing_new_has_no_effect(netloom: Run, here: Path, added: tuple[str, str]) -> None:
    (here / "osu.txt").write_text(OSU + "1024 22.0\n1048576 260.0\n" if added[0] == "-c" else rows([45e-6]))
    job = ("--nodes", "8", "--ranks-per-node", "1") if added[0] == "-c" else ()
    code, _, err = netloom("expect", "osu.txt", "--machine", "m.toml", *job, *added)
    option = {"-c": "--collective"}.get(added[0], added[0])
    assert code == 0 and f"note: {option} has no effect" in err


def test_options_may_say_what_the_log_says(netloom: Run, here: Path) -> None:
    (here / "log.csv").write_text(rows([45e-6, 46e-6]))
    code, out, err = netloom("expect", "log.csv", "--machine", "m.toml", "--nodes", "8", "--ranks-per-node", "1")
    assert code == 0, err
    assert "2 healthy" in out


def test_a_library_chooses_by_its_rules(netloom: Run, here: Path) -> None:
    (here / "log.csv").write_text("collective,nodes,ranks_per_node,bytes,time_s\nallreduce,8,1,64,1e-5\n")
    code, out, err = netloom("expect", "log.csv", "--machine", "m.toml", "--library", "openmpi")
    assert code == 0 and "allreduce:recursive-doubling" in out and "by its own rules" in err
    code, _, err = netloom("expect", "log.csv", "--machine", "m.toml", "--library", "openmpo")
    assert code == 2 and "openmpi" in err


def test_times_without_a_machine(netloom: Run, here: Path) -> None:
    (here / "log.csv").write_text(rows([20e-6]))
    code, _, err = netloom("expect", "log.csv", "--set", "wire.duplex=half")
    assert code == 2 and "add --machine" in err
    code, _, err = netloom("expect", "log.csv")
    assert code == 2 and "netloom list machines" in err and "NL-X010" in err
