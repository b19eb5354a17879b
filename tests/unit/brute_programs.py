"""What ranks do in the witness of simulated time: a step of transfers, a collective, a program of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .brute_force import Program, Request, Run


@dataclass
class Sent:
    """A transfer: `pieces` of the buffer that it consists of, and whether its receiver combines it."""

    src: int
    dst: int
    size: int
    pieces: int = 1
    combine: bool = False


def exchange(run: Run, me: int, transfers: Sequence[Sent], protocol: str = "") -> Program:
    """A rank's share of a step: it posts its receives, then its sends, and waits for all of them."""
    requests = []
    for sent in transfers:
        if sent.dst == me:
            requests.append(run.receive(me, sent.src, sent.size))
            yield None
    for sent in transfers:
        if sent.src == me:
            if not protocol:
                own = run.site.seconds("nonblocking_send_overhead", run.site.whole(sent.size))
                yield own + run.eager_copy(sent.size)
            requests.append(run.send(me, sent.dst, sent.size, protocol))
            yield None
    yield requests


@dataclass
class Collective:
    """Steps of transfers, bytes of a rank's buffer, bytes that it copies before the first step and after the last.

    A GPU library, which has a protocol, combines and copies while it receives.
    """

    steps: list[list[Sent]]
    buffer: int
    before: int
    after: int
    protocol: str = ""

    def program(self, run: Run, me: int) -> Program:
        if self.protocol:
            yield run.site.number("launch_s")
            for step in self.steps:
                yield from exchange(run, me, step, self.protocol)
            return
        copy, combine = (run.site.value(f"{word}_s_per_byte", self.buffer, 0.0) for word in ("copy", "combine"))
        combine *= run.site.number("operation_factor", 1.0)
        yield run.site.number("call_overhead_s")
        yield copy * self.before
        for step in self.steps:
            yield from exchange(run, me, step)
            yield combine * sum(s.size for s in step if s.dst == me and s.combine)
            packs = sum(s.size for s in step if s.src == me and s.pieces > 1)
            unpacks = sum(s.size for s in step if s.dst == me and s.pieces > 1 and not s.combine)
            yield copy * (packs + unpacks)
        yield copy * self.after


def actions(run: Run, me: int, given: Sequence[Sequence[Any]]) -> Program:
    """A program in the words of `netloom.programs`."""
    started: list[Request] = []
    for word, *values in given:
        if word == "compute":
            flops, site = values[0], run.site
            yield max(flops / site.number("flops_per_s", 1e11), flops * site.number("bytes_per_flop") * site.memory(me))
        elif word == "sleep":
            yield values[0]
        elif word == "wait_all":
            yield started
            started = []
        else:
            other, size = values
            if word.endswith("send"):
                name = "send_overhead" if word == "send" else "nonblocking_send_overhead"
                yield run.site.seconds(name, run.site.whole(size)) + run.eager_copy(size)
                request = run.send(me, other, size)
            else:
                request = run.receive(me, other, size)
            yield None
            if word.startswith("start_"):
                started.append(request)
            else:
                yield [request]
