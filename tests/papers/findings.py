"""What came out for each claim of a study, kept in `kept/<study>.json`: the page is made of these files alone.

Results of runs that take hours stay on the page until these runs are repeated. A file says of which runs and claims it
is, so that a test finds what an edit of a study has made old; a claim says on which day and with which core it was
found.
"""

from __future__ import annotations

import csv
import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

from netloom import plugin
from netloom.results import Column, Table
from netloom.study import prepare
from netloom.study.claims import Finding, filled, judge, margin, number
from netloom.study.plan import Part, Plan
from netloom.study.schema import Claim, Query
from netloom.study.tables import Outcome, relate

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KEPT = HERE / "kept"
#: Numbers this close are a tie.
SLACK = 0.02
#: What decides which runs a study makes.
RUNS = ("name", "evaluate", "options", "axes", "zip", "jobs", "only", "exclude", "skip_unsupported")
#: What is for readers alone.
WORDS = ("id", "says", "source", "refuted")


class Case(TypedDict):
    """One group of a claim with `each`, or the whole claim: what came out and the verdict on it.

    `setting` is the part of the label that names the first of `each`: the reading, where the claim is about readings.
    """

    label: str
    setting: str
    got: str
    verdict: str


@dataclass(frozen=True)
class Found:
    """What came out for one claim.

    Parameters
    ----------
    key
        Digest of what the claim asks, without its words.
    verdict
        `confirmed`, `refuted`, `open`, or `tie`: numbers that the claim orders differ by 2 % or less, or in either
        direction on at least a quarter of the random networks.
    made, version
        The day of the run, and the version of netloom with the digest of its core; empty where it was not noted.
    """

    id: str
    key: str
    says: str
    place: str
    expected: str
    got: str
    verdict: str
    reason: str
    exact: bool
    cases: list[Case]
    made: str = ""
    version: str = ""


@dataclass(frozen=True)
class Kept:
    """The findings of a study, and which runs they are of."""

    study: str
    title: str
    runs: str
    count: int
    networks: int
    claims: list[Found]


