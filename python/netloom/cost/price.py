"""Prices of cables and switches."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import codes
from ._check import Checker
from .layout import Layout, layout
from .model import UNIT, CostModel, cost_model
from .parts import Parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BYTES_PER_S_TO_GBPS = 8e-9


@dataclass(frozen=True)
class Cost:
    """Bill of materials of one network. Lengths in metres, money in US dollars of the model's date, or in `unit`."""

    model: str
    cables: int
    cable_length_total_m: float
    cable_length_mean_m: float
    cable_length_max_m: float
    cable_cost_usd: float
    endpoint_cable_cost_usd: float
    switch_cost_usd: float
    total_usd: float
    #: None if the model has no power data.
    switch_power_w: float | None
    #: Of all endpoints, one each; None if the model has no price, or no power, of NICs.
    nic_cost_usd: float | None = None
    nic_power_w: float | None = None
    #: One row per link class: ``cables, length_total_m, length_mean_m, cost_usd``.
    by_class: dict[str, dict[str, float]] = field(default_factory=dict)
    #: One row per medium: ``cables, length_total_m, cost_usd``.
    by_medium: dict[str, dict[str, float]] = field(default_factory=dict)
    #: What the reader should know about these numbers.
    notes: tuple[str, ...] = ()
    #: What the prices do not cover: that they are extrapolated to other speeds, what is not priced.
    outside: tuple[str, ...] = ()
    #: What the prices are in.
    unit: str = UNIT

    def to_dict(self) -> dict[str, object]:
        """Plain values, for a table or JSON."""
        return asdict(self)


def cable_lengths_m(tails: ArrayLike, heads: ArrayLike, floor: Layout) -> Floats:
    """Length of the cable from each tail to each head.

    Inside a cabinet the floor's `intra_cabinet_m`, else the Manhattan distance plus `inter_cabinet_overhead_m`.

    Parameters
    ----------
    tails, heads
        Switches, shape (links,), each less than ``floor.switches``.

    Returns
    -------
    ndarray of float64, shape (links,)
        Metres.

    Raises
    ------
    NetloomError
        NL-K004 if the shapes differ, NL-K005 for a switch without a place.

    Notes
    -----
    Cui 2024, section 5.6. Cost O(links).
    """
    check = Checker()
    a, b = _switches(check, "cable_lengths_m.tails", tails), _switches(check, "cable_lengths_m.heads", heads)
    if a.shape != b.shape:
        check.add(codes.SHAPE, "cable_lengths_m.heads", f"as many as the {len(a)} tails", len(b))
    for place, ends in (("tails", a), ("heads", b)):
        if len(ends) and (ends.min() < 0 or ends.max() >= floor.switches):
            worst = ends.min() if ends.min() < 0 else ends.max()
            expected = f"switches from 0 to {floor.switches - 1}"
            check.add(codes.OUTSIDE, f"cable_lengths_m.{place}", expected, worst)
    check.done()
    away = np.abs(floor.x_m[a] - floor.x_m[b]) + np.abs(floor.y_m[a] - floor.y_m[b])
    return np.where(floor.cabinet[a] == floor.cabinet[b], floor.intra_cabinet_m, floor.inter_cabinet_overhead_m + away)


