"""Which nodes a new job may get: states and partitions, as ``sinfo`` and ``scontrol show node`` print them.

``scontrol show partition`` is read too. States, their short forms and the marks behind them: sinfo(1), "NODE STATE
CODES"; scontrol(1), "NODES" and "PARTITIONS".
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.nearest import did_you_mean
from ..base.quantities import counted
from .asked import Faults, refuse
from .codes import BAD_VALUE, UNREADABLE
from .names import Names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMMAND = "sinfo -N -o '%N|%P|%t|%a'"
#: A node that nothing runs on and that takes jobs; a node without power gets it when a job needs it.
_OPEN = """
IDLE PLANNED PLND CLOUD DYNAMIC_NORM DYNAMIC_FUTURE POWERED_DOWN POWERING_UP POWERING_DOWN POWER_UP POWER_DOWN POW_UP
POW_DN
"""
_SHUT = """
ALLOC ALLOCATED BLOCK BLOCKED BOOT COMP COMPLETING DOWN DRAIN DRAINED DRAINING DRNG ERROR FAIL FAILG FAILING FUTR
FUTURE INVAL INVALID INVALID_REG MAINT MAINTENANCE MIX MIXED NO_RESPOND NOT_RESPONDING NPC PERFCTRS REBOOT
REBOOT_ISSUED REBOOT_REQUESTED REBOOT^ RES RESERVED RESV UNDRAIN UNK UNKNOWN EXTERNAL PARTIAL POWER_DRAIN
"""
OPEN, KNOWN = frozenset(_OPEN.split()), frozenset((_OPEN + _SHUT).split())
#: Marks behind a state: a node that does not answer, is under maintenance, or boots again takes no job.
_MARKS = {"*": "NOT_RESPONDING", "$": "MAINT", "@": "REBOOT_REQUESTED", "^": "REBOOT_ISSUED"}
#: Powered down, powering up or down, planned: it does.
_OPEN_MARKS = "~#%!-+"
_DIGITS = "0123456789"
_DATE = re.compile(r"\s*[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]?[0-9] [0-9:]{8} [0-9]{4}\s*")
_KEY = re.compile(r"(?<!\S)(\S[^\s=]*+)=(\S*)")


@dataclass(frozen=True)
class Stated:
    """Nodes of one state; `states` is empty where only their partition was listed."""

    place: str
    nodes: str
    states: tuple[str, ...]
    partitions: tuple[str, ...]
    #: Whether the partition takes jobs.
    up: bool = True


def read_nodes(text: str, place: str) -> list[Stated]:
    """Nodes with states and partitions.

    Raises
    ------
    NetloomError
        NL-J001 for what none of the commands prints, NL-J002 for a state that Slurm does not have.
    """
    if text[:4096].lstrip().startswith("{"):
        made = _of_json(text, place)
    elif re.search(r"^\s*(NodeName|PartitionName)=", text, re.MULTILINE):
        made = _of_records(text, place)
    else:
        made = _of_table(text, place)
    if not made:
        raise refuse(UNREADABLE, place, "names no node", "", COMMAND)
    return made


def _of_table(text: str, place: str) -> list[Stated]:
    """What sinfo prints: a header with NODELIST, STATE and if there are PARTITION, AVAIL."""
    header: list[str] = []
    made: list[Stated] = []
    for number, line in enumerate(text.splitlines(), start=1):
        here = f"{place}:{number}"
        words = [word.strip() for word in line.split("|")] if "|" in line else line.split()
        # With -M a line names each cluster.
        if not words or line.startswith(("CLUSTER:", "#")) or _DATE.fullmatch(line):
            continue
        if {"NODELIST", "HOSTNAMES", "NODE_LIST"} & set(words):
            header = words
            if "STATE" not in header:
                raise refuse(UNREADABLE, here, "there is no column STATE", "", COMMAND)
            continue
        if not header:
            raise refuse(UNREADABLE, here, "a line below a header with NODELIST", line.strip()[:60], COMMAND)
        if len(words) > len(header) and header[-1] == "REASON":
            words = words[: len(header)]
        if len(words) != len(header):
            raise refuse(UNREADABLE, here, f"{len(header)} fields as in the header", str(len(words)), COMMAND)
        row = dict(zip(header, words, strict=True))
        nodes = next(row[key] for key in ("NODELIST", "HOSTNAMES", "NODE_LIST") if key in row)
        partition = row.get("PARTITION", "").removesuffix("*")
        up = row.get("AVAIL", "up").lower() == "up"
        made.append(Stated(here, nodes, _states(row["STATE"], here), (partition,) if partition else (), up))
    return made


def _of_records(text: str, place: str) -> list[Stated]:
    """Records of ``scontrol show node`` and ``scontrol show partition``, also with ``-o``."""
    made: list[Stated] = []
    record: dict[str, str] = {}
    start = 1

    def ended() -> None:
        here = f"{place}:{start}"
        if "NodeName" in record:
            partitions = tuple(name for name in record.get("Partitions", "").split(",") if name)
            made.append(Stated(here, record["NodeName"], _states(record.get("State", ""), here), partitions))
        elif nodes := record.get("Nodes", "").replace("(null)", ""):
            up = record.get("State", "UP").upper() == "UP"
            made.append(Stated(here, nodes, (), (record["PartitionName"],), up))

    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(r"\s*(NodeName|PartitionName)=", line):
            if record:
                ended()
            record, start = {}, number
        for key, value in _KEY.findall(line):
            record.setdefault(key, value)
    if record:
        ended()
    return made


def _of_json(text: str, place: str) -> list[Stated]:
    """``scontrol show node --json`` (a list ``nodes``) and ``sinfo --json`` (a list ``sinfo``)."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse(UNREADABLE, place, f"is no JSON: {str(error)[:120]}") from None
    made: list[Stated] = []
    for key in ("nodes", "sinfo"):
        rows = table.get(key)
        for number, row in enumerate(rows if isinstance(rows, list) else [], start=1):
            here = f"{place}: {key} {number}"
            if not isinstance(row, dict):
                raise refuse(UNREADABLE, here, "an object", type(row).__name__)
            made.append(_json_row(row, here))
    return made


