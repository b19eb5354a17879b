"""Faults of places that several rooms report; their rows stand with the core's and with those of jobs."""

from __future__ import annotations

MORE_RANKS = "NL-J004"
TOO_LARGE = "NL-M017"
