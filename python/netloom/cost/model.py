"""Cost models: a floor plan and price lines, read from TOML."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.files import read
from ..base.nearest import did_you_mean
from ..base.toml import decoded, read_toml
from . import codes
from ._check import Checker, shown
from .plan import KEYS, FloorPlan, checked

Toml = dict[str, object]
Floats = NDArray[np.float64]

#: Name of the model that is used when none is given.
DEFAULT = "besta-hoefler-2014"

_TOP = ("title", "source", "date", "unit", "gbps", "notes", "layout", "switch", "cable", "nic", "laying")
_CABLE = ("name", "usd_per_gbps_m", "usd_per_gbps", "usd_per_m2", "usd_per_m", "usd", "max_m")
_SWITCH = ("usd_per_port2", "usd_per_port", "usd", "w_per_port", "ports")
_NIC = ("usd", "w")
_LAYING = ("intra_cabinet_usd", "inter_cabinet_usd")
#: Ports that are paid for: those in use, or on every switch as many as the one with the most has.
PORTS = ("used", "most")
#: What prices are in, unless the file says otherwise.
UNIT = "USD"


@dataclass(frozen=True)
class CableLine:
    """Price of one cable medium: a line per Gb/s, and a parabola that does not depend on the speed.

    ``(usd_per_gbps_m * length + usd_per_gbps) * Gb/s + usd_per_m2 * length**2 + usd_per_m * length + usd``.
    """

    name: str
    usd_per_gbps_m: float
    usd_per_gbps: float
    usd_per_m2: float
    usd_per_m: float
    usd: float
    #: Longest cable of this medium, ``inf`` if there is no limit.
    max_m: float

    def usd_of(self, length_m: Floats, gbps: Floats) -> Floats:
        """Price of cables of these lengths and speeds, ``inf`` beyond `max_m`."""
        by_speed = (self.usd_per_gbps_m * length_m + self.usd_per_gbps) * gbps
        fixed = (self.usd_per_m2 * length_m + self.usd_per_m) * length_m + self.usd
        return np.where(length_m <= self.max_m, by_speed + fixed, np.inf)


@dataclass(frozen=True)
class CostModel:
    """Everything that :func:`netloom.cost.total_cost` knows about prices and floors.

    A switch of ``k`` ports costs ``switch_usd_per_port2 * k**2 + switch_usd_per_port * k + switch_usd``, never less
    than 0.
    """

    name: str
    title: str
    source: str
    date: str
    #: Gb/s of the parts that the prices are those of; None if the file does not say it.
    gbps: float | None
    notes: tuple[str, ...]
    #: Default of :func:`netloom.cost.layout`.
    floor: FloorPlan
    cables: tuple[CableLine, ...]
    switch_usd_per_port: float
    switch_usd: float
    #: None if the model has no power data.
    switch_w_per_port: float | None
    laying_intra_cabinet_usd: float
    laying_inter_cabinet_usd: float
    #: Of an endpoint; None if the model has no price, or no power, of one.
    nic_usd: float | None = None
    nic_w: float | None = None
    switch_usd_per_port2: float = 0.0
    #: A row of :data:`PORTS`.
    switch_ports: str = "used"
    #: What prices are in: ``USD``, or what is counted in its place.
    unit: str = UNIT

    @property
    def prices_cables(self) -> bool:
        """Whether a cable costs anything: a model without cables counts switches alone."""
        return bool(self.cables)

    def extrapolated(self, gbps: Floats) -> str:
        """That cables of these speeds have other prices than those of the model's parts; empty where they have not."""
        if self.gbps is None or not len(gbps):
            return ""
        least, most = float(gbps.min()), float(gbps.max())
        if max(abs(least - self.gbps), abs(most - self.gbps)) <= 1e-3 * self.gbps:
            return ""
        used = f"{least:g}" if least == most else f"{least:g} to {most:g}"
        power = "" if self.switch_w_per_port is None else ", and its power"
        return (
            f"Extrapolated: prices of {self.date} for parts of {self.gbps:g} Gb/s stand for {used} Gb/s; a switch port "
            f"costs the same at any speed{power}, and no price of newer parts is shipped."
        )

    def offers_usd(self, length_m: Floats, gbps: Floats) -> Floats:
        """Price of every medium for cables of these lengths and speeds, shape (media, cables); `inf` out of reach."""
        return np.stack([line.usd_of(length_m, gbps) for line in self.cables])


