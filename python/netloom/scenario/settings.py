"""Settings of the wire and of software, from all inputs that have a say."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_flops_per_s
from ..machine.calibration import load
from ..machine.faults import misplaced
from .axes import TABLES
from .canonical import seconds
from .codes import NOT_USED

if TYPE_CHECKING:
    from ..base.records import Settings
    from .scenario import Scenario
    from .workshop import Workshop

#: Inputs of their own for settings, each with its table and name there.
OWN = {
    "duplex": ("wire", "duplex"),
    "switch_latency": ("wire", "switch_latency_s"),
    "flops_per_s": ("software", "flops_per_s"),
}


def settings_of(scenario: Scenario, workshop: Workshop) -> Settings:
    """The settings of simulated time: those of the calibration, replaced by the machine's `wire` and `software`, by the
    inputs of these names, and by `duplex`, `switch_latency` and `flops_per_s`.

    Raises
    ------
    NetloomError
        `NL-H003` for a setting that is given twice; what is wrong with one.
    """
    chosen = scenario["calibration"]
    known = workshop.calibration(chosen) if isinstance(chosen, str) else load(cast("str", chosen))
    tables = {name: cast("dict[str, object]", scenario[name]) for name in TABLES}
    if wrong := [fault for name, table in tables.items() for fault in misplaced(name, table, "")]:
        raise NetloomError(wrong)
    given: dict[str, object] = {name: value for table in tables.values() for name, value in table.items()}
    for name, (table, key) in OWN.items():
        if name not in scenario:
            continue
        if f"{table}.{key}" in scenario or key in cast("dict[str, object]", scenario.given(table) or {}):
            sentence = f"is given twice: as {table}.{key} too"
            raise NetloomError([Fault(NOT_USED, name, sentence, "", "leave one of them out")])
        given[key] = _own(name, scenario[name])
    if scenario.machine is not None and "calibration" not in scenario:
        # As RDMA fabrics share a link, where the machine says nothing else.
        given.setdefault("sharing", "equal")
    if not given:
        return known.settings
    return _core.machine_settings("machine", {**known.settings, **given})


def costs_of(scenario: Scenario) -> str:
    """Whose costs times are made of: the name of a calibration, or `of the machine M` where M's own costs stand alone.

    `pure` where the calibration is pure and the machine says nothing of wire or software.
    """
    chosen = scenario["calibration"]
    machine = scenario.machine
    if machine is None or "calibration" in scenario or chosen != "pure":
        return str(chosen)
    own = machine.inputs()
    return f"of the machine {machine.name}" if any(own.get(name) for name in TABLES) else "pure"


def _own(name: str, value: object) -> object:
    text = value if isinstance(value, str) else repr(value)
    if name == "switch_latency":
        return seconds(text)
    return parse_flops_per_s(text, name) if name == "flops_per_s" else value
