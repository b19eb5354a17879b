"""What software adds to a step, and how it stretches the time of wires: of its busiest rank, simulated by flows.

The rank and its partners exchange the messages of the step on an empty crossbar, once with the costs of the
calibration, once with those of its wires, once with none. What differs is what the calibration does: overheads,
handshakes, copies and reductions come out of the evaluator `time` and stand in no formula here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .. import _core
from ..evaluate import evaluate
from ..evaluate.known_error import wire_of
from ..machine.calibration import load
from ..scenario import Scenario
from .steps import Step

#: Costs that are none.
NONE = "pure"
#: Latency of a link of the crossbar that tells how the wire stretches latencies, s.
LATENCY_S = 1e-6


class Added(NamedTuple):
    """A step takes `per_byte` times what its busiest link needs, `per_latency` times its delay, and `software_s`."""

    per_byte: float
    per_latency: float
    software_s: float


class _Message(NamedTuple):
    """One of the rank: to a partner or from it, its blocks, whether they follow each other, whether they combine."""

    partner: int
    received: bool
    blocks: int
    whole: bool
    combine: bool


class _Kind(NamedTuple):
    """What a step is of: the costs of a rank depend on the bytes of its whole buffer."""

    collective: str
    ranks: int
    size_bytes: int
    blocks: int


class _Machine(NamedTuple):
    """A calibration, and the speed of the links of endpoints."""

    calibration: str
    bytes_per_s: float


def of_step(schedule: _core.Schedule, step: Step, calibration: str, bytes_per_s: float) -> Added:
    """What the calibration does to a step. Some six simulations of one rank's messages, kept for steps like it.

    Parameters
    ----------
    bytes_per_s
        Bandwidth of the links of endpoints.
    """
    if calibration == NONE:
        return Added(1.0, 1.0, 0.0)
    kind = _kind(schedule)
    machine = _Machine(calibration, bytes_per_s)
    found = {_messages(schedule, rank, step.number) for rank in _busiest(step, schedule.ranks)}
    made = [_added(kind, messages, machine) for messages in found]
    return max(made, key=lambda one: one.software_s)


def of_call(schedule: _core.Schedule, calibration: str, bytes_per_s: float) -> float:
    """Seconds of software of a collective besides its steps: to enter it, and its copies before and after."""
    return 0.0 if calibration == NONE else _empty(_kind(schedule), _Machine(calibration, bytes_per_s))


def _kind(schedule: _core.Schedule) -> _Kind:
    return _Kind(schedule.collective, schedule.ranks, schedule.size_bytes, schedule.blocks)


def _busiest(step: Step, ranks: int) -> list[int]:
    """The ranks with the most messages and with the most bytes; one where they are the same."""
    ends = np.concatenate([step.src, step.dst])
    messages = np.bincount(ends, minlength=ranks)
    size = np.bincount(ends, np.concatenate([step.size, step.size]), minlength=ranks)
    # Of equally many messages those with the most bytes; of equal bytes those with the most messages.
    most = [np.lexsort((-first, -second))[0] for first, second in ((size, messages), (messages, size))]
    return sorted({int(rank) for rank in most})


@lru_cache(maxsize=4096)
def _messages(schedule: _core.Schedule, rank: int, number: int) -> tuple[_Message, ...]:
    """Those of a rank in a step. What it receives comes from those that it sends to: they wait for each other."""
    part = _part(schedule, rank)
    made = []
    for received, end in ((False, "src"), (True, "dst")):
        # A message to itself is none.
        own = np.flatnonzero((part[end] == rank) & (part["step"] == number) & (part["src"] != part["dst"]))
        for at, one in enumerate(own):
            begin, stop = (int(part["offsets"][one + more]) for more in (0, 1))
            count = int(part["count"][begin:stop].sum())
            made.append(_Message(at, received, count, stop - begin < 2, bool(part["combine"][one])))
    return tuple(made)


@lru_cache(maxsize=64)
def _part(schedule: _core.Schedule, rank: int) -> dict[str, np.ndarray]:
    found = {name: np.asarray(column) for name, column in schedule.part_of(rank).items()}
    return found | {"count": found["count"].astype(np.int64)}


def _star(kind: _Kind, messages: tuple[_Message, ...]) -> _core.Schedule:
    """A schedule of one step: rank 0 exchanges the messages with others."""
    transfers = []
    for one in messages:
        partner = 1 + one.partner % (kind.ranks - 1)
        ends = (partner, 0) if one.received else (0, partner)
        transfers.append((*ends, blocks_of(kind.blocks, one.blocks, one.whole), one.combine))
    return _core.Schedule.from_transfers(kind.collective, kind.ranks, 0, kind.size_bytes, [transfers])


def blocks_of(every: int, count: int, whole: bool) -> list[int]:
    """Numbers of `count` blocks, that follow each other or not: the last of `every` is one, so that all exist."""
    if whole or count >= every:
        return list(range(every - count, every))
    return [*range(count - 1), every - 1]


@lru_cache(maxsize=4096)
def _added(kind: _Kind, messages: tuple[_Message, ...], machine: _Machine) -> Added:
    if not messages:
        return Added(1.0, 1.0, 0.0)
    star = _star(kind, messages)
    sent = star.table()
    src, dst, sizes = (np.asarray(sent[name], dtype=np.int64) for name in ("src", "dst", "bytes"))
    bare = _core.Traffic.from_flows("step", kind.ranks, src, dst, np.ones_like(sizes), sizes)
    wire: dict[str, object] = {"calibration": NONE, "wire": wire_of(load(machine.calibration).settings)}
    by_wire, slow_wire = (_alone(bare, kind.ranks, wire, machine, latency) for latency in (0.0, LATENCY_S))
    by_none, slow_none = (_alone(bare, kind.ranks, {"calibration": NONE}, machine, at) for at in (0.0, LATENCY_S))
    whole = _alone(star, kind.ranks, {"calibration": machine.calibration}, machine, 0.0)
    return Added(
        by_wire / by_none if by_none else 1.0,
        (slow_wire - by_wire) / (slow_none - by_none) if slow_none > by_none else 1.0,
        whole - _empty(kind, machine) - by_wire,
    )


@lru_cache(maxsize=256)
def _empty(kind: _Kind, machine: _Machine) -> float:
    """Seconds of the collective without any message."""
    none = _core.Schedule.from_transfers(kind.collective, kind.ranks, 0, kind.size_bytes, [])
    return _alone(none, kind.ranks, {"calibration": machine.calibration}, machine, 0.0)


def _alone(
    work: _core.Schedule | _core.Traffic, ranks: int, costs: dict[str, object], machine: _Machine, latency_s: float
) -> float:
    """Seconds on an empty crossbar by flows. O(ranks)."""
    speed = f'"{machine.bytes_per_s * 8 / 1e9!r} Gbps"'
    call = f'complete(1,p={ranks},bandwidth={speed},latency="{latency_s * 1e9:g} ns")'
    value = evaluate(Scenario.from_dict({"network": call, "workload": work, "ranks": ranks, **costs}), "time")["time_s"]
    assert isinstance(value, float)
    return value
