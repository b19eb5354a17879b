"""Inputs of the new job next to running ones: what is its own, what is of all, what changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.quantities import size_text
from ..scenario.axes import BY_NAME
from ..scenario.codes import NOT_USED
from ..scenario.sizes import NAME as SIZE
from ..workload import kind_of
from ..workload.resolve import instead_of_size, takes_size

if TYPE_CHECKING:
    from pathlib import Path

    from ..scenario import Scenario
    from ..scenario.axes import Axes

#: Inputs of a scenario that the new job alone has here; the lists of the others say theirs.
OF_NEW = ("workload", SIZE, "root")


def apart(scenario: Scenario, others: str) -> tuple[dict[str, object], Axes]:
    """The new job's own keys, as a list of jobs has them, and the inputs that stay those of all jobs.

    A size is that of the new job, and of the others if what they are taken to send is a collective.

    Raises
    ------
    NetloomError
        NL-H003 for a size that nothing takes, and for repetitions: loads are of one round.
    """
    if "repetitions" in scenario:
        sentence = "has no effect: loads are of one round of each job"
        raise NetloomError([Fault(NOT_USED, "repetitions", sentence, "", "leave it out")])
    own = {key: scenario[key] for key in OF_NEW if key in scenario and scenario[key] not in ("", None)}
    said: dict[str, object] = {}
    if SIZE in own:
        text, folder = own.get("workload"), scenario.folder
        if _takes_size(others, folder):
            said[SIZE] = own[SIZE]
        if not (isinstance(text, str) and takes_size(text, folder)):
            del own[SIZE]
            if SIZE not in said:
                sentence = f'has no effect: "{str(text)[:60]}" does not take the size of a collective'
                hint = instead_of_size(text, folder) if isinstance(text, str) else "leave it out"
                raise NetloomError([Fault(NOT_USED, SIZE, sentence, "", hint)])
    return own, cast("Axes", said)


def _takes_size(others: str, folder: Path) -> bool:
    try:
        return takes_size(others, folder)
    except NetloomError as error:
        raise NetloomError([replace(fault, place="others") for fault in error.faults]) from None


def idle(scenario: Scenario, others: str, net: _core.Network) -> list[str]:
    """Notes on inputs that were given and change nothing, and on a collective without a size."""
    text, folder = scenario.get("workload"), scenario.folder
    kinds = {kind_of(source, folder) for source in (text, others) if isinstance(source, str) and source}
    notes = []
    if "algorithms" in scenario and not kinds & {"application", "trace"}:
        notes.append("algorithms has no effect: no workload is an application or a trace")
    if "root" in scenario and not (isinstance(text, str) and kind_of(text, folder) == "collective"):
        notes.append("root has no effect: the new job runs no collective with a root")
    if "first_node" in scenario and net.has_names:
        notes.append("first_node has no effect: the endpoints of the network have names")
    if SIZE not in scenario and isinstance(text, str) and text and takes_size(text, folder):
        size = size_text(int(str(BY_NAME[SIZE].default)), " ")
        notes.append(f"no size was given: the new job's collective is one of {size}; give the size (--size) of yours")
    return notes
