"""`netloom map --jobs FILE --nodes N`: which free nodes a new job should get."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ..base.errors import NetloomError
from ..scenario.axes import BY_NAME
from . import pages
from .inputs import flag
from .node_selection_page import chosen, harmed
from .options import integer, refused
from .output import emit_json, emit_table, note, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..evaluate.node_selection import Choice
    from .inputs import Asked
    from .new_job import NewJob
    from .searching import Searching

#: Axes that choose places, which is the question here.
CHOSEN_HERE = ("placement", "order", "mapping", "mapping_format", "ranks", "ranks_per_node")
#: Options of the search for an order of ranks.
OF_A_SEARCH = (
    "optimise",
    "seconds",
    "swaps",
    "emit",
    "output",
    "plot",
    "take",
    "free",
    "cpus",
    "objective",
    "details",
    "learned",
)
#: Letters of a host list that stands in the table, and of a line of one that does not.
WIDE, LINE = 40, 76
#: Choices that people are shown.
SHOWN = 10


def show(asked: Asked, new_job: NewJob, searching: Searching, files: Mapping[str, str | None], json_: bool) -> None:
    """Ranked choices of nodes; an option of a search or of its `files` is refused."""
    from ..evaluate.node_selection import OTHERS, Allowed, ranked_choices
    from ..jobs.unused import notes as unused
    from ..scenario.search import NO_OBJECTIVE

    nodes = _refuse(asked, {**vars(searching), "objective": searching.objective not in NO_OBJECTIVE, **files})
    others = new_job.others or OTHERS
    kept: dict[str, Any] = {
        name: value
        for name, value in asked.scenario.items()
        if name not in ("network", "workload", "part", "fail", "nodes")
    }
    if "root" in kept:
        kept["root"] = integer("--root", str(kept["root"]), 0)
    if new_job.first_node:
        kept["first_node"] = integer("--first-node", new_job.first_node, 0)
    partition, segment = new_job.partition, new_job.segment
    try:
        found, notes = ranked_choices(
            asked.network,
            nodes=nodes,
            others=others,
            allowed=Allowed(
                new_job.states, partition or "", None if segment is None else integer("--segment", segment, 1)
            ),
            seed=integer("--seed", searching.seed or "0", 0),
            **kept | {"workload": asked.scenario["workload"], "jobs": str(new_job.jobs)},
        )
    except NetloomError as error:
        options = {name: f"--{name}" for name in ("nodes", "others", "partition", "segment")}
        raise NetloomError([replace(one, place=options.get(one.place, one.place)) for one in error.faults]) from None
    notes = [*unused(str(new_job.jobs)), *notes]
    pages.write(lambda: chosen(asked.scenario, asked.network, found, notes))
    for text in notes:
        note(f"note: {_as_typed(text)}")
    if json_:
        emit_json({"others": others, "choices": [_fields(one) for one in found]})
        return
    _table(found)
    if asked.network.has_names:
        more = f" --partition={shlex.quote(partition)}" if partition else ""
        more += "" if segment is None else f" --segment={int(segment)}"
        note(f"run: sbatch --nodes={nodes} --nodelist={shlex.quote(found[0].nodes)}{more} job.sh")


def _as_typed(text: str) -> str:
    """A note that begins with the name of an input, with the option in its place."""
    name, found, rest = text.partition(" has no effect")
    return f"{flag(BY_NAME[name])}{found}{rest}" if found and name in BY_NAME else text


def _refuse(asked: Asked, searched: Mapping[str, object]) -> int:
    """The number of nodes, where nothing else is wrong."""
    if "nodes" not in asked.said:
        raise refused("--nodes", "is missing", "say how many nodes the new job gets")
    nodes = integer("--nodes", str(asked.said["nodes"]), 1)
    if said := [name for name in CHOSEN_HERE if name in asked.scenario]:
        option = f"--{said[0].replace('_', '-')}"
        raise refused(option, "is chosen here", "leave it out; --cores says how many ranks a node has")
    if said := [name for name in OF_A_SEARCH if searched[name]]:
        hint = "choose the nodes first, then map the ranks with --placement 'hosts(\"NODES\")'"
        raise refused(f"--{said[0]}", "orders ranks on nodes that are known", hint)
    return nodes


def _fields(one: Choice) -> dict[str, object]:
    return {field.name: getattr(one, field.name) for field in fields(one)}


def _table(found: list[Choice]) -> None:
    """The first choices; their nodes below, where one column would be too wide for all."""
    from ..base.quantities import time_text

    shown = found[:SHOWN]
    fits = max(len(one.nodes) for one in shown) <= WIDE
    heads = ["", *["nodes"] * fits, "switches", "alone", "with them", "most harmed job", "how found"]
    rows: list[list[object]] = []
    for number, one in enumerate(shown, start=1):
        times = [time_text(one.alone_s), time_text(one.beside_s)]
        nodes = [one.nodes] * fits
        position: object = one.position if fits else f"{one.position} ({letter(number)})"
        rows.append([position, *nodes, one.switches, *times, harmed(one), one.placement])
    emit_table(heads, rows)
    for number, one in enumerate(shown, start=1) if not fits else ():
        say(f"nodes of ({letter(number)})")
        for line in folded(one.nodes):
            say(f"  {line}")


def letter(number: int) -> str:
    """a, b, c, ..."""
    return chr(ord("a") + number - 1)


def folded(hosts: str) -> list[str]:
    """A host list in lines of at most `LINE` letters, split at its commas."""
    lines = [""]
    for part in hosts.replace(",", ",\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(part) > LINE:
            lines.append("")
        lines[-1] += part
    return lines
