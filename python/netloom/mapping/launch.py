"""How each file of a mapping is used: the command line, and whether a format can hold what a search may find."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .. import _core
from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from .place import in_turn
from .rank_files import emitted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints

#: Command lines by format: {file} is the file, {option} its only line, {ranks} the number of ranks.
COMMANDS = {
    "rankfile": "mpirun -np {ranks} --map-by rankfile:file={file} ./app",
    "slurm-arbitrary": "SLURM_HOSTFILE={file} srun -n {ranks} --distribution=arbitrary ./app",
    "hostfile": "mpiexec.hydra -f {file} -n {ranks} ./app",
    "cray": "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={file} srun -n {ranks} ./app",
    "bgq": "runjob --np {ranks} --mapping {file} : ./app",
    "csv": "",
    "plain": "",
    "pe-list": "mpirun -np {ranks} {option} ./app",
    "map-cpu": "srun -n {ranks} {option} ./app",
    "mask-cpu": "srun -n {ranks} {option} ./app",
    "hydra-bind": "mpiexec.hydra -f HOSTS -n {ranks} {option} ./app",
    "intel-pin": "{option} mpiexec.hydra -f HOSTS -n {ranks} ./app",
    "likwid-pin": "likwid-mpirun -np {ranks} {option} ./app",
    "slurm-distribution": "srun -n {ranks} {option} ./app",
    "flux-taskmap": "flux run -n {ranks} --taskmap='manual:{option}' ./app",
    "vcoordfile": "mpiexec -n {ranks} -vcoordfile {file} ./app",
    "torchrun": "",
    "simgrid-deployment": "",
}
#: Formats that list the cores of a node and leave the nodes to another file.
CORES_ONLY = ("map-cpu", "mask-cpu", "hydra-bind", "intel-pin")
#: A file of hosts, and what lists the cores of each: one command takes both, with the option and the file of hosts.
_SLURM = "SLURM_HOSTFILE={file} srun -n {ranks} --distribution=arbitrary {option} ./app"
TOGETHER = {
    ("slurm-arbitrary", "map-cpu"): _SLURM,
    ("slurm-arbitrary", "mask-cpu"): _SLURM,
    ("hostfile", "hydra-bind"): "mpiexec.hydra -f {file} -n {ranks} {option} ./app",
    ("hostfile", "intel-pin"): "{option} mpiexec.hydra -f {file} -n {ranks} ./app",
}
#: The same for a list of cores alone, with the hosts in the line.
ALONE = {"hydra-bind": "mpiexec.hydra -hosts {hosts} -n {ranks} {option} ./app"}
#: Where the hosts are no part of the line: which file is missing.
_MISSING = "  # HOSTS: a file of --emit 'hostfile(bind=elsewhere)'"
#: Longest option that is shown in full.
_LONGEST = 2000


def commands(
    made: Sequence[tuple[str, str, bytes]], ranks: int, write: Callable[[str], bytes] | None = None
) -> list[str]:
    """The command lines that use some files; none for a file that no launcher takes as it is.

    Parameters
    ----------
    made
        Format, name and content of each file. A file of hosts and the cores of each make one line.
    write
        The same mapping in another format: for the hosts of a list of cores that has no file of hosts beside it.
    """
    files, calls = {}, {}
    for format, file, text in made:
        call = _core.canonical("formats", format)
        name = call.partition("(")[0]
        files[name], calls[name] = (file, text), call
    joined = [pair for pair in TOGETHER if all(name in files for name in pair)]
    found = []
    for name, (file, text) in files.items():
        pairs = [pair for pair in joined if name in pair]
        if not pairs:
            hosts = _hosts(calls[name], write) if name in ALONE else ""
            template = ALONE[name].replace("{hosts}", hosts) if hosts else COMMANDS.get(name, "")
            found.append(_line(template, file, (file, text), ranks) + (_MISSING if " HOSTS " in template else ""))
        found += [_line(TOGETHER[pair], file, files[pair[1]], ranks) for pair in pairs if name == pair[0]]
    return [line for line in found if line]


def _hosts(call: str, write: Callable[[str], bytes] | None) -> str:
    """Hosts with the number of their ranks, in order; empty if that is too long for a line."""
    if write is None:
        return ""
    _, positional, keywords = _core.parse_call(call)
    own = dict(zip(("host_pattern",), positional, strict=False)) | keywords
    said = [f"{key}={json.dumps(own[key])}" for key in ("host_pattern", "slots") if key in own]
    line = ",".join(write(f"hostfile({','.join([*said, 'bind=elsewhere'])})").decode().split())
    return line if len(line) <= _LONGEST else ""


def _line(template: str, file: str, option: tuple[str, bytes], ranks: int) -> str:
    """A template with a file, and the option that is the only line of another one."""
    said = option[1].decode().strip()
    if "{option}" in template and len(said) > _LONGEST:
        said = f"$(cat {option[0]})"
    return template.format(file=file, option=said, ranks=ranks)


def require_expressible(formats: Sequence[str], net: _core.Network, start: Endpoints, cores: int, alike: int) -> None:
    """Refuse formats that could not hold what a search finds, before the search.

    Parameters
    ----------
    net
        With `cores` slots for each endpoint.
    alike
        Consecutive slots of an endpoint between which nothing tells ranks apart; those of a whole endpoint where only
        the host counts.

    Raises
    ------
    NetloomError
        NL-F018 with the formats that can, and what else is wrong with a format.

    Notes
    -----
    Tries one mapping without any regularity: the ranks of the start in a scattered order. O(ranks log ranks).
    """
    tried = scattered(start, cores, alike)
    for text in formats:
        try:
            emitted(text, net, tried, cores)
        except NetloomError as error:
            if all(fault.code == "NL-F018" for fault in error.faults):
                able = ", ".join(_able(net, tried, cores))
                hint = f"these hold every result of a search: {able}; or search with --optimise enumeration or none"
                faults = [Fault(f.code, f.place, f.expected, f.got, hint) for f in error.faults]
                raise NetloomError(faults) from None
            raise


def scattered(start: Endpoints, cores: int, alike: int) -> NDArray[np.uint32]:
    """The slots of a start in an order that no rule describes; slots that are alike are taken in order of rank."""
    import numpy as np

    slots = np.sort(ndarray(start)).astype(np.uint32)
    # Multiplication by a number without common divisors permutes; squares break what is left of its rule.
    keys = (np.arange(len(slots), dtype=np.uint64) ** 2 * 40503 + 977) % 65521
    mixed: NDArray[np.uint32] = slots[np.argsort(keys, kind="stable")]
    if alike >= cores:
        return in_turn(mixed // cores, cores)
    return in_turn(mixed // alike, alike)


def _able(net: _core.Network, slots: NDArray[np.uint32], cores: int) -> list[str]:
    able = []
    for name in (name for name in COMMANDS if name not in CORES_ONLY):
        try:
            emitted(name, net, slots, cores)
        except NetloomError:
            continue
        able.append(name)
    return able
