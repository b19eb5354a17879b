"""What is played: equal steps on a network, and the files of them that the peers read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.peers import platform

import netloom
from netloom import _core

#: From this size on `pure` lets a sender wait until its message has arrived, as S4U does with every message.
MESSAGE_BYTES = 65536
DRAWN = "random(seed=1)"


@dataclass(frozen=True)
class Program:
    """A ring allreduce or a pairwise alltoall of 64 KiB a message, ranks in random order on endpoints drawn at random.

    Parameters
    ----------
    steps
        Only so many first steps; None: all.
    peers
        False: it would take the peers too long.
    """

    kind: str
    network: str
    ranks: int
    steps: int | None = None
    routing: str = "single-minimal"
    peers: bool = True

    @property
    def name(self) -> str:
        kind = {"ring": "ring", "pairwise": "alltoall"}[self.kind]
        steps = "all steps" if self.steps is None else f"{self.steps} steps"
        return f"{kind}, {self.ranks:,} ranks on `{self.network}`, {steps}"

    @property
    def count(self) -> int:
        """Steps that are played."""
        whole = 2 * (self.ranks - 1) if self.kind == "ring" else self.ranks - 1
        return whole if self.steps is None else min(self.steps, whole)

    @property
    def messages(self) -> int:
        return self.count * self.ranks

    @property
    def one_switch(self) -> bool:
        """No two messages meet: every model must then give the same times."""
        return self.network.startswith("star(n=1,")

    @cached_property
    def built(self) -> netloom.Network:
        return netloom.network(self.network)

    @cached_property
    def mapping(self) -> NDArray[np.uint32]:
        return np.asarray(netloom.place(self.built, self.ranks, DRAWN, DRAWN), dtype=np.uint32)

    @cached_property
    def targets(self) -> NDArray[np.int64]:
        """Step by step, whom each rank sends to: as netloom's schedules have it, MPICH's for the alltoall."""
        ranks, steps = np.arange(self.ranks), range(1, self.count + 1)
        if self.kind == "ring":
            return np.tile((ranks + 1) % self.ranks, (self.count, 1))
        two = self.ranks & (self.ranks - 1) == 0
        return np.array([ranks ^ step if two else (ranks + step) % self.ranks for step in steps])

    @cached_property
    def sources(self) -> NDArray[np.int64]:
        """Step by step, whom each rank receives from."""
        return np.argsort(self.targets, axis=1)

    @cached_property
    def routes(self) -> dict[tuple[int, int], list[int]]:
        """Links between all pairs of ranks that send."""
        rule = self.built.routing(self.routing)
        ends = [int(end) for end in self.mapping]
        rows = self.targets[:1] if self.kind == "ring" else self.targets
        pairs = sorted({(rank, int(to)) for row in rows for rank, to in enumerate(row)})
        return {(a, b): platform.links_of(self.built, rule, ends[a], ends[b]) for a, b in pairs}

    def met(self) -> float:
        """How many others of its step a message shares a link with: mean over at most 16 of the steps."""
        found = []
        for row in self.targets[:: max(1, self.count // 16)] if self.kind != "ring" else self.targets[:1]:
            routes = [self.routes[rank, int(to)] for rank, to in enumerate(row)]
            on: dict[int, set[int]] = {}
            for rank, route in enumerate(routes):
                for link in route:
                    on.setdefault(link, set()).add(rank)
            found += [len(set().union(*(on[link] for link in route))) - 1 for route in routes]
        return float(np.mean(found))

    def workload(self) -> dict[str, Any]:
        """Inputs of a scenario: the collective by its name, or the schedule of its first steps."""
        if self.steps is None:
            name, blocks = ("allreduce:ring", self.ranks) if self.kind == "ring" else ("alltoall:pairwise", 1)
            return {"workload": name, "ranks": self.ranks, "size_bytes": blocks * MESSAGE_BYTES}
        steps = [[(rank, int(to), [0], False) for rank, to in enumerate(row)] for row in self.targets]
        schedule = _core.Schedule.from_transfers("alltoall", self.ranks, 0, MESSAGE_BYTES, steps)
        return {"workload": netloom.workload(schedule)}

    def first(self, steps: int) -> Program:
        return replace(self, steps=min(steps, self.count))

    def told(self) -> dict[str, Any]:
        return asdict(self)


def write_case(program: Program, path: Path) -> None:
    """What `ranks.cpp` reads."""
    speeds = platform.speeds(program.built)
    with path.open("w") as out:
        out.write(f"{len(speeds)}\n")
        out.writelines(f"{bandwidth!r} {latency!r}\n" for bandwidth, latency in speeds)
        out.write(f"{program.ranks} {program.count} {MESSAGE_BYTES}\n{len(program.routes)}\n")
        for (a, b), route in program.routes.items():
            out.write(f"{a} {b} {len(route)} {' '.join(map(str, route))}\n")
        for rank in range(program.ranks):
            pairs = zip(program.targets[:, rank], program.sources[:, rank], strict=True)
            out.writelines(f"{to} {source}\n" for to, source in pairs)


def write_goal(program: Program, path: Path) -> None:
    """The text that LogGOPSim's `txt2bin` reads. One byte more a message: LogGP counts the bytes after the first."""
    size = MESSAGE_BYTES + 1
    with path.open("w") as out:
        out.write(f"num_ranks {program.ranks}\n")
        for rank in range(program.ranks):
            out.write(f"\nrank {rank} {{\n")
            pairs = zip(program.targets[:, rank], program.sources[:, rank], strict=True)
            for step, (to, source) in enumerate(pairs):
                out.write(f"r{step}: recv {size}b from {source} tag 0\ns{step}: send {size}b to {to} tag 0\n")
                if step:
                    before = step - 1
                    out.writelines(f"{a}{step} requires {b}{before}\n" for a in "rs" for b in "rs")
            out.write("}\n")
