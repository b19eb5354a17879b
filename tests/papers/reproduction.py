"""Writes docs/reproduction.md: the statements of the papers next to what came out of the studies.

    python -m tests.papers.reproduction [--full] [OUT PAGE.md]

Studies of minutes are run where their results are not below OUT; those of hours with `--full`, or where OUT has them.
Where OUT has only some runs of a study, claims that need others stay as they were. Modules that measure what no study
asks are run each time. What came out is kept in tests/papers/kept, and the page is made of that alone: equal results of
one core give equal bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tomllib
from pathlib import Path

from netloom import plugin
from netloom.study import prepare, run_study

from .evidence import checks
from .findings import HERE, KEPT, ROOT, claim_keys, gather, load, save
from .measured import MODULES, measure, module
from .page import IMAGES, Evidence, picture_name, render
from .statements import LONG, PAPERS, SHORT, STUDIES, chapters, homes
from .verdicts import judged


def main(arguments: list[str]) -> int:
    """Run what is missing, keep what came out, write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.papers.reproduction", description=__doc__)
    parser.add_argument("--full", action="store_true", help="run the studies of hours too")
    parser.add_argument("--kept", action="store_true", help="run nothing: the page from what is kept")
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "out")
    parser.add_argument("page", nargs="?", type=Path, default=ROOT / "docs" / "reproduction.md")
    given = parser.parse_args(arguments)
    for study in () if given.kept else STUDIES:
        folder = given.out / study
        if study in LONG and not given.full and not (folder / "summary.json").is_file():
            continue
        if study in SHORT or given.full:
            refresh(study, folder)
        save(gather(study, folder))
    for name in () if given.kept else MODULES:
        save(measure(name))
    for picture in pictures():
        study, _, figure = picture.partition("/")
        target = given.page.parent / IMAGES / picture_name(picture)
        target.parent.mkdir(parents=True, exist_ok=True)
        made = sorted((given.out / study / "figures").glob(f"{figure}-*.png"))
        if study in MODULES:
            module(study).draw(figure, target)
        elif made:
            shutil.copyfile(made[0], target)
    given.page.write_text(render(evidence()), encoding="utf-8")
    return 0


def refresh(study: str, folder: Path) -> None:
    """Run a study unless the results are of it as it is; equal runs are kept."""
    path = ROOT / "examples" / f"{study}.toml"
    summary = folder / "summary.json"
    plugin.trust(path.parent)
    if summary.is_file():
        made = json.loads(summary.read_text(encoding="utf-8"))["hash"]
        if made == prepare(path).loaded.digest:
            return
    print(f"running {path.relative_to(ROOT)}", file=sys.stderr)
    run_study(path, folder, force=True)


def pictures() -> list[str]:
    """Figures of the studies that the page shows, as `study/experiment-number`."""
    told = tomllib.loads((HERE / "statements" / "stories.toml").read_text(encoding="utf-8"))["story"]
    shown = [story["picture"] for story in told if "picture" in story]
    return [*shown, *(picture for chapter in chapters(homes()) for picture in chapter.pictures)]


def evidence() -> Evidence:
    """What the page is made of: rows, and what is kept of the studies as they are."""
    kept = [load(study) for study in STUDIES if (KEPT / f"{study}.json").is_file()]
    found = {}
    for one in kept:
        keys = claim_keys(one.study)
        found |= {claim.id: claim for claim in one.claims if keys.get(claim.id) == claim.key}
    for name in MODULES:
        if (KEPT / f"{name}.json").is_file():
            kept.append(load(name))
            found |= {claim.id: claim for claim in kept[-1].claims}
    where = homes()
    rows = [(chapter, [judged(row, found, where) for row in chapter.rows]) for chapter in chapters(where)]
    return Evidence(rows, found, kept, checks(), where)


__all__ = ["PAPERS", "SHORT", "evidence", "main"]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
