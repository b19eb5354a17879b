"""Files for launchers name the hosts of a network, not its endpoints: read back by the grammar of each launcher."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
CLUSTER = "rail_cluster(nodes=2)"
HOSTS = ["node0001", "node0002"]


def emitted(netloom: Run, *arguments: str) -> tuple[str, str]:
    code, out, err = netloom("map", "-n", CLUSTER, "-c", "allreduce:ring", "--optimise", "none", *arguments)
    assert code == 0, err
    return out, err


def test_torchrun_starts_two_nodes_of_eight(netloom: Run) -> None:
    out, _ = emitted(netloom, "--emit", "torchrun")
    devices = ",".join(map(str, range(8)))
    assert out.splitlines() == [
        f"{host} --node-rank={rank} CUDA_VISIBLE_DEVICES={devices}" for rank, host in enumerate(HOSTS)
    ]


def test_ompi_rank_files_have_slots_of_two_hosts(netloom: Run) -> None:
    out, _ = emitted(netloom, "--emit", "rankfile")
    rows = [re.fullmatch(r"rank (\d+)=(\S+) slot=(\d+)", line) for line in out.splitlines()]
    assert [(int(r[1]), r[2], int(r[3])) for r in rows if r] == [(i, HOSTS[i // 8], i % 8) for i in range(16)]


@pytest.mark.parametrize("order", ["draw", "shuffle"])
def test_lists_of_hosts(netloom: Run, order: str) -> None:
    for format in ("slurm-arbitrary", "hostfile"):
        text = format if order == "draw" else f"{format}(bind=elsewhere)"
        Path("x").mkdir(exist_ok=True)
        out, _ = emitted(netloom, "--emit", text, "--order", order)
        counts: Counter[str] = Counter()
        for line in out.splitlines():
            host, _, count = line.partition(":")
            counts[host] += int(count or 1)
        assert counts == dict.fromkeys(HOSTS, 8)


def test_flux_cray_and_slurm_see_two_nodes(netloom: Run) -> None:
    assert emitted(netloom, "--emit", "flux-taskmap")[0] == "[[0,2,8,1]]\n"
    assert emitted(netloom, "--emit", "slurm-distribution")[0] == "--distribution=block:block,NoPack\n"
    lines = emitted(netloom, "--emit", "cray")[0].splitlines()
    assert lines[0].endswith(": node[0001-0002]")
    assert [[int(rank) for rank in line.split(",")] for line in lines[1:]] == [[*range(8)], [*range(8, 16)]]


def test_srun_is_asked_for_the_gpus(netloom: Run) -> None:
    out, err = emitted(netloom, "--emit", "slurm-distribution,torchrun", "-o", "out")
    line = next(line for line in (out + err).splitlines() if "srun " in line)
    assert "srun --gpus-per-node=8 -N 2 --nodelist='node[0001-0002]' -n 16 " in line
    assert "--nnodes=2 --nproc-per-node=8" in out + err


def test_slots_that_are_not_those_of_a_node_are_refused(netloom: Run) -> None:
    code, _, err = netloom(
        "map", "-n", CLUSTER, "-c", "allreduce:ring", "--optimise", "none", "--emit", "torchrun(slots=4)"
    )
    assert code == 2 and "slots must be 8" in err
    assert emitted(netloom, "--emit", "torchrun(slots=8)")[0].count("\n") == 2


def test_a_file_reads_back(netloom: Run) -> None:
    emitted(netloom, "--emit", "rankfile,csv,slurm-arbitrary", "-o", "out")
    for name in ("rankfile.txt", "ranks.csv", "slurm-arbitrary.txt"):
        code, out, err = netloom("hops", "-n", CLUSTER, "-c", "allreduce:ring", "--mapping", f"out/{name}")
        assert code == 0 and "16" in out, err


def test_nodes_of_a_job_list_are_hosts(netloom: Run) -> None:
    Path("jobs.toml").write_text(
        '[[job]]\nname = "a"\nnodes = 1\nworkload = "alltoall:pairwise"\nsize_bytes = "1 MB"\n'
    )
    code, out, err = netloom("loads", "-n", "rail_cluster(nodes=4)", "--jobs", "jobs.toml", "--json")
    assert code == 0, err
    assert '"inter_node_bytes": 0' in out
    Path("names.txt").write_text("a n[0-1]\nb n2\n")
    code, out, err = netloom(
        "loads", "-n", "rail_cluster(nodes=4)", "--jobs", "names.txt", "-t", "shift(k=1)", "--json"
    )
    assert code == 0, err
    Path("names.txt").write_text("a n4\n")
    code, out, err = netloom("loads", "-n", "rail_cluster(nodes=4)", "--jobs", "names.txt", "-t", "shift(k=1)")
    assert code == 2 and "0..3" in err
