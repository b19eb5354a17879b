"""All of chapter 4 of Jain 2016 from `learning.parquet`: computes what is missing, keeps findings, writes the pages.

    python -m tests.papers.jain_2016.learning

About forty minutes of one core for all sixteen sets; what was computed before, of the same samples, is kept. The pages
are docs/reproduction.md, with its pictures, and docs/concepts/what-slows-a-mapping-findings.md.
"""

from __future__ import annotations

import sys

from .. import reproduction
from ..findings import save
from ..measured import measure
from . import learning_across, learning_best, learning_data, learning_page, learning_quantiles, learning_scores

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
    reproduction.main(["--kept"])
    learning_page.write()


if __name__ == "__main__":
    main()
