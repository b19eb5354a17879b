"""Mappings as the files that launchers take."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base import files
from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from .place import MOST_RANKS, in_turn

if TYPE_CHECKING:
    from ..base.arrays import Endpoints

_DIGITS = "0123456789"
#: The first endpoint of a network without names.
_OWN = "node0001"
#: A network that has what the formats ask for, to try their arguments on before anything runs.
_TRIAL = "torus(2,2,2,2,2)"
#: Those of a format that takes fewer dimensions.
_TRIALS = dict.fromkeys(("vcoordfile", "fugaku"), "torus(2,2,2)")
#: Names that a launcher looks for, or that tell people what is inside.
_FILES = {"cray": "MPICH_RANK_ORDER", "csv": "ranks.csv", "bgq": "bgq.map", "simgrid-deployment": "deployment.xml"}

#: Parameters of formats that do not just say how many slots a host has: numbers of endpoints, or the network's own.
_OF_SLOTS = {
    **dict.fromkeys(("csv", "mapping-csv"), ("slots", "cores")),
    **dict.fromkeys(("plain", "endpoints"), ("cores",)),
    **dict.fromkeys(("bgq", "bluegene", "bg-map", "vcoordfile", "fugaku"), ()),
}


#: Formats with a host, or an endpoint, for every rank and nothing about its slot there.
_HOSTS_ONLY = (
    "slurm-arbitrary", "hostfile", "flux-taskmap", "simgrid-deployment", "vcoordfile", "slurm-distribution", "plain",
)  # fmt: skip


def check_format(text: str) -> None:
    """Whether the call text names a rank file format with arguments that it takes.

    Raises
    ------
    NetloomError
        What is wrong with it.
    """
    said = _core.parse_call(text)[2]
    cpus = said.get("cpus")
    if isinstance(cpus, list) and cpus and "slots" not in said:
        # The slots of a host, which are known once there is a machine.
        text = of_slots(text, len(cpus))
    trial = _core.Network.build(_TRIALS.get(text.partition("(")[0].strip(), _TRIAL))
    _core.emit(text, trial, _core.place(trial, 2, "linear", "draw"))


def of_slots(format: str, cores: int, ports: int = 1) -> str:
    """A format's call text for a network with `cores` slots for each endpoint, `ports` of which are one host; 0 ports
    where the network knows its hosts.

    Raises
    ------
    NetloomError
        NL-A007 for a format that says another number of slots, which would put ranks on other hosts.
    """
    name = format.partition("(")[0].strip()
    keys = _OF_SLOTS.get(name, ("slots",))
    due = {key: cores if key == "cores" else cores * ports for key in keys if key == "cores" or ports}
    said = _core.parse_call(format)[2]
    # Where an endpoint has one slot and nothing says which of them are one host, `slots` does.
    faults = [
        _contradiction(f"{name}.{key}", said[key], number)
        for key, number in due.items()
        if key in said and said[key] != number and (number > 1 or key == "cores")
    ]
    if faults:
        raise NetloomError(faults)
    return with_arguments(format, {key: str(number) for key, number in due.items() if number > 1})


def _contradiction(place: str, got: object, due: int) -> Fault:
    """Slots of a format that are not those of the job."""
    key = place.rpartition(".")[2]
    more = isinstance(got, int) and got > due
    why = "a host with more cores needs no other number" if more else "--cores says how many ranks a host has"
    return Fault("NL-A007", place, f"{due}, the ranks that a host has room for", str(got), f"leave {key} out: {why}")


def ports_of(format: str, net: _core.Network, node: _core.Node | None) -> int:
    """Endpoints that are one host: the NICs of a node. A network with hosts, or with names of their own, says it
    itself: 0, or 1 for names.
    """
    if net.hosts is not None:
        return 0
    named = net.has_names and not _given_pattern(format)
    return 1 if node is None or named else node.nics


def _given_pattern(format: str) -> bool:
    _, positional, keywords = _core.parse_call(canonical(format))
    return bool(positional) or "host_pattern" in keywords


def with_arguments(format: str, values: dict[str, str]) -> str:
    """A format's call text with these arguments, where it does not give them itself."""
    name, bracket, rest = format.strip().partition("(")
    given = rest.rpartition(")")[0].strip() if bracket else ""
    said = given.replace(" ", "")
    more = [f"{key}={value}" for key, value in values.items() if f"{key}=" not in said]
    return f"{name}({', '.join([given] * bool(given) + more)})" if more else format


def canonical(format: str) -> str:
    """The call of a rank file format; `slurm`, which is a network's too, is `slurm-arbitrary` here."""
    head, bracket, rest = format.strip().partition("(")
    return _core.canonical("formats", ("slurm-arbitrary" if head.strip() == "slurm" else head) + bracket + rest)


