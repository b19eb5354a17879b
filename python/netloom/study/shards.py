"""A study in parts that need no scheduler process: each part is a job of an array with a journal of its own."""

from __future__ import annotations

import json
import shlex
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.shell import require_plain
from . import codes
from .execute import by_network, execute
from .fitting import Fits, fitting
from .journal import Journal
from .plan import Plan
from .run import Finished, planned, prepare, run_study
from .standing import Report

FOLDER = "shards"
LIST = "study.json"
SCRIPT = "array.sbatch"
#: Most parts: what Slurm's arrays have by default at most is 1,001.
MOST = 100_000
#: Faults that are listed one by one.
LISTED = 20


@dataclass(frozen=True)
class Shard:
    """Part `number`, from 1, of `count`."""

    number: int
    count: int

    @property
    def name(self) -> str:
        return f"{self.number:0{len(str(self.count))}}-of-{self.count}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """`7/200`.

        Raises
        ------
        NetloomError
            `NL-A007`.
        """
        number, slash, count = text.partition("/")
        plain = number.isascii() and number.isdigit() and count.isascii() and count.isdigit() and len(text) < 16
        if not (slash and plain and 1 <= int(number) <= int(count) <= MOST):
            expected = f"a part of a whole such as 7/200, of at most {MOST}"
            raise NetloomError([Fault("NL-A007", "--shard", expected, text[:80])])
        return cls(int(number), int(count))

    def keys(self, plan: Plan) -> set[str]:
        """Its runs: runs on one network stay together, and parts have equally many."""
        return self.of(listed(plan))

    def of(self, groups: Sequence[Sequence[str]]) -> set[str]:
        """Its part of all keys: a group, of runs that depend on each other, stays whole."""
        first, last = (len(groups) * number // self.count for number in (self.number - 1, self.number))
        return {key for group in groups[first:last] for key in group}


def listed(plan: Plan) -> list[list[str]]:
    """The keys of a study, each once, in groups that depend on each other; those on one network side by side."""
    return [[run.key for _, run in group] for group in by_network(plan.together())]


def run_shard(
    path: str | Path | Plan,
    folder: str | Path,
    shard: Shard,
    *,
    jobs: int = 0,
    on: str = "threads",
    report: Report | None = None,
) -> list[str]:
    """Compute one part of a study, or of its plan, into a journal of its own below the output folder.

    Returns
    -------
    list of str
        A sentence for each run that failed; those that the evaluation refused are results.

    Raises
    ------
    NetloomError
        Bad input, or an output that cannot be written.
    KeyboardInterrupt
        After finished runs are safe.
    """
    plan = planned(path)
    keys, (order, fits) = shard.keys(plan), fitting(plan)
    home = Path(folder) / FOLDER / shard.name
    with Journal(home, plan.loaded.digest, plan.version, keys=keys, fits=fits) as journal:
        for sentence in journal.damaged:
            warnings.warn(sentence, stacklevel=2)
        records = execute(plan, journal, jobs=jobs, on=on, only=keys, report=report)
        journal.settle(order)
    faults = [record["faults"][0] for record in records.failed.values()]
    return [f"run failed: {fault[0]} {fault[2]}" for fault in faults]


def write_array(path: str | Path | Plan, folder: str | Path, count: int, options: Sequence[str] = ()) -> list[Path]:
    """The batch script of a Slurm array that runs a study, or its plan, in `count` parts; the list that `merge` reads.

    `options` are further ones of `netloom run` that each part gets.

    Raises
    ------
    NetloomError
        Bad input, `NL-A007` for more parts than runs (than series with `fast`) and for names with quotes or control
        characters, or an output that cannot be written.
    """
    study, out = Path(path.name if isinstance(path, Plan) else path).resolve(), Path(folder).resolve()
    require_plain("STUDY", str(study))
    require_plain("-o", str(out))
    for word in options:
        require_plain("--on", word, quotes=True)
    plan = planned(path)
    groups = sum(1 for _ in plan.together())
    if not 1 <= count <= min(groups, MOST):
        raise NetloomError([Fault("NL-A007", "--shards", f"an integer in 1..{min(groups, MOST)}", str(count))])
    below = out / FOLDER
    below.mkdir(parents=True, exist_ok=True)
    facts = {"study": str(study), "digest": plan.loaded.digest, "shards": count} | ({"fast": True} if plan.fast else {})
    files.write(below / LIST, (json.dumps(facts, indent=2) + "\n").encode())
    files.write(below / SCRIPT, _script(study, out, count, options).encode())
    return [below / SCRIPT, below / LIST]


def _script(study: Path, out: Path, count: int, options: Sequence[str]) -> str:
    # Slurm takes a percent sign for a number of its own.
    log = f"{str(out / FOLDER).replace('%', '%%')}/%a.log"
    words = shlex.join(["netloom", "run", str(study), "-o", str(out), "-q", *options])
    return f"""#!/bin/bash
