"""What runs cost: learned from the runs that were computed, kept between studies, wrong by a factor and said so.

An estimate orders runs, longest first, and tells people how long a study takes. No result depends on one.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from .. import _core
from ..base import files
from ..base.errors import NetloomError
from ..base.quantities import amount_text
from .values import Scalar

#: Seconds of a run of 64 ranks on 64 switches that nothing is known of, and the powers of ranks and of switches with
#: which they grow: of messages among all ranks, of some messages of each rank, and of what only counts messages.
_GUESS, _SPARSE, _COUNTING = (0.01, 1.5, 0.5), (0.01, 1.0, 0.1), (0.00002, 1.0, 0.1)
_GUESSES = {"hops": _COUNTING, "loads": _COUNTING}
#: Seconds that any run takes.
_LEAST = 0.001
#: Patterns in which the messages of a rank do not grow with the ranks, or with one extent of a grid alone.
_FEW = {
    *("permutation", "random-pairs", "transpose", "bit-reverse", "bit-complement", "shuffle", "shift", "tornado"),
    *("opposite", "nearest-ring", "stencil", "stencil-corners", "wave-front", "unstructured-mesh", "near-neighbour"),
    *("spread", "many-to-many"),
}
#: By which link loads take longer where messages look for bandwidth, round after round.
_ROUNDS = {"adaptive-direct": 4.0, "adaptive-indirect": 50.0, "adaptive-hybrid": 50.0}
#: Kinds that are kept. A kind that was measured longest ago goes first.
MOST = 4096
#: Distances, in doublings of a size: of another workload, another order, another variant, another family of networks.
_OTHER = (4.0, 4.0, 4.0, 1.0)
#: What is farther away than this was not measured.
FAR = 12.0
_UNITS = (("years", 365.25 * 86400, 365.25 * 86400), ("hours", 3600, 5400), ("min", 60, 90), ("s", 1, 1))
#: Names at the head of a kind, before its sizes.
NAMES = 5
#: Of what is kept: letters of a name, doublings of a size, runs, and the logarithm of the seconds of a run.
_LONGEST, _DOUBLINGS, _COUNTED, _SECONDS = 200, 64, 101, (math.log(1e-6) - 0.001, math.log(1e9))
#: Largest file that is read.
_MAX_BYTES = 8 << 20
#: Bytes of a network while it is built, per cable, and per endpoint or switch; most switches with all distances.
_PER_CABLE, _PER_SEAT, _MATRIX = 48, 16, 8192


@dataclass(frozen=True)
class Kind:
    """What runs of about the same cost have in common. Sizes are powers of two, to a half."""

    evaluation: str
    workload: str
    order: str
    variant: str
    family: str
    ranks: float
    switches: float


@dataclass
class Cost:
    """Of the runs of a study.

    Parameters
    ----------
    seconds
        Of one core, all runs together.
    longest
        The longest run.
    memory
        Bytes of the largest network with its distances; a worker has at least one.
    measured
        Share of `seconds` that stands on runs which were measured.
    """

    seconds: float = 0.0
    longest: float = 0.0
    memory: int = 0
    measured: float = 0.0

    def add(self, seconds: float, known: bool, memory: int) -> None:
        """A run."""
        self.join(Cost(seconds, seconds, memory, seconds if known else 0.0))

    def join(self, other: Cost) -> None:
        """Further runs."""
        self.seconds, self.longest = self.seconds + other.seconds, max(self.longest, other.longest)
        self.memory, self.measured = max(self.memory, other.memory), self.measured + other.measured

    def words(self) -> str:
        """For people, with how much of it is a guess."""
        known = self.measured / self.seconds if self.seconds else 1.0
        based = {True: "from measured runs", False: "a guess: no such runs were measured here yet"}[known > 0.5]
        return (
            f"about {time_text(self.seconds)} of one core, the longest run {time_text(self.longest)}, "
            f"largest network {amount_text(self.memory)} ({based})"
        )


class Costs:
    """Seconds of runs by kind.

    Parameters
    ----------
    path
        Where they are kept; None for nowhere.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        #: Runs, and the sum of the logarithms of their seconds.
        self.kinds: dict[Kind, tuple[int, float]] = {}
        self._found: dict[Kind, tuple[float, bool]] = {}
        self._learned = 0

    @classmethod
    def kept(cls) -> Costs:
        """Those of this user: `$XDG_CACHE_HOME/netloom/costs.json`.

        Warns
        -----
        UserWarning
            With the name of the file, about what makes no sense in it: it is left out, and written anew.
        """
        home = os.environ.get("XDG_CACHE_HOME") or ""
        with contextlib.suppress(RuntimeError):
            home = home or str(Path.home() / ".cache")
        made = cls(Path(home) / "netloom" / "costs.json" if home else None)
        made._read()
        return made

    def _read(self) -> None:
        try:
            if self.path is None or self.path.stat().st_size > _MAX_BYTES:
                return
            data = files.read(self.path, input=False)
        except (OSError, ValueError, NetloomError):
            return
        try:
            listed = json.loads(data)
        except (ValueError, RecursionError):
            listed = None
        sound = [_kept(line) for line in listed[-MOST:]] if isinstance(listed, list) else [None]
        self.kinds |= dict(filter(None, sound))
        wrong = sound.count(None)
        if wrong:
            many = f"{wrong} of its entries make" if isinstance(listed, list) else "the file makes"
            words = f"{self.path}: {many} no sense: the time of runs is guessed without them"
            warnings.warn(words, stacklevel=2)

    def save(self) -> None:
        """Keep what was learned. It is only a cache: what cannot be written is let go."""
        if self.path is None or not self._learned:
            return
        lines = [[*vars(kind).values(), count, round(total, 6)] for kind, (count, total) in self.kinds.items()]
        with contextlib.suppress(NetloomError):
            files.write(self.path, json.dumps(lines[-MOST:], separators=(",", ":")).encode())
        self._learned = 0

    def learn(self, evaluation: str, calls: Mapping[str, Scalar], seconds: float) -> None:
        """A run that ended."""
        kind = kind_of(evaluation, calls)
        count, total = self.kinds.pop(kind, (0, 0.0))
        # The last hundred runs of a kind tell most: another machine, another version.
        if count >= 100:
            count, total = 50, total * 50 / count
        self.kinds[kind] = (count + 1, total + math.log(max(seconds, 1e-6)))
        if self._learned % 1000 == 0:
            self._found.clear()
        self._learned += 1

    def seconds(self, evaluation: str, calls: Mapping[str, Scalar]) -> tuple[float, bool]:
        """The estimate for a run, and whether it stands on measured ones."""
        kind = kind_of(evaluation, calls)
        found = self._found.get(kind)
        if found is None:
            found = self._found[kind] = self._estimate(kind)
        return found

    def _estimate(self, kind: Kind) -> tuple[float, bool]:
        """The guess, times what measured runs near it took against theirs. O(kinds)."""
        weights = total = 0.0
        nearest = math.inf
        for other, (count, logs) in self.kinds.items():
            if other.evaluation != kind.evaluation:
                continue
            away = _distance(kind, other)
            nearest = min(nearest, away)
            weight = math.exp2(-2.0 * away) * min(count, 10)
            weights += weight
            total += weight * (logs / count - math.log(_guess(other)))
        return _guess(kind) * math.exp(total / weights if weights else 0.0), nearest < FAR

    def of(self, evaluation: str, runs: Iterable[Mapping[str, Scalar]]) -> Cost:
        """All runs of an experiment, from their canonical calls."""
        cost = Cost()
        for calls in runs:
            cost.add(*self.seconds(evaluation, calls), memory_of(str(calls.get("network", ""))))
        return cost


