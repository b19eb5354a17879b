"""The choices of a scenario's library, one for each call that leaves its algorithm to it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from ..library import Choice, Communicator, choose, library, run
from ..library.codes import NO_CHOICE
from ..workload import kind_of, left_to_library, own_program
from .rates import Rates, rates_of

if TYPE_CHECKING:
    from .inputs import Inputs
    from .site import Site


class Chosen:
    """What the library chooses, and what it has chosen so far.

    Notes
    -----
    A library sees nodes that are filled with ranks one after another, whatever the placement does.
    """

    def __init__(self, inputs: Inputs, site: Site) -> None:
        self._inputs, self._site = inputs, site
        self._made: dict[tuple[str, int, int], Choice] = {}

    def call(self, text: str, ranks: int, size_bytes: int) -> str:
        """The algorithm's call in place of one that is left to the library. A library of GPUs runs an algorithm that is
        named without parameters with its own protocol and channels. Programs that compute on GPUs get the machine.
        Another text as it is, and every text where no library is given.

        Raises
        ------
        NetloomError
            `NL-D001`, `NL-D007`.
        """
        if own_program(text):
            return self._on_machine(text)
        name = self._inputs.text("library")
        if not name or kind_of(text, self._inputs.workshop.calls.folder) != "collective":
            return text
        collective = left_to_library(text)
        if collective is None:
            collective, _, algorithm = text.partition(":")
            key = (text, ranks, size_bytes)
            made = self._made.get(key) or run(name, collective, algorithm, size_bytes, self.communicator(ranks))
            if made is None:
                return text
            self._made[key] = made
            return made.call()
        return self.choice(collective, ranks, size_bytes).call()

    def _on_machine(self, text: str) -> str:
        """A call with the scenario's machine, where it names none itself."""
        said = self._inputs.scenario.given("machine")
        if "machine" in _core.parse_call(text)[2] or not isinstance(said, (str, Path)):
            return text
        quoted = str(said).replace("\\", "\\\\").replace('"', '\\"')
        return f'{text.rstrip().removesuffix(")")},machine="{quoted}")'

    def matters(self, text: str, usual: str) -> bool:
        """Whether a library that is given in place of the usual one changes this call."""
        if left_to_library(text) is not None:
            return True
        collective, _, algorithm = text.partition(":")
        # The usual one may run a named algorithm in its own way, which the given one then does not.
        names = {self._inputs.text("library"), usual} - {""}
        return any(run(name, collective, algorithm, 1, Communicator(2, 2, combines=True)) is not None for name in names)

    def choice(self, collective: str, ranks: int, size_bytes: int) -> Choice:
        """The choice of the library, which must be given.

        Raises
        ------
        NetloomError
            `NL-D001`, `NL-D007`.
        """
        key = (collective, ranks, size_bytes)
        if key not in self._made:
            name = self._inputs.text("library")
            try:
                self._made[key] = choose(name, collective, size_bytes, self.communicator(ranks))
            except NetloomError as error:
                if self._inputs.scenario.given("library") is not None:
                    raise
                raise NetloomError(self._not_typed(fault, collective) for fault in error.faults) from None
        return self._made[key]

    def _not_typed(self, fault: Fault, collective: str) -> Fault:
        """The fault of a library that the user did not give: at the collective, with where the library comes from."""
        if fault.code != NO_CHOICE:
            return fault
        machine = self._inputs.scenario.machine
        whose = "the default where nodes have GPUs" if machine is None else f"the library of the machine {machine.name}"
        name = library(self._inputs.text("library")).name
        return Fault(NO_CHOICE, "workload", f"{name}, {whose}, has no {collective}", "", fault.hint)

    def sentences(self) -> list[str]:
        """What was chosen, a sentence each."""
        return [made.sentence() for made in self._made.values()]

    def communicator(self, ranks: int) -> Communicator:
        """Ranks of one call, as the library sees them."""
        each = self._inputs.value("ranks_per_node")
        nodes = self._site.nodes
        whole = nodes.most_each(self._site.cores) if each == "all" else self._inputs.integer("ranks_per_node")
        local = max(1, min(whole, ranks))
        if not library(self._inputs.text("library")).gpu:
            return Communicator(ranks, local)
        found = self._rates
        if found.is_one_node:
            local = ranks
        nics = max(1, min(found.nics, local))
        return Communicator(
            ranks, local, nics, found.nic_bytes_per_s, found.gpu_bytes_per_s, found.is_switched, self._combines
        )

    @cached_property
    def _combines(self) -> bool:
        """The network has a switch that joins the GPUs of a node, and it combines."""
        # The core leaves it out where nothing sets it.
        said = self._site.settings["combining_switches"]
        return said in ("nodes", "all") if self._site.network.rails is not None else said == "all"

    @cached_property
    def _rates(self) -> Rates:
        return rates_of(self._site.network, self._inputs.text("node"), self._site.nodes.endpoints)
