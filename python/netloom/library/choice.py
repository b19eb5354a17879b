"""A library's own choice of algorithm for one call, as a schedule of the catalogue."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: A value that a call takes without quotes.
_PLAIN = re.compile(r"[\w.-]+")


@dataclass(frozen=True)
class Communicator:
    """Ranks that call a collective together, as a library sees them.

    Parameters
    ----------
    ranks
        At least 1.
    local
        Ranks of a node, numbered one after another, from 1.
    nics
        NICs of a node that its ranks use, from 1.
    nic_bytes_per_s, gpu_bytes_per_s
        Rate of a NIC, and of a GPU to the others of its node, in one direction; 0 if not known. Only libraries of GPUs
        ask for them.
    is_switched
        A switch joins the GPUs of a node, which combines and copies (NVLS).
    combines
        The network has that switch, and its machine says that it combines (`combining_switches`).
    """

    ranks: int
    local: int = 1
    nics: int = 1
    nic_bytes_per_s: float = 0.0
    gpu_bytes_per_s: float = 0.0
    is_switched: bool = True
    combines: bool = False

    @property
    def nodes(self) -> int:
        """Nodes; the last one may have fewer ranks."""
        return -(-self.ranks // self.local)


@dataclass(frozen=True)
class Choice:
    """A library's own choice for one call.

    Attributes
    ----------
    library, version
        Name of the library, and of which version its rules are.
    collective, algorithm
        Names of the catalogue, such as `allreduce` and `ring`.
    parameters
        Of the algorithm, where the rules or the catalogue's own default need them.
    levels
        Of an algorithm over levels of ranks: members of each, outermost first.
    own
        The library's name of the algorithm.
    rule
        Why it is chosen, in a few words; empty if nothing else was possible.
    note
        How the schedule differs from what the library runs; empty if it does not.
    channels, local
        Parts of the data that move at the same time, each in an order that enters a node by its own NIC, and the ranks
        of a node; 0 for libraries without channels.
    protocol
        `ll`, `ll128` or `simple`; empty for libraries without protocols.
    named
        The library was told which algorithm to take: protocol and channels are its own choice.
    """

    library: str
    version: str
    collective: str
    algorithm: str
    parameters: tuple[tuple[str, int | str], ...] = ()
    own: str = ""
    rule: str = ""
    note: str = ""
    channels: int = 0
    local: int = 0
    protocol: str = ""
    named: bool = False
    levels: tuple[int, ...] = ()

    def call(self) -> str:
        """The schedule as the catalogue writes it: `allreduce:ring(channels=8,local=8,protocol=simple)`."""
        given: list[tuple[str, int | str]] = list(self.parameters)
        if self.channels > 1:
            given += [("channels", self.channels)] + [("local", self.local)] * (self.local > 1)
        if self.protocol:
            given.append(("protocol", self.protocol))
        inside = ",".join((*map(str, self.levels), *(f"{name}={_quoted(value)}" for name, value in given)))
        return f"{self.collective}:{self.algorithm}" + (f"({inside})" if inside else "")

    def sentence(self) -> str:
        """What is chosen, why, and what the schedule leaves out."""
        why = f" ({self.rule})" if self.rule else ""
        own = f", its {self.own}" if self.own and self.own.replace("_", "-") != self.algorithm else ""
        said = f"{self.library} {self.version} {'runs' if self.named else 'chooses'} {self.call()}{own}{why}"
        return f"{said}; {self.note}." if self.note else f"{said}."

    def facts(self) -> dict[str, object]:
        """As a JSON object."""
        return {
            "library": self.library,
            "version": self.version,
            "call": self.call(),
            "own_name": self.own,
            "rule": self.rule,
            "note": self.note,
        }


def _quoted(value: int | str) -> str:
    """As a call writes it: an algorithm with parameters, or several of them, in quotes."""
    return str(value) if _PLAIN.fullmatch(str(value)) else f'"{value}"'
