"""Calls of several ranks that are one: by their number in the communicator, else by their order in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .... import _core
from ....base.errors import Fault, NetloomError
from .kernels import Kernel, RankKernels

Group = tuple[str, tuple[int, ...]]
#: A call: its communicator, its number in it, and which of those with this number.
Instance = tuple[Group, int, int]


@dataclass(frozen=True)
class Match:
    """Calls of all ranks.

    Attributes
    ----------
    starts
        Of each call, the latest begin on its members: before that, a kernel waits.
    counts
        Of each alltoall whose sizes differ, by member the bytes to each member.
    is_clock_shared
        Whether the kernels of each call overlap in time on all members, as those of one clock do.
    """

    starts: dict[Instance, float]
    counts: dict[Instance, dict[int, tuple[int, ...]]]
    is_clock_shared: bool


class Groups:
    """The communicators of a recording, by what identifies them."""

    def __init__(self, made: _core.Recording, ranks: int) -> None:
        self._made, self._ranks = made, ranks
        self._numbers: dict[Group, int] = {}

    def number(self, group: Group) -> int:
        """Of a communicator, which is made where it is new; the first one of all ranks in order is that of all."""
        if group not in self._numbers:
            is_world = group[1] == tuple(range(self._ranks)) and 0 not in self._numbers.values()
            self._numbers[group] = 0 if is_world else self._made.communicator(list(group[1]))
        return self._numbers[group]


def instances(kernels: Iterable[Kernel]) -> list[list[Instance]]:
    """Of each kernel the collectives in it, of one rank."""
    seen: Counter[tuple[Group, int]] = Counter()
    found = []
    for kernel in kernels:
        own = []
        for call in kernel.calls:
            if not call.is_message:
                # Without numbers, all calls of a communicator have the number -1 and follow each other.
                own.append((call.group, call.order, seen[call.group, call.order]))
                seen[call.group, call.order] += 1
        found.append(own)
    return found


def matched(ranks: list[RankKernels]) -> tuple[Match, int]:
    """The calls that are one, and how many calls were dropped since members of their communicator have none like it.

    Raises
    ------
    NetloomError
        NL-F021 where members enter different numbers of calls, and no numbers of theirs say which is missing; NL-F010
        for messages without another end.
    """
    dropped = _drop_partial(ranks)
    members: dict[Instance, dict[int, tuple[float, float]]] = defaultdict(dict)
    counts: dict[Instance, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for one in ranks:
        for kernel, own in zip(one.kernels, instances(one.kernels), strict=True):
            collectives = [call for call in kernel.calls if not call.is_message]
            for call, key in zip(collectives, own, strict=True):
                members[key][one.rank] = kernel.begin, kernel.end
                if call.kind == "alltoall":
                    counts[key][one.rank] = call.counts or (call.bytes,) * len(call.group[1])
    starts = {key: max(begin for begin, _ in found.values()) for key, found in members.items()}
    shared = all(starts[key] <= min(end for _, end in found.values()) for key, found in members.items())
    _require_pairs(ranks)
    uneven = {key: own for key, own in counts.items() if len({size for sizes in own.values() for size in sizes}) > 1}
    return Match(starts, uneven, shared), dropped


def _drop_partial(ranks: list[RankKernels]) -> int:
    """Takes out calls with numbers that not all members have: the windows of the profiles begin and end apart."""
    owners: Counter[Instance] = Counter(key for one in ranks for own in instances(one.kernels) for key in own)
    dropped = 0
    for one in ranks:
        kept: list[Kernel] = []
        for kernel, own in zip(one.kernels, instances(one.kernels), strict=True):
            keys = iter(own)
            calls = tuple(call for call in kernel.calls if call.is_message or _is_whole(next(keys), owners))
            dropped += len(kernel.calls) - len(calls)
            kept.append(kernel._replace(calls=calls))
        one.kernels = kept
    return dropped


def _is_whole(key: Instance, owners: Counter[Instance]) -> bool:
    return key[1] < 0 or owners[key] == len(key[0][1])


def _require_pairs(ranks: list[RankKernels]) -> None:
    """Every message has both ends."""
    pairs: Counter[tuple[Group, int, int]] = Counter()
    for one in ranks:
        for kernel in one.kernels:
            for call in kernel.calls:
                if call.is_message:
                    ends = (one.rank, call.peer) if call.kind == "send" else (call.peer, one.rank)
                    pairs[call.group, *ends] += 1 if call.kind == "send" else -1
    for (_, source, target), left in pairs.items():
        if left:
            what = "sends that nobody receives" if left > 0 else "receives that nobody sends to"
            sentence = f"from rank {source} to rank {target} there are {abs(left)} {what}"
            place = next(one.place for one in ranks if one.rank == (source if left > 0 else target))
            hint = "profile the same steps on all ranks"
            raise NetloomError([Fault("NL-F010", place, sentence, "", hint)])
