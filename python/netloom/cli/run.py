"""`netloom run`."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base import interrupt
from ..base.stopping import Stopped, stopping
from .options import as_json, machines, no_progress, plugins, stop_after, stop_seconds
from .output import emit_json, emit_table, note, progress, show
from .warned import warned
from .where import Where, where

if TYPE_CHECKING:
    from ..study.plan import Plan
    from ..study.run import Finished
    from ..study.standing import Standing
    from ..study.tables import Outcome

EPILOG = """\b
Examples:
  netloom run study.toml -o out/
  netloom run study.toml --check
  netloom run study.toml --fast
  netloom run study.toml --on processes -j 8
  netloom run study.toml --on tls://scheduler:8786
  netloom run study.toml -o out --shards 200 --emit slurm-array

A run that was stopped goes on where it was when the same command is given again. Exit code 1
means that the study found a problem: a run was refused, or a claim has another verdict than
the study expects.
"""


MINUTE = 60.0
#: Runs under way that are named.
NAMED = 2


@click.command(epilog=EPILOG)
@click.argument("study", metavar="STUDY.toml")
@click.option("-o", "--output", metavar="FOLDER", help="Output folder.  [default: out/<name of the study file>]")
@where
@click.option("--force", is_flag=True, help="Reuse a folder with another study's results; equal runs are kept.")
@click.option("--check", is_flag=True, help="Only check the study, count its runs and estimate their time.")
@click.option("--no-figures", is_flag=True, help="Write no PNG and SVG files; the report keeps its charts.")
@stop_after
@no_progress
@machines
@plugins
@as_json
def command(
    study: str, output: str | None, where: Where, force: bool, check: bool, no_figures: bool, quiet: bool,
    json_: bool,
) -> int:  # fmt: skip
    """Run a study: tables, report.html, pictures and rank files in the output folder."""
    from ..study.run import run_study

    if check:
        with warned():
            _show_plan(where.plan(study), json_)
        return 0
    folder = output or str(Path("out") / Path(study).stem)
    if where.emit is not None:
        return where.array(study, folder)
    words = ["netloom", "run", study, *(["-o", output] if output else []), *where.words()]
    stopped = f"interrupted; finished runs are kept. Go on with: {shlex.join(words)}"
    interrupt.say(stopped)
    try:
        with stopping(stop_seconds(), alarm=False), progress("runs", quiet, lines=False) as bar, warned():
            watcher = Watcher(bar, quiet)
            if where.shard is not None:
                return where.part(study, folder, watcher)
            finished = run_study(
                where.plan(study), folder, jobs=where.jobs, on=where.on, force=force, figures=not no_figures,
                report=watcher, say=watcher.say,
            )  # fmt: skip
    except Stopped:
        note(stopped.replace("interrupted", f"stopped after {stop_seconds():g} s"))
        return interrupt.INTERRUPTED
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
    """Runs per experiment, and what they are thought to take."""
    from ..study.costs import Cost, Costs

    costs, whole = Costs.kept(), Cost()
    listed = []
    for part in plan.parts:
        cost = costs.of(part.evaluation.name, (run.calls for run in part.runs))
        whole.join(cost)
        facts: dict[str, object] = {
            "experiment": part.spec.name, "evaluate": part.evaluation.name, "runs": len(part.runs),
        }  # fmt: skip
        listed.append(facts | {"estimate": vars(cost)} if json_ else facts)
    if json_:
        emit_json(listed)
        return
    for line in filter(None, map(plan.ahead, plan.parts)):
        note(f"note: {line}")
    emit_table(["experiment", "evaluate", "runs"], [list(facts.values()) for facts in listed])
    click.echo(whole.words())


class Watcher:
    """Progress for people: a bar on a terminal; elsewhere a line per tenth, and now and then in between."""

    def __init__(self, bar: Callable[..., object], quiet: bool) -> None:
        self.bar, self.lines, self.quiet = bar, not quiet and not sys.stderr.isatty(), quiet
        #: When the next line is due though no tenth is full: after ten seconds, and twice as long up to a minute.
        self.tenth, self.wait, self.due = -1, MINUTE / 6, 0.0
        self.place = ""

    def __call__(self, now: Standing) -> None:
        from ..base.quantities import counted

        if now.place != self.place and not self.quiet:
            self.place = now.place
            note(f"workers can be watched at {now.place}")
        if not self.lines and not self.quiet:
            self.bar(now.done, now.total, f"{now.done} of {now.total}{self.more(now)}{_names(now)}")
        tenth, clock = 10 * now.done // max(now.total, 1), time.monotonic()
        if self.lines and (tenth != self.tenth or clock >= self.due):
            ended, waited = 0 <= self.tenth < tenth, tenth == self.tenth
            self.wait = min(2 * self.wait, MINUTE) if waited else self.wait
            self.tenth, self.due = tenth, clock + self.wait
            last = f" ({now.experiment})" if now.experiment else ""
            note(f"{now.done} of {counted(now.total, 'run')}{last}{self.more(now)}{'' if ended else _names(now)}")

    def more(self, now: Standing) -> str:
        """Failed runs; the time that runs took and the end, if that is over ten seconds off."""
        from ..study.costs import time_text

        left = now.left_s or 0.0
        far = left >= MINUTE / 6 and now.done < now.total
        guess = " (a guess: no such runs were measured here yet)" if now.guessed else ""
        parts = {
            f"{now.failed} failed": now.failed,
            f"{time_text(now.spent_s)} of cores": far and now.spent_s,
            f"about {time_text(left)} left{guess}": far,
        }
        return "".join(f", {text}" for text, said in parts.items() if said)

    def say(self, text: str) -> None:
        """The steps after the runs."""
        if self.lines:
            note(text)


def _names(now: Standing) -> str:
    """How many runs are under way, and which of them longest, with their times."""
    from ..study.costs import time_text

    longest = sorted(now.under_way, key=lambda run: run.since)[:NAMED]
    words = [f"{run.name} ({time_text(spent)})" if (spent := run.spent_s) >= 1 else run.name for run in longest]
    more = ["..."] if len(now.under_way) > NAMED else []
    return f", {len(now.under_way)} under way: {'; '.join(words + more)}" if words else ""


def _by_flows(outcome: Outcome) -> list[object]:
    """Cells of a study with `--fast`."""
    from ..study.spared import percent

    spared = outcome.spared
    if spared is None:
        return []
    return [spared.flows, f"up to {percent(spared.error)}" if spared.flows else None]


def summary(finished: Finished) -> None:
    """The files written, and the verdicts on the claims."""
    from ..study.answers import answers
    from ..study.cautions import cautions

    for name, outcome in finished.outcomes.items():
        for line in answers(outcome):
            click.echo(f"{outcome.part.spec.title or name}: {show(line)}")
        for line in outcome.unused_words():
            note(f"note: {name}: {line}")
        for line in cautions(outcome.part):
            note(f"note: {line}")
        if outcome.spared:
            note(f"note: {outcome.spared.says}")
    rows = [[name, len(o.table.rows), len(o.skipped.rows), *_by_flows(o)] for name, o in finished.outcomes.items()]
    emit_table(["experiment", "runs", "skipped", *(["by flows", "their error"] if finished.plan.fast else [])], rows)
    if finished.findings:
        counts: dict[str, int] = {}
        for finding in finished.findings:
            counts[finding.verdict] = counts.get(finding.verdict, 0) + 1
        click.echo("claims: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
        for finding in finished.findings:
            if finding.by_flows:
                note(f"note: claim {finding.claim.id or finding.claim.says}: {finding.by_flows}")
    click.echo(f"report: {finished.folder / 'report.html'}")
