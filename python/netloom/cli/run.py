"""`netloom run`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base import interrupt
from .options import as_json, integer, plugins
from .output import emit_json, emit_table, note, progress

if TYPE_CHECKING:
    from ..study.plan import Plan
    from ..study.run import Finished

EPILOG = """\b
Examples:
  netloom run study.toml -o out/
  netloom run study.toml --check

A run that was stopped goes on where it was when the same command is given again. Exit code 1
means that the study found a problem: a run was refused, or a claim has another verdict than
the study expects.
"""


def _allow(ctx: click.Context, param: click.Parameter, allowed: bool) -> None:
    if allowed and not ctx.resilient_parsing:
        from ..plugin import consent

        consent.allow()
        ctx.call_on_close(consent.disallow)


@click.command(epilog=EPILOG)
@click.argument("study", metavar="STUDY.toml")
@click.option("-o", "--output", metavar="FOLDER", help="Output folder.  [default: out/<name of the study file>]")
@click.option("-j", "--jobs", metavar="N", help="Runs at the same time.  [default: one per processor]")
@click.option("--force", is_flag=True, help="Take over a folder with another study's results; equal runs are kept.")
@click.option("--check", is_flag=True, help="Only check the study and count its runs.")
@click.option("--no-figures", is_flag=True, help="No PNG and SVG files; the report has its charts all the same.")
@click.option(
    "--allow-plugins", is_flag=True, expose_value=False, callback=_allow,
    help="Run the plug-ins that the study names: code from its folder.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@plugins
@as_json
def command(
    study: str, output: str | None, jobs: str | None, force: bool, check: bool, no_figures: bool,
    quiet: bool, json_: bool,
) -> int:  # fmt: skip
    """Run a study: tables, report.html, pictures and rank files in the output folder."""
    from ..study.run import prepare, run_study

    count = 0 if jobs is None else integer("--jobs", jobs, 1)
    if check:
        _show_plan(prepare(study), json_)
        return 0
    folder = output or str(Path("out") / Path(study).stem)
    words = ["netloom", "run", study, *(["-o", output] if output else [])]
    stopped = f"interrupted; finished runs are kept. Go on with: {shlex.join(words)}"
    interrupt.say(stopped)
    try:
        with progress("runs", quiet) as bar:
            watcher = Watcher(bar, quiet)
            finished = run_study(
                study, folder, jobs=count, force=force, figures=not no_figures,
                report=watcher, say=watcher.say, warn=lambda text: note(f"note: {text}"),
            )  # fmt: skip
    except KeyboardInterrupt:
        note(stopped)
        return interrupt.INTERRUPTED
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
    """Progress for people: a bar on a terminal, a line per tenth elsewhere."""

    def __init__(self, bar: Callable[[int, int], object], quiet: bool) -> None:
        self.bar, self.lines = bar, not quiet and not sys.stderr.isatty()
        self.tenth = -1

    def __call__(self, done: int, total: int, experiment: str) -> None:
        from ..base.quantities import counted

        self.bar(done, total)
        tenth = 10 * done // max(total, 1)
        if self.lines and tenth != self.tenth:
            self.tenth = tenth
            note(f"{done} of {counted(total, 'run')}{f' ({experiment})' if experiment else ''}")

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