def _kept(line: object) -> tuple[Kind, tuple[int, float]] | None:
    """A line of the file; None for what this program would not have written."""
    if not isinstance(line, list) or len(line) != len(fields(Kind)) + 2:
        return None
    names, numbers = line[:NAMES], line[NAMES:]
    *sizes, count, total = numbers
    plain = all(type(number) in (int, float) for number in numbers) and type(count) is int
    if not (plain and all(isinstance(name, str) and len(name) <= _LONGEST for name in names)):
        return None
    # Compared before they become doubles, which have no room for some integers; not a number is in no range.
    if not (all(0 <= size <= _DOUBLINGS for size in sizes) and 1 <= count <= _COUNTED):
        return None
    if not count * _SECONDS[0] <= total <= count * _SECONDS[1]:
        return None
    return Kind(*names, *map(float, sizes)), (count, float(total))


def kind_of(evaluation: str, calls: Mapping[str, Scalar]) -> Kind:
    """The kind of a run, from its canonical calls."""
    network = str(calls.get("network", ""))
    switches, _, endpoints = sizes_of(network)
    ranks, cores = calls.get("ranks"), calls.get("cores")
    if not isinstance(ranks, (int, float)):
        ranks = endpoints * (cores if isinstance(cores, int) else 1)
    return Kind(
        evaluation,
        _head(calls.get("workload", "")),
        str(calls.get("order", ""))[:80],
        _head(calls.get("variant", "")),
        _head(network),
        _doublings(ranks),
        _doublings(switches),
    )


@lru_cache(maxsize=1 << 12)
def sizes_of(network: str) -> tuple[int, int, int]:
    """Switches, cables and endpoints of a call, without building it; ones for files."""
    try:
        found = _core.expected(network)
    except NetloomError:
        return 1, 1, 1
    return found["switches"], found["switch_links"], found["endpoints"]


def memory_of(network: str) -> int:
    """Bytes of a network and its distances."""
    switches, cables, endpoints = sizes_of(network)
    matrix = switches * switches if switches <= _MATRIX else 0
    return _PER_CABLE * cables + _PER_SEAT * (switches + endpoints) + matrix


def time_text(seconds: float) -> str:
    """Seconds as people say them."""
    for unit, size, least in _UNITS:
        if seconds >= least:
            return f"{seconds / size:.1f} {unit}"
    return f"{1e3 * seconds:.1f} ms"


def _head(text: Scalar) -> str:
    return str(text).partition("(")[0][:80]


def _doublings(size: float) -> float:
    return round(2.0 * math.log2(max(size, 1))) / 2.0


def _distance(one: Kind, other: Kind) -> float:
    names = [(one.workload, other.workload), (one.order, other.order)]
    names += [(one.variant, other.variant), (one.family, other.family)]
    other_names = sum(away for away, (a, b) in zip(_OTHER, names, strict=True) if a != b)
    return other_names + abs(one.ranks - other.ranks) + abs(one.switches - other.switches)


def _guess(kind: Kind) -> float:
    start, by_ranks, by_switches = _GUESSES.get(kind.evaluation, _SPARSE if kind.workload in _FEW else _GUESS)
    if kind.evaluation == "loads":
        start *= _ROUNDS.get(kind.variant, 1.0)
    return _LEAST + start * math.exp2(by_ranks * (kind.ranks - 6) + by_switches * (kind.switches - 6))
