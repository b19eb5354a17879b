"""Job lists that people write: tables ``[[job]]`` of TOML, or lines of a name and a node list."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .. import _core, plugin
from ..base.errors import NetloomError
from ..base.nearest import did_you_mean
from ..base.quantities import parse_bytes, parse_seconds
from ..base.toml import read_toml
from ..plugin import is_known
from ..workload.resolve import instead_of_size, takes_size
from .asked import MAX_JOBS, MAX_TEXT, MOST, Asked, Faults, Head, refuse
from .codes import BAD_VALUE, UNREADABLE

#: Keys of a ``[[job]]``, and what they hold.
KEYS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "nodes": (int,),
    "share": (str, int, float),
    "node_list": (str, list),
    "ranks": (int,),
    "mapping": (str,),
    "mapping_format": (str,),
    "cores": (int,),
    "placement": (str,),
    "order": (str,),
    "workload": (str,),
    "size_bytes": (str, int),
    "root": (int,),
    "routing": (str,),
    "variant": (str,),
    "start": (str, int, float),
    "repetitions": (int,),
}
#: Aliases, so that old files and the option names of commands work.
ALIASES = {
    **dict.fromkeys(("traffic", "collective", "application", "trace"), "workload"),
    "size": "size_bytes",
    "start_s": "start",
}
#: Keys of the file, before the jobs: defaults of every job, and the endpoints that may be placed on.
HEAD: dict[str, tuple[type, ...]] = {
    **{key: KEYS[key] for key in ("cores", "workload", "size_bytes", "variant", "routing", "placement")},
    "free": (str, list),
}
SIZES = ("nodes", "share", "node_list", "mapping")
#: Least values.
_LEAST = {"root": 0}
#: A decimal, as Python writes small ones too; short, since a large exponent would take forever.
_SHARE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,30})?(?:e-[0-9]{1,2})?)\s*(%?)")
_WORDS = {str: "text", int: "an integer", float: "a number", list: "a list of endpoint numbers"}


def of_toml(text: str, place: str, endpoints: int, cores: int | None = None) -> tuple[list[Asked], Head]:
    """The jobs and the keys of the file; `cores` is a default for its key.

    Raises
    ------
    NetloomError
        NL-J001, NL-J002: all that is wrong with the file together.
    """
    table = read_toml(text, place, UNREADABLE)
    jobs = table.pop("job", None)
    if not isinstance(jobs, list) or not 1 <= len(jobs) <= MAX_JOBS:
        hint = 'for example [[job]] name = "a", nodes = 16, workload = "uniform"'
        raise refuse(UNREADABLE, place, f"needs 1 to {MAX_JOBS} tables [[job]]", "", hint)
    return of_rows(jobs, table, place, endpoints, cores)


def of_rows(
    jobs: Sequence[object], head: Mapping[str, object], place: str, endpoints: int, cores: int | None = None
) -> tuple[list[Asked], Head]:
    """Parsed tables ``[[job]]``; `head` has the keys before them.

    Workloads and mappings may be objects.

    Raises
    ------
    NetloomError
        NL-J001, NL-J002: all that is wrong with them together.
    """
    faults = Faults()
    table = _keys(_renamed(head, place, faults), HEAD, place, faults)
    if cores is not None:
        table.setdefault("cores", cores)
    made = []
    for number, given in enumerate(jobs, start=1):
        if faults.full:
            break
        before = len(faults.list)
        here = f"{place}: job {number}"
        if not isinstance(given, dict):
            faults.add(BAD_VALUE, here, "a table", type(given).__name__)
            continue
        job = _keys(_renamed(given, here, faults), KEYS, here, faults)
        if len(faults.list) == before:
            made.append(_job({**{k: v for k, v in table.items() if k in KEYS}, **job}, job, here, endpoints, faults))
    faults.done()
    return made, Head(table.get("free"), table.get("cores"))


def _renamed(row: Mapping[str, object], place: str, faults: Faults) -> dict[str, object]:
    """The row with the keys of `KEYS`."""
    made: dict[str, object] = {}
    for key, value in row.items():
        name = ALIASES.get(key, key)
        if name in made:
            faults.add(BAD_VALUE, place, f'says {name} twice, the second time as "{key}"', "", "keep one of them")
        made[name] = value
    return made


def to_toml(jobs: Sequence[Mapping[str, object]]) -> str:
    """Tables ``[[job]]`` as text: the inverse of :func:`of_toml`, which judges what is in them."""
    lines = []
    for job in jobs:
        lines.append("[[job]]")
        # What JSON writes of a text, a number or a list of numbers is TOML too.
        for key, value in job.items():
            words = (json.dumps(part, default=str, ensure_ascii=False) for part in (key, value))
            lines.append(" = ".join(words))
    return "\n".join(lines) + "\n"


def _keys(table: dict[str, object], known: dict[str, tuple[type, ...]], place: str, faults: Faults) -> dict[str, Any]:
    """The same table, whose values have the types that `known` says unless there is a fault."""
    for key, value in table.items():
        types = known.get(key)
        if key in ("workload", "mapping") and types is not None and not isinstance(value, _PLAIN):
            continue  # An object: checked where it is used.
        if types is None:
            hint = did_you_mean(key, known, "keys")
            faults.add(BAD_VALUE, place, f"there is no key {ascii(key)[:40]}", "", hint)
        elif type(value) not in types:
            words = " or ".join(dict.fromkeys(_WORDS[kind] for kind in types))
            faults.add(BAD_VALUE, f"{place}.{key}", words, ascii(value)[:60])
        elif isinstance(value, str) and key not in ("node_list", "free") and not 1 <= len(value) <= MAX_TEXT:
            faults.add(BAD_VALUE, f"{place}.{key}", f"1 to {MAX_TEXT} characters", f"{len(value)}")
        elif isinstance(value, list) and not all(type(item) is int and 0 <= item <= MOST for item in value):
            faults.add(BAD_VALUE, f"{place}.{key}", "a host list, or numbers of endpoints", ascii(value)[:60])
        elif type(value) is int and key not in ("share", *_AMOUNTS) and not _LEAST.get(key, 1) <= value <= MOST:
            faults.add(BAD_VALUE, f"{place}.{key}", f"an integer in {_LEAST.get(key, 1)}..{MOST}", ascii(value)[:60])
        elif isinstance(value, str) and (
            key in ("placement", "routing", "order") or (key == "workload" and "(" in value)
        ):
            try:
                if key == "routing" and value != "auto" and plugin.find("routings", value) is None:
                    # A plug-in's placement or order is looked up where it is used.
                    _core.canonical("routings", value)
                else:
                    _core.parse_call(value)
            except NetloomError as error:
                faults.take(error, f"{place}.{key}")
    return table


def _job(job: dict[str, Any], own: dict[str, Any], place: str, endpoints: int, faults: Faults) -> Asked:
    sizes = [key for key in SIZES if key in own]
    if len(sizes) > 1 or not (sizes or "ranks" in own):
        faults.add(BAD_VALUE, place, f"needs exactly one of {', '.join(SIZES)}, or ranks alone")
    count = job.get("nodes", 0)
    if "share" in job:
        count = _share(job["share"], f"{place}.share", endpoints, faults)
    elif not sizes and "ranks" in own:
        count = -(-job["ranks"] // job.get("cores", 1))
    size_bytes, start_s = None, 0.0
    try:
        if "size_bytes" in own:
            _require_sized(job.get("workload"), place, faults)
        if "size_bytes" in job:
            size_bytes = parse_bytes(job["size_bytes"], f"{place}.size_bytes")
    except NetloomError as error:
        faults.take(error)
    try:
        if "start" in job:
            start_s = _seconds(job["start"], f"{place}.start")
    except NetloomError as error:
        faults.take(error)
    return Asked(
        name=job.get("name", place.rpartition(": ")[2]),
        place=place,
        nodes=job.get("node_list"),
        count=count,
        whole="nodes" in job,
        size_bytes=size_bytes,
        start_s=start_s,
        **{key: job[key] for key in _PASSED if key in job},
    )


def _require_sized(workload: object, place: str, faults: Faults) -> None:
    """Refuses a job's own size that its workload does not use; files are judged where they are read."""
    known = ("collectives", "patterns", "applications")
    if isinstance(workload, str) and any(is_known(kind, workload) for kind in known) and not takes_size(workload):
        faults.add(BAD_VALUE, f"{place}.size", "is of collectives only", "", instead_of_size(workload))


