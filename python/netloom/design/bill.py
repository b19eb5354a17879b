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
    bought, up = _bought(net)
    number = np.full(net.switches, -1, dtype=np.int64)
    number[bought] = np.arange(len(bought))
    tails, heads = number[np.asarray(net.tails)], number[np.asarray(net.heads)]
    between = (tails >= 0) & (heads >= 0) & (tails < heads)
    floor = layout(len(bought), catalogue.floor)
    lengths = cable_lengths_m(tails[between], heads[between], floor)
    to_ends = min(endpoints, net.endpoints) if net.rails is None else int(up)
    lengths = np.concatenate([lengths, np.full(to_ends, catalogue.endpoint_m)])
    usd_of, watts, media = _cabled(catalogue, switch.gbps, lengths)
    nic = catalogue.nic_of(switch.gbps)
    usd_of = {SWITCHES: len(bought) * switch.usd, **usd_of}
    if nic is not None:
        usd_of[NICS] = nic.usd * to_ends
        watts += nic.watts * to_ends
    return Bill(
        usd_of, watts + len(bought) * switch.watts, len(bought), len(lengths), _radix(net, bought),
        float(lengths.sum()), float(lengths.max(initial=0.0)), media,
    )  # fmt: skip


def _bought(net: _core.Network) -> tuple[NDArray[np.int64], int]:
    """Switches of the catalogue, in order, and the cables between them and endpoints that are switches of the model."""
    if net.rails is None:
        return np.arange(net.switches, dtype=np.int64), 0
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
    return np.flatnonzero(~inside), int((inside[tails] & ~inside[heads]).sum())


def _radix(net: _core.Network, bought: NDArray[np.int64]) -> int:
    ports = np.bincount(np.asarray(net.tails), minlength=net.switches)
    ports = ports + np.bincount(np.asarray(net.endpoint_switch), minlength=net.switches)
    return int(ports[bought].max(initial=0))


def _cabled(
    catalogue: Catalogue, gbps: float, lengths: NDArray[np.float64]
) -> tuple[dict[str, float], float, dict[str, int]]:
    """Each cable of the cheapest medium that reaches: prices and cables by medium, and watts of all."""
    media = catalogue.cables_of(gbps)
    speed = np.full(len(lengths), gbps)
    offers = np.stack([one.line.usd_of(lengths, speed) for one in media])
    chosen = offers.argmin(axis=0)
    usd = offers.min(axis=0)
    if not np.all(np.isfinite(usd)):
        hint = "add a [[cable]] without max_m"
        raise NetloomError(
            [Fault(BAD_CATALOGUE, "catalogue", f"no cable of {gbps:g} Gb/s reaches {lengths.max():g} m", "", hint)]
        )
    usd_of = {one.line.name: float(usd[chosen == at].sum()) for at, one in enumerate(media)}
    counts = {one.line.name: int((chosen == at).sum()) for at, one in enumerate(media)}
    watts = sum(one.watts * int((chosen == at).sum()) for at, one in enumerate(media))
    return usd_of, watts, counts
