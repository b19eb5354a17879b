"""The command line that uses each file of a mapping."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

from .. import _core
from ..base.shell import path_word
from .rank_files import canonical, with_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Slurm's default where hosts are filled; sites may pack nodes instead.
_BLOCK = "--distribution=block:block,NoPack"
_STEP = "srun {step}-n {ranks}"
#: Command lines by format: {file} is the file, {option} its only line, {ranks} the number of ranks; {step} and {job}
#: give the hosts, {distribution} is what a rank order needs; {nodes}, {each} and {first} are those of torchrun.
COMMANDS = {
    "rankfile": "mpirun -np {ranks} --map-by rankfile:file={file} ./app",
    "slurm-arbitrary": "SLURM_HOSTFILE={file} srun -n {ranks} --distribution=arbitrary ./app",
    "hostfile": "mpiexec.hydra -f {file} -n {ranks} ./app",
    "cray": f"MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={{file}} {_STEP} {{distribution}} ./app",
    "bgq": "runjob --np {ranks} --mapping {file} : ./app",
    "csv": "",
    "plain": "",
    "pe-list": "mpirun -np {ranks} {option} ./app",
    "map-cpu": f"{_STEP} {_BLOCK} {{option}} ./app",
    "mask-cpu": f"{_STEP} {_BLOCK} {{option}} ./app",
    "hydra-bind": "mpiexec.hydra -f HOSTS -n {ranks} {option} ./app",
    "intel-pin": "{option} mpiexec.hydra -f HOSTS -n {ranks} ./app",
    "likwid-pin": "likwid-mpirun -np {ranks} {option} ./app",
    "slurm-distribution": f"{_STEP} {{option}} ./app",
    "flux-taskmap": "flux run {job}-n {ranks} --taskmap='manual:{option}' ./app",
    "vcoordfile": "mpiexec -n {ranks} -vcoordfile {file} ./app",
    "torchrun": (
        "while read -r host rank gpus; do ssh -n $host env $gpus torchrun --nnodes={nodes} --nproc-per-node={each} "
        "$rank --master-addr={first} app.py & done < {file}; wait"
    ),
    "simgrid-deployment": "",
}
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
#: Lists of cores that srun's own order of hosts limits, unless a file of hosts goes with them.
_OF_SRUN = ("map-cpu", "mask-cpu")
#: Where the hosts are no part of the line: which file is missing.
_MISSING = "  # HOSTS: a file of --emit 'hostfile(bind=elsewhere)'"
#: The comment of a rank order that srun does not start by default.
_STARTED = re.compile(r"^# srun (--distribution=\S+)$", re.MULTILINE)
#: Longest option that is shown in full.
_LONGEST = 2000


def paired(formats: Sequence[str]) -> list[str]:
    """The formats; lists of cores that go with a file of hosts leave the hosts to it."""
    names = [_name(text) for text in formats]
    leave = {cores for hosts, cores in TOGETHER if hosts in names and cores in _OF_SRUN}
    return [
        with_arguments(text, {"hosts": "elsewhere"}) if name in leave else text
        for text, name in zip(formats, names, strict=True)
    ]


def commands(
    made: Sequence[tuple[str, str, bytes]],
    ranks: int,
    write: Callable[[str], bytes] | None = None,
    gpus: int = 0,
) -> list[str]:
    """The command lines that use some files; none for a file that no launcher takes as it is.

    Parameters
    ----------
    made
        Format, name and content of each file. A file of hosts and the cores of each make one line.
    write
        The same mapping in another format: for the hosts of a file or a list of cores that does not give them.
    gpus
        Of a node whose slots are GPUs: Slurm must be asked for them.
    """
    files, calls = {}, {}
    for format, file, text in made:
        call = canonical(format)
        name = call.partition("(")[0]
        files[name], calls[name] = (file, text), call
    joined = [pair for pair in TOGETHER if all(name in files for name in pair)]
    found = []
    for name, (file, text) in files.items():
        pairs = [pair for pair in joined if name in pair]
        if not pairs:
            found.append(_alone(name, file, text, ranks, _runs(calls[name], name, write)))
        found += [_line(TOGETHER[pair], file, files[pair[1]], ranks) for pair in pairs if name == pair[0]]
    asked = f"srun --gpus-per-node={gpus} " if gpus else "srun "
    return [line.replace("srun ", asked, 1) for line in found if line]


def _alone(name: str, file: str, text: bytes, ranks: int, runs: list[str]) -> str:
    """The line of a file that goes with no other; `runs` are its hosts with their ranks, in order of rank."""
    template = COMMANDS.get(name, "")
    if name in ALONE and runs and len(hosts := ",".join(runs)) <= _LONGEST:
        template = ALONE[name].replace("{hosts}", shlex.quote(hosts))
    missing = _MISSING if " HOSTS " in template else ""
    return _line(template, file, (file, text), ranks, _named(runs) | _said(name, text)) + missing


def _runs(call: str, name: str, write: Callable[[str], bytes] | None) -> list[str]:
    """`host:count` of ranks that follow each other, where the line of a format needs them."""
    if write is None or (name not in ALONE and not any(key in COMMANDS.get(name, "") for key in ("{step}", "{job}"))):
        return []
    _, positional, keywords = _core.parse_call(call)
    own = dict(zip(("host_pattern",), positional, strict=False)) | keywords
    said = [f"{key}={json.dumps(own[key])}" for key in ("host_pattern", "slots") if key in own]
    return write(f"hostfile({','.join([*said, 'bind=elsewhere'])})").decode().split()


def _named(runs: list[str]) -> dict[str, str]:
    """The options that give a step or a job exactly these hosts; without the names where they do not fit a line."""
    if not runs:
        return {"step": "", "job": ""}
    hosts = sorted({run.rpartition(":")[0] for run in runs})
    folded = _core.fold_hostlist([hosts[at] for at in _core.slurm_order(hosts)])
    step, job = f"-N {len(hosts)} ", f"-N {len(hosts)} --exclusive "
    if len(folded) <= _LONGEST:
        step += f"--nodelist={shlex.quote(folded)} "
        job += f"--requires={shlex.quote('host:' + folded)} "
    return {"step": step, "job": job}


def _said(name: str, text: bytes) -> dict[str, str]:
    """What the line takes from the content of a file."""
    if name == "cray":
        said = _STARTED.search(text.decode())
        return {"distribution": said[1] if said else _BLOCK}
    if name == "torchrun":
        lines = text.decode().splitlines()
        host, _, gpus = lines[0].split()
        return {"nodes": str(len(lines)), "each": str(gpus.count(",") + 1), "first": shlex.quote(host)}
    return {}


def _line(template: str, file: str, option: tuple[str, bytes], ranks: int, more: dict[str, str] | None = None) -> str:
    """A template with a file, the option that is the only line of another one, and other words."""
    said = option[1].decode().strip() if "{option}" in template else ""
    if len(said) > _LONGEST:
        said = f"$(cat {path_word(option[0])})"
    return template.format(file=path_word(file), option=said, ranks=ranks, **(more or {}))


def _name(text: str) -> str:
    return canonical(text).partition("(")[0]
