"""Records of `netloom record`: their files, what they say, and the programs that they are."""

from __future__ import annotations

from .layout import read_events
from .reader import NETLOOM_RECORD
from .record import Record, read_record

__all__ = ["NETLOOM_RECORD", "Record", "read_events", "read_record"]