def digest(content: object) -> str:
    """Twelve digits of the SHA-256 of plain data."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def raw(study: str) -> list[dict[str, object]]:
    """The experiments of a study as written."""
    loaded = tomllib.loads((ROOT / "examples" / f"{study}.toml").read_text(encoding="utf-8"))
    experiments = loaded["experiment"]
    assert isinstance(experiments, list)
    return experiments


def runs_digest(study: str) -> str:
    """Digest of what decides the runs; without the calibration `pure`, which findings from before 2026-11-27 had by
    default.
    """
    return digest([{key: made for key in RUNS if (made := _as_then(experiment.get(key)))} for experiment in raw(study)])


def _as_then(said: object) -> object:
    if not isinstance(said, dict):
        return said
    return {name: value for name, value in said.items() if (name, value) != ("calibration", "pure")}


def claim_keys(study: str) -> dict[str, str]:
    """Digest of what each claim asks, by id."""
    found: dict[str, str] = {}
    for experiment in raw(study):
        claims, derived = experiment.get("claim", []), experiment.get("compare", [])
        assert isinstance(claims, list) and isinstance(derived, list)
        for claim in claims:
            asked = {key: value for key, value in claim.items() if key not in WORDS}
            columns = _columns(claim["of"]["column"], derived)
            found[claim["id"]] = digest([experiment["name"], asked, columns])
    return found


def _columns(name: str, derived: list[dict[str, object]]) -> list[dict[str, object]]:
    """The derived columns that a column is made of, itself last."""
    own = [made for made in derived if made["name"] == name]
    earlier = [
        part for made in own for key in ("column", "to") if key in made for part in _columns(str(made[key]), derived)
    ]
    return [*earlier, *own]


def load(study: str) -> Kept:
    """The kept findings of a study, with the words that it has now and the numbers that its run had."""
    data = json.loads((KEPT / f"{study}.json").read_text(encoding="utf-8"))
    if not (ROOT / "examples" / f"{study}.toml").is_file():
        return Kept(**{**data, "claims": [Found(**claim) for claim in data["claims"]]})
    words = {claim["id"]: claim for experiment in raw(study) for claim in experiment.get("claim", [])}  # type: ignore[attr-defined]
    found = [with_words(Found(**claim), words.get(claim["id"], {})) for claim in data["claims"]]
    return Kept(**{**data, "claims": found})


def with_words(found: Found, words: dict[str, str]) -> Found:
    """A finding with a claim's words; the numbers of its reason are the finding's."""
    cases = [(case["label"], case["got"], case["verdict"] != "refuted") for case in found.cases]
    reason = filled(words.get("refuted", ""), found.got, cases)
    said, place = words.get("says", found.says), words.get("source", found.place)
    return replace(found, says=said, place=place, reason=reason)


def save(kept: Kept) -> None:
    """Write them. What came out as before from the same core keeps its day, so that equal results give equal bytes."""
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{kept.study}.json"
    before = {claim.id: claim for claim in load(kept.study).claims} if path.is_file() else {}
    claims = [_unless_new(claim, before.get(claim.id)) for claim in kept.claims]
    text = json.dumps(asdict(replace(kept, claims=claims)), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _unless_new(claim: Found, before: Found | None) -> Found:
    if before is None:
        return claim
    same = before.version == claim.version and before.got == claim.got and before.cases == claim.cases
    return replace(claim, made=before.made) if same and before.verdict == claim.verdict else claim


def gather(study: str, folder: Path) -> Kept:
    """The findings of a study from the tables that its run wrote.

    Claims whose runs the tables lack, because only some were repeated, stay as they were kept.
    """
    plugin.trust(ROOT / "examples")
    plan = prepare(ROOT / "examples" / f"{study}.toml")
    outcomes = outcomes_of(plan, folder)
    keys = claim_keys(study)
    summary = folder / "summary.json"
    head = json.loads(summary.read_text(encoding="utf-8"))
    partial = head["hash"] != plan.loaded.digest
    made = date.fromtimestamp(summary.stat().st_mtime).isoformat()
    before = {claim.id: claim for claim in load(study).claims} if (KEPT / f"{study}.json").is_file() else {}
    found: list[Found] = []
    for part in plan.parts:
        for claim in part.spec.claim:
            if partial and not whole(claim, part.spec.name, outcomes):
                found += [before[claim.id]] if claim.id in before else []
                continue
            one = found_of(claim, keys[claim.id], part.spec.name, outcomes)
            found.append(replace(one, made=made, version=head["version"]))
    count = sum(len(part.runs) for part in plan.parts) if partial else sum(len(o.table.rows) for o in outcomes.values())
    networks = max((len(part.labels.get("seed", [])) for part in plan.parts), default=0)
    return Kept(study, plan.loaded.study.title, runs_digest(study), count, networks, found)


def whole(claim: Claim, home: str, outcomes: dict[str, Outcome]) -> bool:
    """Whether every planned run that the claim asks for has its row, with the number that it asks for."""
    for query in (claim.of, claim.to):
        if not isinstance(query, Query):
            continue
        outcome = outcomes[query.experiment or claim.of.experiment or home]
        fixed = claim.of.where | query.where
        where = {axis: value for axis, value in fixed.items() if axis in outcome.part.axes}
        where |= {claim.along: claim.rising} if claim.along else {}
        planned = Table("planned", [], [dict(run.labels) for run in outcome.part.runs]).where(where)
        made = outcome.table.where(where)
        column = query.column or claim.of.column
        known = bool(query.table or claim.of.table) or (column in made.names() and None not in made.values(column))
        if len(planned.rows) > len(made.rows) or not known:
            return False
    return True


def found_of(claim: Claim, key: str, home: str, outcomes: dict[str, Outcome]) -> Found:
    """One claim judged, whole and group by group."""
    finding = judge(claim, home, outcomes)
    table = outcomes[claim.of.experiment or home].named(claim.of.table) or Table("", [])
    groups = table.where(claim.of.where).groups(claim.each) if claim.each else [((), table)]
    cases: list[Case] = []
    for values, _ in groups:
        fixed = dict(zip(claim.each, values, strict=True))
        of = claim.of.model_copy(update={"where": claim.of.where | fixed})
        alone = claim.model_copy(update={"of": of, "each": []})
        one = judge(alone, home, outcomes)
        verdict = "tie" if one.verdict == "refuted" and tied(alone, home, outcomes) else one.verdict
        cases.append(
            {
                "label": ", ".join(f"{k} {v}" for k, v in fixed.items()),
                "setting": ", ".join(f"{k} {v}" for k, v in [*fixed.items()][:1]),
                "got": one.got,
                "verdict": verdict,
            },
        )
    verdict = finding.verdict
    if verdict == "refuted" and all(case["verdict"] in ("confirmed", "tie") for case in cases):
        verdict = "tie"
    exact = claim.expected is not None and margin(claim) == 0
    got = finding.got + over_networks(claim, table)
    return Found(claim.id, key, claim.says, claim.source, printed(finding), got, verdict, finding.reason, exact, cases)


def printed(finding: Finding) -> str:
    """What the claim expects; a relation as code."""
    claim = finding.claim
    plain = claim.expected is not None or bool(claim.along)
    return finding.expected if plain else f"`{finding.expected}`"


def tied(claim: Claim, home: str, outcomes: dict[str, Outcome]) -> bool:
    """Whether what breaks the claim are ties: differences of 2 % or less, or within the spread of the networks."""
    table = outcomes[claim.of.experiment or home].named(claim.of.table) or Table("", [])
    if claim.along:
        steps = [claim.of.where | {claim.along: step} for step in claim.rising]
        pairs = [(table, claim.of, first, table, claim.of, then) for first, then in pairwise(steps)]
        return all(_holds(*pair) or _near(*pair) for pair in pairs)
    if claim.is_ in (None, "==", "!="):
        return False
    if not isinstance(claim.to, Query):
        value, to = table.where(claim.of.where).aggregate(claim.of.column, claim.of.aggregate), claim.to
        return value is not None and to is not None and abs(value - to) <= SLACK * abs(to)
    to = claim.to
    how = to.aggregate if "aggregate" in to.model_fields_set else claim.of.aggregate
    query = Query(column=to.column or claim.of.column, aggregate=how)
    other = outcomes[to.experiment or claim.of.experiment or home].named(to.table or claim.of.table) or table
    return _near(table, claim.of, claim.of.where, other, query, claim.of.where | to.where)


Place = dict[str, object]


def _holds(one: Table, first: Query, here: Place, two: Table, second: Query, there: Place) -> bool:
    a = one.where(here).aggregate(first.column, first.aggregate)
    b = two.where(there).aggregate(second.column, second.aggregate)
    return a is not None and b is not None and a < b


def _near(one: Table, first: Query, here: Place, two: Table, second: Query, there: Place) -> bool:
    a = one.where(here).aggregate(first.column, first.aggregate)
    b = two.where(there).aggregate(second.column, second.aggregate)
    if a is None or b is None:
        return False
    if abs(a - b) <= SLACK * max(abs(a), abs(b)):
        return True
    if "seed" not in one.names() or "seed" not in two.names() or first.aggregate != "median":
        return False
    signs = []
    for seed in one.where(here).distinct("seed"):
        mine = one.where(here | {"seed": seed}).aggregate(first.column)
        theirs = two.where(there | {"seed": seed}).aggregate(second.column)
        if mine is not None and theirs is not None:
            signs.append(mine > theirs)
    return len(signs) >= 4 and 4 * min(sum(signs), len(signs) - sum(signs)) >= len(signs)


def over_networks(claim: Claim, table: Table) -> str:
    """Smallest and largest value of a single number over the seeds; nothing for orders, groups and single runs."""
    if claim.expected is None or claim.each or claim.of.aggregate != "median" or "seed" not in table.names():
        return ""
    values: list[float] = []
    for _, rows in table.groups(["seed"]):
        value = rows.where(claim.of.where).aggregate(claim.of.column)
        if claim.as_ != "value" and isinstance(claim.to, Query):
            other = rows.where(claim.of.where | claim.to.where).aggregate(claim.to.column or claim.of.column)
            value = relate(claim.as_, value, other)
        if value is not None:
            values.append(value)
    if len(values) < 2 or min(values) == max(values):
        return ""
    return f" ({number(min(values))} to {number(max(values))})"


def outcomes_of(plan: Plan, folder: Path) -> dict[str, Outcome]:
    """What the experiments gave, from the tables that the study wrote."""
    claims = [claim for part in plan.parts for claim in part.spec.claim]
    longer = {query.table for claim in claims for query in (claim.of, claim.to) if isinstance(query, Query)}
    made = {}
    for part in plan.parts:
        tables = {name: read_table(folder / "tables" / f"{_file(part, name)}.csv") for name in {"", *longer}}
        made[part.spec.name] = Outcome(part, tables.pop(""), Table("", []), tables)
    return made


def _file(part: Part, longer: str) -> str:
    return f"{part.spec.name}-{longer}" if longer else part.spec.name


def read_table(path: Path) -> Table:
    """A result table; numbers as numbers, empty fields as unknown."""
    if not path.is_file():
        return Table(path.stem, [])
    with path.open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        rows = [{name: _cell(text) for name, text in row.items()} for row in reader]
    return Table(path.stem, [Column(name) for name in reader.fieldnames or []], rows)


def _cell(text: str) -> str | int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None