def _seconds(value: object, place: str) -> float:
    return parse_seconds(value if isinstance(value, str) else repr(value), place, least=0.0)


#: Keys with units.
_AMOUNTS = ("size_bytes", "start")
_PASSED = (
    *("placement", "order", "mapping", "mapping_format", "cores", "ranks", "workload", "root", "variant", "routing"),
    "repetitions",
)
_PLAIN = (str, int, float, bool, dict)


def _share(value: str | float, place: str, endpoints: int, faults: Faults) -> int:
    """Endpoints of a share, rounded down: ``0.2`` and ``"20%"`` are exact decimals."""
    match = _SHARE.fullmatch(str(value).strip())
    share = Fraction(match[1]) / (100 if match[2] else 1) if match else Fraction(0)
    if not 0 < share <= 1:
        faults.add(BAD_VALUE, place, 'a share of the machine such as 0.2 or "20%"', ascii(value)[:60])
        return 1
    count = int(share * endpoints)
    if count == 0:
        faults.add(BAD_VALUE, place, f"a share of at least one of {endpoints} endpoints", ascii(value)[:60])
    return count


def of_lines(text: str, place: str) -> list[Asked]:
    """``name nodelist`` per line, ``#`` before a comment.

    Raises
    ------
    NetloomError
        NL-J001.
    """
    made: list[Asked] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 2 or len(words[0]) > MAX_TEXT or len(made) >= MAX_JOBS:
            hint = "also read: TOML with [[job]], squeue with its header or --json, scontrol show job"
            expected = f"a name and a node list, in {MAX_JOBS} lines at most"
            raise refuse(UNREADABLE, f"{place}:{number}", expected, line.strip()[:60], hint)
        made.append(Asked(words[0], f"{place}:{number}", nodes=words[1]))
    if not made:
        raise refuse(UNREADABLE, place, "there is no job in it", "", "write a name and a node list, such as a n[0-3]")
    return made