def total_cost(
    parts: Parts,
    *,
    model: str | Path | CostModel | None = None,
    floor: Layout | None = None,
    endpoint_ports: bool = True,
    endpoint_cables: bool = False,
) -> Cost:
    """Cost of the switches and the cables of a network.

    Parameters
    ----------
    parts
        What is paid for; `Parts.of` gives that of a network.
    model
        See :func:`netloom.cost.cost_model`.
    floor
        Where the switches stand; by default :func:`netloom.cost.layout` of the model's floor plan.
    endpoint_ports
        Does a switch need a port for each of its endpoints?
    endpoint_cables
        Are the cables to the endpoints, which stand in the switch's cabinet, paid for? The source leaves them out.

    Returns
    -------
    Cost

    Raises
    ------
    NetloomError
        NL-K001, NL-K004, NL-K005, NL-K006.

    Notes
    -----
    A cable is of the cheapest medium that reaches: ``min over media of (a L + b) B + s L^2 + c L + d``, L in metres
    and B in Gb/s; a model without media prices no cable. A switch of k ports costs ``r k^2 + p k + q``, 0 where that is
    negative; k is its own ports, or those of the switch with the most. Source: Cui 2024, section 5.6 (the sum), M.
    Besta and T. Hoefler, SC 2014 (the lines), Navaridas 2009, section 6.2 (the square, and one radix for all switches).
    Cost O(links).
    """
    prices = cost_model(model)
    switches = parts.switches
    if floor is None:
        floor = layout(switches, prices.floor)
    lengths = cable_lengths_m(parts.tails, parts.heads, floor)
    a, b = np.asarray(parts.tails, dtype=np.int64), np.asarray(parts.heads, dtype=np.int64)
    check = Checker()
    if floor.switches != switches:
        check.add(codes.SHAPE, "total_cost.floor", f"a layout of {switches} switches", floor.switches)
    once = a < b
    if 2 * int(once.sum()) != len(a):
        sentence = f"{int(once.sum())} links go up in switch number and {int((a > b).sum())} down"
        check.add(codes.SHAPE, "total_cost.tails", sentence, hint="give both directions of every cable")
    speed = _per_link(check, "bandwidth_bytes_per_s", parts.bandwidth_bytes_per_s, len(a)) * _BYTES_PER_S_TO_GBPS
    classes = np.zeros(len(a), dtype=np.int64)
    if parts.class_of is not None:
        classes = _switches(check, "class_of", parts.class_of)
    if len(classes) != len(a):
        check.add(codes.SHAPE, "total_cost.class_of", f"one class for each of {len(a)} links", len(classes))
    homes = _switches(check, "total_cost.endpoint_switch", parts.endpoint_switch)
    if len(homes) and (homes.min() < 0 or homes.max() >= switches):
        check.add(codes.OUTSIDE, "total_cost.endpoint_switch", f"switches from 0 to {switches - 1}", homes.max())
    endpoint_speed = check.number("endpoint_bandwidth_bytes_per_s", parts.endpoint_bandwidth_bytes_per_s)
    check.done()

    lengths, speed, classes = lengths[once], speed[once], classes[once]
    same = floor.cabinet[a[once]] == floor.cabinet[b[once]]
    usd, medium = _cable_usd(prices, lengths, speed, same)
    ports = np.bincount(a, minlength=switches)
    if endpoint_ports:
        ports = ports + np.bincount(homes, minlength=switches)
    if prices.switch_ports == "most" and len(ports):
        ports = np.full_like(ports, ports.max())
    switch_usd, notes = _switch_usd(prices, ports)
    outside = [prices.extrapolated(speed)] if len(speed) else []
    if prices.unit != UNIT:
        outside.append(f"Prices are in {prices.unit}, not in {UNIT}.")
    nics = None if prices.nic_usd is None else prices.nic_usd * len(homes)
    missing = ["NICs"] if nics is None and len(homes) else []
    if not prices.prices_cables:
        missing.append("cables")
    elif len(homes) and not endpoint_cables:
        missing.append("the cables to endpoints")
    if missing:
        outside.append(f"Not priced: {', and '.join(missing)}.")
    endpoint_usd = _endpoint_usd(prices, floor, len(homes), endpoint_speed) if endpoint_cables else 0.0
    cable_usd = float(usd.sum())
    return Cost(
        model=prices.name,
        cables=len(lengths),
        cable_length_total_m=float(lengths.sum()),
        cable_length_mean_m=float(lengths.mean()) if len(lengths) else 0.0,
        cable_length_max_m=float(lengths.max()) if len(lengths) else 0.0,
        cable_cost_usd=cable_usd,
        endpoint_cable_cost_usd=endpoint_usd,
        switch_cost_usd=switch_usd,
        total_usd=cable_usd + endpoint_usd + switch_usd + (nics or 0.0),
        switch_power_w=None if prices.switch_w_per_port is None else prices.switch_w_per_port * float(ports.sum()),
        nic_cost_usd=nics,
        nic_power_w=None if prices.nic_w is None else prices.nic_w * len(homes),
        by_class=_rows(lengths, usd, classes, list(parts.class_names)),
        by_medium=_rows(lengths, usd, medium, [line.name for line in prices.cables]) if prices.prices_cables else {},
        notes=(*prices.notes, *notes),
        outside=tuple(filter(None, outside)),
        unit=prices.unit,
    )


