"""Traces of runs: what ranks did, as recorders of MPI, of GPU libraries and of simulators leave it."""

from __future__ import annotations

from .call import TraceCall, trace_call
from .digest import digest_of, is_large
from .reading import facts_of, format_of, in_format, read_record, read_trace, recognised
from .row import CallSum, Recorded, Source, Survey, TraceFormat, Untold
from .smpi import write_trace

__all__ = [
    "CallSum",
    "Recorded",
    "Source",
    "Survey",
    "TraceCall",
    "TraceFormat",
    "Untold",
    "digest_of",
    "facts_of",
    "format_of",
    "in_format",
    "is_large",
    "read_record",
    "read_trace",
    "recognised",
    "trace_call",
    "write_trace",
]