def model_names() -> tuple[str, ...]:
    """Names of the shipped models, sorted."""
    names = (f.name for f in resources(__package__).joinpath("models").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def cost_model(model: str | Path | CostModel | None = None) -> CostModel:
    """The cost model of that name, or from that TOML file.

    Parameters
    ----------
    model
        A shipped name (:func:`model_names`), a path ending in ``.toml``, a model, or None for :data:`DEFAULT`.

    Raises
    ------
    NetloomError
        NL-X001 for a missing file, NL-K003 if it is not TOML or lacks a key, NL-K002 for an unknown name or
        key, NL-K001 for a bad value; all of one file together.
    """
    if isinstance(model, CostModel):
        return model
    name = DEFAULT if model is None else str(model)
    check = Checker()
    if not name.endswith(".toml"):
        check.name("cost model", name, model_names(), "a shipped cost model or a path ending in .toml")
        check.done()
        text = resources(__package__).joinpath("models", f"{name}.toml").read_text(encoding="utf-8")
    else:
        text = decoded(read(name), name, codes.UNREADABLE)
    table = read_toml(text, name, codes.UNREADABLE)
    return _read(Path(name).stem if name.endswith(".toml") else name, name, table)


def _read(name: str, place: str, table: Toml) -> CostModel:
    check = Checker()
    _keys(check, place, table, _TOP)
    floor = _table(check, place, table, "layout")
    _keys(check, f"{place}: layout", floor, KEYS)
    plan = checked(check, f"{place}: layout", floor)
    switch = _table(check, place, table, "switch")
    _keys(check, f"{place}: switch", switch, _SWITCH)
    nic = _table(check, place, table, "nic", required=False)
    _keys(check, f"{place}: nic", nic, _NIC)
    nic_usd, nic_w = (check.number(f"{place}: nic.{key}", nic[key]) if key in nic else None for key in _NIC)
    laying = _table(check, place, table, "laying", required=False)
    _keys(check, f"{place}: laying", laying, _LAYING)
    w_per_port = switch.get("w_per_port")
    notes = table.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(n, str) for n in notes):
        check.add(codes.BAD_VALUE, f"{place}: notes", "a list of sentences", shown(notes))
        notes = []
    model = CostModel(
        name=name,
        title=_text(check, place, table, "title"),
        source=_text(check, place, table, "source"),
        date=_text(check, place, table, "date"),
        gbps=check.number(f"{place}: gbps", table["gbps"]) if "gbps" in table else None,
        notes=tuple(notes),
        floor=plan,
        cables=tuple(_cables(check, place, table["cable"])) if "cable" in table else (),
        switch_usd_per_port=check.number(f"{place}: switch.usd_per_port", switch.get("usd_per_port", 0.0)),
        switch_usd=check.number(f"{place}: switch.usd", switch.get("usd", 0.0), -1e9, "a finite number"),
        switch_w_per_port=None if w_per_port is None else check.number(f"{place}: switch.w_per_port", w_per_port),
        laying_intra_cabinet_usd=check.number(f"{place}: laying.intra_cabinet_usd", laying.get(_LAYING[0], 0.0)),
        laying_inter_cabinet_usd=check.number(f"{place}: laying.inter_cabinet_usd", laying.get(_LAYING[1], 0.0)),
        nic_usd=nic_usd,
        nic_w=nic_w,
        switch_usd_per_port2=check.number(f"{place}: switch.usd_per_port2", switch.get("usd_per_port2", 0.0)),
        switch_ports=_ports(check, f"{place}: switch.ports", switch.get("ports", PORTS[0])),
        unit=_text(check, place, {"unit": UNIT, **table}, "unit"),
    )
    check.done()
    return model


def _keys(check: Checker, place: str, table: Toml, known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            check.add(codes.UNKNOWN_NAME, place, "a key of a cost model", shown(key), did_you_mean(key, known, "keys"))


def _table(check: Checker, place: str, table: Toml, key: str, required: bool = True) -> Toml:
    value = table.get(key)
    if isinstance(value, dict):
        return value
    if value is not None:
        check.add(codes.BAD_VALUE, f"{place}: {key}", "a table", shown(value))
    elif required:
        check.add(codes.UNREADABLE, place, f"the table [{key}] is missing")
    return {}


def _ports(check: Checker, place: str, value: object) -> str:
    check.name(place, value, PORTS, 'ports that are paid for, "used" or "most"')
    return str(value)


def _text(check: Checker, place: str, table: Toml, key: str) -> str:
    value = table.get(key)
    if value is None:
        check.add(codes.UNREADABLE, place, f"the key {key} is missing")
    elif not isinstance(value, str):
        check.add(codes.BAD_VALUE, f"{place}: {key}", "text", shown(value))
    return str(value)


def _cables(check: Checker, place: str, rows: object) -> list[CableLine]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        check.add(codes.UNREADABLE, place, "at least one [[cable]] is needed")
        return []
    lines = []
    for i, row in enumerate(rows):
        at = f"{place}: cable[{i}]"
        _keys(check, at, row, _CABLE)
        values = {key: check.number(f"{at}.{key}", row.get(key, 0.0)) for key in _CABLE[1:-1]}
        reach = check.number(f"{at}.max_m", row["max_m"]) if "max_m" in row else float("inf")
        lines.append(CableLine(name=_text(check, at, row, "name"), max_m=reach, **values))
    return lines
