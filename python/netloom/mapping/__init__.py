"""Which rank runs where: placements, orders, rank files."""

from __future__ import annotations

from .place import endpoints_of, ordered, place_jobs, placed, slots_of
from .rank_files import check_format, emitted, file_name, slug

__all__ = [
    "check_format",
    "emitted",
    "endpoints_of",
    "file_name",
    "ordered",
    "place_jobs",
    "placed",
    "slots_of",
    "slug",
]
