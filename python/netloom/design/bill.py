"""What a candidate costs: its switches, each bought whole, and its cables by length on the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import Fault, NetloomError
from ..cost import cable_lengths_m, layout
from .codes import BAD_CATALOGUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .. import _core
    from .catalogue import Catalogue, Switch

#: Classes of price that are no medium.
SWITCHES, NICS = "switches", "nics"


@dataclass(frozen=True)
class Bill:
    """Parts and prices of one network.

    Attributes
    ----------
    usd_of
        US dollars by class of price: switches, each medium, NICs if they have a price.
    watts
        Of all of them.
    switches, cables
        Numbers of parts; cables to the endpoints among them.
    radix
        Most ports in use at a switch.
    cable_m, longest_m
        Length of all cables and of the longest one.
    media
        Cables by medium.
    """

    usd_of: Mapping[str, float]
    watts: float
    switches: int
    cables: int
    radix: int
    cable_m: float
    longest_m: float
    media: Mapping[str, int]

    @property
    def usd(self) -> float:
        """Of all parts."""
        return sum(self.usd_of.values())

    def at(self, factors: Mapping[str, float]) -> float:
        """The price where classes cost that many times as much."""
        return sum(usd * factors.get(name, 1.0) for name, usd in self.usd_of.items())


def bill(net: _core.Network, switch: Switch, catalogue: Catalogue, endpoints: int) -> Bill:
    """Parts and prices of a network of one kind of switch.

    Parameters
    ----------
    endpoints
        Those that are bought a cable; the network may have room for more.

    Raises
    ------
    NetloomError
        `NL-Z004` for a cable that no medium reaches.

    Notes
    -----
    Of a rail-optimised cluster the leaves, spines and their cables count; NVLink comes with the nodes. O(links).
    """
    made = parts_of(net, endpoints)
    floor = layout(made.switches, catalogue.floor)
    lengths = cable_lengths_m(made.tails, made.heads, floor)
    to_ends = int(made.ends.sum())
    lengths = np.concatenate([lengths, np.full(to_ends, catalogue.endpoint_m)])
    usd_of, watts, media = _cabled(catalogue, switch.gbps, lengths)
    nic = catalogue.nic_of(switch.gbps)
    usd_of = {SWITCHES: made.switches * switch.usd, **usd_of}
    if nic is not None:
        usd_of[NICS] = nic.usd * to_ends
        watts += nic.watts * to_ends
    return Bill(
        usd_of, watts + made.switches * switch.watts, made.switches, len(lengths), made.radix,
        float(lengths.sum()), float(lengths.max(initial=0.0)), media,
    )  # fmt: skip


@dataclass(frozen=True)
class Parts:
    """What is bought of a network, its switches in order of their numbers.

    Attributes
    ----------
    tails, heads
        The switch with the lower and with the higher number of each cable between two of them.
    ends, room
        Cables to endpoints that each switch has, and as many as it can have.
    radix
        Most ports in use at a switch.
    """

    switches: int
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    ends: NDArray[np.int64]
    room: NDArray[np.int64]
    radix: int


def parts_of(net: _core.Network, endpoints: int) -> Parts:
    """Switches and cables of a network, with a cable for each of the first `endpoints`. O(links)."""
    bought = _bought(net)
    number = np.full(net.switches, -1, dtype=np.int64)
    number[bought] = np.arange(len(bought))
    tails, heads = number[np.asarray(net.tails)], number[np.asarray(net.heads)]
    between = (tails >= 0) & (heads >= 0) & (tails < heads)
    homes = number[np.asarray(net.endpoint_switch, dtype=np.int64)]
    used = homes[:endpoints]
    if net.rails is not None:
        # Cables from nodes, whose GPUs are switches of the model.
        used = homes = heads[(tails < 0) & (heads >= 0)]
    ends, room = (np.bincount(some, minlength=len(bought)).astype(np.int64) for some in (used, homes))
    return Parts(len(bought), tails[between], heads[between], ends, room, _radix(net, bought))


def _bought(net: _core.Network) -> NDArray[np.int64]:
    """Switches of the catalogue, in order; of a cluster those outside of nodes."""
    if net.rails is None:
        return np.arange(net.switches, dtype=np.int64)
    names = [str(one["name"]) for one in net.classes]
    of = np.asarray(net.class_index)
    tails, heads = np.asarray(net.tails), np.asarray(net.heads)
    inside = np.zeros(net.switches, dtype=bool)
    inside[np.asarray(net.endpoint_switch)] = True
    for name in ("nvlink", "pcie"):
        if name in names:
            own = of == names.index(name)
            inside[tails[own]] = True
            inside[heads[own]] = True
    return np.flatnonzero(~inside)


def _radix(net: _core.Network, bought: NDArray[np.int64]) -> int:
    ports = np.bincount(np.asarray(net.tails), minlength=net.switches)
    ports = ports + np.bincount(np.asarray(net.endpoint_switch), minlength=net.switches)
    return int(ports[bought].max(initial=0))


def _cabled(
    catalogue: Catalogue, gbps: float, lengths: NDArray[np.float64]
) -> tuple[dict[str, float], float, dict[str, int]]:
    """Each cable of the cheapest medium that reaches: prices and cables by medium, and watts of all."""
    media = catalogue.cables_of(gbps)
    usd, chosen = cheapest(catalogue, gbps, lengths)
    usd_of = {one.line.name: float(usd[chosen == at].sum()) for at, one in enumerate(media)}
    counts = {one.line.name: int((chosen == at).sum()) for at, one in enumerate(media)}
    watts = sum(one.watts * int((chosen == at).sum()) for at, one in enumerate(media))
    return usd_of, watts, counts


def cheapest(
    catalogue: Catalogue, gbps: float, lengths: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Price and medium of each cable of these lengths, m: the cheapest medium of that speed that reaches.

    Raises
    ------
    NetloomError
        `NL-Z004` where none does.
    """
    media = catalogue.cables_of(gbps)
    speed = np.full(len(lengths), gbps)
    offers = np.stack([one.line.usd_of(lengths, speed) for one in media])
    usd = offers.min(axis=0)
    if not np.all(np.isfinite(usd)):
        hint = "add a [[cable]] without max_m"
        raise NetloomError(
            [Fault(BAD_CATALOGUE, "catalogue", f"no cable of {gbps:g} Gb/s reaches {lengths.max():g} m", "", hint)]
        )
    return usd, offers.argmin(axis=0).astype(np.int64)
