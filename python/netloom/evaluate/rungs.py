"""The rungs: evaluators that answer the same question at different fidelity, from coarse to fine.

Every command that compares models or mappings learns of them from this list: `simulate --model`, `compare-models`,
`map`, `list rungs`, and the table of the docs. A new one is a row here, or the attribute `rung` of a plug-in evaluator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .. import _core, plugin
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..plugin.rung import Rung, Worth
from . import NAMES, evaluator
from .affordable import few_packets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.records import Row as RegistryRow
    from ..scenario import Scenario
    from .answer import Answer
    from .answers import HopsAnswer, TimeAnswer
    from .loads.result import Loads


def _of_hops(found: Answer) -> Worth:
    return {"hop_bytes": cast("HopsAnswer", found)["hop_bytes"]}


def _of_loads(found: Answer) -> Worth:
    """Longest time of a directed link over links of all kinds; 0 where nothing is sent over any."""
    loads = cast("Loads", found)
    classes = (float(links.get("max_s", 0.0)) for links in loads.classes.values())
    levels = (cast("float", level["max_s"]) for level in loads.levels)
    return {"inter_node_bytes": loads.inter_node_bytes, "max_link_s": max(0.0, *classes, *levels)}


def _loads_s(found: Answer, scenario: Scenario) -> float:
    """The busiest link's time for all repetitions."""
    classes = cast("Loads", found).classes.values()
    repetitions = int(cast("int | str", scenario["repetitions"])) if "repetitions" in scenario else 1
    return repetitions * max((float(links.get("max_s", 0.0)) for links in classes), default=0.0)


def _loads_bytes(found: Answer) -> NDArray[np.float64]:
    import numpy as np  # Lists of rungs load without it.

    return np.asarray(cast("Loads", found).link_bytes, dtype=float)


def _traced_bytes(found: Answer) -> NDArray[np.float64]:
    """Bytes of every link, of one repetition."""
    import numpy as np  # Lists of rungs load without it.

    timed = cast("TimeAnswer", found)
    bins = timed["trace"]["link_bins"]
    repeated = max(job["repetitions"] for job in timed["jobs"])
    sums = np.zeros(int(max(bins["links"], default=-1)) + 1)
    sums[bins["links"]] = bins["bytes"].sum(axis=1) / repeated
    return sums


#: From coarse to fine.
RUNGS: tuple[Rung, ...] = (
    Rung(
        "hops", 0, "Distances alone: hops of every message", "hops",
        worth=_of_hops,
    ),
    Rung(
        "loads", 1, "Expected bytes on every link, all messages under way together", "worst link",
        decides="max_link_s", number=("worst link", "time on the worst link"), compared="busiest link",
        worth=_of_loads, worth_options={"hottest": 0, "arrays": False},
        link_bytes=_loads_bytes, compared_options={"arrays": True, "hottest": 0}, seconds=_loads_s,
        compared_without=("repetitions", "calibration", "duplex", "switch_latency", "flops_per_s"),
    ),
    Rung(
        "learned", 1.5, "Time that a model of netloom learn predicts from link loads", "a model",
        decides="learned_s", number=("learned time", "time that a model predicts"), needs="model",
    ),
    Rung(
        "time", 2, "Simulated time: messages are flows that share links", "flows",
        decides="time_s", number=("time", "simulated time of flows"), model="flow", compared="flows",
        link_bytes=_traced_bytes, compared_options={"trace": True},
    ),
    Rung(
        "packet", 3, "Simulated time: messages are packets through switches with buffers", "packets",
        decides="packet_s", number=("time of packets", "simulated time of packets"), model="packet", compared="packets",
        link_bytes=_traced_bytes, compared_options={"trace": True}, affordable=few_packets,
    ),
)  # fmt: skip


def rungs() -> list[Rung]:
    """All rungs from coarse to fine, those of plug-ins included."""
    own = [cls.rung for name in plugin.names("evaluators") if (cls := _class(name)) is not None and cls.rung]
    return sorted([*RUNGS, *own], key=lambda rung: rung.fidelity)


def _class(name: str) -> type[plugin.Evaluator] | None:
    found = plugin.find("evaluators", name)
    return found if found is not None and issubclass(found, plugin.Evaluator) else None


def rung(name: str) -> Rung:
    """The rung of an evaluator."""
    return next(one for one in rungs() if one.name == name)


def of_mappings() -> list[Rung]:
    """Those by which mappings are compared."""
    return [one for one in rungs() if one.decides]


def finer() -> list[Rung]:
    """Those that rate only the last mappings of a contest: finer than flows."""
    return [one for one in of_mappings() if one.fidelity > rung("time").fidelity]


def by_model(model: str) -> Rung:
    """The rung of simulated time that `--model` names.

    Raises
    ------
    NetloomError
        `NL-A002` with the nearest name.
    """
    known = {one.model: one for one in rungs() if one.simulated}
    if model not in known:
        hint = did_you_mean(model, known, "models")
        raise NetloomError([Fault("NL-A002", "--model", f'no model of simulated time is called "{model}"', "", hint)])
    return known[model]


def rows() -> list[RegistryRow]:
    """The rungs as rows of `netloom.catalogue`."""
    return [
        {
            "name": one.name,
            "aliases": [one.model] if one.model not in ("", one.name) else [],
            "summary": one.summary,
            "params": [],
            "signature": one.name,
            "example": one.name,
            "restrictions": "",
            "source": model_of(one),
        }
        for one in rungs()
    ]


def model_of(one: Rung) -> str:
    """Name and version of the model behind a rung; a new version may give other numbers."""
    own = next((row for row in _core.evaluators() if row["name"] == one.name), None)
    if own is not None:
        return f"{own['model']}, version {own['version']}"
    return evaluator(one.name).model if one.name in NAMES else "plug-in"
