"""The page of `netloom map --jobs`: which free nodes a new job should get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.quantities import counted, time_text
from ..report import AnswerPage, Number
from .pages import bars, facts

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate.node_selection import Choice
    from ..scenario import Scenario

#: Factors from which a harm is told as such.
SEVERAL = 3.0
_MODEL = "Loads of links, of one round of what each job sends: rates are not known, and messages are not simulated."


def harmed(one: Choice) -> str:
    """The job that suffers most from a choice, and how much."""
    longer = f"{100 * (one.harm - 1):.1f} % longer" if one.harm < SEVERAL else f"{one.harm:.1f} times as long"
    return f"{one.harmed}: {longer}" if one.harmed else "none"


def chosen(scenario: Scenario, net: _core.Network, found: Sequence[Choice], notes: Sequence[str]) -> AnswerPage:
    """The best choice in a sentence, the time of each, all of them with their nodes."""
    best, last = found[0], found[-1]
    answer = f"`{best.nodes[:200]}` is the best of {counted(len(found), 'choice')} of free nodes on `{net.label}`: "
    answer += f"its busiest link takes {time_text(best.beside_s)} with the running jobs. "
    answer += f"Most harmed job: {harmed(best)}."
    numbers = [
        Number("busiest link with the others", best.beside_s, "s", before=last.beside_s, note="before: of the last"),
        Number("busiest link alone", best.alone_s, "s"),
        Number("switches used", str(best.switches)),
    ]
    rows = [{"choice": f"{at}: {one.placement}", "beside_s": one.beside_s} for at, one in enumerate(found, start=1)]
    listed = [
        {
            "position": one.position,
            "how found": one.placement,
            "switches": one.switches,
            "alone_s": one.alone_s,
            "beside_s": one.beside_s,
            "most harmed": harmed(one),
            "nodes": one.nodes,
        }
        for one in found
    ]
    shown = [bars("Busiest link of the job", rows, "choice", "beside_s")]
    return AnswerPage(
        f"Nodes for a new job on {net.label}", answer, numbers, shown,
        tables={"choices": listed}, says=[f"{text[:1].upper()}{text[1:]}." for text in notes], assumptions=(_MODEL,),
        facts=facts(None, scenario),
    )  # fmt: skip
