"""The model by which libraries of GPUs choose: time = latency + bytes / bandwidth, of algorithms and protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..base.quantities import time_text
from .choice import Choice, Communicator

PROTOCOLS = ("ll", "ll128", "simple")
#: By protocol.
PerProtocol = tuple[float, float, float]

#: A NIC where nothing is said.
NIC_BYTES_PER_S = 50e9
#: Bytes for each thread below which a channel is left out, and threads of a channel.
_PER_THREAD = (8, 8, 64)
_THREADS = (512, 640, 512)
#: Point-to-point sends up to this many bytes take LL.
_SEND_LL_BYTES = 16384
#: Pieces that follow each other down a chain or tree, and the most of them that are simulated.
_PIECE_BYTES = {"ll": 1 << 15, "ll128": 1 << 17, "simple": 1 << 18}
_MOST_PIECES = 64

#: Algorithms of the catalogue by the library's name, for operations that it has algorithms for.
_SCHEDULES = {
    ("allreduce", "ring"): "ring",
    ("allreduce", "tree"): "chained-trees",
    ("allreduce", "nvls"): "in-network",
    ("allgather", "ring"): "ring",
    ("allgather", "nvls"): "in-network",
    ("reduce-scatter", "nvls"): "in-network",
    ("reduce-scatter", "ring"): "ring",
    ("broadcast", "ring"): "chain",
    ("reduce", "ring"): "chain",
}
#: Other names of the catalogue for what the library runs.
_ALIKE = {"double-tree": "chained-trees", "tree": "chained-trees"}
#: What the schedule leaves out.
_NOT_IN_SWITCHES = (
    "in the library the switch of the node combines and copies, which makes large vectors 25 to 30 % quicker"
)
#: Channels of NVLS on a node of eight GPUs.
_NVLS_CHANNELS = 16
#: Operations that are grouped sends.
_SENDS = ("alltoall", "gather", "scatter")
#: Whose bytes the library counts over all ranks.
_WHOLE = ("allgather", "reduce-scatter")


@dataclass(frozen=True)
class Shape:
    """A call as the model sees it: bytes as the library counts them, steps of a ring, and channels that were found."""

    collective: str
    size_bytes: int
    at: Communicator

    @property
    def between(self) -> bool:
        """The job has several nodes."""
        return self.at.nodes > 1

    @property
    def steps(self) -> int:
        """Steps of a ring."""
        return self._round(self.at.ranks)

    @property
    def steps_between(self) -> int:
        """How many of them are between nodes, as a ring through them has."""
        return self._round(self.at.nodes) if self.between else 0

    def _round(self, members: int) -> int:
        if self.collective in ("broadcast", "reduce"):
            return members
        return (2 if self.collective == "allreduce" else 1) * (members - 1)

    @property
    def log_nodes(self) -> int:
        """The largest power of two that is not above the number of nodes."""
        return self.at.nodes.bit_length() - 1

    @property
    def log_size(self) -> int:
        """Doublings from 64 B to the size; below 0 for smaller ones."""
        return max(self.size_bytes // 64, 0).bit_length() - 1


#: Seconds of an algorithm and protocol (a place in `PROTOCOLS`) for a call; None if they do not apply.
Estimate = Callable[[Shape, str, int], float | None]


@dataclass(frozen=True)
class Tuner:
    """The rules of a library that has such a model.

    Parameters
    ----------
    algorithms
        By operation, those that compete.
    """

    library: str
    version: str
    estimate: Estimate
    algorithms: Mapping[str, tuple[str, ...]]

    def choose(self, collective: str, size_bytes: int, at: Communicator) -> Choice | None:
        """The choice for a call; None if the library has no such operation."""
        if collective in _SENDS:
            protocol = "ll" if size_bytes <= _SEND_LL_BYTES else "simple"
            rule = f"sends of {'at most' if protocol == 'll' else 'more than'} {_SEND_LL_BYTES} B"
            return Choice(self.library, self.version, collective, "linear", (), "sends", rule, "", 0, 0, protocol)
        if collective not in self.algorithms:
            return None
        size = size_bytes * at.ranks if collective in _WHOLE else size_bytes
        shape = Shape(collective, size, at)
        times = {
            (algorithm, place): time
            for algorithm in self.algorithms[collective]
            for place in range(len(PROTOCOLS))
            if (time := self.estimate(shape, algorithm, place)) is not None
        }
        algorithm, place = min(times, key=lambda key: times[key])
        others = [time for (name, _), time in times.items() if name != algorithm]
        rule = f"it expects {time_text(times[algorithm, place])}"
        rule += f", and {time_text(min(others))} of the next algorithm" if others else ""
        return self._choice(shape, algorithm, place, rule)

    def run(self, collective: str, schedule: str, size_bytes: int, at: Communicator) -> Choice | None:
        """How the library runs an algorithm that it is told to take: with its own protocol and channels.

        Parameters
        ----------
        schedule
            The catalogue's name. None is returned for one that the library does not have.
        """
        schedule = _ALIKE.get(schedule, schedule)
        own = next((name for (of, name), made in _SCHEDULES.items() if (of, made) == (collective, schedule)), None)
        if own is None or own not in self.algorithms.get(collective, ()) or (own == "nvls" and not at.combines):
            return None
        size = size_bytes * at.ranks if collective in _WHOLE else size_bytes
        shape = Shape(collective, size, at)
        place = self._protocol(shape, own)
        return None if place is None else replace(self._choice(shape, own, place, ""), named=True)

    def _protocol(self, shape: Shape, algorithm: str) -> int | None:
        """The quickest protocol of an algorithm; None if it has none for the call."""
        times = [(self.estimate(shape, algorithm, place), place) for place in range(len(PROTOCOLS))]
        found = [(time, place) for time, place in times if time is not None]
        return min(found)[1] if found else None

    def _choice(self, shape: Shape, algorithm: str, place: int, rule: str) -> Choice:
        own, note = f"{algorithm} {PROTOCOLS[place]}", ""
        if algorithm == "nvls" and not shape.at.combines:
            # The ring stands in, as the library would run it.
            place, note, algorithm = self._protocol(shape, "ring") or 0, _NOT_IN_SWITCHES, "ring"
        at, protocol, schedule = shape.at, PROTOCOLS[place], _SCHEDULES[shape.collective, algorithm]
        channels = self._channels(algorithm, place, shape.size_bytes, at)
        parameters: tuple[tuple[str, int | str], ...] = ()
        if schedule == "in-network":
            pieces = min(max(-(-shape.size_bytes // (channels * _PIECE_BYTES[protocol])), 1), _MOST_PIECES)
            parameters = (("segments", pieces),)
            parameters += (("turn", "owners"),) if shape.collective == "allreduce" else ()
        elif schedule in ("chained-trees", "chain"):
            trees = schedule == "chained-trees"
            pieces = -(-shape.size_bytes // (channels * (2 if trees else 1) * _PIECE_BYTES[protocol]))
            parameters = (("segments", min(max(pieces, 1), _MOST_PIECES)),)
            parameters = (("chain", at.local), *parameters) if trees else parameters
        return Choice(
            self.library, self.version, shape.collective, schedule, parameters, own, rule,
            note, channels, 0 if schedule == "in-network" else at.local, protocol,
        )  # fmt: skip

    def _channels(self, algorithm: str, place: int, size: int, at: Communicator) -> int:
        """Paths that the data take, without channels that small data leave out or that share a path."""
        paths = at.nics if at.nodes > 1 else 1
        if algorithm == "nvls":
            return _NVLS_CHANNELS
        ranks = at.ranks if algorithm == "ring" and PROTOCOLS[place] == "ll" else 1
        return max(1, min(paths, size // (_PER_THREAD[place] * _THREADS[place] * ranks)))
