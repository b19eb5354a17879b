"""One scenario on every rung that can answer it: link loads, flows, packets; where they differ, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np

from ..base.errors import Fault, NetloomError
from ..base.stopping import Stopped
from ..evaluate import Answer, evaluate, evaluator
from ..evaluate.rungs import rung, rungs
from ..scenario.canonical import head
from .adaptive import two_meanings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..evaluate.loads.result import Loads
    from ..plugin.rung import Rung
    from ..scenario import Progress, Scenario

#: Times within this share are the same.
CLOSE = 0.05
#: Bytes of a link within this share of the busiest link's are the same.
SAME = 1e-6
#: Bytes are spread alike over the links within this share: packets have whole bytes, with a bandwidth factor flows not.
SPREAD = 1e-3


#: Of a rung that there was no time for.
OVER = Fault("NL-E004", "time", "was over before its end")


class RungAnswer(TypedDict):
    """The answer of one rung.

    Attributes
    ----------
    rung
        Name of the evaluator.
    time_s
        End of the last rank; of `loads` the time that the busiest link needs. None if refused.
    of_packets
        `time_s` over that of packets; None where one of the two is not known.
    max_bytes
        On the busiest switch link; None if refused.
    apart
        Largest difference of a switch link's bytes from those of `loads`, as a share of `max_bytes` there.
    refused
        Why the rung cannot answer, or an empty text.
    """

    rung: str
    time_s: float | None
    of_packets: float | None
    max_bytes: float | None
    apart: float | None
    refused: str


class ModelComparison(TypedDict):
    """A row per rung, and what follows from them."""

    rungs: list[RungAnswer]
    says: list[str]


def compare_models(
    scenario: Scenario, switch: str = "output-queued", progress: Progress | None = None
) -> ModelComparison:
    """The scenario's time and bytes per link as link loads, flows and packets.

    Parameters
    ----------
    switch
        Of the packets, such as ``"output-queued(packet_bytes=512)"``.

    Raises
    ------
    NetloomError
        What is wrong with the scenario for all rungs.

    Notes
    -----
    Repetitions do not count for link loads, whose time is then multiplied. Cost: the packets, and their record.
    """
    answers: dict[str, Answer | NetloomError] = {}
    compared = {at.name: at for at in rungs() if at.compared}
    for name, at in compared.items():
        try:
            answers[name] = _asked(scenario, at, switch, progress)
        except NetloomError as error:
            answers[name] = error
        except Stopped:
            if not any(isinstance(found, Answer) for found in answers.values()):
                raise
            answers |= {one: NetloomError([OVER]) for one in compared if one not in answers}
            break
    known = {name: found for name, found in answers.items() if not isinstance(found, NetloomError)}
    if not known:
        raise next(found for found in answers.values() if isinstance(found, NetloomError))
    times = {name: _time_s(compared[name], found, scenario) for name, found in known.items()}
    links = {name: of(found) for name, found in known.items() if (of := compared[name].link_bytes) is not None}
    made = [_rung(name, answers[name], times, links) for name in compared]
    costs = scenario.machine is not None or scenario["calibration"] != "pure"
    return {"rungs": made, "says": [*_chosen(known), *_adaptive(known, links), *_says(made, known, links, costs=costs)]}


def _chosen(known: dict[str, Answer]) -> list[str]:
    """What the library chose, the same for all rungs."""
    return list(dict.fromkeys(line for found in known.values() for line in found.chosen))


def _adaptive(known: dict[str, Answer], links: dict[str, NDArray[np.float64]]) -> list[str]:
    """What adaptive variants mean to link loads and to packets, where both answered."""
    if not {"loads", "packet"} <= links.keys():
        return []
    loads = cast("Loads", known["loads"])
    between = len(loads.network.tails)
    variants = (head(str(job["variant"])) for job in loads.jobs)
    return two_meanings(variants, *(_first(links[name], between) for name in ("loads", "packet")))


def _first(of_links: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The first `count` entries, 0 for those that are not there."""
    return np.pad(of_links[:count], (0, max(0, count - len(of_links))))


