"""The machine under a step: its network with as many GPUs as the step takes, and how its library sees a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import Fault, NetloomError
from ..evaluate import answer, bound_of, evaluator
from ..evaluate import settings as options_of
from ..library import Communicator
from ..machine import Machine, load
from ..scenario import Calls, Scenario, Workshop
from ..scenario.rates import rates_of
from . import codes

if TYPE_CHECKING:
    from ..evaluate import Answer
    from ..evaluate.answers import TimeAnswer
    from ..jobs import Job
    from ..results.rows import Cell
    from ..scenario import Axes, Question
    from .groups import Layout

#: The generator that is asked for more nodes where a machine has too few: its pods are alike.
GROWS = "rail_cluster"


class Cluster:
    """A machine that a step is asked about.

    Parameters
    ----------
    machine
        A name, the path of a file, or a machine.
    gpus
        Of the job: the first ones of the machine.
    inputs
        Of the scenario, in place of the machine's: `fail`, `routing`, `network.nodes`, ...

    Attributes
    ----------
    notes
        What of the machine was changed.
    """

    def __init__(self, machine: str | Path | Machine, gpus: int, inputs: Mapping[str, object] | None = None) -> None:
        self.machine, self.gpus = load(machine), gpus
        self.notes: list[str] = []
        given = {"machine": self.machine, **(inputs or {})}
        self._base = Scenario(**cast("Axes", given | self._grown(given)))
        self._workshop = Workshop(Calls(self._base.folder))
        bound = self._bound = bound_of(evaluator("time"), self._base, self._workshop, _silent)
        self.network = bound.site.network
        self.per_node = bound.site.nodes.most_each(bound.site.cores)
        nodes = bound.site.nodes.count if "network" in given else bound.site.most_nodes
        there = nodes * self.per_node
        if gpus > there:
            words = f"{self.machine.name} has {there} GPUs, fewer than {gpus}"
            hint = f"give at most --gpus {there}, or a larger machine"
            raise NetloomError([Fault(codes.BAD_VALUE, "--gpus", words, "", hint)])
        self.rates = rates_of(bound.site.network, bound.text("node"), bound.site.nodes.endpoints)

    def _grown(self, given: Mapping[str, object]) -> dict[str, object]:
        """More nodes of the same kind, where the network is made of pods and its size was not said."""
        text = Scenario(**cast("Axes", given))["network"]
        if not isinstance(text, str) or any(key.startswith("network") for key in given):
            return {}
        try:
            name, _, said = _core.parse_call(text)
        except NetloomError:
            return {}
        each, places, pod = (said.get(key, usual) for key, usual in (("gpus", 8), ("nodes", 0), ("pod", 32)))
        if name != GROWS or not isinstance(each, int) or not isinstance(places, int) or not isinstance(pod, int):
            return {}
        nodes = min(self.machine.nodes or places, places)
        if self.gpus <= each * nodes:
            return {}
        count = -(-self.gpus // (each * pod)) * pod
        count += pod * (count == places)
        self.notes.append(f"{self.machine.name} has {nodes} nodes: the same network with {count} was taken.")
        return {"network.nodes": count}

    @property
    def library(self) -> str:
        """Name of its communication library; empty if none is known."""
        return self._bound.text("library")

    def communicator(self, layout: Layout, kind: str) -> Communicator:
        """A group as the library sees it: how many of its ranks share a node, and through how many NICs.

        Switches that combine are left out: a step's file of groups has no schedule for them, and the ring stands in.
        """
        places, rates = layout.first(kind), self.rates
        local = len(places) if rates.is_one_node else sum(place < self.per_node for place in places)
        return Communicator(
            len(places), local, max(1, min(rates.nics, local)), rates.nic_bytes_per_s, rates.gpu_bytes_per_s,
            rates.is_switched,
        )  # fmt: skip

    def question(self, ranks: int) -> Question:
        """The job without its messages, as launchers see it."""
        scenario = self._base.but(**cast("Axes", {"ranks": ranks, "workload": "allreduce:ring"}))
        return bound_of(evaluator("time"), scenario, self._workshop, _silent)

    def evaluate(self, name: str, workload: object, ranks: int, options: Mapping[str, Cell] | None = None) -> Answer:
        """The answer of an evaluator to a workload on the first ranks."""
        row = evaluator(name)
        scenario = self._base.but(**cast("Axes", {"workload": workload, "ranks": ranks}))
        return answer(row, scenario, self._workshop, options_of(row, dict(options or {})), _silent)

    def together(self, jobs: Sequence[Job]) -> list[float]:
        """Seconds of each of several jobs on places of their own, all at the same time."""
        row = evaluator("time")
        scenario = self._base.but(**cast("Axes", {"jobs": list(jobs)}))
        found = answer(row, scenario, self._workshop, options_of(row, {}), _silent)
        return [float(str(job["time_s"])) for job in cast("TimeAnswer", found)["jobs"]]


def _silent(done: int, total: int) -> None:
    pass
