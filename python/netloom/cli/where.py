"""Options that say which runs of a study are computed, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from .options import integer, refused
from .output import note

if TYPE_CHECKING:
    from ..study.plan import Plan
    from ..study.standing import Report

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True)
class Where:
    """Workers, and which runs of the study are asked for."""

    jobs: int
    on: str
    shards: int
    shard: str | None
    emit: str | None
    #: The study's own code may run.
    trusted: bool
    #: Flows may answer sizes between those that packets are asked of.
    fast: bool

    def plan(self, study: str) -> Plan:
        """The study, checked."""
        from ..study.run import prepare

        return prepare(study, fast=self.fast)

    def words(self) -> list[str]:
        """The options that the same command needs again."""
        on = [] if self.on == "threads" else ["--on", self.on]
        shard = [] if self.shard is None else ["--shard", self.shard]
        flags = {"--fast": self.fast, "--allow-plugins": self.trusted}
        return [*on, *shard, *(flag for flag, given in flags.items() if given)]

    def array(self, study: str, folder: str) -> int:
        """Write the batch script of all parts."""
        from ..base.shell import path_word
        from ..study.shards import write_array

        script, listed = write_array(self.plan(study), folder, self.shards, self.words())
        words = f"submit: sbatch {path_word(script)}; afterwards: netloom merge {path_word(folder)}"
        note(f"wrote {script} and {listed}; {words}")
        return 0

    def part(self, study: str, folder: str, report: Report) -> int:
        """Compute one part."""
        from ..study.shards import Shard, run_shard

        part = Shard.parse(self.shard or "")
        problems = run_shard(self.plan(study), folder, part, jobs=self.jobs, on=self.on, report=report)
        for problem in problems:
            note(f"problem: {problem}")
        return 1 if problems else 0


def where(function: F) -> Callable[..., object]:
    """Adds the options and passes them on together."""

    @click.option("-j", "--jobs", metavar="N", help="How many runs at the same time.  [default: one per processor]")
    @click.option(
        "--on", default="threads", show_default=True, metavar="PLACE",
        help="Where runs are computed: threads, processes, dask, tls://HOST:PORT, slurm(partition=...,walltime=...).",
    )  # fmt: skip
    @click.option("--shards", metavar="N", help="With --emit: number of parts.")
    @click.option(
        "--shard", metavar="K/N", help="Compute only part K of N, into a journal of its own; see netloom merge."
    )
    @click.option("--emit", type=click.Choice(["slurm-array"]), help="Write a batch script that computes all parts.")
    @click.option(
        "--fast", is_flag=True, help="Leave message sizes between two at which flows and packets agree to flows."
    )
    @click.option("--allow-plugins", is_flag=True, help="Run the plug-ins that the study names: code from its folder.")
    @wraps(function)
    def asked(
        jobs: str | None, on: str, shards: str | None, shard: str | None, emit: str | None, fast: bool,
        allow_plugins: bool, **others: object,
    ) -> object:  # fmt: skip
        from ..study.backends import check

        if (emit is None) != (shards is None):
            raise refused("--shards", "and --emit belong together", "such as --shards 2 --emit slurm-array")
        if emit is not None and shard is not None:
            raise refused("--shard", "is for running a part, --emit for writing the script")
        check(on)
        count = 0 if jobs is None else integer("--jobs", jobs, 1)
        parts = 0 if shards is None else integer("--shards", shards, 1)
        if allow_plugins:
            from ..plugin import trust

            trust(Path(str(others["study"])).parent)
        return function(where=Where(count, on, parts, shard, emit, allow_plugins, fast), **others)

    return asked
