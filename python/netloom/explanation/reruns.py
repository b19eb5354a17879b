"""The same run with one thing changed, simulated again: other settings, another network, workload or mapping."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import NetloomError
from ..evaluate import core
from ..evaluate.channels import with_enough
from ..evaluate.time.of_core import Recorded, recorded
from ..scenario.background import flows
from .routes import LeftOut, Routes, first_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..base.records import Found, Settings
    from ..evaluate.time.of_core import Trace
    from ..jobs import PlacedJob
    from ..scenario import Question
    from ..workload import Workload

#: Factor on rates of an ideal network: what moves takes no time that counts.
ENDLESS = 1e12


class Reruns:
    """Runs that differ from one in what is said.

    Parameters
    ----------
    loads
        The workload of each job.
    """

    def __init__(self, bound: Question, loads: Sequence[Workload]) -> None:
        self.bound, self.loads = bound, list(loads)

    @property
    def settings(self) -> Settings:
        """All settings of wire and software."""
        return self.bound.site.settings

    def seconds(
        self,
        settings: Settings | None = None,
        loads: Sequence[Workload] | None = None,
        jobs: Sequence[PlacedJob] | None = None,
    ) -> float:
        """When the last rank ends. Cost: one simulation.

        Raises
        ------
        LeftOut
            With what is wrong with these inputs.
        """
        return cast(
            "float", self._asked(self.settings if settings is None else settings, loads, jobs)["record"]["time_s"]
        )

    def unshared(self, trace: Trace) -> tuple[float, Recorded]:
        """Time and record where every message of the run has all links of the network to itself.

        Raises
        ------
        LeftOut
            Where its routes are not known.
        """
        network = Routes(self.bound).unshared(trace)
        # The routes are links there, which have all of the latency; background flows would share nothing.
        jobs = [replace(job, routing="minimal", variant=None) for job in self.bound.jobs]
        settings = self.settings | {"switch_latency_s": 0.0}
        found = self._asked(settings, None, jobs, network, record=True)
        return cast("float", found["record"]["time_s"]), recorded(found)

    def _asked(
        self,
        settings: Settings,
        loads: Sequence[Workload] | None,
        jobs: Sequence[PlacedJob] | None,
        network: _core.Network | None = None,
        record: bool = False,
    ) -> Found:
        bound = self.bound
        options = {"trace": record, "fold": not record, "seed": bound.integer("seed")}

        background = flows(bound.value("background")) if network is None else []
        given = self.loads if loads is None else loads

        def by(routing: str | None) -> Found:
            asked = core.several(bound, given, routing, background, settings, placed=jobs, network=network)
            return _core.evaluate(asked, "time", options, bound.progress)

        try:
            return with_enough(bound, by)[0]
        except NetloomError as error:
            raise LeftOut(first_line(error)) from None


def scaled(rows: object, factor: float) -> list[list[float]]:
    """A table of factors by size, multiplied; one number is for all sizes, and before the first row stands a 1."""
    table = [[0, rows]] if isinstance(rows, (int, float)) else rows
    given = [list(row) for row in cast("list[list[float]]", table)]
    if not given or given[0][0] > 0:
        given.insert(0, [0, 1.0])
    return [[above, value * factor] for above, value in given]


def faster(settings: Settings) -> Settings:
    """Twice the bandwidth: every byte on the wire, and so bounds on rates, at half the time."""
    return settings | {"bandwidth_factors": scaled(settings["bandwidth_factors"], 2.0)}


#: Tables of software's latency of a message.
LATENCIES = tuple(
    name
    for name, part in ((str(row["name"]), row["part"]) for row in _core.machine_params())
    if part == "software" and name.endswith("latency")
)


def sooner(settings: Settings) -> Settings:
    """Half the latency: that of routes, and software's for a message."""
    halved: Settings = {
        name: [[above, *(0.5 * cell for cell in cells)] for above, *cells in cast("list[list[float]]", settings[name])]
        for name in LATENCIES
        if settings[name]
    }
    halved["loopback_latency_s"] = 0.5 * cast("float", settings["loopback_latency_s"])
    return settings | halved | {"latency_factors": scaled(settings["latency_factors"], 0.5)}


#: Settings of software that say what is sent how, and how fast ranks compute: no costs.
RULES = ("sender_returns_below_bytes", "starts_early_below_bytes", "flops_per_s", "bytes_per_flop")


def without_software(settings: Settings) -> Settings:
    """Software takes no time; what waits for its receiver still does."""
    plain = _core.machine_settings("machine", {})
    costs = [row["name"] for row in _core.machine_params() if row["part"] == "software" and row["name"] not in RULES]
    return settings | {str(name): plain[str(name)] for name in costs}


def ideal(settings: Settings) -> Settings:
    """Neither latency nor bandwidth nor software."""
    nothing: Settings = {
        "latency_factors": [[0, 0.0]], "bandwidth_factors": [[0, ENDLESS]], "switch_latency_s": 0.0,
        "loopback_latency_s": 0.0, "tcp_window_bytes": 0.0,
        # Else the latency of an empty message would have no factor.
        "envelope_bytes": 1,
    }  # fmt: skip
    return without_software(settings) | nothing
