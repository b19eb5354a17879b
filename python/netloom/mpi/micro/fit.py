"""A machine from measurements: pieces of the ping-pong, overheads, and what messages share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from ...base.errors import Fault, NetloomError
from ...calibration.fitting import Segment
from ...calibration.fitting import fit as pieces_of
from ...machine import Machine, Measured
from . import codes
from .rows import Found, Row, levels_of

#: A time is known better than its repetitions scatter: by this share of it, within these bounds.
NOISE_SHARE, LEAST_NOISE, MOST_NOISE = 1 / 3, 0.02, 0.2
#: Times whose median repetition takes this share longer were disturbed; pieces are fitted to the others.
DISTURBED = 1.0
#: Of a message's time, that its overheads take at most: something is left for its way.
MOST_OVERHEAD = 0.95
#: A rate that several reach together is a limit if it is so much below what each reaches alone.
SHARED = 0.9
#: Size from which rates are those of bytes.
LARGE = 1 << 18
#: Of a byte on its way where the overheads already take all the time: no limit.
LEAST_S_PER_BYTE = 1e-13
#: Prefix of the settings of messages between processes that share this much and no more.
PREFIX = {"cache": "cache_", "numa": "numa_", "socket": "socket_", "node": "inside_", "network": ""}
#: Bytes added to every message: an empty one takes time, too, and has overheads.
ENVELOPE = 1
#: Fewest sizes of a ping-pong.
FEWEST_SIZES = 4


@dataclass(frozen=True)
class Overhead:
    """Time of a processor for an eager message, ``fixed_s + s_per_byte * bytes``; a larger one has the fixed part."""

    fixed_s: float = 0.0
    s_per_byte: float = 0.0
    up_to: int = 0

    def of(self, size: int) -> float:
        """For a message of that size."""
        return self.fixed_s + self.s_per_byte * (size if size <= self.up_to else 0)

    def table(self) -> list[object]:
        """As a setting."""
        large: list[object] = [[self.up_to + ENVELOPE, self.fixed_s, 0.0]] if self.up_to and self.s_per_byte else []
        return [[0, max(self.fixed_s - ENVELOPE * self.s_per_byte, 0.0), self.s_per_byte], *large]


@dataclass(frozen=True)
class Way:
    """Messages between processes that share one level: pieces after the overheads were taken away."""

    level: str
    pieces: tuple[Segment, ...]

    def time_s(self, size: int) -> float:
        """From the end of the send's overhead to the start of the receive's."""
        whole = size + ENVELOPE
        at = max((one for one in self.pieces if one.above_bytes < whole), default=self.pieces[0], key=_above)
        return at.fixed_s + at.s_per_byte * whole


def _above(one: Segment) -> int:
    return one.above_bytes


@dataclass
class Fitted:
    """A machine, and how well it meets what it was made from.

    Attributes
    ----------
    residuals
        By level, of each size of the ping-pong: fitted over measured, less 1.
    facts
        What was measured in numbers, by name.
    notes
        What could not be determined, and why.
    """

    machine: Machine
    residuals: dict[str, dict[int, float]]
    facts: dict[str, object]
    notes: list[str] = field(default_factory=list)


def fitted(found: Found, name: str = "fitted") -> Fitted:
    """The machine that these measurements tell.

    Raises
    ------
    NetloomError
        NL-I075 if there is no ping-pong of at least four sizes.
    """
    levels = levels_of(found.rows)
    if not levels or any(len(found.of("pingpong", level, 1)) < FEWEST_SIZES for level in levels):
        sentence = f"has no ping-pong of {FEWEST_SIZES} sizes or more between each two places"
        hint = "measure again, with more --seconds"
        raise NetloomError([Fault(codes.INCOMPLETE, found.name, sentence, "", hint)])
    return _Fit(found, levels).made(name)


class _Fit:
    def __init__(self, found: Found, levels: Sequence[str]) -> None:
        self.found, self.levels = found, list(levels)
        self.values: dict[str, Measured] = {}
        self.notes: list[str] = []
        self.facts: dict[str, object] = {}
        self.eager = self._eager()
        self.send, self.receive = self._overheads()

    def made(self, name: str) -> Fitted:
        """The machine."""
        residuals = {level: self._way(level) for level in self.levels}
        self._rate()
        self._memory()
        about = self.found.about
        network, node = self._network(), self._node()
        inputs = {"nodes": Measured(about.nodes, "measured"), "network": network, "node": node}
        library = _library(about.mpi)
        if library:
            inputs["library"] = Measured(library, "measured", about.mpi)
        usual = {
            "wire.envelope_bytes": Measured(ENVELOPE, "assumed", "so that an empty message has overheads"),
            "wire.sharing": Measured("equal", "assumed", "not measured"),
        }
        if self.found.ended != "all":
            self.notes.append("the measurements ended early: what is missing has no cost")
        if about.is_crowded:
            self.notes.append(f"{about.ranks_per_node} processes shared {about.cores} cores: times are of waiting, too")
        machine = Machine(
            name, "Measured by netloom", f"{about.ranks} processes of {about.mpi} on {about.nodes} hosts",
            f"netloom calibrate --run; {about.load:.1f} programs ran or waited on {about.cores} cores when it began",
            about.date, inputs | usual | self.values,
        )  # fmt: skip
        return Fitted(machine, residuals, self.facts, self.notes)

    def _set(self, name: str, value: object, source: str) -> None:
        self.values[f"software.{name}"] = Measured(value, "measured", source)  # type: ignore[arg-type]

    def _eager(self) -> int:
        """The largest eager message of any level: the settings have one limit."""
        rows = self.found.of("eager")
        if not rows:
            self.notes.append("limit of eager messages: not measured, about as usual")
            return 8192
        limit = min(row.bytes for row in rows)
        self._set("sender_returns_below_bytes", limit + 1, "largest message whose send returns without its receive")
        self._set("starts_early_below_bytes", limit + 1, "as the limit above")
        self.facts["eager_bytes"] = limit
        return limit

    def _overheads(self) -> tuple[Overhead, Overhead]:
        """Of the closest level that was measured; scaled where both together exceed the message's whole time."""
        level = self.levels[0]
        lines = [self._overhead(self.found.of(what, level)) for what in ("send", "receive")]
        share = 1.0
        for row in self.found.of("pingpong", level, 1):
            both = sum(one.of(row.bytes) for one in lines)
            if both > 0 and row.bytes <= self.eager:
                share = min(share, MOST_OVERHEAD * row.time_s / both)
        send, receive = (Overhead(share * one.fixed_s, share * one.s_per_byte, one.up_to) for one in lines)
        if send.fixed_s:
            source = "start of a send" + (f", times {share:.2f}: with the receive it exceeded the whole" * (share < 1))
            self._set("send_overhead", send.table(), source)
            self._set("nonblocking_send_overhead", send.table(), source)
            self.facts["send_overhead_s"] = send.fixed_s
        if receive.fixed_s:
            self._set("receive_overhead", receive.table(), "receive of a message that lies ready")
            self.facts["receive_overhead_s"] = receive.fixed_s
        return send, receive

    def _overhead(self, rows: Sequence[Row]) -> Overhead:
        """The line of least relative squares through eager messages."""
        eager = [row for row in rows if row.bytes <= self.eager] or list(rows[:1])
        if not eager:
            self.notes.append("overheads: not measured, taken as none")
            return Overhead()
        weights = [1 / row.time_s for row in eager]
        uu = sum(w * w for w in weights)
        uv = sum(w * w * row.bytes for w, row in zip(weights, eager, strict=True))
        vv = sum((w * row.bytes) ** 2 for w, row in zip(weights, eager, strict=True))
        u = sum(weights)
        v = sum(w * row.bytes for w, row in zip(weights, eager, strict=True))
        determinant = uu * vv - uv * uv
        if determinant > 1e-12 * uu * vv:
            fixed, slope = (u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant
            if fixed >= 0 and slope >= 0:
                return Overhead(fixed, slope, self.eager)
        return Overhead(u / uu, 0.0, self.eager)

    def _way(self, level: str) -> dict[int, float]:
        """Sets latency and largest rate of a level; the residuals."""
        rows = self.found.of("pingpong", level, 1)
        quiet = [row for row in rows if row.scatter <= DISTURBED]
        if len(quiet) < FEWEST_SIZES:
            quiet = rows
        if len(quiet) < len(rows):
            self.notes.append(f"{len(rows) - len(quiet)} of {len(rows)} ping-pongs were disturbed, and not fitted")
        whole = {row.bytes: row.time_s for row in quiet}
        noise = min(max(NOISE_SHARE * median(row.scatter for row in quiet), LEAST_NOISE), MOST_NOISE)
        made = pieces_of(whole, 1e-6, 1e10, envelope_bytes=ENVELOPE, noise=noise).segments
        way = Way(level, tuple(self._without_overheads(made)))
        residuals = {row.bytes: (way.time_s(row.bytes) + self._both(row.bytes)) / row.time_s - 1 for row in rows}
        middle = median(abs(one) for one in residuals.values())
        source = f"ping-pong of {len(rows)} sizes, {len(made)} pieces, median residual {100 * middle:.1f} %"
        prefix = self._prefix(level)
        latency = "inside_latency" if prefix == "inside_" else f"{prefix}message_latency"
        self._set(latency, [[one.above_bytes, one.fixed_s, 0.0] for one in way.pieces], source)
        self._set(f"{prefix}flow_cap", [[one.above_bytes, 1 / one.s_per_byte] for one in way.pieces], source)
        self.facts[f"{level}_latency_s"] = way.time_s(0) + self._both(0)
        self.facts[f"{level}_bytes_per_s"] = max(row.bytes / row.time_s for row in rows)
        return residuals

    def _without_overheads(self, made: Sequence[Segment]) -> Iterator[Segment]:
        """The pieces of the way alone; one with both eager messages and others becomes two."""
        fixed, slope = self._both(0), self.send.s_per_byte + self.receive.s_per_byte
        limit = self.eager + ENVELOPE
        for at, one in enumerate(made):
            end = made[at + 1].above_bytes if at + 1 < len(made) else None
            if one.above_bytes < limit:
                own = max(one.fixed_s - fixed + ENVELOPE * slope, 0.0)
                yield Segment(one.above_bytes, own, max(one.s_per_byte - slope, LEAST_S_PER_BYTE), one.sizes)
            if end is None or end > limit:
                yield Segment(max(one.above_bytes, limit), max(one.fixed_s - fixed, 0.0), one.s_per_byte, one.sizes)

    def _both(self, size: int) -> float:
        return self.send.of(size) + self.receive.of(size)

    def _prefix(self, level: str) -> str:
        """Of the level's own settings; the widest one inside a host stands for all that is wider there, too."""
        inside = [one for one in self.levels if one != "network"]
        return "inside_" if inside and level == inside[-1] else PREFIX[level]

    def _rate(self) -> None:
        """The gap between messages, where it is more than the overheads that stand between them anyway."""
        for level in ("network", *self.levels):
            rows = self.found.of("rate", level)
            if not rows:
                continue
            alone = rows[0]
            self.facts[f"{level}_messages_per_s"] = 1 / alone.time_s
            if "software.message_gap_s" not in self.values:
                gap = alone.time_s if alone.time_s > max(self.send.fixed_s, self.receive.fixed_s) else 0.0
                self._set("message_gap_s", gap, f"of many messages of {alone.bytes} B on the way")
            if level == "network" and len(rows) > 1:
                most = rows[-1]
                self._set("nic_message_gap_s", most.time_s / most.pairs, f"{most.pairs} pairs of hosts at once")
            for row in rows[1:]:
                self.facts[f"{level}_messages_per_s_of_{row.pairs}_pairs"] = row.pairs / row.time_s

    def _memory(self) -> None:
        """Rates of copies and combinations by the size of the buffer."""
        for what, name, rows in (
            ("combine", "combine_s_per_byte", self.found.of("combine")),
            ("copy", "copy_s_per_byte", self.found.of("copy", "core")),
        ):
            if not rows:
                self.notes.append(f"{name}: not measured, no time")
                continue
            self._set(name, _by_size(rows), f"{what} of {', '.join(str(row.bytes) for row in rows)} B by one core")
            self.facts[f"{what}_bytes_per_s"] = rows[0].bytes / rows[0].time_s
        for row in self.found.of("copy"):
            if row.bytes == max(one.bytes for one in self.found.of("copy")):
                # Each byte is read and written.
                self.facts[f"{row.level}_memory_bytes_per_s"] = 2 * row.pairs * row.bytes / row.time_s
        for row in self.found.of("call"):
            self._set("call_overhead_s", row.time_s, "allreduce of a process with itself")
            self.facts["call_overhead_s"] = row.time_s

    def _network(self) -> Measured:
        """A switch: what is between the hosts is not measured."""
        about = self.found.about
        alone = _rate(self.found.of("pingpong", "network", 1), fastest=True)
        if alone is None:
            return Measured("star(1)", "assumed", "one host")
        most = max(
            (_rate([row], fastest=True) or 0.0) * row.pairs
            for row in self.found.of("pingpong", "network")
            if large(row)
        )
        call = f'star({about.nodes},bandwidth="{max(most, alone):.6g} Bps",latency="0 s")'
        self.facts["nic_bytes_per_s"] = max(most, alone)
        return Measured(call, "assumed", "one switch; its bandwidth is what all pairs of two hosts reached together")

    def _node(self) -> Measured:
        """The host's levels, with the memory that limits messages at the same time."""
        about = self.found.about
        text = about.node or f"node(cores={about.ranks_per_node})"
        if about.is_crowded:
            text = f"node(cores={about.ranks_per_node})"
        limits: dict[str, float] = {}
        for level in [one for one in self.levels if one != "network"]:
            if not self.found.of("exchange", level) and not self.found.of("pingpong", level, 2):
                self.notes.append(f"what messages share in a {level}: not measured")
                continue
            limits |= self._core(level) | self._unit(level, text)
        added = "".join(
            f',{name}="{8e-9 * rate:.6g} Gbps"' for name, rate in limits.items() if name.split("_")[0] in text
        )
        source = "levels of the first host; memory: messages that move at the same time"
        return Measured(f"{text[:-1]}{added})", "measured", source)

    def _core(self, level: str) -> dict[str, float]:
        """A process that sends and receives moves as many bytes as one that does either, if its core is the limit."""
        exchange, alone = (_rate(self.found.of(what, level, 1)) for what in ("exchange", "pingpong"))
        if level != self.levels[0] or exchange is None or alone is None or exchange > SHARED * alone:
            return {}
        fastest = _rate(self.found.of("pingpong", level, 1), fastest=True) or alone
        return {"core_memory": max(2 * exchange, fastest)}

    def _unit(self, level: str, node: str) -> dict[str, float]:
        rows = [row for row in self.found.of("pingpong", level) if large(row)]
        alone = _rate([row for row in rows if row.pairs == 1])
        if alone is None:
            return {}
        most = max(row.pairs for row in rows)
        if most == 1:
            self.notes.append(f"one pair in a {level}: what several pairs share there is not determined")
            return {}
        each = _rate([row for row in rows if row.pairs == most]) or alone
        self.facts[f"{level}_{most}_pairs_bytes_per_s"] = most * each
        if each > SHARED * alone:
            return {}
        # A message inside a unit reads its memory and writes it.
        name = "numa" if level == "node" and "numa" in node else level
        return {f"{name}_memory": 2 * most * each}


def large(row: Row) -> bool:
    """Whether a message's time is that of its bytes."""
    return row.bytes >= LARGE


def _rate(rows: Sequence[Row], fastest: bool = False) -> float | None:
    """Bytes per second of a message, the median or the most over large sizes; None without any."""
    found = [row.bytes / row.time_s for row in rows if large(row)]
    return (max(found) if fastest else median(found)) if found else None


def _by_size(rows: Sequence[Row]) -> list[object]:
    """Time per byte, each from the geometric middle between its size and the one before on."""
    found: list[object] = []
    for at, row in enumerate(rows):
        above = 0 if at == 0 else int((rows[at - 1].bytes * row.bytes) ** 0.5)
        found.append([above, row.time_s / row.bytes])
    return found


def _library(mpi: str) -> str:
    """As machines name it; "" for one whose rules are not known."""
    from ...library import of_text

    return of_text(mpi)
