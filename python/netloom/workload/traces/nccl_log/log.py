"""The logs of all ranks of a run: GPUs, communicators, calls, and how the library laid them out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ....base.errors import Fault, NetloomError
from .lines import (
    MOST_RANKS,
    CallLine,
    ChannelsLine,
    ChoiceLine,
    EdgeLine,
    InitLine,
    Line,
    RingLine,
    ShapeLine,
    TreesLine,
    Who,
    lines,
)


@dataclass
class Communicator:
    """One communicator of all its ranks.

    Attributes
    ----------
    members
        GPUs by their rank in it.
    rings, cut_rings, trees
        By channel: the order of the ranks, whole or as far as the log has it, and of each rank its children and its
        parent (-1: none).
    """

    identity: str
    ranks: int
    members: dict[int, Who] = field(default_factory=dict)
    nodes: int = 0
    local: int = 0
    channels: int = 0
    message_channels: int = 0
    rings: dict[int, tuple[int, ...]] = field(default_factory=dict)
    cut_rings: dict[int, tuple[int, ...]] = field(default_factory=dict)
    trees: dict[int, dict[int, tuple[tuple[int, ...], int]]] = field(default_factory=lambda: defaultdict(dict))
    choices: Counter[ChoiceLine] = field(default_factory=Counter)


@dataclass
class Log:
    """What the lines of some files say.

    Attributes
    ----------
    calls
        Of each GPU: its calls in order, with their communicator and where they stand.
    paths
        Connections by the kind of path, such as P2P, SHM, NET.
    """

    communicators: dict[str, Communicator] = field(default_factory=dict)
    calls: dict[Who, list[tuple[Communicator, CallLine, str]]] = field(default_factory=lambda: defaultdict(list))
    paths: Counter[str] = field(default_factory=Counter)

    def add(self, paths: Iterable[Path]) -> None:
        """Reads files.

        Raises
        ------
        NetloomError
            NL-F007 for a call on a communicator that no line makes, NL-F009 for one that does not fit together.
        """
        for path in paths:
            reader = _Reader(self, path)
            for number, who, line in lines(path):
                reader.take(number, who, line)

    def ranks(self) -> dict[Who, int]:
        """The rank of each GPU: in the largest communicator if all GPUs are of that, else by host, process, device."""
        gpus = {who for one in self.communicators.values() for who in one.members.values()}
        largest = max(self.communicators.values(), key=lambda one: one.ranks, default=None)
        if largest is not None and len(largest.members) == len(gpus) == largest.ranks:
            return {who: rank for rank, who in largest.members.items()}
        return {who: rank for rank, who in enumerate(sorted(gpus))}


class _Reader:
    """One file, and what of it waits for a communicator."""

    def __init__(self, log: Log, path: Path) -> None:
        self.log, self.path = log, path
        self.by_address: dict[tuple[Who, str], Communicator] = {}
        #: Lines between the begin and the end of making a communicator do not name it.
        self.waiting: dict[Who, list[Line]] = defaultdict(list)
        self.latest: dict[Who, Communicator] = {}
        self.made: Counter[tuple[Who, int]] = Counter()

    def take(self, number: int, who: Who, line: Line) -> None:
        """One line."""
        place = f"{self.path}:{number}"
        if isinstance(line, CallLine):
            comm = self.by_address.get((who, line.comm))
            if comm is None:
                expected = "a communicator that a line of the log makes (... - Init COMPLETE)"
                hint = "log from the start, with INIT among NCCL_DEBUG_SUBSYS"
                raise NetloomError([Fault("NL-F007", place, expected, line.comm, hint)])
            self.log.calls[who].append((comm, line, place))
        elif isinstance(line, InitLine):
            self._init(who, line, place)
        elif isinstance(line, EdgeLine):
            self.log.paths["/".join(line.path.split("/")[:2])] += 1
        elif isinstance(line, ChoiceLine):
            if (latest := self.latest.get(who)) is not None:
                self._describe(latest, line)
        elif isinstance(line, ShapeLine):
            if (own := self.by_address.get((who, line.comm))) is not None:
                own.nodes, own.local = line.nodes, max(own.local, line.local)
            else:
                self.waiting[who].append(line)
        elif len(self.waiting[who]) < 1 << 12:
            self.waiting[who].append(line)

    def _init(self, who: Who, line: InitLine, place: str) -> None:
        if not line.is_done:
            self.waiting[who].clear()
            return
        if not 0 < line.ranks <= MOST_RANKS or line.rank >= line.ranks:
            got = f"rank {line.rank} of {line.ranks}"
            raise NetloomError([Fault("NL-F009", place, "a rank below the number of ranks", got, "log again")])
        # Older versions do not say which are one: the first of a size that each rank makes is.
        own = line.identity or f"{line.ranks} ranks, number {self.made[who, line.ranks]}"
        self.made[who, line.ranks] += 1
        comm = self.log.communicators.setdefault(own, Communicator(own, line.ranks))
        if comm.ranks != line.ranks or comm.members.setdefault(line.rank, who) != who:
            sentence = f"another GPU is rank {line.rank} of the same communicator, or it has another size"
            hint = "give the logs of one run alone"
            raise NetloomError([Fault("NL-F006", place, sentence, "", hint)])
        self.by_address[who, line.comm] = self.latest[who] = comm
        for one in self.waiting.pop(who, []):
            self._describe(comm, one, line.rank)

    def _describe(self, comm: Communicator, line: Line, rank: int = 0) -> None:
        if isinstance(line, RingLine):
            # Some versions print the first ranks of a long ring alone.
            is_whole = sorted(line.order) == list(range(comm.ranks))
            (comm.rings if is_whole else comm.cut_rings)[line.channel] = line.order
        elif isinstance(line, TreesLine):
            for channel, children, me, parent in line.edges:
                if me == rank:
                    comm.trees[channel][rank] = children, parent
        elif isinstance(line, ShapeLine):
            comm.nodes, comm.local = line.nodes, max(comm.local, line.local)
        elif isinstance(line, ChannelsLine):
            comm.channels, comm.message_channels = line.collective, line.messages
        elif isinstance(line, ChoiceLine):
            comm.choices[line] += 1
