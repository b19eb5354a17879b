"""How far predictions like this one were found to be off, and the time of the wires alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, TypedDict

from .. import _core
from ..library import library
from ..machine.validated import NOTHING
from ..scenario.axes import TABLES
from ..scenario.parameters import input_of
from ..scenario.usual import GPUS, LIBRARY

if TYPE_CHECKING:
    from ..base.records import Settings
    from ..scenario import Question, Scenario


class Known(TypedDict):
    """What a time in JSON has next to it: the time if software took none, s, and what is known of the error."""

    wires_s: float | None
    error: dict[str, object]


#: Inputs of a machine; one that is given in its place makes another machine of it.
OF_MACHINE = ("network", "part", "fail", "node", "routing", "variant", "calibration", *TABLES)
OWN = ("duplex", "switch_latency", "flops_per_s")


#: By default calibration, the error on the machines that it comes from, each with the mean costs of the others: 981
#: times of PICO, 9 of 10 within 69 %; 194 times of NCCL, 9 of 10 within 33 %.
LEFT_OUT = {"mpi-rdma": ("three others", 0.34), "gpu-rdma": ("NCCL on two others", 0.07)}


def error_of(bound: Question, said: Collection[str] | None = None) -> dict[str, object]:
    """Errors of measurements of the scenario's machine: `median`, `p90`, `measurements`, `kind`.

    `kind` is `validated` where nodes, ranks on a node, size and collective lie within what was measured,
    `extrapolated` where they do not, and `none` where the machine was never measured or was changed; `why` says more.

    Parameters
    ----------
    said
        Inputs that the user gave, where the scenario has more; by default all of the scenario.
    """
    machine = bound.scenario.machine
    if machine is None:
        others = _left_out(bound.scenario)
        said = f"; such costs missed {others[0]} by {100 * others[1]:.0f} % (median)" if others else ""
        return {**NOTHING, "why": f"no machine is named{said}"}
    found = machine.validated
    if found is None:
        return {**NOTHING, "why": f"nobody has held {machine.name} against measurements"}
    if changed := _changed(bound.scenario, said):
        return {**NOTHING, "why": f"{', '.join(changed)} of {machine.name} was changed"}
    error = {"median": found.median, "p90": found.p90, "measurements": found.measurements}
    beyond = "several jobs" if bound.several else _beyond(bound)
    if beyond:
        return {**error, "kind": "extrapolated", "why": beyond}
    return {**error, "kind": "validated"}


def median_of(scenario: Scenario, said: Collection[str] | None = None) -> float | None:
    """The median share by which predictions like these were off, of the machine or of the default costs; None where it
    is not known. `said` as of `error_of`.
    """
    machine = scenario.machine
    if machine is None:
        others = _left_out(scenario)
        return others[1] if others else None
    found = machine.validated
    return None if found is None or _changed(scenario, said) else found.median


def _left_out(scenario: Scenario) -> tuple[str, float] | None:
    """On what the costs of a scenario without a machine were held, and their median error there."""
    own = {input_of(name) for name in scenario} & {"duplex", "switch_latency", *TABLES}
    costs, chooses = scenario["calibration"], scenario["library"]
    return None if own or (costs == GPUS and chooses != LIBRARY) else LEFT_OUT.get(str(costs))


def _changed(scenario: Scenario, said: Collection[str] | None) -> list[str]:
    """Inputs of the machine in whose place others were given."""
    names = scenario if said is None else said
    changed = sorted({input_of(name) for name in names if input_of(name) in (*OF_MACHINE, *OWN)})
    return [*changed, *(["library"] if _has_other_library(scenario) else [])]


def _has_other_library(scenario: Scenario) -> bool:
    """Whether another library than the machine's was given: costs of software are those of one."""
    given, machine = scenario.given("library"), scenario.machine
    own = None if machine is None else machine.inputs().get("library")
    return bool(given and own) and library(str(given)).name != library(str(own)).name


def _beyond(bound: Question) -> str:
    machine = bound.scenario.machine
    assert machine is not None and machine.validated is not None
    load = bound.workload
    if not isinstance(load, _core.Schedule):
        return f"measured were {', '.join(machine.validated.collectives)}"
    nodes = len(bound.site.nodes.of_endpoints(bound.mapping))
    return machine.validated.beyond(nodes, -(-bound.ranks // nodes), load.size_bytes, load.collective)


def costs_software(settings: Settings) -> bool:
    """Whether software takes time with these settings of the core."""
    plain = _core.machine_settings("machine", {})
    of_software = [row["name"] for row in _core.machine_params() if row["part"] == "software"]
    timed = set(of_software) - {
        "flops_per_s",
        "bytes_per_flop",
        "sender_returns_below_bytes",
        "starts_early_below_bytes",
    }
    return any(settings[name] != plain[name] for name in timed)


def wire_of(settings: Settings) -> dict[str, object]:
    """The settings of the wire alone."""
    of_wire = [row["name"] for row in _core.machine_params() if row["part"] == "wire"]
    return {name: settings[name] for name in of_wire}


def alone(settings: Settings, library: object) -> dict[str, object]:
    """The inputs with which software takes no time: sharing and delays of the wire, and the library's choice, stay."""
    # Computing is no cost of software.
    computing = {name: settings[name] for name in ("bytes_per_flop",) if settings[name]}
    return {"calibration": "pure", "software": computing, "wire": wire_of(settings), "library": library}
