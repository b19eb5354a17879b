"""Commands that are not asked about an option as the others are, and why."""

from __future__ import annotations

#: Commands whose memory is that of no network, file or search.
SMALL = (
    "size", "node", "list", "completion", "man", "explain", "index", "calibrate", "merge", "enumerate", "verify",
    "explore", "extrapolate", "learn",
)  # fmt: skip
#: Started by hand in a browser (`tests/unit/test_explore*.py`), or on MPI (`tests/peers/test_recorder.py`,
#: `tests/peers/test_run_schedule.py`), or on records (`test_gained.py`).
BY_HAND = ("explore", "record", "reorder", "verify-mapping", "run-schedule", "bench-orders", "gained")
