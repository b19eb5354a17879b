"""Traces of runs: what ranks did, as recorders of MPI, of GPU libraries and of simulators leave it."""

from __future__ import annotations

from .call import TraceCall, said_part, trace_call
from .digest import digest_of, is_large
from .reading import facts_of, format_of, in_format, read_record, read_trace, recognised
from .row import ONE, CallSum, Recorded, Source, Survey, TraceFormat, Untold
from .smpi import write_trace

__all__ = [
    "ONE",
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
    "said_part",
    "trace_call",
    "write_trace",
]
