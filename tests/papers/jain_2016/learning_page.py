"""Writes `docs/concepts/what-slows-a-mapping-findings.md`: figures 4.5 to 4.16 of Jain 2016.

    python -m tests.papers.jain_2016.learning_page

Every number is taken from the findings that are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..findings import ROOT
from ..page import IMAGES, Evidence, outcome, picture_name
from ..reproduction import evidence
from . import learning_data as data

PAGE = ROOT / "docs" / "concepts" / "what-slows-a-mapping-findings.md"
LIMIT = 200

HEAD = """# What slows a mapping: chapter 4 of Jain 2016

Which numbers of a mapping tell how long an exchange takes? The thesis learned it from counters of Blue Gene/Q. Here
packets that are simulated take the machine's place: sixteen sets of mappings on tori of 1,024 and 4,096 nodes with 16
ranks each (A2A and pF3D on 4,096 nodes with 4), `examples/learning.toml`, kept with their nineteen features in
`tests/papers/jain_2016/learning.parquet`. Messages of 64 KiB stand for those of 4 MB, packets are larger than 512
bytes, and nothing but the network takes time. The charts are made from these samples with the learners of [`netloom
learn`](../how-to/what-slows-a-mapping.md). Verdicts are those of [the reproduction page](../reproduction.md);
criteria stand in the modules that decide them, where it is said when they were set.

Any set can be learned from again:

```console
$ netloom learn tests/papers/jain_2016/learning.parquet --target time_s --where set=2d-halo-16-kib-1024
```
"""


@dataclass(frozen=True)
class Shown:
    """A figure: where its picture is, what it asks, what the thesis found, and the claims and rows that say it here."""

    number: str
    title: str
    module: str
    asked: str
    printed: str
    claims: tuple[str, ...]
    rows: tuple[str, ...]


FIGURES = (
    Shown(
        "4.5", "times over mappings", "singles",
        "How far do the times of mappings differ, by kernel and size of message?",
        "up to 7 times in the 2D halo; the more a kernel communicates, the smaller are messages for which it matters.",
        ("L2", "L18", "L1", "4.3 fullest link", "4.2 twins"), ("L2", "L18", "L1"),
    ),
    Shown(
        "4.6", "prior features alone", "singles",
        "How well does one of the usual numbers alone order mappings (RCC), and meet their times (R²)?",
        "an RCC of 0.91 in most cases; maximum bytes best, maximum dilation at 0.60.",
        ("L3 most", "L3 3D", "L4 dilation", "L4 bytes", "L4 A2A", "L5 order", "L5 most"), ("L3", "L4", "L5", "J21"),
    ),
    Shown(
        "4.7", "new features alone", "singles",
        "Do buffers, and the links with most, say more?",
        "A2A 0.95, the 3D halo at 16 KB 0.90; buffers are weak for the 2D halo.",
        ("L6 A2A", "L6 3D", "L6 2D"), ("L6",),
    ),
    Shown(
        "4.8", "features together, 1,024 nodes", "hybrids",
        "What do features together reach? H1 to H6 are those of table 4.5.",
        "0.96 with H1, 0.98 to 0.99 with H3, up to 0.995 for A2A; R² 0.99.",
        ("J22", "L7 H1", "L7 H3", "L7 A2A", "L7 2D", "L8 others"), ("L7", "L8", "J22", "J23"),
    ),
    Shown(
        "4.9", "features together, 4,096 nodes", "hybrids",
        "The same on four times as many nodes.",
        "A2A rises from 0.86 to 0.98, halos gain up to 8 %.",
        ("L9 A2A", "L9 halos"), ("L9",),
    ),
    Shown(
        "4.10", "times predicted by H5", "hybrids",
        "How near are predicted times of mappings that were not learned from?",
        "nearly exact for all three kernels.",
        ("L10",), ("L10",),
    ),
    Shown(
        "4.11", "best subsets", "best",
        "What does the best subset of features reach, with forests and with boosted trees? The thesis tries all "
        "subsets and reports the best score on the rows that chose it. Here subsets have up to four features; bars of "
        "rows that chose nothing stand next to them: the difference is optimism.",
        "halos 0.95 to 1.0, A2A 0.997 to 1.0, MILC and pF3D 0.975 to 0.997; both learners alike.",
        (
            *("L11 halos RCC", "L11 halos R2", "L11 A2A RCC", "L11 A2A R2"),
            *("L11 MILC R2", "L11 pF3D RCC", "L11 pF3D R2"),
            *("4.4 optimism RCC", "4.4 optimism R2", "L19", "J25"),
        ),
        ("L11", "L19", "J25"),
    ),
    Shown(
        "4.12", "what the best subsets are made of", "best",
        "Which features carry these models?",
        "it changes with code and score; bytes always matter.",
        ("L12 bytes", "L12 changes"), ("L12",),
    ),
    Shown(
        "4.13", "models of quantiles", "quantiles",
        "What do models of the lowest and of the highest tenth predict?",
        "the lower one is near for fast mappings and far too low for slow ones.",
        (), (),
    ),
    Shown(
        "4.14", "features of quantile models", "quantiles",
        "Which features matter at either end?",
        "few, and others at the two ends.",
        ("L13 sparse", "L13 others", "L13 named"), ("L13",),
    ),
    Shown(
        "4.15", "features selected", "quantiles",
        "Which features are selected, by code, and which of them weigh most?",
        "on all sets stalls first, then average bytes, then the injection FIFO; neither maximum bytes nor dilation.",
        ("L14 stalls", "L14 then", "L14 not", "L15 FIFO", "L15 stalls", "L15 bytes"), ("L14", "L15", "J24"),
    ),
    Shown(
        "4.16", "features of one code used for another", "across",
        "Do features that were selected on kernels do for applications, and the other way round? In place of the "
        "twelve that experts chose, which are not listed, stand those that are not correlated.",
        "worse across kinds of code; six features selected on all sets are close to all nineteen.",
        ("L16", "J26", "L17", "4.6 more nodes", "4.6 more nodes, scaled"), ("L16", "J26", "L17"),
    ),
)  # fmt: skip


def section(one: Shown, known: Evidence) -> list[str]:
    """A figure."""
    verdicts = {judged.row.id: judged.verdict for judged in known.judged()}
    picture = f"../{IMAGES}/{picture_name(f'learning_{one.module}/{one.number}')}"
    lines = ["", f"## Figure {one.number}: {one.title}", "", f"![{one.title}]({picture})", ""]
    lines += [f"{one.asked} In the thesis: {one.printed}"]
    if told := [known.found[name] for name in one.claims if name in known.found]:
        lines += ["", *(f"- {claim.id}, {claim.expected}: {outcome(claim, LIMIT)}" for claim in told)]
    if one.rows:
        lines += ["", f"Rows: {', '.join(f'{row} ({verdicts[row]})' for row in one.rows)}."]
    return lines


def render() -> str:
    """The page."""
    known = evidence()
    lines = [HEAD.rstrip()]
    if lacking := data.lacking():
        lines += ["", f"Not run yet: {'; '.join(lacking)}."]
    for one in FIGURES:
        lines += section(one, known)
    return "\n".join(lines) + "\n"


def write(path: Path = PAGE) -> None:
    """Write it."""
    path.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    write()
