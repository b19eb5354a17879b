"""What a log of a benchmark should say on a machine, and which fault explains why it does not."""

from __future__ import annotations

from .answer import Band, Expectation, Finding, Held, LeftOut, PairHeld
from .explain import Against
from .held import expect

__all__ = ["Against", "Band", "Expectation", "Finding", "Held", "LeftOut", "PairHeld", "expect"]
