"""Simulated time by its definition (docs/concepts/simulated-time.md), slow and obvious: a witness for the engine.

Ranks are generators, and all rates are shared anew after every event. Sharing is `equal`. Cost: O(events x flows x
links), so a few ranks and a few hundred messages.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

#: What a rank yields after each of its actions: seconds to be busy for, requests to wait for, or nothing.
Request = Callable[[], bool]
Program = Generator[float | list[Request] | None, None, None]
#: Events that are nearer than this, as a share of the time, are of one instant.
INSTANT = 1e-14
#: Orders of what happens in one instant: the first that was asked for, the last, or any of them, drawn with a seed.
Order = str | int
#: Of a connection.
BUFFERS = 4


@dataclass
class Route:
    """Shared links of a message from one endpoint to another and their latency; none inside an endpoint."""

    links: list[int]
    latency_s: float
    loopback: bool = False


@dataclass
class Site:
    """Where ranks run, and settings of wire and software by the names of a calibration."""

    endpoint: list[int]
    node: list[int]
    route: Callable[[int, int], Route]
    bandwidth: dict[int, float]
    settings: dict[str, Any]
    #: Of two ranks, the units of their node that both are in, outermost first, of `socket`, `numa`, `cache`.
    shared: Callable[[int, int], list[str]] = lambda src, dst: []
    #: Of a rank, the seconds that a byte of memory takes it when all ranks compute.
    memory: Callable[[int], float] = lambda rank: 0.0

    def number(self, name: str, default: float = 0.0) -> float:
        return float(self.settings.get(name, default))

    def row(self, name: str, size: float) -> list[float] | None:
        """Of a table, the row with the largest threshold strictly below `size`, without the threshold."""
        found = None
        for above, *values in self.settings.get(name, []):
            if above < size:
                found = values
        return found

    def seconds(self, name: str, size: float) -> float:
        """Of a table of `[above_bytes, fixed_s, s_per_byte]`."""
        empty = size == 0 and name.endswith(("_latency", "_gap"))
        fixed, each = self.row(name, 1 if empty else size) or (0.0, 0.0)
        return fixed + each * size

    def value(self, name: str, size: float, default: float) -> float:
        """Of a table of `[above_bytes, value]`, or of a number."""
        if isinstance(self.settings.get(name), float):
            return self.number(name)
        return (self.row(name, size) or [default])[0]

    def term(self, message: Message, what: str) -> str:
        """The name of `latency` or `flow_cap` that counts for a message, by how far it goes."""
        far = self.node[message.src] != self.node[message.dst]
        plain = "message_latency" if what == "latency" else what
        if message.protocol:
            return f"{message.protocol}_{what}" if far else f"{message.protocol}_inside_{what}"
        if far:
            return plain
        named = [f"{unit}_{plain}" for unit in reversed(self.shared(message.src, message.dst))]
        return next((name for name in named if name in self.settings), f"inside_{what}")

    def whole(self, size: int) -> float:
        """Bytes of a message with its envelope."""
        return size + self.number("envelope_bytes")


@dataclass(eq=False)
class Message:
    src: int
    dst: int
    size: int
    sent: bool = False
    received: bool = False
    ready: bool = False
    arrived: bool = False
    left: float = 0.0
    rate: float = 0.0
    cap: float = math.inf
    links: list[int] = field(default_factory=list)
    #: Of a GPU library; its connection has no buffer for it yet.
    protocol: str = ""
    held: bool = False

    @property
    def on_wire(self) -> int:
        """Bytes with the flags of its protocol."""
        return self.size + {"ll": self.size, "ll128": -(-self.size // 15)}.get(self.protocol, 0)


@dataclass
class Connection:
    """Of a GPU library, from one rank to another: buffers in use, messages that wait to move, and those without one."""

    open: int = 0
    busy: bool = False
    waiting: list[Message] = field(default_factory=list)
    held: list[Message] = field(default_factory=list)


@dataclass(eq=False)
class Rank:
    program: Program
    busy: bool = False
    owed_s: float = 0.0
    waits: list[Request] = field(default_factory=list)
    ended_s: float = -1.0
    next_start_s: float = 0.0


class Run:
    """One simulation. `Run(site).run(programs)` gives the end of every rank in seconds."""

    def __init__(self, site: Site, order: Order = "first", whole_bytes: bool = False) -> None:
        self.site, self.whole_bytes = site, whole_bytes
        self.order, self.draw = order, random.Random(order)
        self.now, self.count = 0.0, 0
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.ranks: list[Rank] = []
        self.pairs: dict[tuple[int, int], tuple[list[Message], list[Message]]] = {}
        self.under_way: list[Message] = []
        self.on_route: list[Message] = []
        self.moving: list[Message] = []
        self.nic_next_s: dict[int, float] = {}
        self.connections: dict[tuple[int, int], Connection] = {}
        #: Was a link ever on the routes of two messages at once, or twice on one?
        self.met = False
        #: Bytes that all messages put on links, and how many messages.
        self.bytes, self.messages = 0.0, 0

    def run(self, programs: Sequence[Program]) -> list[float]:
        self.ranks = [Rank(program) for program in programs]
        for rank in range(len(self.ranks)):
            self.at(0.0, partial(self.go_on, rank))
        while self.events or self.moving:
            self.share()
            ends = [self.now + message.left / message.rate for message in self.moving]
            then = min([*ends, *(time for time, _, _ in self.events[:1])])
            for message, end in zip(list(self.moving), ends, strict=True):
                message.left -= message.rate * (then - self.now)
                if end <= then * (1 + INSTANT):
                    self.moving.remove(message)
                    self.at(then, partial(self.arrive, message))
            self.now = then
            self.instant()
        assert all(rank.ended_s >= 0 for rank in self.ranks), "a rank waits for ever"
        return [rank.ended_s for rank in self.ranks]

    def at(self, time: float, what: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.events, (time, self.count, what))

    def instant(self) -> None:
        """All that happens now, one after the other."""
        due = []
        while True:
            while self.events and self.events[0][0] <= self.now * (1 + INSTANT):
                due.append(heapq.heappop(self.events)[2])
            if not due:
                return
            which = {"first": 0, "last": -1}.get(str(self.order), self.draw.randrange(len(due)))
            due.pop(which)()

    # Ranks

    def go_on(self, number: int) -> None:
        """A rank acts until it is busy or waits; it pays for what has arrived before its next action."""
        rank = self.ranks[number]
        while not rank.busy and rank.ended_s < 0 and all(done() for done in rank.waits):
            rank.waits = []
            if rank.owed_s > 0:
                owed, rank.owed_s = rank.owed_s, 0.0
                self.work(number, owed)
                return
            try:
                action = next(rank.program)
            except StopIteration:
                rank.ended_s = self.now
                return
            if isinstance(action, list):
                rank.waits = action
            elif action:
                self.work(number, action)

    def work(self, number: int, seconds: float) -> None:
        def end() -> None:
            self.ranks[number].busy = False
            self.go_on(number)

        self.ranks[number].busy = True
        self.at(self.now + seconds, end)

    def posted(self, src: int, dst: int, size: int, side: int) -> Message:
        """The message of a post: the n-th send of a pair goes with its n-th receive."""
        mine, others = self.pairs.setdefault((src, dst), ([], []))[:: 1 if side == 0 else -1]
        message = others[len(mine)] if len(mine) < len(others) else Message(src, dst, size)
        mine.append(message)
        return message

    def is_eager(self, message: Message) -> bool:
        return message.size < self.site.number("sender_returns_below_bytes", 65536)

    def send(self, src: int, dst: int, size: int, protocol: str = "") -> Request:
        message = self.posted(src, dst, size, 0)
        message.sent, message.protocol = True, protocol
        if not protocol:
            self.start_if_ready(message)
            return lambda: self.is_eager(message) or message.arrived
        connection = self.connection(message)
        message.held = connection.open == BUFFERS
        if message.held:
            connection.held.append(message)
        else:
            connection.open += 1
        self.start_if_ready(message)
        return lambda: not message.held

    def connection(self, message: Message) -> Connection:
        return self.connections.setdefault((message.src, message.dst), Connection())

    def receive(self, dst: int, src: int, size: int) -> Request:
        message = self.posted(src, dst, size, 1)
        message.received = True
        if message.arrived:
            self.complete(message)
        self.start_if_ready(message)
        return lambda: message.arrived

    def complete(self, message: Message) -> None:
        """Arrived and received: the receiver pays for it, or its buffer goes to the next message of the connection."""
        if message.protocol:
            connection = self.connection(message)
            connection.open -= 1
            if connection.held:
                following = connection.held.pop(0)
                following.held = False
                connection.open += 1
                self.start_if_ready(following)
                self.at(self.now, partial(self.go_on, following.src))
            return
        whole = self.site.whole(message.size)
        self.ranks[message.dst].owed_s += self.site.seconds("receive_overhead", whole) + self.eager_copy(message.size)

    def eager_copy(self, size: int) -> float:
        """Seconds to copy a message into a buffer, or out of one."""
        eager = size < self.site.number("sender_returns_below_bytes", 65536)
        whole = self.site.whole(size)
        return self.site.value("eager_copy_s_per_byte", whole, 0.0) * whole if eager and whole > 0 else 0.0

    # A message

    def start_if_ready(self, message: Message) -> None:
        early = self.is_eager(message) and message.size < self.site.number("starts_early_below_bytes")
        early = (early and not message.protocol) or (bool(message.protocol) and not message.held)
        if message.ready or message.held or not message.sent or not (message.received or early):
            return
        message.ready = True
        self.under_way.append(message)
        if message.protocol:
            self.at(self.now, partial(self.leave, message))
            return
        rank = self.ranks[message.src]
        start, whole = max(self.now, rank.next_start_s), self.site.whole(message.size)
        rank.next_start_s = start + max(self.site.number("message_gap_s"), whole / self.rank_cap(message))
        self.at(start, partial(self.leave, message))

    def rank_cap(self, message: Message) -> float:
        """The largest rate of what a rank sends."""
        term = "rank_cap" if self.between_nodes(message) else "inside_rank_cap"
        cap = math.inf if message.protocol else self.site.value(term, self.site.whole(message.size), math.inf)
        return float(cap)

    def between_nodes(self, message: Message) -> bool:
        return self.site.node[message.src] != self.site.node[message.dst]

    def leave(self, message: Message) -> None:
        """Its rank has let it go: now its turn at the endpoint, the handshake, the latency of software."""
        site, start, between = self.site, self.now, self.between_nodes(message)
        if between:
            nic = site.endpoint[message.src]
            begun = max(start, self.nic_next_s.get(nic, 0.0))
            start = begun + site.number("endpoint_message_s")
            self.nic_next_s[nic] = max(start, begun + site.number("nic_message_gap_s"))
        if not message.protocol and not self.is_eager(message):
            start += site.number("rendezvous_s")
        start += site.seconds(site.term(message, "latency"), site.whole(message.size))
        self.at(start, partial(self.enter if message.protocol else self.travel, message))

    def enter(self, message: Message) -> None:
        """Messages of a connection move one after the other, each after a gap."""
        connection = self.connection(message)
        if connection.busy:
            connection.waiting.append(message)
            return
        connection.busy = True
        between = self.between_nodes(message)
        gap = self.site.seconds(f"{message.protocol}_gap", self.site.whole(message.size)) if between else 0.0
        self.at(self.now + gap, partial(self.travel, message))

    def travel(self, message: Message) -> None:
        """The latency of the route; what bounds the rate of the bytes that follow is known from here on."""
        site, between = self.site, self.between_nodes(message)
        caps = [site.value(site.term(message, "flow_cap"), site.whole(message.size), math.inf)]
        size = site.whole(message.on_wire)
        caps.append(self.rank_cap(message))
        if (
            not message.protocol
            and between
            and any((other.src, other.dst) == (message.dst, message.src) for other in self.under_way)
        ):
            caps.append(site.value("crossing_flow_cap", size, math.inf))
        route = site.route(message.src, message.dst)
        latency = route.latency_s
        if route.loopback:
            caps.append(site.number("loopback_bandwidth_bytes_per_s", math.inf))
        else:
            latency *= site.value("latency_factors", size, 1.0)
            if site.number("tcp_window_bytes") > 0 and route.latency_s > 0:
                caps.append(site.number("tcp_window_bytes") / (2 * route.latency_s))
        message.links, message.cap = route.links, min(caps)
        left = size / site.value("bandwidth_factors", size, 1.0)
        message.left = math.ceil(left) if self.whole_bytes else left
        self.bytes, self.messages = self.bytes + message.left, self.messages + 1
        self.met |= len(set(message.links)) < len(message.links)
        self.met |= any(set(other.links) & set(message.links) for other in self.on_route)
        self.on_route.append(message)
        self.at(self.now + latency, partial(self.move, message))

    def move(self, message: Message) -> None:
        if message.left == 0 or (not message.links and message.cap == math.inf):
            self.at(self.now, partial(self.arrive, message))
        else:
            self.moving.append(message)

    def arrive(self, message: Message) -> None:
        """All bytes are there: the endpoint receives messages one after another, in turn with those it sends."""
        self.on_route.remove(message)
        service_s = self.site.number("endpoint_message_s")
        if service_s == 0 or not self.between_nodes(message):
            self.received(message)
            return
        nic = self.site.endpoint[message.dst]
        self.nic_next_s[nic] = max(self.now, self.nic_next_s.get(nic, 0.0)) + service_s
        self.at(self.nic_next_s[nic], partial(self.received, message))

    def received(self, message: Message) -> None:
        message.arrived = True
        self.under_way.remove(message)
        if message.protocol:
            connection = self.connection(message)
            connection.busy = False
            if connection.waiting:
                self.enter(connection.waiting.pop(0))
        if message.received:
            self.complete(message)
        for rank in (message.src, message.dst):
            self.at(self.now, partial(self.go_on, rank))

    def share(self) -> None:
        """Max-min fair rates by water-filling: all rise together until a link is full or a cap is reached."""
        left = {link: self.site.bandwidth[link] for message in self.moving for link in message.links}
        rising = list(self.moving)
        while rising:
            users = {link: sum(message.links.count(link) for message in rising) for link in left}
            levels = {link: left[link] / users[link] for link in left if users[link]}
            level = min([*levels.values(), *(message.cap for message in rising)])
            full = {link for link in levels if levels[link] <= level * (1 + 1e-12)}
            for message in list(rising):
                if message.cap <= level or full & set(message.links):
                    message.rate = min(level, message.cap)
                    rising.remove(message)
                    for link in message.links:
                        left[link] = max(0.0, left[link] - message.rate)
