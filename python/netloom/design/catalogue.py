"""The catalogue: switches, cables and NICs with prices, watts, source and date, from a TOML file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path

from ..base.errors import Fault, NetloomError
from ..base.files import read
from ..base.nearest import did_you_mean
from ..base.toml import decoded, read_toml
from ..cost import ORDERS, CableLine, FloorPlan
from .codes import BAD_CATALOGUE

#: Least of what is above 0; m, Gb/s.
LEAST = 1e-9
Kinds = tuple[dict[str, float], dict[str, float]]
#: Numbers that a table must have, and those that it may have, with the least that each takes.
SWITCH: Kinds = ({"ports": 2.0, "gbps": 1e-3, "usd": 0.0, "watts": 0.0}, {})
CABLE: Kinds = ({"gbps": 1e-3, "usd": 0.0, "watts": 0.0}, {"usd_per_m": 0.0, "usd_per_m2": 0.0, "max_m": LEAST})
NIC: Kinds = ({"gbps": 1e-3, "usd": 0.0, "watts": 0.0}, {})
LAYOUT = {
    "cabinet_width_m": LEAST, "cabinet_depth_m": LEAST, "intra_cabinet_m": 0.0, "inter_cabinet_overhead_m": 0.0,
    "switches_per_cabinet": 1.0, "endpoint_m": 0.0,
}  # fmt: skip
#: Ports of a switch, switches of a cabinet, and rows of a kind.
MOST_PORTS, MOST_HELD, MOST_ROWS = 4096, 1 << 20, 64
#: Numbers that are integers, with the most that each takes.
INTEGERS = {"ports": MOST_PORTS, "switches_per_cabinet": MOST_HELD}


@dataclass(frozen=True)
class Switch:
    """A switch that is bought whole, whatever ports are in use.

    Attributes
    ----------
    estimate
        The price is no quote.
    """

    name: str
    ports: int
    gbps: float
    usd: float
    watts: float
    date: str
    source: str
    estimate: bool = False


@dataclass(frozen=True)
class Cable:
    """A medium at one speed; `watts` of both ends together."""

    line: CableLine
    gbps: float
    watts: float
    date: str
    source: str
    estimate: bool = False


@dataclass(frozen=True)
class Nic:
    """Of an endpoint at one speed."""

    gbps: float
    usd: float
    watts: float
    date: str
    source: str
    estimate: bool = False


@dataclass(frozen=True)
class Catalogue:
    """Everything that is bought, and the floor that it stands on.

    Attributes
    ----------
    endpoint_m
        Length of a cable from a switch to an endpoint.
    """

    title: str
    notes: tuple[str, ...]
    floor: FloorPlan
    endpoint_m: float
    switches: tuple[Switch, ...]
    cables: tuple[Cable, ...]
    nics: tuple[Nic, ...] = ()

    def cables_of(self, gbps: float) -> list[Cable]:
        """Media of that speed."""
        return [cable for cable in self.cables if cable.gbps == gbps]

    def nic_of(self, gbps: float) -> Nic | None:
        """The NIC of that speed; None where NICs have no price."""
        return next((nic for nic in self.nics if nic.gbps == gbps), None)


def shipped_text() -> str:
    """The catalogue that is shipped, as text."""
    return resources(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8")


def catalogue(path: str | Path | None = None) -> Catalogue:
    """The catalogue of a TOML file, or the one that is shipped.

    Raises
    ------
    NetloomError
        NL-X001 for a missing file; `NL-Z004` for what is missing, unknown or out of range, all of it together.
    """
    place = "catalogue" if path is None else str(path)
    text = shipped_text() if path is None else decoded(read(path), place, BAD_CATALOGUE)
    reader = _Reader(place)
    made = reader.whole(read_toml(text, place, BAD_CATALOGUE))
    if reader.faults:
        raise NetloomError(reader.faults)
    return made


class _Reader:
    """Reads tables and gathers what is wrong with them."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.faults: list[Fault] = []

    def wrong(self, at: str, expected: str, got: str = "", hint: str = "") -> None:
        self.faults.append(Fault(BAD_CATALOGUE, f"{self.place}: {at}" if at else self.place, expected, got, hint))

    def whole(self, table: dict[str, object]) -> Catalogue:
        self.keys("", table, ("title", "notes", "layout", "switch", "cable", "nic"))
        floor, endpoint_m = self.floor(table.get("layout"))
        made = Catalogue(
            self.text("", table, "title"), self.notes(table.get("notes", [])), floor, endpoint_m,
            tuple(self.switch(at, row) for at, row in self.rows(table, "switch", required=True)),
            tuple(self.cable(at, row) for at, row in self.rows(table, "cable", required=True)),
            tuple(self.nic(at, row) for at, row in self.rows(table, "nic")),
        )  # fmt: skip
        if not self.faults:
            self.fits(made)
        return made

    def fits(self, made: Catalogue) -> None:
        """A cable without an end and, if any has a price, a NIC for the speed of each switch; names once."""
        for number, one in enumerate(made.switches):
            if not any(cable.line.max_m == math.inf for cable in made.cables_of(one.gbps)):
                hint = f"add a [[cable]] with gbps = {one.gbps:g} and no max_m"
                self.wrong(
                    f'switch[{number}] "{one.name}"',
                    f"no cable of {one.gbps:g} Gb/s of any length has a price",
                    "",
                    hint,
                )
            if made.nics and made.nic_of(one.gbps) is None:
                hint = f"add a [[nic]] with gbps = {one.gbps:g}, or leave out all of them"
                self.wrong(f'switch[{number}] "{one.name}"', f"no NIC of {one.gbps:g} Gb/s has a price", "", hint)
        for kind, names in (
            ("switch", [one.name for one in made.switches]),
            ("cable", [f"{one.line.name} of {one.gbps:g} Gb/s" for one in made.cables]),
            ("nic", [f"{one.gbps:g} Gb/s" for one in made.nics]),
        ):
            for name in {name for name in names if names.count(name) > 1}:
                self.wrong(kind, f'"{name}" stands there twice', "", "give each its own name or speed")

    def keys(self, at: str, table: dict[str, object], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                self.wrong(at, f'"{key}" is no key of it', "", did_you_mean(key, known, "keys"))

    def rows(self, table: dict[str, object], key: str, required: bool = False) -> list[tuple[str, dict[str, object]]]:
        rows = table.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or len(rows) > MOST_ROWS:
            self.wrong(key, f"tables [[{key}]], at most {MOST_ROWS}", type(rows).__name__)
            return []
        if required and not rows:
            self.wrong("", f"has no [[{key}]]", "", "netloom design --show-catalogue prints one that is whole")
        return [(f"{key}[{number}]", row) for number, row in enumerate(rows)]

    def numbers(self, at: str, row: dict[str, object], kinds: Kinds) -> tuple[list[float], dict[str, float]]:
        """What is required, in order, and what is given of the rest."""
        need, may = kinds
        self.keys(at, row, ("name", *need, *may, "date", "source", "estimate"))
        given = {key: self.number(at, row[key], key, least) for key, least in may.items() if key in row}
        made = []
        for key, least in need.items():
            if key not in row:
                words = "has no price: the key usd is missing" if key == "usd" else f"the key {key} is missing"
                self.wrong(at, words, "", f"add {key} = ...")
            made.append(self.number(at, row.get(key, least), key, least))
        return made, given

    def number(self, at: str, value: object, key: str, least: float) -> float:
        most = INTEGERS.get(key)
        kinds = (int, float) if most is None else (int,)
        good = isinstance(value, kinds) and not isinstance(value, bool)
        if not good or not (least <= value < 1e15 if most is None else least <= value <= most):  # type: ignore[operator]
            words = f"a number of {least:g} or more" if least else "a finite number >= 0"
            words = "a number above 0" if least == LEAST else words
            words = words if most is None else f"an integer in {least:g}..{most}"
            self.wrong(f"{at}.{key}", words, repr(value)[:80])
            return least
        return float(value)  # type: ignore[arg-type]

    def text(self, at: str, row: dict[str, object], key: str) -> str:
        value = row.get(key)
        if not isinstance(value, str) or not value.strip():
            self.wrong(at, f"the text {key} is missing", "", f'add {key} = "..."')
            return ""
        return value

    def about(self, at: str, row: dict[str, object]) -> tuple[str, str, bool]:
        estimate = row.get("estimate", False)
        if not isinstance(estimate, bool):
            self.wrong(f"{at}.estimate", "true or false", repr(estimate)[:80])
        return self.text(at, row, "date"), self.text(at, row, "source"), bool(estimate)

    def switch(self, at: str, row: dict[str, object]) -> Switch:
        (ports, gbps, usd, watts), _ = self.numbers(at, row, SWITCH)
        return Switch(self.text(at, row, "name"), int(ports), gbps, usd, watts, *self.about(at, row))

    def nic(self, at: str, row: dict[str, object]) -> Nic:
        (gbps, usd, watts), _ = self.numbers(at, row, NIC)
        return Nic(gbps, usd, watts, *self.about(at, row))

    def cable(self, at: str, row: dict[str, object]) -> Cable:
        (gbps, usd, watts), given = self.numbers(at, row, CABLE)
        name = self.text(at, row, "name")
        if name in ("switches", "nics"):
            self.wrong(f"{at}.name", "another name than the parts that are no cables", f'"{name}"')
        line = CableLine(
            name, 0.0, 0.0, given.get("usd_per_m2", 0.0), given.get("usd_per_m", 0.0), usd, given.get("max_m", math.inf)
        )
        return Cable(line, gbps, watts, *self.about(at, row))

    def notes(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.wrong("notes", "a list of sentences", repr(value)[:80])
            return ()
        return tuple(value)

    def floor(self, value: object) -> tuple[FloorPlan, float]:
        if not isinstance(value, dict):
            self.wrong("", "the table [layout] is missing", "", "netloom design --show-catalogue prints one")
            return FloorPlan(1.0, 1.0, 1.0, 1.0), 1.0
        self.keys("layout", value, (*LAYOUT, "order"))
        order = value.get("order", "row-major")
        if order not in ORDERS or order == "random":
            known = [name for name in ORDERS if name != "random"]
            self.wrong(
                "layout.order", "an order of cabinets", repr(order)[:80], did_you_mean(str(order), known, "orders")
            )
        known_keys = [key for key in LAYOUT if key in value]
        for key in LAYOUT:
            if key not in known_keys:
                self.wrong("layout", f"the key {key} is missing", "", f"add {key} = ...")
        made = {key: self.number("layout", value.get(key, least), key, least) for key, least in LAYOUT.items()}
        return (
            FloorPlan(
                made["cabinet_width_m"], made["cabinet_depth_m"], made["intra_cabinet_m"],
                made["inter_cabinet_overhead_m"], int(made["switches_per_cabinet"]), str(order),
            ),
            made["endpoint_m"],
        )  # fmt: skip
