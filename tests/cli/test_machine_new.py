"""`netloom machine new`: a machine's file from what a site has, which every command then takes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from netloom import Scenario, evaluate, machine
from netloom.machine.machine import loads

Run = Callable[..., tuple[int, str, str]]
DATA = Path(__file__).parent.parent / "data"
TIMES = "collective,algorithm,library,nodes,ranks_per_node,bytes,time_s\n" + "".join(
    f"allgather,ring,,{nodes},1,{size},{(nodes - 1) * (2e-6 + size / 1e9)}\n"
    for nodes in (2, 4, 8)
    for size in (8, 128, 1024, 8192, 65536, 1 << 20)
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    shutil.copy(DATA / "fabric" / "two_leaves.ibnetdiscover", tmp_path / "fabric.net")
    shutil.copy(DATA / "hwloc" / "two_sockets.xml", tmp_path / "node.xml")
    (tmp_path / "times.csv").write_text(TIMES)
    (tmp_path / "machines").mkdir()
    return tmp_path


def test_each_value_says_from_which_file_it_is(netloom: Run, site: Path) -> None:
    code, out, err = netloom(
        "machine", "new", "machines/ours.toml", "--fabric", "fabric.net", "--hwloc", "node.xml", "--title", "Ours"
    )
    assert code == 0 and "wrote machines/ours.toml" in err
    assert "software.inside_latency" in out and "As on generic-hdr" in out
    made = machine.load(site / "machines" / "ours.toml")
    assert (made.name, made.title, made.source) == ("ours", "Ours", "netloom machine new, from fabric.net, node.xml")
    today = date.today().isoformat()
    network, node = made.values["network"], made.values["node"]
    assert (network.value, network.kind, network.source) == ("../fabric.net", "data sheet", "fabric.net")
    assert (node.value, node.kind) == ("node(sockets=2,numa=4,caches=2,cores=8)", "measured")
    assert {made.date, network.date, node.date} == {today}
    assert {known.kind for name, known in made.values.items() if "." in name} == {"assumed"}
    assert made.values["library"].value == "openmpi" and made.values["library"].kind == "assumed"
    # The rate of a link belongs to the NICs that are there.
    assert "software.flow_cap" not in made.values and "software.inside_flow_cap" in made.values


def test_every_command_takes_it_from_any_folder(netloom: Run, site: Path) -> None:
    assert netloom("machine", "new", "machines/ours.toml", "--fabric", "fabric.net", "--hwloc", "node.xml")[0] == 0
    job = (
        "--machines",
        "machines",
        "--machine",
        "ours",
        "--nodes",
        "2",
        "--ranks-per-node",
        "2",
        "-c",
        "allreduce:ring",
    )
    code, out, _ = netloom("simulate", *job, "--size", "1MiB", "--json")
    assert code == 0 and json.loads(out)["jobs"][0]["ranks"] == 4
    assert netloom("hops", *job)[0] == 0


def test_nics_of_a_call(netloom: Run, site: Path) -> None:
    line = ("machine", "new", "ours.toml", "--fabric", "torus(4,4)", "--hwloc", "1,2,8", "--nics", "2")
    code, out, _ = netloom(*line, "--json")
    found = json.loads(out)
    assert code == 0 and found["values"]["node"]["value"] == "node(sockets=2,cores=8,nics=2)"
    assert found["values"]["network"] == {
        "value": "torus(4,4)", "kind": "assumed", "source": "given as torus(4,4)", "date": ""
    }  # fmt: skip
    whole = Scenario(machine=str(site / "ours.toml"), workload="allreduce:ring", size_bytes=1024)
    assert evaluate(whole, "time")["jobs"][0]["ranks"] == 16 * 8


def test_gpus_are_like_machines_of_gpus(netloom: Run, site: Path) -> None:
    assert netloom("machine", "new", "gpus.toml", "--fabric", "rail_cluster(nodes=4)", "--like", "dgx-h100")[0] == 0
    assert "software.simple_latency" in machine.load(site / "gpus.toml").values


def test_costs_of_software_are_fitted_to_what_was_measured(netloom: Run, site: Path) -> None:
    code, out, err = netloom(
        "machine", "new", "ours.toml", "--fabric", "torus(2,4)", "--measured", "times.csv", "-q", "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    assert found["fit"]["rows_used"] == 18 and found["fit"]["median_error"] < 0.1
    made = machine.load(site / "ours.toml")
    assert made.values["software.message_latency"].kind == "measured"
    assert "times.csv" in made.source
    # What is written is read as it was.
    assert loads((site / "ours.toml").read_bytes(), "ours.toml").values == made.values


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("new ours.txt --fabric torus(4,4)", "a path ending in .toml"),
        ("new ours.toml", "--fabric"),
        ("new ours.toml --fabric nowhere.net", "nowhere.net"),
        ("new ours.toml --fabric torus(4,4) --nics 2", "--nics"),
        ("new ours.toml --fabric torus(3,3) --hwloc 2,8 --nics 2", "nics"),
        ("new ours.toml --fabric torus(4,4) --hwloc 2,8 --nics none", "--nics must be an integer >= 1"),
        ("new ours.toml --fabric torus(4,4) --like generic-hd", 'did you mean "generic-hdr"?'),
        ("new ours.toml --fabric torus(4,4) --measured fabric.net", "fabric.net"),
        ("old ours.toml --fabric torus(4,4)", "new"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(netloom: Run, site: Path, line: str, says: str) -> None:
    code, _, err = netloom("machine", *line.split())
    assert code == 2 and says in err
    assert not list(site.glob("ours.*"))
