"""Writes docs/reproduction.md: every number of the papers next to ours, from the result files of the studies.

    python -m tests.papers.reproduction out docs/reproduction.md

Studies whose results are not below `out` are run first. Equal results give equal bytes.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from netloom.results import Table
from netloom.study import prepare, run_study
from netloom.study.claims import judge
from netloom.study.plan import Part, Plan
from netloom.study.schema import Query
from netloom.study.tables import Outcome

from .evidence import HERE, Check, Row, checks, errata, read_table, row_of

ROOT = HERE.parent.parent
#: In order of the page; the file names are those of examples/.
STUDIES = (
    *("chapter3", "chapter3_time", "chapter4", "chapter4_time", "chapter5", "chapter5_time"),
    *("applications", "cui_koibuchi", "thin_trees", "linkload", "linkload-full"),
    *("linkload-full-m2m", "linkload-full-spread", "linkload-full-workloads", "two_tier"),
)
#: Studies at full size: the first chart of each experiment is shown with its statements.
PICTURED = ("linkload-full", "linkload-full-m2m", "linkload-full-spread", "linkload-full-workloads")
IMAGES = Path("images") / "reproduction"
#: Experiments with more exact numbers than this show them as counts, and only what differs in full.
MANY = 60

INTRODUCTION = """# Reproduction