def _json_row(row: dict[str, Any], here: str) -> Stated:
    inner, listed, partition = row.get("node"), row.get("nodes"), row.get("partition")
    states = inner.get("state") if isinstance(inner, dict) else row.get("state")
    nodes = ",".join(map(str, listed.get("nodes", []))) if isinstance(listed, dict) else row.get("name")
    if not isinstance(nodes, str) or not nodes:
        raise refuse(UNREADABLE, here, "an object with the names of nodes", ascii(nodes)[:60], COMMAND)
    partitions = row.get("partitions", [partition.get("name")] if isinstance(partition, dict) else [])
    words = states if isinstance(states, list) else [states]
    named = tuple(str(name) for name in partitions if name) if isinstance(partitions, list) else ()
    inside = partition.get("partition") if isinstance(partition, dict) else None
    opened = inside.get("state", ["UP"]) if isinstance(inside, dict) else ["UP"]
    up = {str(word).upper() for word in (opened if isinstance(opened, list) else [opened])} == {"UP"}
    return Stated(here, nodes, _states("+".join(map(str, words)), here), named, up)


def _states(text: str, place: str) -> tuple[str, ...]:
    """`idle*` is IDLE and NOT_RESPONDING; `IDLE+DRAIN` is both."""
    found: list[str] = []
    # A mark may stand behind each of several states, as in DOWN*+DRAIN.
    for word in text.strip().rstrip("+").split("+"):
        body = word.strip()
        marks = []
        # Older versions of Slurm call a state itself REBOOT^.
        while body and body.upper() not in KNOWN and (body[-1] in _MARKS or body[-1] in _OPEN_MARKS):
            marks += [_MARKS[body[-1]]] if body[-1] in _MARKS else []
            body = body[:-1]
        found += [body.upper(), *marks]
    if wrong := [word for word in found if word not in KNOWN]:
        hint = did_you_mean(wrong[0], sorted(KNOWN), "states") if wrong[0] else COMMAND
        raise refuse(BAD_VALUE, place, "a state of nodes, as sinfo names them", text[:60] or "none", hint)
    return tuple(found)


def allowed(
    net: _core.Network, listed: Iterable[Stated], partition: str, first: int, place: str
) -> tuple[NDArray[np.uint32], list[str]]:
    """Endpoints whose node takes a job, in a partition that is up, and what else was found, a sentence each.

    Parameters
    ----------
    partition
        The one that the job is for; "" for any.
    first
        Number of the node that is endpoint 0, for networks without names.

    Raises
    ------
    NetloomError
        NL-J002 for a partition that is not listed, or one that is down.
    """
    import numpy as np

    rows = list(listed)
    _require_partition(rows, partition, place)
    open_nodes, shut, within = set[str](), Counter[str](), set[str]()
    states: dict[str, set[str]] = {}
    partitioned = any(row.partitions for row in rows)
    for row in rows:
        there = _expanded(row)
        if row.up and (not partitioned or not row.partitions or not partition or partition in row.partitions):
            within |= set(there) if row.partitions or not partitioned else set()
        for name in there:
            states.setdefault(name, set()).update(row.states)
    stated = any(row.states for row in rows)
    for name in within:
        wrong = sorted(states[name] - OPEN)
        if wrong or (stated and not states[name]):
            shut["+".join(wrong).lower() or "not listed"] += 1
        else:
            open_nodes.add(name)
    faults = Faults()
    names = Names(net, first, faults)
    found, strange = [], []
    series = None if net.has_names else _series(states)
    for name in sorted(open_nodes):
        ends = names.known_ends(name) if series in (None, _before_number(name)) else []
        found += ends
        strange += [] if ends else [name]
    notes = []
    if shut:
        taken = ", ".join(f"{count} {state}" for state, count in sorted(shut.items()))
        verb = "takes" if sum(shut.values()) == 1 else "take"
        notes.append(f"{counted(sum(shut.values()), 'node')} of {place} {verb} no job: {taken}")
    if strange:
        more = f" and {len(strange) - 3} more" if len(strange) > 3 else ""
        notes.append(f"not in the network, and so left out: {', '.join(strange[:3])}{more}")
    if not stated:
        notes.append(f"{place} has no states of nodes: those of its partitions are taken to be up")
    return np.array(sorted(set(found)), dtype=np.uint32), notes


def _series(names: Iterable[str]) -> str | None:
    """What most names have before their number: without names of endpoints the others, such as login1, are none."""
    counts = Counter(map(_before_number, names))
    return max(counts, key=lambda text: counts[text], default=None)


def _before_number(name: str) -> str:
    return name.partition(".")[0].rstrip(_DIGITS)


def _require_partition(rows: list[Stated], partition: str, place: str) -> None:
    known = sorted({name for row in rows for name in row.partitions})
    if partition and partition not in known:
        expected = f"a partition of {place}: {', '.join(known[:20])}" if known else f"{place} lists no partition"
        raise refuse(BAD_VALUE, "partition", expected, partition, did_you_mean(partition, known, "partitions"))
    if partition and not any(row.up for row in rows if partition in row.partitions):
        raise refuse(BAD_VALUE, "partition", "one that is up", partition, "its jobs wait until it is")


def _expanded(row: Stated) -> list[str]:
    return _core.expand_hostlist("".join(row.nodes.split()), row.place, 1 << 23)
