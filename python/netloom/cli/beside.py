"""`netloom map --jobs FILE --nodes N`: which free nodes a new job should get."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ..base.errors import NetloomError
from . import pages
from .options import integer, refused
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..evaluate.beside import Choice
    from .inputs import Asked

#: Axes that choose places, which is the question here.
CHOSEN_HERE = ("placement", "order", "mapping", "mapping_format", "ranks")
#: Options of the search for an order of ranks.
OF_A_SEARCH = ("optimise", "seconds", "swaps", "emit", "output", "plot")
#: Factors from which a harm is told as such.
SEVERAL = 3.0
#: Choices that people are shown.
SHOWN = 10


def show(asked: Asked, wishes: Mapping[str, object], json_: bool) -> None:
    """Ranked choices of nodes."""
    from ..evaluate.beside import OTHERS, choices_beside

    _refuse(asked, wishes)
    others = str(wishes["others"] or OTHERS)
    kept: dict[str, Any] = {
        name: value for name, value in asked.scenario.items() if name not in ("network", "workload", "fail")
    }
    if wishes["first_node"]:
        kept["first_node"] = integer("--first-node", str(wishes["first_node"]), 0)
    try:
        found, silent = choices_beside(
            asked.network,
            nodes=integer("--nodes", str(wishes["nodes"]), 1),
            others=others,
            seed=integer("--seed", str(wishes["seed"] or "0"), 0),
            **kept | {"workload": asked.scenario["workload"], "jobs": str(wishes["jobs"])},
        )
    except NetloomError as error:
        options = {"nodes": "--nodes", "others": "--others"}
        raise NetloomError([replace(one, place=options.get(one.place, one.place)) for one in error.faults]) from None
    if json_:
        emit_json({"others": others, "choices": [_fields(one) for one in found]})
        return
    _table(found)
    assumed = f"jobs that do not say what they send are taken to send {others}; " if silent else ""
    note(f"note: {assumed}loads are of one round of each")
    if asked.network.has_names:
        note(f"run: sbatch --nodelist={shlex.quote(found[0].nodes)} job.sh")


def _refuse(asked: Asked, wishes: Mapping[str, object]) -> None:
    if wishes["jobs"] is None or wishes["nodes"] is None:
        raise refused("--jobs, --nodes", "belong together", "give the list of running jobs and the number of nodes")
    if pages.wanted():
        raise refused("--report", "has no page for a choice of nodes", "leave it out; --json gives all choices")
    if said := [name for name in CHOSEN_HERE if name in asked.scenario]:
        option = f"--{said[0].replace('_', '-')}"
        raise refused(option, "is chosen here", "leave it out; --cores says how many ranks a node has")
    if said := [name for name in OF_A_SEARCH if wishes[name]]:
        hint = "choose the nodes first, then map the ranks with --placement 'hosts(\"NODES\")'"
        raise refused(f"--{said[0]}", "orders ranks on nodes that are known", hint)


def _fields(one: Choice) -> dict[str, object]:
    return {field.name: getattr(one, field.name) for field in fields(one)}


def _table(found: list[Choice]) -> None:
    from ..base.quantities import time_text

    heads = ["", "nodes", "switches", "alone", "beside them", "most harmed job", "how found"]
    rows: list[list[object]] = []
    for one in found[:SHOWN]:
        longer = f"{100 * (one.harm - 1):.1f} % longer" if one.harm < SEVERAL else f"{one.harm:.1f} times as long"
        harm = f"{one.harmed}: {longer}" if one.harmed else "none"
        times = [time_text(one.alone_s), time_text(one.beside_s)]
        rows.append([one.position, one.nodes, one.switches, *times, harm, one.placement])
    emit_table(heads, rows)
