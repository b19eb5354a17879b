"""`netloom run`."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import as_json, plugins
from .output import emit_json, emit_table, note, progress, warned
from .where import Where, where

if TYPE_CHECKING:
    from ..study.plan import Plan
    from ..study.run import Finished

EPILOG = """\b
Examples:
  netloom run study.toml -o out/
  netloom run study.toml --check
  netloom run study.toml --on processes -j 8
  netloom run study.toml --on tcp://scheduler:8786
  netloom run study.toml -o out --shards 200 --emit slurm-array

A run that was stopped goes on where it was when the same command is given again. Exit code 1
means that the study found a problem: a run was refused, or a claim has another verdict than
the study expects.
"""


MINUTE = 60.0


@click.command(epilog=EPILOG)
@click.argument("study", metavar="STUDY.toml")
@click.option("-o", "--output", metavar="FOLDER", help="Output folder.  [default: out/<name of the study file>]")
@where
@click.option("--force", is_flag=True, help="Take over a folder with another study's results; equal runs are kept.")
@click.option("--check", is_flag=True, help="Only check the study and count its runs.")
@click.option("--no-figures", is_flag=True, help="No PNG and SVG files; the report has its charts all the same.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@plugins
@as_json
def command(
    study: str, output: str | None, where: Where, force: bool, check: bool, no_figures: bool, quiet: bool,
    json_: bool,
) -> int:  # fmt: skip
    """Run a study: tables, report.html, pictures and rank files in the output folder."""
    from ..study.run import prepare, run_study

    if check:
        _show_plan(prepare(study), json_)
        return 0
    folder = output or str(Path("out") / Path(study).stem)
    if where.emit is not None:
        return where.array(study, folder)
    # SIGTERM stops as cleanly as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with progress("runs", quiet) as bar, warned():
            watcher = Watcher(bar, quiet)
            if where.shard is not None:
                return where.part(study, folder, watcher)
            finished = run_study(
                study, folder, jobs=where.jobs, on=where.on, force=force, figures=not no_figures, report=watcher,
                say=watcher.say,
            )  # fmt: skip
    except KeyboardInterrupt:
        words = ["netloom", "run", study, *(["-o", output] if output else []), *where.words()]
        note(f"interrupted; finished runs are kept. Go on with: {shlex.join(words)}")
        return 130
    if json_:
        emit_json(finished.as_dict())
    else:
        summary(finished)
    for problem in finished.problems:
        note(f"problem: {problem}")
    return 1 if finished.problems else 0


def _show_plan(plan: Plan, json_: bool) -> None:
    rows = [[part.spec.name, part.evaluation.name, len(part.runs)] for part in plan.parts]
    if json_:
        emit_json([dict(zip(("experiment", "evaluate", "runs"), row, strict=True)) for row in rows])
    else:
        emit_table(["experiment", "evaluate", "runs"], rows)


class Watcher:
    """Progress for people: a bar on a terminal, a line per tenth or per minute elsewhere."""

    def __init__(self, bar: Callable[[int, int], object], quiet: bool) -> None:
        self.bar, self.lines = bar, not quiet and not sys.stderr.isatty()
        self.tenth, self.said = -1, 0.0
        #: Runs that were finished before, and when.
        self.begin: tuple[int, float] | None = None

    def __call__(self, done: int, total: int, experiment: str) -> None:
        from ..base.quantities import counted

        self.bar(done, total)
        now = time.monotonic()
        self.begin = self.begin or (done, now)
        tenth = 10 * done // max(total, 1)
        if self.lines and (tenth != self.tenth or now - self.said > MINUTE):
            self.tenth, self.said = tenth, now
            note(f"{done} of {counted(total, 'run')}{f' ({experiment})' if experiment else ''}{self.left(done, total)}")

    def left(self, done: int, total: int) -> str:
        """An estimate of the end, from the runs so far; nothing below ten seconds."""
        before, then = self.begin or (0, 0.0)
        if done in (before, total):
            return ""
        seconds = (total - done) * (time.monotonic() - then) / (done - before)
        if seconds < MINUTE / 6:
            return ""
        return f", about {seconds / MINUTE:.0f} min left" if seconds > 2 * MINUTE else f", about {seconds:.0f} s left"

    def say(self, text: str) -> None:
        """The steps after the runs."""
        if self.lines:
            note(text)


def summary(finished: Finished) -> None:
    """The files written, and the verdicts on the claims."""
    rows = [[name, len(o.table.rows), len(o.skipped.rows)] for name, o in finished.outcomes.items()]
    emit_table(["experiment", "runs", "skipped"], rows)
    if finished.findings:
        counts: dict[str, int] = {}
        for finding in finished.findings:
            counts[finding.verdict] = counts.get(finding.verdict, 0) + 1
        click.echo("claims: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    click.echo(f"report: {finished.folder / 'report.html'}")
