"""What is compared: networks as they are given, and machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..machine import load
from ..network import NetworkLike, network

if TYPE_CHECKING:
    from pathlib import Path

    from .. import _core
    from ..machine import Machine


@dataclass(frozen=True)
class Candidate:
    """A network in full service with the inputs that are its own.

    Parameters
    ----------
    label
        A machine's name; empty for the network's own label.
    own
        Inputs that the others do not have.
    """

    net: _core.Network
    label: str
    own: Mapping[str, object]
    inputs: Mapping[str, object]

    def asking(self, scenarios: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
        """The inputs of each workload on it."""
        return [{**self.own, **one} for one in scenarios]


def candidates(
    networks: Sequence[NetworkLike], machines: Sequence[str | Path | Machine], inputs: Mapping[str, object]
) -> list[Candidate]:
    """The machines, then the networks; these in the place of the machine's, if there is one.

    Raises
    ------
    NetloomError
        What is wrong with one of them; `NL-A007` for networks next to several machines, in whose place they would be.
    """
    known = [load(one) for one in machines]
    if networks and len(known) > 1:
        hint = "compare the machines alone, or the networks on one of them"
        raise NetloomError([Fault("NL-A007", "machine", "one machine next to networks", str(len(known)), hint)])
    made = [_of_machine(one, inputs) for one in known]
    own: dict[str, object] = {"machine": known[0]} if known else {}
    form, part = str(inputs.get("format") or "") or None, str(inputs.get("part", ""))
    return made + [Candidate(net, "", own, {**own, **inputs}) for net in _whole(networks, form, part)]


def _of_machine(machine: Machine, inputs: Mapping[str, object]) -> Candidate:
    given = machine.inputs()
    net = network(str(given["network"]), str(given.get("format") or "") or None, str(given.get("part", "")))
    own = {"machine": machine} | {name: value for name, value in given.items() if name == "fail"}
    return Candidate(net, machine.name, own, {**own, **inputs})


def _whole(sources: Sequence[NetworkLike], format: str | None, part: str) -> list[_core.Network]:
    """The networks in full service; of those in several parts, the one that is asked for."""
    nets = [network(source, format) for source in sources]
    if not part:
        return nets
    several = [len(net.parts) > 1 for net in nets]
    # Where nothing has parts, the network says what it has.
    return [net.part(part) if apart or not any(several) else net for net, apart in zip(nets, several, strict=True)]
