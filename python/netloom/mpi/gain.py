"""What an order of the ranks was thought to gain for an application, and what it gained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..base.errors import Fault, NetloomError
from ..scenario import Scenario
from ..workload.traces import in_format
from ..workload.traces.netloom_record import NETLOOM_RECORD, read_record
from ..workload.traces.netloom_record.codes import MIXED
from ..workload.traces.netloom_record.layout import ORDER_DEPTH
from .micro.codes import NO_TRACE

if TYPE_CHECKING:
    from ..workload.traces.netloom_record import Record


@dataclass(frozen=True)
class Gain:
    """Two records of one program, and simulated times of the first one's trace.

    Attributes
    ----------
    simulated_s
        In the order as it was, and in the new one; None without a machine.
    """

    before: Record
    after: Record
    simulated_s: tuple[float, float] | None = None

    @property
    def predicted_s(self) -> float | None:
        """Time of the run in the new order: as before, less what the simulation saves."""
        if self.simulated_s is None:
            return None
        return self.before.seconds()["wall_s"] - self.simulated_s[0] + self.simulated_s[1]

    def plain(self) -> dict[str, object]:
        """As JSON."""
        first, last = self.before.seconds(), self.after.seconds()
        saved = None if self.simulated_s is None else self.simulated_s[0] - self.simulated_s[1]
        return {
            "ranks": self.before.size,
            "before_s": first["wall_s"],
            "predicted_s": self.predicted_s,
            "after_s": last["wall_s"],
            "predicted_gain_s": saved,
            "gain_s": first["wall_s"] - last["wall_s"],
            "before_mpi_s": first["mpi_s"],
            "after_mpi_s": last["mpi_s"],
            "before_bytes_between_hosts": self.before.bytes_between_hosts,
            "after_bytes_between_hosts": self.after.bytes_between_hosts,
            "simulated_before_s": None if self.simulated_s is None else self.simulated_s[0],
            "simulated_after_s": None if self.simulated_s is None else self.simulated_s[1],
        }


def gain(before: str | Path, after: str | Path, inputs: Mapping[str, object], mapping: str | None) -> Gain:
    """Of the records of a run as it was and of a run in another order.

    Parameters
    ----------
    inputs
        Machine, network and others of the scenario in which the first run's trace is simulated; empty for none.
    mapping
        The new order, as `--mapping` takes it.

    Raises
    ------
    NetloomError
        NL-I007 for records of different numbers of ranks, NL-I076 for a first record whose
        calls were not kept, and what is wrong with a record or the scenario.
    """
    first, last = read_record(Path(before)), read_record(Path(after))
    if first.size != last.size:
        sentence = f"a record of {first.size} ranks, as {before} is"
        raise NetloomError([Fault(MIXED, str(after), sentence, f"{last.size}", "record the same job twice")])
    if not inputs:
        return Gain(first, last)
    if first.ranks[0].header["depth"] != ORDER_DEPTH:
        hint = "record again with --depth order"
        raise NetloomError([Fault(NO_TRACE, str(before), "has no trace to simulate", "", hint)])
    base = Scenario().but(**cast("dict[str, Any]", {**inputs, "workload": in_format(str(before), NETLOOM_RECORD.name)}))
    return Gain(first, last, (_time_s(base), _time_s(base.but(**cast("dict[str, Any]", {"mapping": mapping})))))


def _time_s(scenario: Scenario) -> float:
    from ..evaluate import evaluate

    return float(str(evaluate(scenario, "time")["time_s"]))
