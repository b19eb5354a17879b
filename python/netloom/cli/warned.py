"""Warnings of the package on the command line."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def warned() -> Iterator[None]:
    """Warnings for users, such as how a size was read, as notes: one line each, each once."""
    said: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        if not issubclass(category, UserWarning):
            before(message, category, *rest, **more)
        elif str(message) not in said:
            said.add(str(message))
            from .output import note

            note(f"note: {message}")

    with warnings.catch_warnings():
        before, warnings.showwarning = warnings.showwarning, show
        warnings.simplefilter("always", UserWarning)
        yield
