"""MPICH: the collective selection tree that `MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE` names.

MPICH uses the file instead of its own tree, so every collective has to be in it: the tree of the version in the
decision table, with a branch for the timed communicator size put first.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence

from ...library.conditions import Tree
from ...library.decide import table_of
from ...library.decision_table import Algorithm, Collective
from ..spans import spans
from ..tables import Timing
from .names import of_timing, without

FILE = "mpich-selection.json"
USE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={path}"
#: Collectives whose tree can ask for bytes.
_SIZED = ("allgather", "allreduce", "alltoall", "bcast", "reduce", "reduce_scatter", "reduce_scatter_block")


def render(timings: Sequence[Timing], left: list[str]) -> str | None:
    """The file, None if MPICH has none of the timed algorithms or no choice for their collectives.

    `left` takes the collectives for which nothing changes, with the reason.
    """
    table = table_of("mpich")
    tree = copy.deepcopy(table["selection"])
    changed = False
    for timing in timings:
        made = False
        for word in _SIZED:
            row = table["collectives"][word]
            if row["netloom"] == timing.collective:
                made |= _graft(tree[f"collective={word}"], timing, word, row)
        if not made:
            left.append(without(timing))
        changed |= made
    return json.dumps(tree, indent=1) + "\n" if changed else None


def _graft(collective: dict[str, Tree], timing: Timing, word: str, row: Collective) -> bool:
    """Puts a branch for `timing.ranks` before the intra-communicator tree, which holds outside of the timed sizes."""
    names = of_timing("mpich", word, timing)
    chosen = spans(timing, names)
    if not chosen:
        return False
    usual = collective["comm_type=intra"]
    scale, asked = timing.ranks if row["file_bytes"] == "total_msg_size" else 1, row["file_bytes"]
    ours: dict[str, Tree] = {}
    if chosen[0].first:
        ours[f"{asked}<{chosen[0].first * scale}"] = copy.deepcopy(usual)
    for number, span in enumerate(chosen):
        last = number + 1 == len(chosen)
        condition = f"{asked}<={span.last * scale}" if last else f"{asked}<{chosen[number + 1].first * scale}"
        ours[condition] = _leaf(row["algorithms"][names[span.algorithm][0]], usual)
    ours[f"{asked}=any"] = copy.deepcopy(usual)
    branches = {f"comm_size<={timing.ranks}": ours, "comm_size=any": copy.deepcopy(usual)}
    if timing.ranks > 1:
        branches = {f"comm_size<={timing.ranks - 1}": copy.deepcopy(usual), **branches}
    # The order of members is the order in which MPICH asks.
    rest = {key: value for key, value in collective.items() if key != "comm_type=intra"}
    collective.clear()
    collective.update({"comm_type=intra": branches, **rest})
    return True


def _leaf(algorithm: Algorithm, usual: Tree) -> Tree:
    """The algorithm where its requirements are met, MPICH's own choice elsewhere."""
    node: dict[str, Tree] = {f"algorithm={algorithm['id']}": {}}
    for need in reversed(algorithm["needs"]):
        if need == "comm_size=pow2":
            # Timed on this very size: the schedule would not have been built otherwise.
            continue
        if need == "count>=pow2":
            node = {"count<pow2": copy.deepcopy(usual), "count=any": node}
            continue
        word, _, answer = need.partition("=")
        other = f"{word}={'no' if answer == 'yes' else 'yes'}"
        node = {other: copy.deepcopy(usual), need: node}
    return node