def _asked(scenario: Scenario, at: Rung, switch: str, progress: Progress | None) -> Answer:
    options = dict(at.compared_options or {})
    if any(option.name == "switch" for option in evaluator(at.name).options):
        options["switch"] = switch
    return evaluate(scenario.without(*at.compared_without), at.name, progress=progress, **options)


def _time_s(at: Rung, found: Answer, scenario: Scenario) -> float:
    return float(cast("float", found["time_s"])) if at.seconds is None else at.seconds(found, scenario)


def _rung(
    name: str, answer: Answer | NetloomError, times: dict[str, float], links: dict[str, NDArray[np.float64]]
) -> RungAnswer:
    if isinstance(answer, NetloomError):
        why = str(answer).splitlines()[0]
        return RungAnswer(rung=name, time_s=None, of_packets=None, max_bytes=None, apart=None, refused=why)
    packets = times.get("packet")
    apart = None
    if "loads" in links and name in links:
        loads, own = links["loads"], np.zeros(len(links["loads"]))
        own[: len(links[name])] = links[name][: len(loads)]
        most = float(loads.max(initial=0.0))
        apart = float(np.abs(own - loads).max(initial=0.0)) / most if most else 0.0
    return RungAnswer(
        rung=name,
        time_s=times[name],
        of_packets=times[name] / packets if packets else None,
        max_bytes=float(links[name].max(initial=0.0)) if name in links else None,
        apart=apart,
        refused="",
    )


def _says(
    found: list[RungAnswer], known: dict[str, Answer], links: dict[str, NDArray[np.float64]], *, costs: bool
) -> list[str]:
    """Sentences: which rung can be trusted, and what makes the others differ; with `costs` software may take time."""
    by_name = {one["rung"]: one for one in found}
    loads, flows, packets = (by_name[name] for name in ("loads", "time", "packet"))
    said = [f"{rung(one['rung']).compared}: {one['refused']}" for one in found if one["refused"]]
    if flows["time_s"] and packets["time_s"]:
        ratio = packets["time_s"] / flows["time_s"]
        if abs(ratio - 1) <= CLOSE:
            said.append(f"Flows and packets agree within {abs(ratio - 1):.1%}: flows can be trusted here.")
        else:
            said.append(f"Packets take {ratio:.2f} times as long as flows: {_why(links, known['packet'])}.")
    for one in found:
        own = rung(one["rung"])
        if own.simulated and one not in (flows, packets) and one["of_packets"]:
            said.append(f"{own.words.capitalize()} take {one['of_packets']:.2f} times as long as packets.")
    best = packets["time_s"] or flows["time_s"]
    if loads["time_s"] is not None and best:
        share = loads["time_s"] / best
        if share >= 1 - CLOSE:
            said.append("The busiest link is busy all the time: link loads can be trusted here.")
        else:
            rest = "latency, dependencies of messages and contention take the rest"
            rest = f"costs of software, {rest}" if costs else rest
            said.append(f"The busiest link is busy {share:.0%} of the time; {rest}, which link loads do not know.")
    return said


def _why(links: dict[str, NDArray[np.float64]], found: Answer) -> str:
    """What differs between flows and packets."""
    reasons = []
    if _spread_apart(links["time"], links["packet"]) > SPREAD:
        reasons.append("a flow takes all paths of its routing at once, a packet one of them")
    if found["waits"]:
        reasons.append(f"packets waited {found['waits']:,} times for room in a buffer")
    return " and ".join(reasons) or "packets queue behind each other, where flows share a link at once"


def _spread_apart(flows: NDArray[np.float64], packets: NDArray[np.float64]) -> float:
    """Largest difference of a link's share of all bytes, as a share of the largest: headers are on all links alike."""
    flows, packets = (np.pad(own, (0, max(len(flows), len(packets)) - len(own))) for own in (flows, packets))
    if not flows.any() or not packets.any():
        return 0.0
    flows, packets = flows / flows.sum(), packets / packets.sum()
    return float(np.abs(flows - packets).max() / flows.max())
