"""Faults of processors, memory and protocols, as other costs of software."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...workload import DEFAULT
from ..sound import Way
from ..usual import PROTOCOLS

if TYPE_CHECKING:
    from ..sound import Sound

#: Times of a message: rows of threshold, s, s/B. Times of a byte: a number, or rows of threshold and s/B.
_BETWEEN_NODES = ("message_latency", *(f"{name}_latency" for name in PROTOCOLS))
_NEAR = ("socket_message_latency", "numa_message_latency", "cache_message_latency")
_INSIDE = ("inside_latency", *_NEAR, *(f"{name}_inside_latency" for name in PROTOCOLS))
_OF_MESSAGE = ("send_overhead", "nonblocking_send_overhead", "receive_overhead", *_BETWEEN_NODES, *_INSIDE)
_OF_BYTE = ("combine_s_per_byte", "copy_s_per_byte", "eager_copy_s_per_byte")
_ALONE = (
    "call_overhead_s",
    "launch_s",
    "rendezvous_s",
    "message_gap_s",
    "nic_message_gap_s",
    "endpoint_message_s",
)
#: GB/s of copies through memory of the host, once at each end: PCIe 4.0 x16, PCIe 3.0 x16, one core that copies.
_COPIES = (25.0, 12.0, 6.0)
_LIMIT, _EARLY = "sender_returns_below_bytes", "starts_early_below_bytes"
#: Largest limit of eager messages that is tried.
_MOST = 1 << 30


def host_memory(sound: Sound) -> list[Way] | str:
    """Messages between nodes are copied through memory of the host, at both ends."""
    tables = {name: rows for name in _BETWEEN_NODES if (rows := _rows(sound.settings.get(name)))}
    tables.setdefault("message_latency", [[0.0, 0.0, 0.0]])
    return [
        Way(
            f"each message is copied at both ends, at {rate:g} GB/s",
            {
                f"software.{name}": [[int(above), fixed, per + 2e-9 / rate] for above, fixed, per in rows]
                for name, rows in tables.items()
            },
        )
        for rate in _COPIES
    ]


def slow_node(sound: Sound) -> list[Way] | str:
    """A node whose processor is slow, for which all others wait, or whose link others use too."""
    made = []
    for by in (2, 4):
        slower: dict[str, object] = {}
        for name in _OF_MESSAGE:
            if rows := _rows(sound.settings.get(name)):
                slower[f"software.{name}"] = [[int(above), by * fixed, by * per] for above, fixed, per in rows]
        for name in _OF_BYTE:
            rows = _rows(sound.settings[name])
            if rows:
                slower[f"software.{name}"] = [[int(above), by * per] for above, per in rows]
            elif per := _number(sound.settings[name]):
                slower[f"software.{name}"] = by * per
        slower |= {f"software.{name}": by * cost for name in _ALONE if (cost := _number(sound.settings.get(name)))}
        if slower:
            made.append(Way(f"a processor takes {by} times as long, and all wait for it", slower))
    last = sound.network.endpoints - 1
    for flows in (1, 3, 7):
        both: list[object] = [{"src": 0, "dst": last}, {"src": last, "dst": 0}]
        made.append(Way(f"the link of one node gives 1/{flows + 1} of its rate", {"background": both * flows}))
    return made


def protocol(sound: Sound) -> list[Way] | str:
    """Another protocol of a library of GPUs; or another limit between messages that are eager and those that wait."""
    if sound.protocols:
        return _of_gpus(sound)
    limit = int(_number(sound.settings[_LIMIT]))
    tables = {name: rows for name in _OF_MESSAGE if (rows := _rows(sound.settings[name]))}
    if not any(above == limit - 1 for rows in tables.values() for above, *_ in rows) and not _number(
        sound.settings["rendezvous_s"]
    ):
        return "the machine has no cost that depends on the protocol"
    made = []
    for other in (0, limit // 8, limit * 8, limit * 64):
        if other == limit or other > _MOST:
            continue
        moved = {
            f"software.{name}": _moved(rows, limit, other)
            for name, rows in tables.items()
            if any(above == limit - 1 for above, *_ in rows)
        }
        words = f"messages are eager below {other} bytes" if other else "no message is eager"
        made.append(Way(words, {f"software.{_LIMIT}": other, f"software.{_EARLY}": other, **moved}))
    return made


def _of_gpus(sound: Sound) -> list[Way] | str:
    made = []
    for curve in sound.curves:
        collective, _, own = curve.partition(":")
        for name in sound.protocols if own not in (DEFAULT, "") else ():
            other = with_protocol(own, name)
            if other != own:
                made.append(Way(f"{collective} ran with {name}", {}, curve, other))
    return made or "the log names no algorithm: those of a library are tried with all its protocols"


def with_protocol(algorithm: str, protocol: str) -> str:
    """The call of an algorithm with the protocol.

    >>> with_protocol("ring(channels=2,protocol=ll)", "simple"), with_protocol("ring", "ll")
    ('ring(channels=2,protocol=simple)', 'ring(protocol=ll)')
    """
    name, _, inside = algorithm.removesuffix(")").partition("(")
    kept = [one for one in inside.split(",") if one and not one.startswith("protocol=")]
    return f"{name}({','.join([*kept, f'protocol={protocol}'])})"


def _moved(rows: list[list[float]], limit: int, other: int) -> list[list[float]]:
    """The table whose row at the limit of eager messages begins at the other limit."""
    at = next(at for at, row in enumerate(rows) if row[0] == limit - 1)
    start = max(other - 1, 0)
    before = [row for row in rows[:at] if row[0] < start] if start else []
    after = [row for row in rows[at + 1 :] if row[0] > start]
    return [[int(row[0]), *row[1:]] for row in (*before, [start, *rows[at][1:]], *after)]


def _rows(said: object) -> list[list[float]]:
    return [[float(cell) for cell in row] for row in said] if isinstance(said, list) else []


def _number(said: object) -> float:
    return float(said) if isinstance(said, (int, float)) else 0.0
