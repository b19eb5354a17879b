"""SimGrid's own clusters with their own routes: d-mod-k by host on fat trees, one order in a dragonfly's groups, the
fastest varying dimension first on tori.

SimGrid 3.32 crashes on dragonflies with more groups than routers in a chassis. Between routers of one group it goes on
from the first chassis wherever it is, so that the links of such a route do not meet: of clusters with several chassis
only messages between groups are compared.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import netloom

from . import replay

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(300)]

#: Kind, topo_parameters, hosts, our routing.
CLUSTERS = {
    "fat-tree-8": ("FAT_TREE", "3;2,2,2;1,2,2;1,1,1", 8, "d-mod-k"),
    "fat-tree-64": ("FAT_TREE", "3;4,4,4;1,4,4;1,1,1", 64, "d-mod-k"),
    "fat-tree-tapered": ("FAT_TREE", "2;8,4;1,3;1,1", 32, "d-mod-k"),
    "dragonfly-16": ("DRAGONFLY", "2,1;1,1;4,1;2", 16, "group-minimal(inside=chassis)"),
    "dragonfly-48": ("DRAGONFLY", "4,1;1,1;4,1;3", 48, "group-minimal(inside=chassis)"),
    "dragonfly-fat": ("DRAGONFLY", "3,2;1,1;5,3;2", 30, "group-minimal(inside=chassis)"),
    "torus-64": ("TORUS", "4,4,4", 64, "dimension-ordered(order=[2,1,0],tie=simgrid)"),
    "torus-uneven": ("TORUS", "6,2,5", 60, "dimension-ordered(order=[2,1,0],tie=simgrid)"),
    "torus-line": ("TORUS", "8", 8, "dimension-ordered(order=[0],tie=simgrid)"),
    "torus-flat": ("TORUS", "2,3,1,4", 24, "dimension-ordered(order=[3,2,1,0],tie=simgrid)"),
    "fat-tree-wide": ("FAT_TREE", "3;3,4,2;1,2,5;1,1,1", 24, "d-mod-k"),
}
WORKLOADS = ("alltoall:pairwise", "allreduce:recursive-doubling", "shift", "uniform")
#: Rounding of what SimGrid prints, and of its sums.
ROUNDING = 1e-9


def cluster(name: str, folder: Path) -> tuple[Path, list[str]]:
    kind, parameters, hosts, _ = (CLUSTERS | CLUSTERS_OF_CHASSIS)[name]
    path = folder / f"{name}.xml"
    path.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n'
        f'<cluster id="c" prefix="n" suffix="" radical="0-{hosts - 1}" speed="1Gf" bw="10GBps" lat="1us" '
        f'topology="{kind}" topo_parameters="{parameters}" sharing_policy="SPLITDUPLEX"/>\n</platform>\n'
    )
    listed = path.with_suffix(".hosts")
    listed.write_text("".join(f"n{host}\n" for host in range(hosts)))
    return path, ["-np", str(hosts), "-platform", str(path), "-hostfile", str(listed)]


def workload(text: str, ranks: int) -> netloom.Programs:
    """Messages step by step; patterns all at once."""
    call = {
        "shift": f'shift(k={ranks // 2 + 1},bytes="1 MiB")',
        "uniform": 'uniform(messages=4,bytes="300 KiB",seed=3)',
    }
    made = netloom.workload(call.get(text, text), ranks, size_bytes=1 if text in call else 100_000)
    assert isinstance(made, (netloom.Schedule, netloom.Traffic))
    return netloom.Programs.of_messages(made)


@pytest.mark.parametrize("text", WORKLOADS)
@pytest.mark.parametrize("name", CLUSTERS)
def test_a_cluster_takes_the_routes_that_simgrid_takes(name: str, text: str, tmp_path: Path) -> None:
    _, _, ranks, routing = CLUSTERS[name]
    path, where = cluster(name, tmp_path)
    programs = workload(text, ranks)
    index = netloom.write(programs, tmp_path / "trace")[0]
    theirs = replay.theirs_s(index, where, "simgrid-pure")
    net = netloom.network(str(path))
    assert net.default_routing == routing
    ours = netloom.simulate(net, workload=netloom.read(index, "programs"), calibration="simgrid-pure", flops_per_s=1e9)
    np.testing.assert_allclose(ours["finish_s"], theirs, rtol=ROUNDING)


#: With several chassis, and how far a message between groups goes.
CHASSIS = {"dragonfly-36": 12, "dragonfly-64": 16}
CLUSTERS_OF_CHASSIS = {
    "dragonfly-36": ("DRAGONFLY", "3,1;3,1;4,1;1", 36, "group-minimal(inside=chassis)"),
    "dragonfly-64": ("DRAGONFLY", "4,1;2,1;4,1;2", 64, "group-minimal(inside=chassis)"),
}


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("name", CHASSIS)
def test_messages_between_groups_of_several_chassis(name: str, groups: int, tmp_path: Path) -> None:
    ranks, size = CLUSTERS_OF_CHASSIS[name][2], CHASSIS[name]
    path, where = cluster(name, tmp_path)
    made = netloom.workload(f'shift(k={groups * size},bytes="1 MiB")', ranks)
    index = netloom.write(netloom.Programs.of_messages(made), tmp_path / "trace")[0]
    theirs = replay.theirs_s(index, where, "simgrid-pure")
    asked = {"workload": netloom.read(index, "programs"), "calibration": "simgrid-pure", "flops_per_s": 1e9}
    np.testing.assert_allclose(netloom.simulate(str(path), **asked)["finish_s"], theirs, rtol=ROUNDING)


@pytest.mark.parametrize("call", ["torus(4,4)", "random_regular(24,degree=4,seed=2)", "dragonfly(a=4,p=2,h=1,g=5)"])
def test_a_floyd_zone_takes_the_ties_of_floyd(call: str, tmp_path: Path) -> None:
    """A network as we write it for SimGrid, which finds the routes by itself."""
    net = netloom.network(call)
    path = tmp_path / "zone.xml"
    path.write_bytes(net.write("simgrid"))
    text = path.read_text()
    hosts = re.findall(r'<host id="([^"]+)"', text)
    path.with_suffix(".hosts").write_text("".join(f"{host}\n" for host in hosts))
    where = ["-np", str(len(hosts)), "-platform", str(path), "-hostfile", str(path.with_suffix(".hosts"))]
    index = netloom.write(workload("alltoall:pairwise", len(hosts)), tmp_path / "trace")[0]
    theirs = replay.theirs_s(index, where, "simgrid-pure")
    asked = {"workload": netloom.read(index, "programs"), "calibration": "simgrid-pure", "flops_per_s": 1e9}
    ours = netloom.simulate(net, routing="single-minimal(tie=floyd)", **asked)
    np.testing.assert_allclose(ours["finish_s"], theirs, rtol=ROUNDING)
    lowest = netloom.simulate(net, routing="single-minimal", **asked)["finish_s"]
    # On a torus all ties are as good.
    assert call.startswith("torus") or not np.allclose(lowest, theirs, rtol=1e-6)
