"""Options that say where the runs of a study are computed."""

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
    from ..study.standing import Report

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True)
class Where:
    """Workers, and which part of the study is asked for."""

    jobs: int
    on: str
    shards: int
    shard: str | None
    emit: str | None
    #: The study's own code may run.
    trusted: bool

    def words(self) -> list[str]:
        """The options that the same command needs again."""
        on = [] if self.on == "threads" else ["--on", self.on]
        shard = [] if self.shard is None else ["--shard", self.shard]
        return [*on, *shard, *(["--allow-plugins"] if self.trusted else [])]

    def array(self, study: str, folder: str) -> int:
        """Write the batch script of all parts."""
        from ..base.shell import path_word
        from ..study.shards import write_array

        script, listed = write_array(study, folder, self.shards, self.words())
        words = f"submit: sbatch {path_word(script)}; afterwards: netloom merge {path_word(folder)}"
        note(f"wrote {script} and {listed}; {words}")
        return 0

    def part(self, study: str, folder: str, report: Report) -> int:
        """Compute one part."""
        from ..study.shards import Shard, run_shard

        problems = run_shard(
            study, folder, Shard.parse(self.shard or ""), jobs=self.jobs, on=self.on, report=report
        )  # fmt: skip
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
    @click.option("--allow-plugins", is_flag=True, help="Run the plug-ins that the study names: code from its folder.")
    @wraps(function)
    def asked(
        jobs: str | None, on: str, shards: str | None, shard: str | None, emit: str | None, allow_plugins: bool,
        **others: object,
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
        return function(where=Where(count, on, parts, shard, emit, allow_plugins), **others)

    return asked
