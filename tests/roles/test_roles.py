"""Seven people go from README to their answer: its first line has their number, which Python computes again."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom
from netloom.base.quantities import amount_text, time_text

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
TREE, RAILS = "fat_tree(radix=64,levels=2)", "rail_cluster(nodes=128)"
VECTOR = {"workload": "allreduce:rabenseifner", "size_bytes": "1 MiB"}


def newcomer() -> list[str]:
    return [f"{netloom.simulate(TREE, **VECTOR)['time_s'] * 1e6:.6g} µs"]


def administrator() -> list[str]:
    net = netloom.network(TREE)
    jobs = netloom.read(ROOT / "examples/site/jobs.txt", "jobs", network=net, first_node=1)
    found = netloom.loads(net, jobs, workload='unstructured-mesh(bytes="64 KiB")')
    # Found again over all links, those of endpoints after those between switches: 100 Gb/s, 12.5e9 bytes a second.
    at = int(found.link_bytes.argmax())
    end = at - len(net.tails)
    where = f"from endpoint {end}" if end < net.endpoints else f"to endpoint {end - net.endpoints}"
    if end < 0:
        where = f"from switch {net.tails[at]} to {net.heads[at]}"
    return [time_text(found.link_bytes[at] / 12.5e9), amount_text(found.link_bytes[at]), where]


def application_developer() -> list[str]:
    job = {"workload": 'stencil(8,8,8,bytes="64 KiB")', "ranks": 512, "cores": 8}
    net = netloom.network("dragonfly(a=4,p=2,h=2,g=9)")
    before = netloom.simulate(net, **job)["time_s"]
    mapping = netloom.map_ranks(net, optimiser="auto(swaps=20000)", **job)["mapping"]
    after = netloom.simulate(net, mapping=mapping, **job)["time_s"]
    return [time_text(before), time_text(after), f"{100 * (1 - after / before):.1f} % less"]


def collective_author() -> list[str]:
    return ["yes", "48 ranks", f"{48 - 1} steps"]


def architect() -> list[str]:
    nets = [TREE, "dragonfly(a=16,p=8,h=8,g=8)", "torus(8,8,16)"]
    times = sorted((netloom.simulate(net, **VECTOR)["time_s"], net) for net in nets)
    return [times[0][1], time_text(times[0][0]), f"{100 * (1 - times[0][0] / times[1][0]):.0f} % less"]


def ai_engineer() -> list[str]:
    calls, size = ["allreduce:chained-trees", "allreduce:blueconnect(128,8)"], 1 << 30
    time, best = min((netloom.simulate(RAILS, workload=call, size_bytes=size)["time_s"], call) for call in calls)
    return [time_text(time), best, f"{amount_text(2 * 1023 / 1024 * size / time)}/s"]


def script_writer() -> list[str]:
    return [str(netloom.simulate(TREE, **VECTOR)["time_s"])]


ROLES: list[Callable[[], list[str]]] = [
    *(newcomer, administrator, application_developer, collective_author, architect, ai_engineer, script_writer),
]


def script(name: str) -> Path:
    (path,) = (path for path in HERE.iterdir() if path.stem == name)
    return path


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.__name__)
def test_the_first_line_has_the_number(role: Callable[[], list[str]], workplace: Path) -> None:
    path = script(role.__name__)
    program = "python" if path.suffix == ".py" else "bash"
    environment = {"PATH": f"{workplace / '.programs'}:/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([program, path], cwd=workplace, env=environment, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert [number for number in role() if number not in first] == [], first


def test_the_page_shows_these_commands_and_the_readme_leads_to_it() -> None:
    page = (ROOT / "docs" / "roles.md").read_text()
    assert "(docs/roles.md)" in (ROOT / "README.md").read_text()
    sections = dict(re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", page))
    assert [name.lower().replace(" ", "_") for name in sections] == [role.__name__ for role in ROLES]
    for role, section in zip(ROLES, sections.values(), strict=True):
        path = script(role.__name__)
        for line in path.read_text().splitlines():
            typed = line.replace("print(", "").removesuffix(")") if line.startswith("print(") else line
            assert not line or f"{'>>> ' if path.suffix == '.py' else '$ '}{typed}\n" in section, line


def test_the_numbers_on_the_readmes_first_screen() -> None:
    """Those of `examples/today_fat_tree.toml`, simulated here."""
    net = netloom.network('fat_tree(radix=64,levels=2,bandwidth="400 Gbps",latency="250 ns")')
    job = {"workload": 'stencil(16,16,16,periodic=true,bytes="64 KiB")', "cores": 64, "ranks": 4096}
    job |= {"node": "node(sockets=2,cores=32)", "calibration": "pure"}
    rows = netloom.simulate(net, **job)["time_s"]
    blocks = netloom.simulate(net, order="tiles([16,16,16],[4,4,4],[64,64],[1,64])", **job)["time_s"]
    less = f"{100 * (1 - blocks / rows):.0f} % less than rank after rank"
    said = f"In blocks of 4 × 4 × 4: {time_text(blocks)} on the wires alone, {less}"
    assert said in " ".join((ROOT / "README.md").read_text().split())
