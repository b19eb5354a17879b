"""Runs for figures 5.3 to 5.5 of Jain 2016: one simulation in parts, kept in step in both ways.

`python -m tests.papers.jain_2016.engines --turns 3` adds to `engines.jsonl` what it lacks: a line for each run,
settings in turns, so that what else the machine does meets all of them. The exchange is that of section 5.5.1,
three iterations of a 3D stencil with messages of 128 KB; packets have 4 KiB, which the paper does not say. Figures
5.4 and 5.5 have 8,192 nodes on 8 cores: here 2,048 on two, as many on each.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import netloom

FILE = Path(__file__).parent / "engines.jsonl"
#: Sides of the torus by number of nodes.
SIDES = {4096: (16, 16, 16), 2048: (16, 16, 8)}
BATCHES = (1, 4, 16, 64, 256, 1024)
INTERVALS = (1, 4, 16, 64, 256, 1024, 4096)
PARTS = (2, 4, 8, 16, 32)
#: Section 5.5.3.
BATCH, INTERVAL = 16, 1024
#: ROSS does not say how far a process may run ahead: so far that it never waits.
AHEAD = 1_000_000_000


@dataclass(frozen=True)
class Setting:
    """What a run is asked for."""

    nodes: int
    parts: int
    way: str
    batch: int = 0
    interval: int = 0

    @property
    def parallel(self) -> str:
        """As `--parallel` takes it."""
        if self.way == "conservative":
            return self.way
        return f"{self.way}(batch={self.batch},interval={self.interval},windows={AHEAD})"


def optimistic(nodes: int, parts: int = 2, batch: int = BATCH, interval: int = INTERVAL) -> Setting:
    """Parts that run ahead of each other."""
    return Setting(nodes, parts, "optimistic", batch, interval)


def settings() -> Iterator[Setting]:
    """All, each once: figure 5.3, then 5.4 by batch and by interval, then 5.5."""
    every = [Setting(4096, parts, "conservative") for parts in (1, 2)]
    every += [optimistic(4096)]
    every += [optimistic(2048, batch=batch) for batch in BATCHES]
    every += [optimistic(2048, interval=interval) for interval in INTERVALS]
    every += [optimistic(2048, parts=parts) for parts in PARTS]
    yield from dict.fromkeys(every)


def run(setting: Setting) -> dict[str, object]:
    """Times and counts of one run."""
    call = ",".join(map(str, SIDES[setting.nodes]))
    workload = f'stencil({call},bytes="128 KiB")'
    scenario = netloom.Scenario(
        f"torus({call})", routing="dimension-ordered", workload=workload, repetitions=3, calibration="pure"
    )
    before = time.perf_counter(), time.process_time()
    answer = netloom.evaluate(scenario, "packet", threads=setting.parts, parallel=setting.parallel, counts=True)
    took = time.perf_counter() - before[0], time.process_time() - before[1]
    counts = dict(answer.tables["parallel"][0])
    kept = {name: counts[name] for name in ("synchronisations", "processed", "rollbacks", "cancelled", "efficiency")}
    ours = {"events": answer.record["events"], "time_s": answer.record["time_s"]}
    seconds = {"wall_s": round(took[0], 3), "cpu_s": round(took[1], 3), "load": round(os.getloadavg()[0], 1)}
    return asdict(setting) | ours | kept | seconds | {"made": date.today().isoformat()}


def main() -> None:
    """Add the runs that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    turns = parser.parse_args().turns
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.is_file() else []
    done = [Setting(*(json.loads(line)[name] for name in Setting.__dataclass_fields__)) for line in lines]
    for turn in range(turns):
        for setting in settings():
            if done.count(setting) <= turn:
                with FILE.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(run(setting)) + "\n")
                done.append(setting)


if __name__ == "__main__":
    main()