def named_as(formats: Sequence[str], placement: str, cores: int) -> list[str]:
    """Formats with the names that a placement `hosts` calls the endpoints of a network without names by.

    Raises
    ------
    NetloomError
        NL-A007 for names such as `node0001` that count from 0: in rank files that is endpoint 0.
    """
    call = _core.parse_call(placement)
    needy = [_unnamed(text, cores) for text in formats]
    if call[0] != "hosts" or not any(needy):
        return list(formats)
    given = dict(zip(("list", "first"), call[1], strict=False)) | call[2]
    pattern = _pattern(str(given.get("list", "")), given.get("first", 0))
    if not pattern:
        return list(formats)
    return [
        with_arguments(text, {"host_pattern": f'"{pattern}"'}) if needs else text
        for text, needs in zip(formats, needy, strict=True)
    ]


def _unnamed(format: str, cores: int) -> bool:
    """Whether a format has names of hosts, each an endpoint, and is not told which."""
    name, positional, keywords = _core.parse_call(canonical(format))
    rows = (row for row in _core.catalogue("formats") if row["name"] == name)
    takes = any(param["name"] == "host_pattern" for row in rows for param in row["params"])
    return takes and not positional and "host_pattern" not in keywords and keywords.get("slots", cores) == cores


def _pattern(hosts: str, first: object) -> str:
    """`n{000}` for a list of names such as `n[001-004]`; `first` is the number of endpoint 0."""
    names = _core.expand_hostlist(hosts, "hosts.list", MOST_RANKS)
    prefix = names[0].rstrip(_DIGITS)
    digits = names[0][len(prefix) :]
    if not digits or not isinstance(first, int):
        return ""
    own = next((name for name in names if name.startswith("node") and name == f"node{_number(name):04}"), None)
    if own is not None and first != 1:
        hint = f'give hosts("{hosts}",first=1), or the format a host_pattern such as "node{{0000}}"'
        raise NetloomError([Fault("NL-A007", "hosts.first", f"1: netloom calls endpoint 0 {_OWN}", str(first), hint)])
    width = len(digits) if digits.startswith("0") else 1
    return f"{prefix}{{{first:0{width}}}}"


def _number(name: str) -> int:
    return int(name[len(name.rstrip(_DIGITS)) :] or 0)


def emitted(
    format: str, net: _core.Network, slots: Endpoints, cores: int, alike: bool = False, ports: int = 1
) -> bytes:
    """The file of a mapping onto the slots of a network with `cores` of them for each endpoint.

    Parameters
    ----------
    alike
        Nothing tells the slots of an endpoint apart: a format that holds hosts only takes any of them.
    ports
        Endpoints of a host, as `ports_of` has them.

    Raises
    ------
    NetloomError
        NL-A007 for slots that contradict `cores`, and what the format cannot hold.
    """
    call = of_slots(format, cores, ports)
    if alike and cores > 1 and canonical(format).partition("(")[0] in _HOSTS_ONLY:
        slots = in_turn(ndarray(slots) // cores, cores)
    return _core.emit(call, net, slots)


def read_mapping(
    path: Path, place: str, format: str, net: _core.Network, cores: int = 1, node: _core.Node | None = None
) -> Endpoints:
    """The endpoint of every rank from a file that messages call `place`; format "auto": as name and content tell.

    Parameters
    ----------
    cores
        Above 1: `net` has `cores` slots for each endpoint, and the result is the slot of every rank.
    node
        What is behind the endpoints; those of its NICs are one host.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002`, NL-A007 for slots of the format that contradict `cores`, and what is wrong with the file.
    """
    data = files.read(path)
    if format == "auto":
        told = _core.detect_format(path.name, data[:4096], "mapping")
    else:
        told = _known(format)
    if told is not None:
        told = of_slots(told, cores, ports_of(told, net, node))
    return _core.read_mapping(data, place, told, net)


def _known(format: str) -> str:
    """The format, which the axis `mapping_format` names."""
    try:
        _core.canonical("formats", format)
    except NetloomError as error:
        raise NetloomError([replace(fault, place="mapping_format") for fault in error.faults]) from None
    return format


def format_of(path: Path, format: str) -> str:
    """The format of a rank file; "auto": as its name and content tell, "" where they do not."""
    if format != "auto":
        return format
    return _core.detect_format(path.name, files.read(path)[:4096], "mapping") or ""


def file_name(text: str) -> str:
    """Name of the file that a format is written to: `rankfile.txt`, `MPICH_RANK_ORDER`."""
    name = text.partition("(")[0].strip()
    return _FILES.get(name, slug(name) + ".txt")


def slug(text: object) -> str:
    """Letters, digits and hyphens: safe in a file name everywhere."""
    made = re.sub(r"[^A-Za-z0-9.]+", "-", str(text)).strip("-.")[:80]
    return made or "x"


def write(folder: Path, formats: Sequence[str], write: Callable[[str], bytes]) -> list[Path]:
    """Rank files into a folder, all made by `write` before the first is written."""
    made = [(folder / file_name(text), write(text)) for text in formats]
    files.require_writable(*(path for path, _ in made))
    for path, data in made:
        files.write(path, data)
    return [path for path, _ in made]
