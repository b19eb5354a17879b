"""The statements of the papers, one row each, from `statements/*.toml`, and which claims of the studies decide them.

A file is of one `paper` and has chapters with rows. Keys of a row:

- `id`, `place`, `says`, and `size`, at which the paper speaks (default: that of the chapter);
- `by`: the claims that decide it, all of which must hold; `tests`: tests of this folder that do;
- `greatest`: groups of claims of which the greatest number counts, with the `printed` one and one `tolerance`, or
  `rising`;
- `readings`: the same claims under other settings that the paper leaves open; `beside`: shown with them, deciding
  nothing; `default`: why the setting of `by` is the paper's own, so that other readings do not open the row;
- `small`: the same on a smaller machine than the paper's, next to a run at its size, which decides;
- `smaller = true`: what decides was run on a smaller machine than the paper's only; `part`: what of the statement was
  not run. Such rows are open whichever way they came out;
- `fails`: why it does not hold, where the words of its claims do not say so;
- `misprint`: the erratum, for what the paper itself contradicts;
- `open`: why no verdict is possible; `open_if_refuted`: why a refutation would say too much; `note`: a limit of the
  verdict;
- `waits`: the capability that is not there yet; `same`: the row that says the same.

`extra` of a row are claims that no paper makes; `numbers` are claims that say nothing of themselves, keep what a module
asks further, and are not counted. A name ending in `*` stands for all claims that begin so and are not named elsewhere.
`pictures` of a chapter are figures, as `study/experiment-number`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .findings import HERE, KEPT, claim_keys, load
from .measured import MODULES, place

FOLDER = HERE / "statements"
#: In order of the page.
PAPERS = ("cui_2024", "navaridas_2009", "swartvagher_2023", "cui_koibuchi", "jain_2016")
#: Studies that `make papers` runs, in order of the page.
SHORT = (
    *("chapter2", "chapter3", "chapter3_time", "chapter4", "chapter4_time", "chapter5", "chapter5_time"),
    *("chapter5_loads", "applications", "cui_koibuchi", "thin_trees", "torus_mappings", "torus_mappings_time"),
    *("linkload", "linkload-half", "two_tier", "orders_over_size", "enumerations", "three_networks", "hybrid_check"),
    *("packet_check", "fft_decompositions"),
)
#: Studies of hours each, which `make papers-full` runs.
LONG = (
    *("linkload-full", "linkload-full-m2m", "linkload-full-spread", "linkload-full-workloads"),
    "linkload-full-adaptive",
    "what_if",
    "what_if_spread",
    "networks_46656",
    "networks_46656_more",
    "networks_46656_near",
    "networks_46656_larger",
    "networks_46656_large",
    "networks_46656_loads",
)
STUDIES = (*SHORT, *LONG)


@dataclass(frozen=True)
class Greatest:
    """The greatest number among claims, and the printed one."""

    of: list[str]
    printed: float | None = None


@dataclass(frozen=True)
class Row:
    """One statement of a paper; see the keys above."""

    id: str
    place: str
    says: str
    size: str = ""
    by: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    greatest: list[Greatest] = field(default_factory=list)
    tolerance: float = 0.0
    rising: bool = False
    readings: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    fails: str = ""
    misprint: str = ""
    open: str = ""
    open_if_refuted: str = ""
    note: str = ""
    default: str = ""
    smaller: bool = False
    part: str = ""
    waits: str = ""
    same: str = ""

    def named(self) -> Iterator[str]:
        """Every claim or pattern of the row."""
        for names in (self.by, self.readings, self.beside, self.small, self.extra, self.numbers):
            yield from names
        for group in self.greatest:
            yield from group.of


@dataclass(frozen=True)
class Chapter:
    """Rows of one paper under one heading."""

    paper: str
    title: str
    rows: list[Row]
    pictures: list[str]


def homes() -> dict[str, str]:
    """Where each claim is asked: a study, or a module that measures it. An id that two of them share is an error."""
    found: dict[str, str] = {}
    asked = [(study, list(claim_keys(study))) for study in STUDIES]
    kept = [name for name in MODULES if (KEPT / f"{name}.json").is_file()]
    asked += [(place(name), [claim.id for claim in load(name).claims]) for name in kept]
    for where, claims in asked:
        for claim in claims:
            if claim in found:
                raise ValueError(f"claim {claim} is in {found[claim]} and in {where}: give one of them another id")
            found[claim] = where
    return found


def chapters(known: Iterable[str]) -> list[Chapter]:
    """All rows with their patterns written out."""
    claims = list(known)
    read = [(path, tomllib.loads(path.read_text(encoding="utf-8"))) for path in map(_file, PAPERS)]
    rows = [row for _, data in read for chapter in data["chapter"] for row in chapter.get("row", [])]
    named = {name for row in rows for name in _row(row, "").named() if not name.endswith("*")}
    free = [claim for claim in claims if claim not in named]
    made = []
    for _, data in read:
        for chapter in data["chapter"]:
            own = [_written_out(_row(row, chapter.get("size", "")), free) for row in chapter.get("row", [])]
            made.append(Chapter(data["paper"], chapter["title"], own, chapter.get("pictures", [])))
    return made


def _file(paper: str) -> Path:
    return FOLDER / f"{paper}.toml"


def _row(keys: dict[str, object], size: str) -> Row:
    groups = keys.get("greatest", [])
    assert isinstance(groups, list)
    greatest = [Greatest(**group) for group in groups]
    return Row(**{"size": size, **keys, "greatest": greatest})  # type: ignore[arg-type]


def _written_out(row: Row, free: list[str]) -> Row:
    def names(patterns: list[str]) -> list[str]:
        made: list[str] = []
        for name in patterns:
            made += [c for c in free if c.startswith(name[:-1])] if name.endswith("*") else [name]
        return made

    lists = {key: names(getattr(row, key)) for key in ("by", "readings", "beside", "small", "extra")}
    return Row(**{**vars(row), **lists})
