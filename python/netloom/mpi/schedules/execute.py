"""A plan on real memory: persistent requests that are made once and started in every step, and NumPy for the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .kinds import Case, Data
from .patience import Wait, spinning
from .places import RECEIVE, Places
from .plan import Message, Plan, Step

if TYPE_CHECKING:
    from mpi4py import MPI

Act = tuple[Callable[..., object], tuple[Data, ...]]


@dataclass
class _Step:
    """A step with its memory: what is packed, what is started, and what is done when all has come."""

    packs: list[tuple[Data, Data]]
    requests: list[MPI.Prequest]
    after: list[Act]


class Execution:
    """One rank's part of a schedule on given buffers; a call of it runs the schedule once.

    Parameters
    ----------
    comm
        All ranks of the schedule. Messages have one tag: those of a pair of ranks are in the same order on both.
    send, receive
        The buffers of the call, as long as `Job.lengths` says.
    wait
        How it waits for messages.
    hollow
        Nothing is sent, copied or combined: what a call takes is the runner's.
    """

    def __init__(
        self, comm: MPI.Intracomm, plan: Plan, case: Case, buffers: tuple[Data, Data], wait: Wait = spinning,
        hollow: bool = False,
    ) -> None:  # fmt: skip
        send, receive = buffers
        self.comm, self.plan, self.kind, self.operation, self.wait = comm, plan, case.kind, case.operation, wait
        self.hollow = hollow
        self.buffers = (send, receive, np.zeros(plan.layout.work, case.kind.numpy))
        sizes = [self._sizes(step) for step in plan.steps]
        self.packed = np.empty(max((packed for packed, _ in sizes), default=0), case.kind.numpy)
        self.arrived = np.empty(max((arrived for _, arrived in sizes), default=0), case.kind.numpy)
        # The first contribution from below is the result of an exscan so far.
        self.begun: set[Places] = set()
        self.before = [(self._at(to), self._at(source)) for to, source in plan.layout.before]
        self.after = [(self._at(to), self._at(source)) for to, source in plan.layout.after]
        self.steps = [self._made(step) for step in plan.steps]

    def __call__(self) -> None:
        """All steps once."""
        from mpi4py import MPI

        start, wait, copy = MPI.Prequest.Startall, self.wait, np.copyto
        for to, source in self.before:
            copy(to, source)
        for step in self.steps:
            for to, source in step.packs:
                copy(to, source)
            start(step.requests)
            wait(step.requests)
            for act, given in step.after:
                act(*given)
        for to, source in self.after:
            copy(to, source)

    def free(self) -> None:
        """Gives the requests back."""
        for step in self.steps:
            for request in step.requests:
                request.Free()

    def _at(self, place: Places) -> Data:
        buffer, start, end = place
        return self.buffers[buffer][start : start if self.hollow else end]

    @staticmethod
    def _sizes(step: Step) -> tuple[int, int]:
        """Elements to pack, and those that do not go straight to their places."""
        packed = sum(message.elements for message in step.sends if len(message.pieces) > 1)
        arrived = sum(message.elements for at, message in enumerate(step.receives) if not step.in_place(at))
        return packed, arrived

    def _made(self, step: Step) -> _Step:
        from mpi4py import MPI

        made, mpi = _Step([], [], []), self.kind.of_mpi()

        def peer(message: Message) -> int:
            return MPI.PROC_NULL if self.hollow else message.peer

        arrived: list[Data] = []
        used = 0
        for at, message in enumerate(step.receives):
            if step.in_place(at):
                into = self._at(message.pieces[0])
            else:
                into = self.arrived[used : used + message.elements * (not self.hollow)]
                used += message.elements
            arrived.append(into)
            made.requests.append(self.comm.Recv_init([into, mpi], peer(message)))
        used = 0
        for message in step.sends:
            if len(message.pieces) == 1:
                out = self._at(message.pieces[0])
            else:
                out = self.packed[used : used + message.elements * (not self.hollow)]
                used += message.elements
                made.packs += _pairs(out, [self._at(piece) for piece in message.pieces])
            made.requests.append(self.comm.Send_init([out, mpi], peer(message)))
        for at, (message, came) in enumerate(zip(step.receives, arrived, strict=True)):
            if not message.combine and not step.in_place(at):
                for source, to in _pairs(came, [self._at(piece) for piece in message.pieces]):
                    made.after.append((np.copyto, (to, source)))
        made.after += self._combined(step, arrived)
        return made

    def _combined(self, step: Step, arrived: list[Data]) -> list[Act]:
        """Blocks one by one where the order of ranks counts, else whole messages."""
        acts: list[Act] = []
        if step.joined is not None:
            for one in step.joined:
                came = arrived[one.message][slice(*one.inside)]
                acts += self._taken(step.receives[one.message], one.place, came, one.below)
            return acts
        for message, came in zip(step.receives, arrived, strict=True):
            if message.combine:
                below = message.peer < self.plan.job.rank
                parts = _pairs(came, [self._at(place) for place in message.pieces])
                for place, (source, _) in zip(message.pieces, parts, strict=True):
                    acts += self._taken(message, place, source, below)
        return acts

    def _taken(self, message: Message, place: Places, came: Data, below: bool) -> list[Act]:
        """What comes, combined with what the rank has, and in a scan with its result if it is from a lower rank."""
        combine, own = self.operation.combine, self._at(place)
        acts: list[Act] = [(combine, (came, own, own) if below else (own, came, own))]
        if self.plan.job.collective in ("scan", "exscan") and message.peer < self.plan.job.rank:
            result = self._at((RECEIVE, *place[1:]))
            first = self.plan.job.collective == "exscan" and place not in self.begun
            self.begun.add(place)
            acts.append((np.copyto, (result, came)) if first else (combine, (came, result, result)))
        return acts


#: What makes a schedule ready to run: its arguments are those of `Execution`.
Ready = Callable[..., Execution]


def _pairs(whole: Data, parts: Sequence[Data]) -> list[tuple[Data, Data]]:
    """Each run of a message with the memory that it belongs to."""
    found, used = [], 0
    for part in parts:
        found.append((whole[used : used + len(part)], part))
        used += len(part)
    return found
