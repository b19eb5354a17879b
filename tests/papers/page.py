"""The words of docs/reproduction.md: a summary, the disagreements worth a look, then every statement, folded."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from .evidence import Check, errata, mentioned, shorten
from .findings import HERE, ROOT, Case, Found, Kept
from .measured import MODULES, place
from .statements import LONG, STUDIES, Chapter
from .verdicts import GROUNDS, VERDICTS, Judged, failing, filled, greatest

IMAGES = "images/reproduction"
INTRODUCTION = """# Reproduction

What the papers state, and what netloom computes. A row is one statement of a paper and has one verdict, at the size
that the paper speaks of:

- **confirmed**: all that the statement says holds within the tolerance;
- **tie**: what it orders is the other way round by 2 % or less, or by less than the random networks differ;
- **refuted**: it does not hold, in any reading of what the paper leaves open;
- **open**: no verdict, for the reason named: it *holds* or *fails on a smaller machine* than the paper's, it was *run
  for a part* of what it says, whichever way that came out, or an *unstated setting* or measure decides it;
- **waits**: netloom lacks what it needs, or the run has not been made.

A cell names the cases that fail first, then ties, then those that hold; a tie never counts as holding. Readings (half
or full duplex, which of several shortest routes, barriers between repetitions, the list of hosts, the wiring of groups)
belong to the row whose statement they read, and the last column has the outcome of each that was tried. What holds in
one and fails in another is open, unless the paper or its simulator names the setting: the row then says so. A row that
says what another one says has the verdict of that one and is not counted. Misprints, which the paper itself
contradicts, and claims of our own are counted apart. `make papers` repeats all studies of minutes and writes this page;
`make papers-full` those of hours too, whose results stay here until then. Errata (E0-01, ...) and the short names of
the works are explained on [the papers' page](papers.md).
"""
#: Verdicts on cases, in order of the cell, and their words.
WORST = {"refuted": 0, "open": 1, "tie": 2}
WORDS = ("fails", "lacks a number", "ties", "holds")
HEADS = {"confirmed": "confirmed", "tie": "tied", "refuted": "refuted", "open": "open", "waits": "waiting"}


@dataclass(frozen=True)
class Evidence:
    """All that the page is made of."""

    chapters: list[tuple[Chapter, list[Judged]]]
    found: Mapping[str, Found]
    kept: list[Kept]
    checks: list[Check]
    homes: Mapping[str, str]

    def judged(self) -> list[Judged]:
        """All rows."""
        return [one for _, rows in self.chapters for one in rows]


def render(evidence: Evidence) -> str:
    """The whole page."""
    body = [INTRODUCTION, *summary(evidence), *stories(evidence), *statements(evidence), *ours(evidence)]
    body += [*studies(evidence), *tested(evidence.checks), *confirmed_errata(evidence), *outside()]
    return "\n".join([*body, ""])


def counted(rows: Iterable[Judged]) -> Counter[str]:
    """Verdicts among the rows."""
    return Counter(one.verdict for one in rows)


def summary(evidence: Evidence) -> list[str]:
    """The headline, and a table by paper and chapter."""
    total = counted(evidence.judged())
    rows = sum(total[verdict] for verdict in VERDICTS)
    decided = ", ".join(f"{total[verdict]} {HEADS[verdict]}" for verdict in VERDICTS)
    own = len({name for one in evidence.judged() for name in one.row.extra})
    grounds = Counter(one.ground for one in evidence.judged())
    opened = ", ".join(f"{grounds[ground]} {ground}" for ground in GROUNDS if grounds[ground])
    mixed = sum(one.verdict == "confirmed" and bool(failing(one.row, evidence.found)) for one in evidence.judged())
    lines = [
        f"**{rows} statements of five papers: {decided}.**",
        f"Apart from them {total['misprint']} misprints and {own} claims of our own.",
        f"Of the open ones: {opened}. Of the confirmed ones {mixed} fail with a reading that is not the paper's.",
    ]
    lines += [
        "",
        "| paper and chapter | statements | " + " | ".join(HEADS.values()) + " | misprints |",
        "|---" * 8 + "|",
    ]
    for paper, group in groupby(evidence.chapters, key=lambda pair: pair[0].paper):
        parts = list(group)
        lines.append(_counts(f"**{paper}**", counted(one for _, rows in parts for one in rows)))
        lines += [_counts(chapter.title, counted(rows)) for chapter, rows in parts]
    return lines


def _counts(name: str, counts: Counter[str]) -> str:
    cells = [sum(counts[v] for v in VERDICTS), *(counts[v] for v in VERDICTS), counts["misprint"]]
    return f"| {name} | " + " | ".join(str(cell or "") for cell in cells) + " |"


def stories(evidence: Evidence) -> list[str]:
    """The most interesting disagreements, a paragraph and a picture each."""
    told = tomllib.loads((HERE / "statements" / "stories.toml").read_text(encoding="utf-8"))["story"]
    verdicts = {one.row.id: one.verdict for one in evidence.judged()}
    lines = ["", f"## {len(told)} disagreements worth a look"]
    for story in told:
        about = ", ".join(f"{row} ({verdicts[row]})" for row in story["rows"])
        lines += [
            "",
            f"### {story['title']}",
            "",
            filled(" ".join(story["text"].split()), evidence.found),
            "",
            f"Rows: {about}.",
        ]
        if "picture" in story and pictured(story["picture"]):
            lines += ["", f"![{story['title']}]({IMAGES}/{picture_name(story['picture'])})"]
    return lines


def pictured(source: str) -> bool:
    """Whether a run has left the picture."""
    return (ROOT / "docs" / IMAGES / picture_name(source)).is_file()


def picture_name(source: str) -> str:
    """`chapter3/times-1`, the first chart of its experiment `times`, as a file name."""
    return source.replace("/", "-") + ".png"


def statements(evidence: Evidence) -> list[str]:
    """Every row, folded by chapter."""
    lines: list[str] = ["", "## All statements"]
    for paper, group in groupby(evidence.chapters, key=lambda pair: pair[0].paper):
        lines += ["", f"### {paper}"]
        for chapter, rows in group:
            counts = counted(rows)
            told = ", ".join(f"{counts[v]} {HEADS.get(v, 'misprints')}" for v in (*VERDICTS, "misprint") if counts[v])
            lines += ["", "<details>", f"<summary>{chapter.title}: {told}</summary>", ""]
            lines += [
                "| id | statement | place, size | verdict | study | what came out | readings tried, smaller machines |",
                "|---|---|---|---|---|---|---|",
            ]
            lines += [_line(one, evidence) for one in rows]
            for picture in chapter.pictures:
                lines += ["", f"![{picture}]({IMAGES}/{picture_name(picture)})"]
            lines += ["", "</details>"]
    return lines


def _line(one: Judged, evidence: Evidence) -> str:
    row, found = one.row, evidence.found
    where = ", ".join(part for part in (row.place, row.size) if part)
    verdict = one.verdict + (f", {one.ground}" if one.ground else "") + (f": {one.reason}" if one.reason else "")
    if one.verdict == "same":
        (other,) = [judged.verdict for judged in evidence.judged() if judged.row.id == row.same]
        verdict = f"{other}, as {row.same}"
    return table_line(
        [row.id, row.says, where, verdict, _studies(one, evidence), _came_out(one, found), _beside(one, found)]
    )


def _studies(one: Judged, evidence: Evidence) -> str:
    """Where the verdict was found: studies of examples/, tests of tests/papers/."""
    claims = [*one.row.by, *(name for group in one.row.greatest for name in group.of)]
    pages = [check.page for check in evidence.checks if check.name in one.row.tests]
    return "<br>".join(dict.fromkeys(f"`{place}`" for place in (*(evidence.homes[name] for name in claims), *pages)))


def table_line(cells: Iterable[str]) -> str:
    """One line of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _came_out(one: Judged, found: Mapping[str, Found]) -> str:
    row = one.row
    parts = [found[name] for name in row.by if name in found]
    exact = [part for part in parts if part.exact and part.verdict == "confirmed"]
    told = []
    if len(exact) > 8:
        told.append(f"{len(exact)} numbers, all exactly as printed")
        parts = [part for part in parts if part not in exact]
    parts.sort(key=lambda part: WORST.get(part.verdict, len(WORST)))
    told += [f"{part.id}: {outcome(part, 140)} (paper: {part.expected})" for part in parts]
    if row.greatest and all(name in found for group in row.greatest for name in group.of):
        for group, number in zip(row.greatest, greatest(row, found), strict=True):
            paper = f" (paper: {group.printed:g} ± {row.tolerance:g})" if group.printed is not None else ""
            told.append(f"greatest of {' and '.join(group.of)}: {number:g}{paper}")
    told += [f"`{name}`" for name in row.tests]
    return "<br>".join(told)


def _beside(one: Judged, found: Mapping[str, Found]) -> str:
    told = []
    for name in (*one.row.readings, *one.row.beside):
        if name in found:
            told.append(f"{name} (asks for {shorten(found[name].expected, 60)}): {_held(found[name])}")
    told += [f"{name}, smaller: {_held(found[name])}" for name in one.row.small if name in found]
    return "<br>".join(told)


def _held(claim: Found) -> str:
    """The verdict on a claim, and where it fails, ties and holds."""
    came_out = outcome(claim, 130)
    return came_out if came_out.startswith(tuple(WORDS)) else f"{claim.verdict}, {came_out}"


def outcome(claim: Found, limit: int) -> str:
    """What came out; of several cases those that fail first, then ties, so that what decides is never cut away."""
    by = {verdict: [case for case in claim.cases if case["verdict"] == verdict] for verdict in WORST}
    if len(claim.cases) < 2 or not any(by.values()):
        return shorten(claim.got, limit)
    by["confirmed"] = [case for case in claim.cases if case["verdict"] == "confirmed"]
    told = [
        f"{word} in {len(by[verdict])} ({shorten('; '.join(_case(case) for case in by[verdict]), limit)})"
        for word, verdict in zip(WORDS, by, strict=True)
        if by[verdict]
    ]
    told += [] if by["confirmed"] else ["holds in 0"]
    return f"{', '.join(told)} of {len(claim.cases)}"


def _case(case: Case) -> str:
    return f"{case['label']}: {case['got']}" if case["label"] else case["got"]


def ours(evidence: Evidence) -> list[str]:
    """Claims that no paper makes."""
    names = list(dict.fromkeys(name for one in evidence.judged() for name in one.row.extra))
    lines = [
        "",
        "## Claims of our own",
        "",
        "<details>",
        f"<summary>{len(names)} claims that no paper makes</summary>",
        "",
    ]
    lines += ["| id | claim | place | verdict | what came out |", "|---|---|---|---|---|"]
    for name in names:
        if name in evidence.found:
            claim = evidence.found[name]
            verdict = claim.verdict + (f": {claim.reason}" if claim.reason and claim.verdict == "refuted" else "")
            lines.append(table_line([claim.id, claim.says, claim.place, verdict, shorten(claim.got)]))
    return [*lines, "", "</details>"]


def studies(evidence: Evidence) -> list[str]:
    """The studies, when they last ran, and how to repeat them."""
    lines = [
        "",
        "## Studies",
        "",
        "A claim keeps its day while the same core gives the same; a version that is not told was not noted then.",
        "",
        "| study | runs | random networks | claims found on, with version | repeated by |",
        "|---|---|---|---|---|",
    ]
    for kept in evidence.kept:
        how = "`make papers-full`" if kept.study in LONG else "`make papers`"
        where = f"tests/papers/{place(kept.study)}" if kept.study in MODULES else f"examples/{kept.study}.toml"
        lines.append(f"| `{where}` | {kept.count:,} | {kept.networks or 'none'} | {_made(kept)} | {how} |")
    absent = [study for study in STUDIES if study not in {kept.study for kept in evidence.kept}]
    return [*lines, *(f"| `examples/{study}.toml` | | | | not run yet |" for study in absent)]


def _made(kept: Kept) -> str:
    """Days and versions of a study's claims, most first."""
    runs = Counter((claim.made, claim.version) for claim in kept.claims)
    told = [
        f"{made or 'an earlier day'}{f', {version}' if version else ''}"
        + (f" ({count} claims)" if len(runs) > 1 else "")
        for (made, version), count in runs.most_common()
    ]
    return "<br>".join(told)


def tested(found: list[Check]) -> list[str]:
    """Tests of tests/papers, which `make test` runs."""
    lines = [
        "",
        "## Checked by tests",
        "",
        "Single numbers and closed forms, checked by `make test` in `tests/papers/`.",
    ]
    for page, group in groupby(found, key=lambda check: check.page):
        own = list(group)
        lines += ["", "<details>", f"<summary>{page}: {len(own)} tests</summary>", "", "| test | what |", "|---|---|"]
        lines += [
            table_line([f"`{check.name}`", check.says or check.name.removeprefix("test_").replace("_", " ")])
            for check in own
        ]
        lines += ["", "</details>"]
    return lines


def confirmed_errata(evidence: Evidence) -> list[str]:
    """Errata that a row or a test above bears out."""
    lines = ["", "## Errata borne out", "", "<details>"]
    lines += ["<summary>Misprints and contradictions of the papers that the numbers above decide</summary>", ""]
    lines += ["| erratum | place | printed | here | decided by |", "|---|---|---|---|---|"]
    papers = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    for number, where, printed, used in errata(papers):
        rows = [one.row for one in evidence.judged()]
        by = [row.id for row in rows if number in mentioned(f"{row.id} {row.misprint} {row.says} {row.note}")]
        by += [f"`{check.name}`" for check in evidence.checks if number in mentioned(check.text)]
        if by:
            lines.append(f"| {number} | {where} | {printed} | {used} | {', '.join(dict.fromkeys(by))} |")
    return [*lines, "", "</details>"]


def outside() -> list[str]:
    """What is not checked, and why."""
    lines = ["", "## Not checked", "", "| paper | place | what | why not |", "|---|---|---|---|"]
    parts = tomllib.loads((HERE / "outside.toml").read_text(encoding="utf-8"))["part"]
    return lines + [f"| {p['paper']} | {p['place']} | {p['what']} | {p['why']} |" for p in parts]


def typed_numbers(text: str) -> list[str]:
    """Percentages, times, fractions and cases counted that a text types; those of `{claim}` are taken from a run."""
    numbers = r"\d[\d.,]*(?: to \d[\d.,]*)?(?: %| times\b| percent| points\b)"
    cited = re.sub(r"\{[^{}]*\}|\b(?:tables?|figures?|sections?|SimGrid) [\d.]+", "", text, flags=re.IGNORECASE)
    return re.findall(rf"{numbers}|(?<![\w.])\d+\.\d+(?! m\b)|\d+ of \d+", cited)
