"""Files that the package writes are taken back without being told their format; others are named in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as package
from netloom import _core

Run = Callable[..., tuple[int, str, str]]
FORMATS = ("rankfile", "slurm-arbitrary", "hostfile", "cray", "bgq", "csv", "plain")
JOB = ("hops", "-n", "torus(2,2,2)", "-c", "broadcast:binomial", "--json")


@pytest.mark.parametrize("name", FORMATS)
def test_an_own_file_needs_no_format(netloom: Run, tmp_path: Path, name: str) -> None:
    net = _core.Network.build("torus(2,2,2)")
    mapping = list(package.place(net, 8, "linear", "random(seed=3)"))
    (tmp_path / "ranks.txt").write_bytes(_core.emit(name, net, mapping))
    code, out, err = netloom(*JOB, "--mapping", "ranks.txt")
    assert code == 0, err
    found = json.loads(out)
    assert found["order"] == name
    assert found["total_hops"] == package.hops(net, workload="broadcast:binomial", mapping=mapping)["total_hops"]


def test_a_mapping_file_of_no_format_says_which_there_are(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "ranks").write_text("what is this?\n")
    code, _, err = netloom(*JOB, "--mapping", "ranks")
    assert code == 2 and "NL-F016" in err and "rankfile" in err and "cray" in err


def test_a_format_that_cannot_hold_the_result_is_refused_before_the_work() -> None:
    net = _core.Network.build("k_ary_n_tree(k=2,n=3)")
    _core.check_emit("slurm-arbitrary", net, 8)
    _core.check_emit("rankfile(slots=2)", net, 8)
    for text, code in (("slurm-arbitrary(slots=2)", "NL-F018"), ("bgq", "NL-F018"), ("graphml", "NL-F017")):
        with pytest.raises(package.NetloomError) as caught:
            _core.check_emit(text, net, 8)
        assert caught.value.faults[0].code == code


def test_a_file_of_traffic_tells_its_number_of_ranks() -> None:
    square = "\n".join(",".join("1" if i != j else "0" for j in range(64)) for i in range(64))
    traffic = _core.Traffic.read(square.encode(), "comm.csv")
    assert traffic.ranks == 64 and traffic.messages == 64 * 63


def test_a_size_without_its_unit_is_completed(netloom: Run) -> None:
    code, _, err = netloom("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--size", "64mb")
    assert code == 2 and 'did you mean "64 MB" or "64 MiB"?' in err


def test_faults_of_a_users_schedule_carry_its_name() -> None:
    with pytest.raises(package.NetloomError, match="allreduce:mine"):
        package.verify(_core.Schedule.from_transfers("allreduce", 2, 0, 8, [], "allreduce:mine"))


@pytest.mark.parametrize(
    "format", ["map-cpu", "mask-cpu", "hydra-bind", "intel-pin", "likwid-pin", "pe-list", "rankfile"]
)
@pytest.mark.parametrize("cpus", ["[0,2,2,4]", "[0,2,4]", "[0,2,4,-1]", "[]"])
def test_cores_twice_or_too_few_are_one_line(netloom: Run, format: str, cpus: str) -> None:
    wanted = ("--node", "node(sockets=2,cores=2)", "--ranks", "8", "--optimise", "none")
    code, out, err = netloom("map", "-n", "star(2)", "-t", "shift(k=4)", *wanted, "--emit", f"{format}(cpus={cpus})")
    assert (code, out) == (2, "")
    assert [line for line in err.splitlines() if line.startswith("error:")] == err.splitlines()[:1]
    assert "cpus" in err


#: Two cores of two threads each, numbered as many systems do: first threads 0 and 1, CPU 4 offline.
SMT = """<topology version="2.0"><object type="Machine" cpuset="0xf" complete_cpuset="0x1f" allowed_cpuset="0xf">
<object type="Package" cpuset="0xf"><object type="Core" cpuset="0xa"/><object type="Core" cpuset="0x5"/></object>
</object></topology>"""
CPUS = ("map", "-n", "star(2)", "--cores", "2", "-t", "shift(k=2)", "--optimise", "none", "--cpus", "smt.xml")


def test_lists_of_cores_have_the_numbers_of_the_node(netloom: Run) -> None:
    Path("smt.xml").write_text(SMT)
    code, out, err = netloom(*CPUS, "--emit", "map-cpu")
    assert (code, out) == (0, "--cpu-bind=map_cpu:1,0\n"), err
    code, out, err = netloom(*CPUS, "--emit", "hydra-bind(cpus=[2,3])")
    assert (code, out) == (0, "-bind-to user:2,3\n"), err


@pytest.mark.parametrize(
    ("emit", "says"),
    [
        (
            "map-cpu(cpus=[0,4])",
            "map-cpu.cpus must be CPUs of smt.xml that may be used: 0-3, got 4 (offline or not all",
        ),
        ("mask-cpu(cpus=[9,0])", "got 9 (not there)"),
        ("rankfile", "--cpus must be formats with CPU numbers"),
    ],
)
def test_cpus_that_the_node_lacks_are_one_line(netloom: Run, emit: str, says: str) -> None:
    Path("smt.xml").write_text(SMT)
    code, out, err = netloom(*CPUS, "--emit", emit)
    assert (code, out) == (2, "")
    assert err.count("error:") == 1 and says in err, err


def test_a_node_without_numbers_or_with_too_few_cores_is_refused(netloom: Run) -> None:
    Path("smt.xml").write_text(SMT)
    code, out, err = netloom(*CPUS[:-1], "1,2,2", "--emit", "map-cpu")
    assert (code, out) == (2, "") and "--cpus must be a description with the numbers of the CPUs" in err
    four = [*CPUS[:4], "4", "-t", "shift(k=4)", *CPUS[7:]]
    code, out, err = netloom(*four, "--emit", "map-cpu")
    assert (code, out) == (2, "") and "at most 2, the cores of smt.xml" in err, err
