"""Faults of processors, memory and protocols, as other costs of software."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sound import Way

if TYPE_CHECKING:
    from ..sound import Sound

#: Times of a message: rows of threshold, s, s/B. Times of a byte: a number, or rows of threshold and s/B.
_OF_MESSAGE = ("send_overhead", "nonblocking_send_overhead", "receive_overhead", "message_latency", "inside_latency")
_OF_BYTE = ("combine_s_per_byte", "copy_s_per_byte")
_ALONE = ("call_overhead_s", "rendezvous_s", "message_gap_s", "nic_message_gap_s")
#: GB/s of copies through memory of the host, once at each end: PCIe 4.0 x16, PCIe 3.0 x16, one core that copies.
_COPIES = (25.0, 12.0, 6.0)
_LIMIT, _EARLY = "sender_returns_below_bytes", "starts_early_below_bytes"
#: Largest limit of eager messages that is tried.
_MOST = 1 << 30


def host_memory(sound: Sound) -> list[Way] | str:
    """Messages between nodes are copied through memory of the host, at both ends."""
    rows = _rows(sound.settings["message_latency"]) or [[0.0, 0.0, 0.0]]
    return [
        Way(
            f"each message is copied at both ends, at {rate:g} GB/s",
            {"software.message_latency": [[int(above), fixed, per + 2e-9 / rate] for above, fixed, per in rows]},
        )
        for rate in _COPIES
    ]


def slow_node(sound: Sound) -> list[Way] | str:
    """A node whose processor is slow, for which all others wait, or whose link others use too."""
    made = []
    for by in (2, 4):
        slower: dict[str, object] = {}
        for name in _OF_MESSAGE:
            if rows := _rows(sound.settings[name]):
                slower[f"software.{name}"] = [[int(above), by * fixed, by * per] for above, fixed, per in rows]
        for name in _OF_BYTE:
            rows = _rows(sound.settings[name])
            if rows:
                slower[f"software.{name}"] = [[int(above), by * per] for above, per in rows]
            elif per := _number(sound.settings[name]):
                slower[f"software.{name}"] = by * per
        slower |= {f"software.{name}": by * cost for name in _ALONE if (cost := _number(sound.settings[name]))}
        if slower:
            made.append(Way(f"a processor takes {by} times as long, and all wait for it", slower))
    last = sound.network.endpoints - 1
    for flows in (1, 3, 7):
        both: list[object] = [{"src": 0, "dst": last}, {"src": last, "dst": 0}]
        made.append(Way(f"the link of one node gives 1/{flows + 1} of its rate", {"background": both * flows}))
    return made


def protocol(sound: Sound) -> list[Way] | str:
    """Another limit between messages that are sent at once and those that wait for the receiver."""
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
