"""The mix of workloads: each with its weight, its scenario, and the rungs that can answer it."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.quantities import percent
from ..evaluate import bound_of, evaluator
from ..evaluate.ahead import messages_of
from ..scenario import Calls, Scenario, Workshop
from ..workload.resolve import takes_size
from .codes import BAD_MIX
from .steps import has_steps

#: Most messages of a workload of which hops are counted, that travels as flows, and as packets.
HOPS_MESSAGES, FLOW_MESSAGES, PACKET_MESSAGES = 1 << 17, 1 << 16, 1 << 12
#: Most bytes of all messages that travel as packets.
PACKET_BYTES = 1 << 26
#: The greatest weight: that of all numbers which are no more than a double holds.
MOST_WEIGHT = sys.float_info.max


@dataclass(frozen=True)
class Member:
    """A workload of the mix.

    Attributes
    ----------
    weight
        Its share: those of a mix sum to 1.
    inputs
        Of the scenario: the workload, its size, ranks, calibration.
    rungs
        Those that are climbed, cheap ones first; the last one gives the time.
    packets
        Whether packets can check it.
    messages
        Of all ranks.
    """

    workload: str
    weight: float
    inputs: Mapping[str, object]
    rungs: tuple[str, ...]
    packets: bool
    messages: float


def weighted(workloads: Mapping[str, float] | Sequence[str]) -> dict[str, float]:
    """Workloads with weights: from ``WORKLOAD`` or ``WORKLOAD=WEIGHT`` each, 1 where none is given.

    Raises
    ------
    NetloomError
        `NL-Z002`.
    """
    if isinstance(workloads, Mapping):
        pairs = [(str(name), weight) for name, weight in workloads.items()]
    else:
        pairs = [_split(text) for text in workloads]
    faults = []
    if not pairs:
        faults.append(Fault(BAD_MIX, "--workload", "is missing", "", "give one, such as --workload alltoall:pairwise"))
    for name, weight in pairs:
        good = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not good or not 0 <= weight <= MOST_WEIGHT:
            faults.append(Fault(BAD_MIX, f"--workload {name}", "of a weight >= 0", f"{weight!r}"))
    names = [name for name, _ in pairs]
    for name in {name for name in names if names.count(name) > 1}:
        faults.append(Fault(BAD_MIX, f"--workload {name}", "stands there twice", "", "give it once, with one weight"))
    if not faults and not any(weight for _, weight in pairs):
        words = "weights of 0 for all workloads say nothing"
        faults.append(Fault(BAD_MIX, "--workload", words, "", "give one of them a weight above 0"))
    if faults:
        raise NetloomError(faults)
    # Next to the greatest: the sum of weights as they are given may be beyond all numbers.
    greatest = max(weight for _, weight in pairs)
    total = math.fsum(weight / greatest for _, weight in pairs)
    return {name: weight / greatest / total for name, weight in pairs}


def share_said(share: float) -> str:
    """A share of the mix; what is not quite all of it, or not quite none, is not said to be."""
    if 0 < share < 5e-4:
        return "less than 0.1 %"
    return "more than 99 %" if 0.995 <= share < 1 else percent(share)


def _split(text: str) -> tuple[str, float]:
    """``stencil(4,4)=2`` into call and weight; an equals sign inside brackets or quotes is the call's."""
    head, sign, tail = text.rpartition("=")
    if not sign or head.count("(") != head.count(")") or head.count('"') % 2:
        return text, 1.0
    try:
        return head, float(tail)
    except ValueError:
        hint = "write WORKLOAD=WEIGHT, such as alltoall:pairwise=2"
        raise NetloomError([Fault(BAD_MIX, f"--workload {text}", "of a weight that is a number", tail, hint)]) from None


def members(weights: Mapping[str, float], endpoints: int, more: Mapping[str, object]) -> list[Member]:
    """The mix on that many endpoints; each workload is built once, on a crossbar.

    Raises
    ------
    NetloomError
        What is wrong with a workload; `NL-H003` for a size where no workload takes one.
    """
    takes = {name: takes_size(name) for name in weights}
    size = more.get("size_bytes")
    if size is not None and not any(takes.values()):
        raise NetloomError(
            [
                Fault(
                    "NL-H003",
                    "--size",
                    "has no effect: no workload of the mix takes a size",
                    "",
                    "leave out --size",
                )
            ]
        )
    return [_member(name, weight, endpoints, more, takes[name]) for name, weight in weights.items()]


def _member(name: str, weight: float, endpoints: int, more: Mapping[str, object], sized: bool) -> Member:
    inputs: dict[str, object] = {"workload": name, "ranks": endpoints}
    inputs |= {key: value for key, value in more.items() if value is not None and (key != "size_bytes" or sized)}
    if sized:
        inputs.setdefault("size_bytes", DEFAULT_SIZE)
    alone = Scenario.from_dict({**inputs, "network": f"complete(1,p={endpoints})"})
    bound = bound_of(evaluator("time"), alone, Workshop(Calls(alone.folder)), lambda done, total: None)
    load = bound.work.of(
        bound.work.source_of(bound.jobs[0]), endpoints, bound.jobs[0].root, bound.size_bytes, "workload"
    )
    # Costs of software that do not exist are refused here, not by every candidate.
    _ = bound.site.settings
    messages = messages_of(load) * bound.repetitions
    rungs = ["hops"] * (messages <= HOPS_MESSAGES) + ["loads"] + ["time"] * (messages <= FLOW_MESSAGES)
    # Software of a protocol is of its connections, over all steps.
    if rungs[-1] == "loads" and isinstance(load, _core.Schedule) and has_steps(load) and "protocol=" not in name:
        rungs.append("steps")
    if isinstance(load, _core.Programs):
        # What programs wait for is not in their bytes, so only simulated time tells; loads still bound it.
        rungs = ["loads", "time"]
    packets = (
        "time" in rungs and messages <= PACKET_MESSAGES and _bytes(load, bound.size_bytes, messages) <= PACKET_BYTES
    )
    return Member(name, weight, inputs, tuple(rungs), packets, messages)


#: Bytes of a collective where nobody says how many.
DEFAULT_SIZE = 1 << 20


def _bytes(load: object, size: int, messages: float) -> float:
    if isinstance(load, _core.Schedule):
        return float(load.most_bytes)
    return float(load.bytes) if isinstance(load, _core.Traffic) else messages * max(size, 1)
