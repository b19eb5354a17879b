"""A study from file to results: tables, pictures, report, rank files; resumed where it was stopped."""

from __future__ import annotations

import json
import shlex
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .. import plugin
from ..base import files
from ..base.processes import build
from ..plugin import consent
from ..results import write_table
from . import codes
from .answers import answers
from .cautions import cautions
from .check import check_plan
from .claims import Finding, judge
from .emit import RankFiles, write_ranks
from .execute import execute
from .fitting import fitting
from .journal import Journal, unwritable
from .load import load
from .measuring import with_measured
from .performance import with_performance
from .plan import Plan, make_plan
from .readings import tables_of
from .sparing import FastPlan
from .standing import Report
from .tables import Outcome, outcome_of

FORMAT = 1


@dataclass
class Finished:
    """The outcome of a study.

    Parameters
    ----------
    outcomes
        Tables per experiment.
    findings
        Verdicts on the claims.
    written
        Every file, in order of writing.
    problems
        Sentences that make the exit code 1: refused runs that the study did not allow, claims with another verdict
        than the study expects.
    """

    folder: Path
    plan: Plan
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def experiments(self, folder: Path) -> list[dict[str, object]]:
        """Rows and table of each experiment, the table's path below `folder`."""
        return [
            {
                "name": name,
                "runs": len(outcome.table.rows),
                "skipped": len(outcome.skipped.rows),
                "table": str(folder / "tables" / f"{name}.csv"),
            }
            for name, outcome in self.outcomes.items()
        ]

    def as_dict(self) -> dict[str, object]:
        """For `--json`."""
        spared = [
            {"experiment": name, "flows": found.flows, "error": found.error, "says": found.says}
            for name, outcome in self.outcomes.items()
            if (found := outcome.spared)
        ]
        return {
            "study": self.plan.loaded.study.title,
            "hash": self.plan.loaded.digest,
            "version": self.plan.version,
            "output": str(self.folder),
            "report": str(self.folder / "report.html"),
            "experiments": self.experiments(self.folder),
            "answers": [
                {"experiment": name, "title": outcome.part.spec.title or name, "says": says}
                for name, outcome in self.outcomes.items()
                for says in answers(outcome)
            ],
            "cautions": [
                {"experiment": name, "says": says}
                for name, outcome in self.outcomes.items()
                for says in cautions(outcome.part)
            ],
            "readings": [
                {"experiment": name, "table": reading, "rows": list(outcome.longer[reading].rows)}
                for name, outcome in self.outcomes.items()
                for reading in tables_of(outcome.part.spec)
            ],
            **({"fast": spared} if spared else {}),
            "claims": [finding.as_dict() for finding in self.findings],
            "files": [str(path) for path in self.written],
            "problems": self.problems,
        }


def prepare(path: str | Path, *, fast: bool = False) -> Plan:
    """Load, expand and check a study without running it.

    Parameters
    ----------
    fast
        Flows answer runs by packets between two message sizes at which both agree: see `netloom run --fast`.

    Raises
    ------
    NetloomError
        All faults of the file.
    """
    loaded = load(path)
    named = [(loaded.source.at("plugins", i), name) for i, name in enumerate(loaded.study.plugins)]
    for file in consent.require(named, loaded.source.folder):
        plugin.load(file)
    plan = make_plan(loaded, build(), plugin.fingerprint())
    with_performance(plan)
    with_measured(plan)
    check_plan(plan)
    return FastPlan.of(plan, plugin.fingerprint()) if fast else plan


def planned(study: str | Path | Plan) -> Plan:
    """The plan of a study, unless it is one."""
    return study if isinstance(study, Plan) else prepare(study)


def run_study(
    path: str | Path | Plan,
    folder: str | Path,
    *,
    jobs: int = 0,
    on: str = "threads",
    force: bool = False,
    figures: bool = True,
    report: Report | None = None,
    say: Callable[[str], None] | None = None,
) -> Finished:
    """Run a study and write its results.

    Parameters
    ----------
    path
        Study file, or what `prepare` made of it, such as `prepare("study.toml", fast=True)`.
    folder
        Output folder; made if it is not there. Finished runs that it holds are not computed again.
    jobs
        Workers; 0 for one per processor.
    on
        Where runs are computed: `threads`, `processes`, `dask`, `tls://HOST:PORT` or
        `slurm(partition=...,walltime=...)`. Results are the same bytes everywhere.
    force
        Take over a folder that holds another study's results.
    figures
        Also write the charts as PNG and SVG.
    report
        Told about every finished run.
    say
        Told what is being done after the runs.

    Warns
    -----
    UserWarning
        About damaged lines of the journal, whose runs are computed again.

    Raises
    ------
    NetloomError
        Bad input, or an output that cannot be written.
    KeyboardInterrupt
        After finished runs are safe.
    """
    plan = planned(path)
    out = Path(folder)
    keys, fits = fitting(plan)
    with Journal(out, plan.loaded.digest, plan.version, force=force, keys=keys, fits=fits) as journal:
        files.clear_folder(out)
        for sentence in journal.damaged:
            warnings.warn(sentence, stacklevel=2)
        records = execute(plan, journal, jobs=jobs, on=on, report=report)
        journal.settle(keys)
        finished = Finished(out, plan)
        answered = plan.answered(records)
        for part in plan.parts:
            finished.outcomes[part.spec.name] = outcome = outcome_of(part, answered)
            outcome.spared = plan.spared(part, records)
        for part in plan.parts:
            finished.findings += [judge(claim, part.spec.name, finished.outcomes) for claim in part.spec.claim]
        finished.problems = problems(finished)
        try:
            _write(finished, figures, say or (lambda _: None))
        except OSError as error:
            raise unwritable(out, error) from None
    return finished


