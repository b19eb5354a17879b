"""Which algorithm a communication library chooses by its own rules."""

from __future__ import annotations

from .choice import Choice, Communicator
from .codes import CODES
from .registry import choose, library, names, of_text, run

__all__ = ["CODES", "Choice", "Communicator", "choose", "library", "names", "of_text", "run"]
