"""What a comparison is thought to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.ahead import Estimate, many
from ..base.errors import NetloomError
from ..evaluate import bound_of, evaluator
from ..evaluate.ahead import flow_s, messages_of
from ..scenario import Calls, Scenario, Workshop
from .timed import damaged

if TYPE_CHECKING:
    from .. import _core

#: Simulations of a workload on a network: over policies, draws and placements; over draws alone.
SPREAD, ALONE = 18, 4
#: What fewer endpoints send is never long.
FEW = 64


def estimate(asked: Sequence[tuple[_core.Network, Sequence[Mapping[str, object]]]], spread: bool) -> Estimate:
    """Seconds of all simulations, and their messages. Cost: each workload built once more for each network.

    Parameters
    ----------
    asked
        Each network with the inputs of each workload on it.
    """
    seconds = messages = 0.0
    for net, inputs in asked:
        for given in inputs if net.endpoints > FEW else ():
            try:
                one = _once(damaged(net, given), given)
            except NetloomError:
                # It is refused where it is evaluated.
                continue
            messages, seconds = messages + one[0], seconds + one[1]
    runs = SPREAD if spread else ALONE
    sooner = "fewer ranks, no spread over policies" if spread else "fewer ranks"
    return Estimate(runs * seconds, many(runs * messages, "messages"), sooner)


def _once(net: _core.Network, given: Mapping[str, object]) -> tuple[float, float]:
    row = evaluator("time")
    known = {axis.name for axis in row.axes} - {"network", "fail", "format", "routing", "variant"}
    scenario = Scenario.from_dict({"network": net} | {name: value for name, value in given.items() if name in known})
    bound = bound_of(row, scenario, Workshop(Calls(Path())), lambda done, total: None)
    (load,) = [
        bound.work.of(bound.work.source_of(job), job.ranks, job.root, bound.size_bytes, "workload")
        for job in bound.jobs
    ]
    return messages_of(load) * bound.repetitions, flow_s(load, bound.ranks) * bound.repetitions
