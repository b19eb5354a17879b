"""What the ranks of a record know only together: members of communicators, counts of collectives, neighbours."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ....base.errors import Fault, NetloomError
from .calls import COUNTS, NEIGHBOURS, REFUSED, UNIFORM, Call
from .layout import ANYBODY, CALL, PART, Rank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .layout import Table
    from .record import Record

#: A collective: what identifies its communicator, and its number among those that are called on it.
Instance = tuple[int, int]


@dataclass
class Gathered:
    """Over all ranks.

    Attributes
    ----------
    members
        Ranks of each communicator by their numbers in it; none of one that is not known whole.
    own
        Of each collective with counts, by member: bytes that it gives, and those of each member.
    incoming
        Of each collective among neighbours, by rank: who sends to it, and how much.
    wildcards
        Whether a receive names no source or no tag.
    """

    members: dict[int, list[int]] = field(default_factory=dict)
    own: dict[Instance, dict[int, tuple[int, list[int]]]] = field(default_factory=lambda: defaultdict(dict))
    incoming: dict[Instance, dict[int, list[tuple[int, int]]]] = field(default_factory=lambda: defaultdict(dict))
    wildcards: bool = False

    def look(self, rank: Rank, events: Table, calls: list[Call], names: tuple[str, ...], place: str) -> None:
        """Adds what a rank says.

        Raises
        ------
        NetloomError
            NL-F009 for a clock that runs backwards, NL-F020 for calls that programs have no words for.
        """
        import numpy as np

        whole = events["kind"] == CALL
        ends, starts = events["end"][whole], events["start"][whole]
        if len(ends) and (np.any(starts > ends) or np.any(np.diff(ends.astype(np.int64)) < 0)):
            sentence = "has calls that end before they begin, or before those ahead of them: the clock ran backwards"
            raise NetloomError([Fault("NL-F009", place, sentence, "", "bind each rank to one core, and record again")])
        if len(events) and int(events["thread"].max()) > 0:
            raise unreplayable(place, "several threads call MPI", "record one thread, or take matrix.csv as traffic")
        does = done(events, calls)
        for at in np.flatnonzero(does == REFUSED)[:1]:
            number = int(events["call"][at])
            name = names[number] if number < len(names) else "a call"
            raise unreplayable(
                f"{place}, event {at}", f"{name} has no words in a program", "take matrix.csv as traffic"
            )
        received = events[(events["wanted"] > 0) | (events["peer"] == ANYBODY)]
        self.wildcards |= bool(np.any((received["peer"] == ANYBODY) | (received["tag"] == ANYBODY)))
        numbers = instances(rank, events, does)
        for at in np.flatnonzero((does == COUNTS) | (does == NEIGHBOURS)):
            one, parts = events[at], parts_of(events, int(at))
            key = (rank.communicator(int(one["comm"])), int(numbers[at]))
            if int(one["comm"]) >= len(rank.comms):
                sentence = f"names communicator {int(one['comm'])}, which the rank did not see"
                raise unreplayable(f"{place}, event {at}", sentence, "record again")
            if does[at] == COUNTS:
                number = int(rank.comms[int(one["comm"])]["rank"])
                self.own[key][number] = int(one["wanted"]), [int(part["sent"]) for part in parts]
                continue
            for part in parts:
                if int(part["peer"]) >= 0:
                    self.incoming[key].setdefault(int(part["peer"]), []).append((rank.number, int(part["sent"])))

    def communicators(self, record: Record) -> None:
        """Members of those that every member has told of."""
        found: dict[int, dict[int, int]] = defaultdict(dict)
        sizes: dict[int, int] = {}
        torn: set[int] = set()
        for rank in record.ranks:
            for row in rank.comms:
                identity, number = int(row["id"]), int(row["rank"])
                sizes[identity] = int(row["size"])
                if found[identity].setdefault(number, rank.number) != rank.number:
                    torn.add(identity)
        for identity, numbers in found.items():
            if identity and identity not in torn and sorted(numbers) == list(range(sizes[identity])):
                self.members[identity] = [numbers[at] for at in range(sizes[identity])]


def done(events: Table, calls: list[Call]) -> NDArray[np.int64]:
    """What each event does; nothing but calls does anything, and persistent ones where they start."""
    import numpy as np

    does = np.array([*(one.does for one in calls), REFUSED], dtype=np.int64)
    persistent = np.array([*(one.persistent for one in calls), False])
    number = np.minimum(events["call"], len(calls))
    idle = (events["kind"] != CALL) | (persistent[number] & (events["request"] == 0))
    return np.where(idle, 0, does[number])


def instances(rank: Rank, events: Table, does: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each collective among those of its communicator."""
    import numpy as np

    is_one = (does == UNIFORM) | (does == COUNTS) | (does == NEIGHBOURS)
    numbers = np.full(len(events), -1, dtype=np.int64)
    for comm in np.unique(events["comm"][is_one]):
        mine = np.flatnonzero(is_one & (events["comm"] == comm))
        numbers[mine] = np.arange(len(mine))
    return numbers


def parts_of(events: Table, at: int) -> Table:
    """The parts that follow a call."""
    end = at + 1
    while end < len(events) and events["kind"][end] == PART:
        end += 1
    return events[at + 1 : end]


def unreplayable(place: str, sentence: str, hint: str) -> NetloomError:
    """NL-F020."""
    return NetloomError([Fault("NL-F020", place, sentence, "", hint)])
