"""All of chapter 4 of Jain 2016 from `learning.parquet`: computes what is missing, keeps the findings.

    python -m tests.papers.jain_2016.learning

About forty minutes of one core for all sixteen sets; what was computed before is kept. The page and its pictures are
written by `python -m tests.papers.reproduction --kept`.
"""

from __future__ import annotations

import sys

from ..findings import save
from ..measured import measure
from . import learning_across, learning_best, learning_data, learning_quantiles, learning_scores

#: Modules with findings, by the names of their kept files.
NAMES = ("learning_singles", "learning_hybrids", "learning_best", "learning_quantiles", "learning_across")


def main() -> None:
    """Run what is missing, and keep what came out."""
    for name in learning_data.lacking():
        print(f"no samples of {name}", file=sys.stderr)
    for module in (learning_scores, learning_best, learning_quantiles, learning_across):
        print(f"running {module.__name__}", file=sys.stderr)
        module.run()
    for name in NAMES:
        save(measure(name))


if __name__ == "__main__":
    main()
