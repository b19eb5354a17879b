"""`python -m benchmarks.replay`: a long trace replayed by netloom and by SMPI, one after the other.

Both sides are whole processes; processor time is user and system, memory the peak. What has been measured is in the
folder's `results.jsonl` and is not measured again. A side that takes longer than the limit is not given longer traces.
Times have to agree to 1e-7.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.measure import machine, python

from . import trace

ROWS = COLUMNS = 32
NETWORK = f"torus({ROWS},{COLUMNS})"
AGREE = 1e-7
#: Of the processor time that SMPI may take for a trace.
LIMIT_S = 1800.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__)
    parser.add_argument("--events", type=float, nargs="+", default=[1e6, 1e7, 1e8])
    parser.add_argument("--folder", type=Path, default=Path("out/replay"), help="of the traces and the results")
    parser.add_argument("--only", default="", help="sides with this in their names")
    parser.add_argument("--keep", action="store_true", help="do not remove a trace when all sides have replayed it")
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    known, slow = _known(folder), set()
    for events in given.events:
        for drawn in (True, False):
            for side in SIDES:
                name = (side, int(events), "drawn" if drawn else "equal")
                if given.only in side and name not in known and side not in slow:
                    found = _measured(folder, name)
                    known[name] = found
                    if found["cpu_s"] > LIMIT_S / 10:
                        slow.add(side)
            if not given.keep:
                _remove(folder)
    print(machine())
    print(table.text(("replay", "events", "computation", "CPU s", "events/s", "memory", "simulated s"), _rows(known)))
    _compare(known)


def _known(folder: Path) -> dict[tuple[str, int, str], dict[str, Any]]:
    file = folder / "results.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    return {tuple(one["name"]): one for one in map(json.loads, lines)}


def _measured(folder: Path, name: tuple[str, int, str]) -> dict[str, Any]:
    side, events, computation = name
    iterations = events // (trace.ACTIONS * ROWS * COLUMNS)
    done = SIDES[side](folder, max(iterations, 1), computation == "drawn")
    found = {"name": name, **done}
    with (folder / "results.jsonl").open("a") as file:
        file.write(json.dumps(found) + "\n")
    return found


def _ours(path: Path, *more: str) -> dict[str, Any]:
    from tests.peers import simgrid

    words = ["simulate", "-n", NETWORK, "--trace", str(path), "--calibration", "simgrid-pure"]
    words += ["--routing", "single-minimal", "--speed", "1 Gflops", *more, "--json"]
    done = simgrid.run(python("netloom", *words), timeout_s=4 * LIMIT_S)
    said = json.loads(done.stdout)
    return {"cpu_s": done.cpu_s, "memory_bytes": done.memory_bytes, "end_s": said["time_s"]}


def _smpi_here(folder: Path, iterations: int, drawn: bool) -> dict[str, Any]:
    index = trace.smpi(folder / f"smpi-{iterations}-{drawn}", ROWS, COLUMNS, iterations, drawn)
    return _ours(index, "--algorithm", "allreduce:recursive-doubling")


def _goal_here(folder: Path, iterations: int, drawn: bool) -> dict[str, Any]:
    return _ours(trace.goal(folder / f"goal-{iterations}-{drawn}.bin", ROWS, COLUMNS, iterations, drawn))


def _smpi_there(folder: Path, iterations: int, drawn: bool) -> dict[str, Any]:
    from tests.peers import platform, replay, simgrid

    import netloom

    index = trace.smpi(folder / f"smpi-{iterations}-{drawn}", ROWS, COLUMNS, iterations, drawn)
    described, ranks = folder / "platform.xml", ROWS * COLUMNS
    if not described.exists():
        pairs = {(rank, peer) for rank in range(ranks) for peer in trace.neighbours(rank, ROWS, COLUMNS)}
        pairs |= {(rank, rank ^ 1 << bit) for rank in range(ranks) for bit in range(ranks.bit_length() - 1)}
        platform.write(described, netloom.network(NETWORK), "single-minimal", list(range(ranks)), sorted(pairs))
    options = (*replay.CONFIGURATIONS["simgrid-pure"], "network/optim:Full", "smpi/wtime:0", "smpi/allreduce:rdb")
    where = ["-np", str(ranks), "-platform", str(described), "-hostfile", str(described.with_suffix(".hosts"))]
    program = simgrid.built("replay.c", "smpicc", "-O2", "-Wall")
    inside = ["sh", "-c", f'cd "{index.parent}" && exec "$@"', "sh"]
    told = [f"--cfg={option}" for option in options]
    words = [*inside, "smpirun", *where, "-replay", index.name, str(program), *told, "--log=root.thresh:warning"]
    done = simgrid.run(words, timeout_s=4 * LIMIT_S)
    end_s = max(float(line.split()[1]) for line in done.stdout.splitlines() if len(line.split()) == 2)
    return {"cpu_s": done.cpu_s, "memory_bytes": done.memory_bytes, "end_s": end_s}


SIDES: dict[str, Callable[[Path, int, bool], dict[str, Any]]] = {
    "netloom, SMPI's format": _smpi_here,
    "netloom, GOAL in binary": _goal_here,
    "SMPI": _smpi_there,
}


def _remove(folder: Path) -> None:
    """The traces, which take gigabytes."""
    for path in folder.glob("goal-*"):
        path.unlink()
    for index in folder.glob("smpi-*"):
        for path in index.iterdir():
            path.unlink()
        index.rmdir()


def _rows(known: dict[tuple[str, int, str], dict[str, Any]]) -> list[tuple[object, ...]]:
    return [
        (
            *name, f"{one['cpu_s']:.3g}", f"{name[1] / one['cpu_s']:,.0f}",
            table.quantity(one["memory_bytes"], "bytes"), one["end_s"],
        )
        for name, one in sorted(known.items(), key=lambda item: (item[0][1], item[0][2], item[0][0]))
    ]  # fmt: skip


def _compare(known: dict[tuple[str, int, str], dict[str, Any]]) -> None:
    """Stops where SMPI and netloom do not agree."""
    for (side, *same), theirs in known.items():
        ours = known.get(("netloom, SMPI's format", *same)) if side == "SMPI" else None
        if ours is not None and abs(ours["end_s"] / theirs["end_s"] - 1) > AGREE:
            raise SystemExit(f"{same}: SMPI ends at {theirs['end_s']!r} s, netloom at {ours['end_s']!r} s")


if __name__ == "__main__":
    main()