#SBATCH --job-name=netloom
#SBATCH --array=1-{count}
#SBATCH --cpus-per-task=1
#SBATCH --output="{log}"
# Submit it with sbatch. Afterwards: netloom merge FOLDER
exec {words} --shard "$SLURM_ARRAY_TASK_ID/{count}" -j "${{SLURM_CPUS_PER_TASK:-1}}"
"""


def merge(folder: str | Path, *, figures: bool = True, say: Callable[[str], None] | None = None) -> Finished:
    """Tables and report of a study whose parts are done, as one machine would have made them.

    Raises
    ------
    NetloomError
        `NL-S022` for parts that are missing, unfinished or damaged, each with the command that runs it again;
        `NL-S012` while one still runs.
    """
    out = Path(folder)
    study, digest, count, fast = _listed(out / FOLDER / LIST)
    plan = prepare(study, fast=fast)
    if plan.loaded.digest != digest:
        hint = "write the array anew, or take back what was edited"
        raise NetloomError([Fault(codes.SHARD, study, "was edited since its parts were listed", "", hint)])
    faults: list[Fault] = []
    keys, (_, fits) = listed(plan), fitting(plan)
    for number in range(1, count + 1):
        shard = Shard(number, count)
        wanted = shard.of(keys)
        try:
            missing = _missing(out / FOLDER / shard.name, plan, wanted, fits)
        except NetloomError as error:
            if any(fault.code == codes.IN_USE for fault in error.faults):
                raise
            missing = len(wanted)
        if missing:
            words = ["netloom", "run", study, "-o", str(out), *(["--fast"] if fast else [])]
            again = shlex.join([*words, "--shard", f"{number}/{count}"])
            expected = f"lacks {missing} of its {len(wanted)} runs"
            faults.append(Fault(codes.SHARD, shard.name, expected, "", f"run: {again}"))
    if len(faults) > LISTED:
        faults[LISTED:] = [Fault(codes.SHARD, str(out), f"and {len(faults) - LISTED} more parts are not done")]
    if faults:
        raise NetloomError(faults)
    with Journal(out, plan.loaded.digest, plan.version, fits=fits) as journal:
        for number in range(1, count + 1):
            home = out / FOLDER / Shard(number, count).name
            with Journal(home, plan.loaded.digest, plan.version, fits=fits) as part:
                for key, record in part.done.items():
                    if key not in journal.done:
                        journal.add(record)
    return run_study(plan, out, figures=figures, say=say)


def study_of(folder: str | Path) -> str:
    """The study whose parts are listed in a folder.

    Raises
    ------
    NetloomError
        `NL-S022` without such a list.
    """
    return _listed(Path(folder) / FOLDER / LIST)[0]


def _missing(folder: Path, plan: Plan, wanted: set[str], fits: Fits) -> int:
    """How many runs a part's journal lacks."""
    if not (folder / "runs.jsonl").is_file():
        return len(wanted)
    with Journal(folder, plan.loaded.digest, plan.version, fits=fits) as journal:
        return plan.lacking(journal.done, wanted)


def _listed(path: Path) -> tuple[str, str, int, bool]:
    """The study, its digest, the number of parts, and whether they leave sizes to flows."""
    try:
        facts = json.loads(files.read(path))
        study, digest, count = facts["study"], facts["digest"], facts["shards"]
        if isinstance(study, str) and isinstance(digest, str) and type(count) is int and 1 <= count <= MOST:
            return study, digest, count, facts.get("fast") is True
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    hint = "write it with: netloom run STUDY -o FOLDER --shards N --emit slurm-array"
    raise NetloomError([Fault(codes.SHARD, str(path), "is no list of parts", "", hint)])