def _switches(check: Checker, place: str, values: ArrayLike) -> Ints:
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        array = np.empty((0, 0))
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, dtype=np.int64)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        check.add(codes.BAD_VALUE, place, "a flat array of integers", f"{array.ndim} dimensions of {array.dtype}")
        return np.empty(0, dtype=np.int64)
    return array.astype(np.int64)


def _per_link(check: Checker, place: str, values: ArrayLike, links: int) -> Floats:
    try:
        given = np.asarray(values)
        array = given.astype(np.float64) if np.issubdtype(given.dtype, np.number) else np.asarray(-1.0)
    except (ValueError, TypeError, OverflowError):
        array = np.asarray(-1.0)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != links):
        check.add(codes.SHAPE, f"total_cost.{place}", f"one number, or one for each of {links} links", array.shape)
        return np.zeros(links)
    if not np.all(np.isfinite(array) & (array >= 0)):
        check.add(codes.BAD_VALUE, f"total_cost.{place}", "finite and >= 0", str(values)[:80])
        return np.zeros(links)
    return np.broadcast_to(array, (links,))


def _cable_usd(prices: CostModel, lengths: Floats, gbps: Floats, same: NDArray[np.bool_]) -> tuple[Floats, Ints]:
    """Price of every cable and the medium that was chosen."""
    laying = np.where(same, prices.laying_intra_cabinet_usd, prices.laying_inter_cabinet_usd)
    if not len(lengths) or not prices.prices_cables:
        return laying, np.zeros(len(lengths), dtype=np.int64)
    offers = prices.offers_usd(lengths, gbps)
    medium = offers.argmin(axis=0)
    usd = offers.min(axis=0)
    if not np.all(np.isfinite(usd)):
        check = Checker()
        reach = max(line.max_m for line in prices.cables)
        expected = f"at most {reach:g} m, the longest medium of {prices.name}"
        check.add(codes.NO_CABLE, "total_cost: longest cable", expected, f"{lengths.max():g} m")
        check.done()
    return usd + laying, medium


def _switch_usd(prices: CostModel, ports: NDArray[np.intp]) -> tuple[float, list[str]]:
    line = (prices.switch_usd_per_port2 * ports + prices.switch_usd_per_port) * ports + prices.switch_usd
    below = int((line < 0).sum())
    notes = [f"{below} switches have too few ports for the price line and count as 0 USD."] if below else []
    return float(np.maximum(line, 0.0).sum()), notes


def _endpoint_usd(prices: CostModel, floor: Layout, endpoints: int, bytes_per_s: float) -> float:
    length = np.asarray([floor.intra_cabinet_m])
    usd, _ = _cable_usd(prices, length, np.asarray([bytes_per_s * _BYTES_PER_S_TO_GBPS]), np.asarray([True]))
    return float(usd[0]) * endpoints


def _rows(lengths: Floats, usd: Floats, key: Ints, names: list[str]) -> dict[str, dict[str, float]]:
    rows = {}
    for k in np.unique(key):
        mine = key == k
        name = names[k] if 0 <= k < len(names) else f"class {k}"
        rows[name] = {
            "cables": int(mine.sum()),
            "length_total_m": float(lengths[mine].sum()),
            "length_mean_m": float(lengths[mine].mean()),
            "cost_usd": float(usd[mine].sum()),
        }
    return rows
