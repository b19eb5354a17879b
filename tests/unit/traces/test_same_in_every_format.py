"""One program, written in every format that is written, takes the same time whichever it comes back through."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import netloom
from netloom import _core

#: As files that are read again: format, name of the first file, whether all files are one.
FORMATS = {"smpi-trace": "all.trace", "goal": "all.goal", "goal-binary": "all.bin", "chakra": "trace.0.et"}


def drawn(seed: int, ranks: int = 5) -> _core.Programs:
    """Rounds of messages, each waited for before the next, between computation of whole microseconds.

    No request is waited for where it starts: a format without requests cannot tell that from a blocking message.
    """
    draw = random.Random(seed)
    bodies: list[list[tuple[object, ...]]] = [[] for _ in range(ranks)]
    for number in range(12):
        kind = draw.choice(["blocking", "shift", "cross", "compute"])
        size = draw.choice([0, 8, 1000, 70_000, 300_000])
        if kind == "compute":
            for body in bodies:
                body.append(("sleep", draw.randrange(0, 50) * 1e-6))
        elif kind == "blocking":
            source, target = draw.sample(range(ranks), 2)
            bodies[source].append(("send", target, size, number))
            bodies[target].append(("receive", source, size, number))
        else:
            by = draw.randrange(1, ranks)
            for rank, body in enumerate(bodies):
                body.append(("start_receive", (rank - by) % ranks, size, number))
                body.append(("start_send", (rank + by) % ranks, size, number))
                body.append(("sleep", 3e-6))
                body += [("wait_all",)] if kind == "shift" else [("wait", 1), ("sleep", 1e-6), ("wait", 2)]
    return netloom.programs(bodies)


@pytest.mark.parametrize("calibration", ["pure", "simgrid-smpi", "mpi-rdma"])
@pytest.mark.parametrize("seed", range(8))
def test_time_is_the_same(tmp_path: Path, seed: int, calibration: str) -> None:
    programs = drawn(seed)
    told = {"network": "torus(3,3)", "calibration": calibration, "placement": "linear"}
    expected = netloom.simulate(workload=programs, **told).record["time_s"]  # type: ignore[arg-type]
    for format, name in FORMATS.items():
        written = programs.write(format)
        if format == "chakra":
            for part, data in written:
                (tmp_path / part).write_bytes(data)
        else:
            parts = written if len(written) == 1 else written[1:]
            (tmp_path / name).write_bytes(b"".join(data for _, data in parts))
        found = netloom.simulate(workload=str(tmp_path / name), **told)  # type: ignore[arg-type]
        assert found.record["time_s"] == pytest.approx(expected, rel=1e-12), format
