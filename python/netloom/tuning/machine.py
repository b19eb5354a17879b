"""What the times of collectives depend on besides network and ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from ..scenario import Scenario

if TYPE_CHECKING:
    from .tables import MachineInputs


def machine_of(scenario: Scenario) -> Scenario:
    """The inputs of a scenario that say how messages are timed."""
    made: MachineInputs = {
        "calibration": str(scenario["calibration"]),
        "routing": str(scenario["routing"]),
        "node": str(scenario["node"]),
        # A library of GPUs runs named algorithms with its own protocol and channels.
        "library": str(scenario["library"]),
    }
    # An input of its own for a setting is refused next to the setting, but for its default.
    if "duplex" in scenario:
        made["duplex"] = str(scenario["duplex"])
    for name in ("wire", "software"):
        made[name] = cast("Mapping[str, object]", scenario[name])
    return Scenario(**made)