Numbers and orders that the papers state, next to what netloom computes. `make papers` writes this page from the results
of the studies in `examples/`; only the statements and the reasons are written by hand.
"""
READING = """*Paper* is what is printed, with the tolerance that counts as agreement. *Ours* is the median over the
random networks of the study, with the range in parentheses; `a > b` compares medians. Where a paper leaves its setting
open, such as the wiring of a dragonfly's groups or the order of cabinets, each reading is a separate statement; the
reason says what does not fit. Errata (E0-01, ...) are explained on [the papers' page](papers.md)."""
ERRATA = """
## Errata borne out

Misprints and contradictions of the papers that the numbers above decide.
"""


def main(arguments: list[str]) -> int:
    """Write the page; 1 if the results are of other studies than those of examples/."""
    if len(arguments) != 2:
        print("usage: python -m tests.papers.reproduction OUT PAGE.md", file=sys.stderr)
        return 2
    out, page = Path(arguments[0]), Path(arguments[1])
    loaded = []
    for name in STUDIES:
        study = ROOT / "examples" / f"{name}.toml"
        if not (out / name / "summary.json").is_file():
            print(f"running {study.relative_to(ROOT)}", file=sys.stderr)
            run_study(study, out / name, figures=name in PICTURED)
        plan = prepare(study)
        summary = json.loads((out / name / "summary.json").read_text(encoding="utf-8"))
        if summary["hash"] != plan.loaded.digest:
            print(f"{out / name} is not of examples/{name}.toml as it is now: run `make demo` again", file=sys.stderr)
            return 1
        loaded.append((plan, summary, out / name))
    page.write_text(render(loaded), encoding="utf-8")
    shutil.rmtree(page.parent / IMAGES, ignore_errors=True)
    (page.parent / IMAGES).mkdir(parents=True)
    for plan, _, folder in loaded:
        for part in plan.parts:
            for name, source in pictures(part, folder).items():
                shutil.copyfile(source, page.parent / IMAGES / name)
    return 0


def render(loaded: list[tuple[Plan, dict, Path]]) -> str:
    """The whole page."""
    body: list[str] = []
    rows: list[Row] = []
    for plan, summary, folder in loaded:
        body += ["", f"## {plan.loaded.study.title}", "", plan.loaded.study.about.strip()]
        queue = list(summary["claims"])
        outcomes = outcomes_of(plan, folder)
        for part in plan.parts:
            made = []
            for claim in part.spec.claim:
                finding = judge(claim, part.spec.name, outcomes).as_dict()
                said = queue.pop(0)
                if finding["verdict"] != said["verdict"]:
                    raise ValueError(
                        f"{folder}: {claim.id} is {finding['verdict']} by its tables, not {said['verdict']}"
                    )
                table = outcomes[part.spec.name].named(claim.of.table)
                made.append(row_of(claim, finding, table or Table("", [])))
            rows += made
            if made:
                body += section(part, made)
            for name in pictures(part, folder):
                body += ["", f"![{part.spec.chart[0].title}]({(IMAGES / name).as_posix()})"]
    found = checks()
    return "\n".join([*head(loaded, rows), *body, *tested(found), *confirmed_errata(rows, found), *outside(), ""])


def outcomes_of(plan: Plan, folder: Path) -> dict[str, Outcome]:
    """What the experiments gave, from the tables that the study wrote."""
    claims = [claim for part in plan.parts for claim in part.spec.claim]
    longer = {query.table for claim in claims for query in (claim.of, claim.to) if isinstance(query, Query)}
    made = {}
    for part in plan.parts:
        tables = {name: read_table(folder / "tables" / f"{table_name(part, name)}.csv") for name in {"", *longer}}
        made[part.spec.name] = Outcome(part, tables.pop(""), Table("", []), tables)
    return made


def pictures(part: Part, folder: Path) -> dict[str, Path]:
    """File names on the page of an experiment's first chart, one per facet, and where the study has them."""
    if folder.name not in PICTURED:
        return {}
    made = sorted(folder.glob(f"figures/{part.spec.name}-1-*.png"))
    return {f"{folder.name}-{part.spec.name}-{i}.png": source for i, source in enumerate(made, start=1)}


def table_name(part: Part, longer: str) -> str:
    """The file of an experiment's table, or of one of its longer tables."""
    return f"{part.spec.name}-{longer}" if longer else part.spec.name


def head(loaded: list[tuple[Plan, dict, Path]], rows: list[Row]) -> list[str]:
    """Title, works, how to make the page, counts."""
    papers = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    works = re.search(r"^\| short name \| work \|\n(?:\|.*\n)+", papers, re.MULTILINE)
    counts = Counter(row.verdict for row in rows)
    verdicts = f"{counts['confirmed']} confirmed, {counts['refuted']} refuted with the reason"
    verdicts += f", {counts['open']} open" if counts["open"] else ""
    lines = [
        INTRODUCTION,
        works[0] if works else "",
        f"{len(rows)} statements: {verdicts}.",
        "",
        "| study | runs | confirmed | refuted | random networks |",
        "|---|---|---|---|---|",
    ]
    for plan, summary, folder in loaded:
        mine = Counter(claim["verdict"] for claim in summary["claims"])
        runs = sum(e["runs"] for e in summary["experiments"])
        seeds = max((len(part.labels.get("seed", [])) for part in plan.parts), default=0)
        study = f"`examples/{folder.name}.toml`"
        lines.append(f"| {study} | {runs:,} | {mine['confirmed']} | {mine['refuted']} | {seeds or 'none'} |")
    return [*lines, "", READING]


def section(part: Part, rows: list[Row]) -> list[str]:
    """One experiment: heading, what it says about itself, its statements."""
    lines = ["", f"### {part.spec.title or part.spec.name}", ""]
    if part.spec.about.strip():
        lines += [part.spec.about.strip(), ""]
    shown = rows
    if len(rows) > MANY:
        exact = [row for row in rows if row.exact and row.verdict == "confirmed"]
        shown = [row for row in rows if row not in exact]
        for source, same in groupby(exact, key=lambda row: row.source):
            lines.append(f"- {source}: {len(list(same))} numbers, all exactly as printed.")
        lines.append("")
    return lines + (statements(shown) if shown else [])


def statements(rows: Iterable[Row]) -> list[str]:
    """A table of statements."""
    lines = ["| id | statement | place | paper | ours | verdict |", "|---|---|---|---|---|---|"]
    for row in rows:
        verdict = row.verdict + (f": {row.reason}" if row.reason else "")
        cells = [row.id, row.says, place(row.source), row.printed, row.ours, verdict]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def place(source: str) -> str:
    """The place within the work of the study's title."""
    return source.removeprefix("Cui 2024, ").removeprefix("Navaridas 2009, ")


def tested(found: list[Check]) -> list[str]:
    """Tests of tests/papers, which `make test` runs."""
    lines = [
        "",
        "## Checked by tests",
        "",
        "Single numbers and closed forms, checked by `make test` in `tests/papers/`.",
    ]
    for page, group in groupby(found, key=lambda check: check.page):
        lines += ["", f"### {page}", "", "| test | what |", "|---|---|"]
        lines += [f"| `{check.name}` | {check.says or words(check.name)} |".replace("||", "\\|\\|") for check in group]
    return lines


def words(name: str) -> str:
    """A test's name as a sentence."""
    return name.removeprefix("test_").replace("_", " ")


def confirmed_errata(rows: list[Row], found: list[Check]) -> list[str]:
    """Errata that a statement or a test above bears out."""
    lines = [
        ERRATA,
        "| erratum | place | printed | here | decided by |",
        "|---|---|---|---|---|",
    ]
    papers = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    for number, where, printed, used in errata(papers):
        by = [row.id for row in rows if number in " ".join([row.id, row.source, row.reason])]
        by += [f"`{check.name}`" for check in found if number in mentioned(check.text)]
        if by:
            lines.append(f"| {number} | {where} | {printed} | {used} | {', '.join(by)} |")
    return lines


def mentioned(text: str) -> set[str]:
    """Errata that a test names; `E0-08 to E0-12` names all five."""
    found = set(re.findall(r"\bE\d-\d\d\b", text))
    for paper, first, last in re.findall(r"\bE(\d)-(\d\d) to E\1-(\d\d)\b", text):
        found |= {f"E{paper}-{i:02}" for i in range(int(first), int(last) + 1)}
    return found


def outside() -> list[str]:
    """What is not checked, and why."""
    lines = ["", "## Not checked", "", "| paper | place | what | why not |", "|---|---|---|---|"]
    parts = tomllib.loads((HERE / "outside.toml").read_text(encoding="utf-8"))["part"]
    return lines + [f"| {p['paper']} | {p['place']} | {p['what']} | {p['why']} |" for p in parts]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
