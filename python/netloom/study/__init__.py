"""Studies: tables of runs from one TOML file, with report, pictures and rank files.

    >>> from netloom.study import run_study
    >>> finished = run_study("study.toml", "out")  # doctest: +SKIP

The file's keys are explained in `docs/reference/study.md`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .run import Finished, prepare, run_study

__all__ = ["Finished", "prepare", "run_study"]


def __getattr__(name: str) -> object:
    # pydantic and the core come only when a study is run.
    if name not in __all__:
        raise AttributeError(f"module 'netloom.study' has no attribute {name!r}")
    return getattr(import_module(".run", __name__), name)