def problems(finished: Finished) -> list[str]:
    """What the study's author did not expect."""
    found = []
    for name, outcome in finished.outcomes.items():
        rows = list(outcome.skipped.rows)
        if outcome.part.spec.skip_unsupported:
            # Refusals by the evaluation are allowed, failures and lost runs are not.
            rows = [row for row in rows if str(row["code"]).startswith(("NL-X", codes.LOST))]
        if rows:
            more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
            found.append(f"{name}: run refused: {rows[0]['code']} {rows[0]['reason']}{more}")
    for finding in finished.findings:
        if finding.surprise:
            label = finding.claim.id or finding.claim.says
            found.append(
                f"{finding.experiment}: claim {label} is {finding.verdict}: {finding.expected}, got {finding.got}"
            )
    return found


def _write(finished: Finished, figures: bool, say: Callable[[str], None]) -> None:
    from ..report import write_report
    from ..report.pictures import Pictures
    from .first import first_screen, repeatable
    from .reporting import sections

    out, plan = finished.folder, finished.plan
    say("writing tables")
    for name, outcome in finished.outcomes.items():
        about = provenance(plan, name)
        if outcome.spared is not None:
            about["fast"] = outcome.spared.says
        tables = [outcome.table, *outcome.longer.values(), *([outcome.skipped] if outcome.skipped.rows else [])]
        if not outcome.skipped.rows:
            # Of an earlier try, in which runs were lost.
            for stale in (out / "tables").glob(f"{outcome.skipped.name}.*"):
                stale.unlink()
        for table in tables:
            finished.written += write_table(table, out / "tables", about)
    ranks: dict[str, list[RankFiles]] = {}
    for name, outcome in finished.outcomes.items():
        if outcome.part.spec.emit is not None:
            say("writing rank files")
            ranks[name] = write_ranks(outcome, plan.calls, out, lambda *_: None)
            finished.written += [out / file for item in ranks[name] for file in item.names]
    say("drawing figures" if figures else "writing the report")
    pictures = Pictures(out, figures)
    made = sections(plan, finished.outcomes, finished.findings, ranks, pictures)
    first = first_screen(finished.outcomes, finished.findings, made)
    finished.written += pictures.written
    facts = {
        "title": plan.loaded.study.title,
        "summary": plan.loaded.study.about,
        "version": plan.version,
        "hash": plan.loaded.digest,
        "seeds": seeds(plan),
        "command": shlex.join(["netloom", "run", Path(plan.name).name, *(["--fast"] if plan.fast else [])]),
    }
    finished.written.append(write_report(out / "report.html", facts, made, first, repeatable(finished.outcomes)))
    summary = finished.as_dict()
    # Paths inside the folder, so that results are the same bytes in any folder.
    relative = {
        "report": "report.html",
        "output": ".",
        "files": [path.relative_to(out).as_posix() for path in finished.written],
        "experiments": finished.experiments(Path()),
    }
    text = json.dumps(summary | relative, indent=2, ensure_ascii=False)
    files.write(out / "summary.json", (text + "\n").encode())
    finished.written.append(out / "summary.json")


def seeds(plan: Plan) -> str:
    """All values of the axis `seed`."""
    found = sorted({v for part in plan.parts for v in part.labels.get("seed", []) if isinstance(v, int)})
    if len(found) > 2 and found == list(range(found[0], found[-1] + 1)):
        return f"{found[0]} to {found[-1]}"
    return ", ".join(map(str, found))


def provenance(plan: Plan, experiment: str) -> dict[str, object]:
    """What made a table: enough to make it again."""
    part = next(p for p in plan.parts if p.spec.name == experiment)
    return {
        "study": plan.loaded.study.title,
        "study_hash": plan.loaded.digest,
        "experiment": experiment,
        "evaluate": part.evaluation.name,
        "options": part.options,
        "netloom": plan.version,
        "seeds": seeds(plan),
        "axes": {
            name: [
                {"label": value.label, "value": value.value} | dict(value.extra)
                for value in part.spec.axes.get(name, [])
            ]
            or part.labels[name]
            for name in part.axes
        },
    }
