"""Lines of a log: those that say something of calls, communicators, channels and choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ....base import files
from ....base.errors import Fault, NetloomError

#: Most bytes of a file, and characters of a line that are looked at: a ring of 2^16 ranks.
MOST_BYTES, MOST_CHARACTERS = 1 << 33, 1 << 19
#: Most ranks, and channels of a communicator.
MOST_RANKS, MOST_CHANNELS = 1 << 20, 64

_LINE = re.compile(r"(\S+?):(\d{1,10}):(\d{1,10}) \[(\d{1,4})\] (?:[\d.]{1,30} )?NCCL (?:INFO|TRACE) (.*)")
_CALL = re.compile(
    r"(\w{1,30}): opCount ([0-9a-f]{1,16}) .{0,200}?count (\d{1,18}) datatype (\d{1,3}) op \d{1,10} root (-?\d{1,9}) "
    r"comm (0x[0-9a-f]{1,16})"
)
_INIT = re.compile(
    r"comm (0x[0-9a-f]{1,16}) rank (\d{1,7}) nranks (\d{1,7}) .{0,200}?(?:commId (0x[0-9a-f]{1,32}) )?"
    r"- Init (START|COMPLETE)"
)
_SHAPE = re.compile(r"comm (0x[0-9a-f]{1,16}) rank \d{1,7} nRanks \d{1,7} nNodes (\d{1,7}) localRanks (\d{1,7}) ")
_RING = re.compile(r"Channel (\d{1,3})/(\d{1,3}) :((?: +\d{1,7})+) *$")
_TREE = re.compile(r"\[(\d{1,3})\] (-?\d{1,7})/(-?\d{1,7})/(-?\d{1,7})->(-?\d{1,7})->(-?\d{1,7})")
_EDGE = re.compile(
    r"(?:Channel|Ring) \d{1,3}(?:/\d{1,3})? : \d{1,7}(?:\[\w{1,16}\])? -> \d{1,7}(?:\[\w{1,16}\])? "
    r"(?:\[\w{1,16}\] )?via (\S{1,40})"
)
_CHANNELS = re.compile(r"(\d{1,3}) coll channels, (?:\d{1,3} (?:collnet|nvls) channels, )*(\d{1,3}) p2p channels")
_CHOICE = re.compile(
    r"(\w{1,30}): (\d{1,18}) Bytes -> Algo (\w{1,20}) proto (\w{1,10})"
    r"(?: channel\{Lo\.\.Hi\}=\{(\d{1,3})\.\.(\d{1,3})\})?"
)


class Who(NamedTuple):
    """A GPU: its host, process and number in the process."""

    host: str
    process: int
    device: int


class CallLine(NamedTuple):
    """A call on a communicator, by its address in the process."""

    name: str
    elements: int
    datatype: int
    root: int
    comm: str


class InitLine(NamedTuple):
    """A communicator is made: its address, the rank in it, its size, what all ranks call it, whether it is done."""

    comm: str
    rank: int
    ranks: int
    identity: str
    is_done: bool


class ShapeLine(NamedTuple):
    """How a communicator lies on nodes."""

    comm: str
    nodes: int
    local: int


class RingLine(NamedTuple):
    """The order of ranks in the ring of a channel."""

    channel: int
    order: tuple[int, ...]


class TreesLine(NamedTuple):
    """Of the tree of each channel: the rank's children and parent."""

    edges: tuple[tuple[int, tuple[int, ...], int, int], ...]


class EdgeLine(NamedTuple):
    """A connection is made over such a path."""

    path: str


class ChannelsLine(NamedTuple):
    """Channels of collectives, and of messages."""

    collective: int
    messages: int


class ChoiceLine(NamedTuple):
    """What the library chose for a call: algorithm, protocol, channels (0 where it does not say)."""

    name: str
    bytes: int
    algorithm: str
    protocol: str
    channels: int


Line = CallLine | InitLine | ShapeLine | RingLine | TreesLine | EdgeLine | ChannelsLine | ChoiceLine
_ALGORITHMS = ("tree", "ring", "collnet-direct", "collnet-chain", "nvls", "nvls-tree", "pat")
_PROTOCOLS = ("ll", "ll128", "simple")


def lines(path: Path) -> Iterator[tuple[int, Who, Line]]:
    """Of a file: number, GPU, and what the line says. O(bytes), one line in memory.

    Raises
    ------
    NetloomError
        NL-X001, NL-X002.
    """
    if not files.is_file(path):
        files.read(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise NetloomError([Fault("NL-X002", str(path), "has more than 8 GiB", "", "cut it to a few steps")])
        with path.open("r", encoding="utf-8", errors="replace", newline="\n") as file:
            number = 0
            while text := file.readline(MOST_CHARACTERS):
                number += 1
                if "NCCL " not in text or (found := _LINE.search(text)) is None:
                    continue
                if (said := _said(found[5])) is not None:
                    yield number, Who(found[1], int(found[2]), int(found[4])), said
    except OSError as error:
        raise NetloomError([Fault("NL-X001", str(path), f"cannot be read: {error.strerror}")]) from None


def _said(text: str) -> Line | None:
    """What the words of a line say."""
    if " opCount " in text and (found := _CALL.search(text)):
        return CallLine(found[1], int(found[3]), int(found[4]), int(found[5]), found[6])
    if "- Init " in text and (found := _INIT.search(text)):
        return InitLine(found[1], int(found[2]), int(found[3]), found[4] or "", found[5] == "COMPLETE")
    if " nNodes " in text and (found := _SHAPE.search(text)):
        return ShapeLine(found[1], int(found[2]), int(found[3]))
    if "Bytes -> Algo" in text and (found := _CHOICE.search(text)):
        channels = int(found[6]) - int(found[5]) + 1 if found[5] else 0
        algorithm, protocol = _named(found[3], _ALGORITHMS), _named(found[4], _PROTOCOLS)
        return ChoiceLine(found[1], int(found[2]), algorithm, protocol, max(channels, 0))
    if text.startswith("Trees ["):
        return TreesLine(
            tuple(
                (int(one[0]), tuple(int(child) for child in one[1:4] if child != "-1"), int(one[4]), int(one[5]))
                for one in _TREE.findall(text)[:MOST_CHANNELS]
            )
        )
    if text.startswith(("Channel ", "Ring ")):
        if found := _RING.match(text):
            return RingLine(int(found[1]), tuple(map(int, found[3].split())))
        found = _EDGE.match(text)
        return EdgeLine(found[1]) if found else None
    found = _CHANNELS.search(text)
    return ChannelsLine(int(found[1]), int(found[2])) if found else None


def _named(text: str, names: tuple[str, ...]) -> str:
    """A name, or one that older versions write as a number."""
    if text.isascii() and text.isdigit():
        return names[int(text)] if int(text) < len(names) else text
    return text.lower().replace("_", "-")
