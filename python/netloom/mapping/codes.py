"""Mapping faults raised in several packages; other rows are in the core and in `jobs`."""

from __future__ import annotations

MORE_RANKS = "NL-J004"
TOO_LARGE = "NL-M017"
