"""How the library laid a run out, next to what netloom's model of the library expects."""

from __future__ import annotations

from ....library.choice import Communicator as At
from ....library.nccl import NCCL
from ..row import Source
from .lines import ChoiceLine
from .log import Communicator
from .reader import KINDS, read_log

#: Collectives whose bytes the library counts over all ranks.
_WHOLE = ("allgather", "reduce-scatter")


def facts(source: Source) -> dict[str, object]:
    """Of each communicator its ranks, nodes, channels, rings and trees; of each size what was chosen, and what
    netloom's model of NCCL chooses: `ours`, `agree` (algorithm and protocol).

    Raises
    ------
    NetloomError
        As the reader.

    Notes
    -----
    The log has no rates. The model is asked for the GPUs and NICs that it takes where nothing is said (H100, 400 Gb/s),
    with one NIC for each rank of a node; `assumed` says so.
    """
    log = read_log(source)
    told = [one for one in log.communicators.values() if one.choices or one.rings or one.trees]
    return {
        "communicators": [_communicator(one) for one in log.communicators.values()],
        "choices": [row for one in told for row in _choices(one)],
        "paths": dict(sorted(log.paths.items())),
        "assumed": f"{NCCL.library} {NCCL.version}, GPUs as of H100, a NIC of 400 Gb/s for each rank of a node",
    }


def _communicator(one: Communicator) -> dict[str, object]:
    return {
        "communicator": one.identity,
        "ranks": one.ranks,
        "nodes": one.nodes or None,
        "ranks_per_node": one.local or None,
        "channels": one.channels or len(one.rings | one.cut_rings) or None,
        "message_channels": one.message_channels or None,
        "rings": [list(order) for _, order in sorted(one.rings.items())],
        "rings_cut": [list(order) for _, order in sorted(one.cut_rings.items())],
        "trees": [
            {
                str(rank): {"children": list(children), "parent": parent}
                for rank, (children, parent) in sorted(of.items())
            }
            for _, of in sorted(one.trees.items())
        ],
    }


def _choices(one: Communicator) -> list[dict[str, object]]:
    rows = []
    for line, calls in sorted(one.choices.items()):
        ours = _ours(one, line)
        row: dict[str, object] = {
            "communicator": one.identity, "collective": KINDS.get(line.name, line.name), "bytes": line.bytes,
            "calls": calls, "algorithm": line.algorithm, "protocol": line.protocol, "channels": line.channels or None,
            "ours": ours and {"algorithm": ours[0], "protocol": ours[1]},
        }  # fmt: skip
        rows.append(row | {"agree": None if ours is None else ours == (line.algorithm, line.protocol)})
    return rows


def _ours(one: Communicator, line: ChoiceLine) -> tuple[str, str] | None:
    """Algorithm and protocol; None of what the model does not hold."""
    collective, local = KINDS.get(line.name, ""), one.local or one.ranks
    size = line.bytes // one.ranks if collective in _WHOLE else line.bytes
    found = NCCL.choose(collective, size, At(one.ranks, local=local, nics=local))
    return None if found is None else (found.own.partition(" ")[0], found.protocol)
