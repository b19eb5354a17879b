"""Figures 5.6 and 5.7 of Jain 2016 by our packets: the 3D stencil on tori of 512 to 524,288 nodes, on one core.

`python -m tests.papers.jain_2016.scales` adds to `scales.jsonl` the runs that it lacks, each in a process of its own,
for its memory; the largest takes minutes. Three iterations with messages of 128 KB, as flows of the application
`stencil`, or as a graph of tasks in GOAL with the update and the reduction (`tasks.stencil`). The paper does not say
how large packets are.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from itertools import product
from pathlib import Path

import netloom

from ..findings import Found
from ..measured import finding
from . import tasks

TITLE = "A stencil on tori of 512 to 524,288 nodes, packet by packet"
FILE = Path(__file__).parent / "scales.jsonl"
SIDES = {
    512: (8, 8, 8),
    4096: (16, 16, 16),
    32_768: (32, 32, 32),
    65_536: (64, 32, 32),
    524_288: (128, 64, 64),
}
#: Most nodes with packets of so many bytes: more take over ten minutes on a busy machine.
MOST = {4096: 524_288, 1024: 32_768}
#: Seconds that the paper names: of its largest system, and of the others.
LARGEST_S, SMALLER_S = 542, 100
#: Graphs of tasks that are drawn.
DRAWN = 200


@dataclass(frozen=True)
class Setting:
    """What a run is asked for."""

    nodes: int
    packet_bytes: int
    work: str = "stencil"


def settings() -> Iterator[Setting]:
    """All, the quick ones first."""
    yield from (Setting(nodes, packet, "tasks") for nodes, packet in product((512, 4096), (4096, 1024)))
    yield from (Setting(nodes, packet) for nodes, packet in product(SIDES, (4096, 1024)) if nodes <= MOST[packet])


def run(setting: Setting, folder: Path) -> dict[str, object]:
    """Time and memory of one run, in this process."""
    sides = SIDES[setting.nodes]
    call = ",".join(map(str, sides))
    asked = {"workload": f'stencil({call},bytes="128 KiB")', "repetitions": 3}
    if setting.work == "tasks":
        path = folder / "stencil.goal"
        path.write_text(tasks.as_goal(tasks.stencil(sides)), encoding="utf-8")
        asked = {"workload": str(path)}
    scenario = netloom.Scenario(f"torus({call})", routing="dimension-ordered", calibration="pure", **asked)  # type: ignore[arg-type]
    before = time.perf_counter(), time.process_time()
    switch = f"output-queued(packet_bytes={setting.packet_bytes})"
    answer = netloom.evaluate(scenario, "packet", threads=1, switch=switch, counts=True)
    took = time.perf_counter() - before[0], time.process_time() - before[1]
    ours = {name: answer.record[name] for name in ("messages", "packet_hops", "events", "time_s")}
    mib = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    seconds = {
        "wall_s": round(took[0], 1),
        "cpu_s": round(took[1], 1),
        "load": round(os.getloadavg()[0], 1),
        "mib": mib,
    }
    return asdict(setting) | ours | seconds | {"made": date.today().isoformat()}


def lines() -> list[dict[str, object]]:
    """What was run."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()] if FILE.is_file() else []


def measure() -> Iterator[Found]:
    """P6, and what granularity changes."""
    rows = lines()
    for name, work in (("P6 largest", "stencil"), ("P6 smaller", "stencil"), ("P6 tasks", "tasks")):
        largest = name == "P6 largest"
        limit = LARGEST_S if largest else SMALLER_S
        chosen = [row for row in rows if row["work"] == work and (row["nodes"] == max(SIDES)) == largest]
        cases = [
            (f"{row['nodes']:,} nodes, packets of {row['packet_bytes']} bytes",
             f"{row['cpu_s']} s and {row['mib']:,} MiB for {row['events'] / 1e6:.3g} million events",  # type: ignore[operator]
             float(row["cpu_s"]) < limit)  # type: ignore[arg-type]
            for row in chosen
        ]  # fmt: skip
        if cases:
            yield finding(name, f"less than {limit} s of one core", cases)
    single, multi = [], []
    for nodes in (512, 4096):
        graphs = tasks.stencil(SIDES[nodes])
        runs = [tasks.algorithm_one(graphs, multi=together) for together in (False, True)]
        one, all_ = (run.completions for run in runs)
        multi.append((f"{nodes:,} nodes", f"{all_:,} in place of {one:,} completions", all_ < one))
    for seed in range(DRAWN):
        graphs = tasks.drawn(seed, ranks=4, tasks=60)
        single.append(tasks.algorithm_one(graphs).ends_ps == tasks.algorithm_one(graphs, multi=True).ends_ps)
    yield finding("P5 completions", "fewer with all ready tasks", multi)
    got = f"{sum(single)} of {DRAWN} graphs"
    yield finding("P5 times", "the same times with all ready tasks", [("drawn graphs", got, all(single))])


RUNS = len(lines()) + DRAWN


def main() -> None:
    """Add the runs that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", help="run this setting, and print it")
    given = parser.parse_args()
    if given.one:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(run(Setting(**json.loads(given.one)), Path(folder))))
        return
    done = [Setting(*(line[name] for name in Setting.__dataclass_fields__)) for line in lines()]  # type: ignore[arg-type]
    for setting in settings():
        if setting not in done:
            command = [sys.executable, "-m", __spec__.name, "--one", json.dumps(asdict(setting))]
            found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            with FILE.open("a", encoding="utf-8") as stream:
                stream.write(found.splitlines()[-1] + "\n")


if __name__ == "__main__":
    main()
