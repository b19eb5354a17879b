"""`netloom describe NETWORK --switches`: the switches by name."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from .options import refused
from .output import emit_json, emit_table, note
from .pages import wanted

if TYPE_CHECKING:
    from .. import _core

#: Columns that people see; `level`, `part` and `guid` only where switches differ in them or have them.
HEADS = ("number", "name", "guid", "level", "part", "ports", "cables", "endpoints")
#: Options that ask for another answer.
QUESTIONS = ("--lft", "--expect", "--report")


def show(net: _core.Network, said: dict[str, bool], json_: bool) -> None:
    """The table of switches; `said` are options that are about other questions, and whether they were given."""
    from ..network.listing import switches

    others = {**said, "--report": wanted() is not None}
    if other := [option for option in QUESTIONS if others[option]]:
        raise refused(", ".join(other), "asks for something else than --switches", "ask in two commands")
    for option in (option for option, given in said.items() if given):
        note(f"note: {option} has no effect: --switches lists switches only")
    found = switches(net)
    if json_:
        emit_json({"network": net.label, "switch_list": found})
        return
    rows = [dict(one) for one in found]
    kept = [
        head for head in HEADS
        if (head not in ("guid", "level", "ports") or any(row[head] is not None for row in rows))
        and (head != "part" or len({row[head] for row in rows}) > 1)
    ]  # fmt: skip
    emit_table(kept, [[row[head] for head in kept] for row in rows])
    typed = [one["fail"] for one in found if one["fail"].isprintable()]
    if typed:
        # One whose name needs quotes shows how.
        example = next((text for text in typed if '"' in text), typed[0])
        note(f"note: one fails with --fail and its name or number, such as --fail {shlex.quote(example)}")
