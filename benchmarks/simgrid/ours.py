"""netloom's side of a comparison, as a process of its own: `python -m benchmarks.simgrid.ours CASE.json`.

Prints as JSON what the answer is and what the simulation alone cost. The process also pays for Python, NumPy and
reading the case; the caller measures that, since the peer is a whole process too.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

import netloom
from benchmarks.measure import resident_bytes


def main(path: str) -> None:
    case = json.loads(Path(path).read_text())
    # What a first use imports is part of starting.
    netloom.simulate_flows([1.0], [0.0], [[0]], [1], [0.0])
    netloom.simulate("ring(3)", workload="barrier:dissemination", ranks=3, calibration=case.get("calibration", "pure"))
    before_bytes = resident_bytes()
    if case["kind"] == "flows":
        with np.load(case["arrays"]) as file:
            arrays = dict(file)
        # Reading is not part of it, as on the other side.
        routes = arrays.pop("offsets"), arrays.pop("links")
        start = time.process_time()
        finish_s = netloom.simulate_flows(routes=routes, sharing=case["sharing"], **arrays)
        seconds, end_s = time.process_time() - start, float(np.max(finish_s))
    else:
        network = netloom.network(case["network"])
        start = time.process_time()
        answer = netloom.simulate(
            network,
            workload=case["collective"],
            ranks=case["ranks"],
            mapping=np.array(case["mapping"], dtype=np.uint32),
            size_bytes=case["size_bytes"],
            repetitions=case["repetitions"],
            calibration=case["calibration"],
            routing="single-minimal",
        )
        seconds, end_s = time.process_time() - start, float(answer["time_s"])
    peak_bytes = resident_bytes("VmHWM")
    print(json.dumps({"end_s": end_s, "seconds": seconds, "before_bytes": before_bytes, "peak_bytes": peak_bytes}))


if __name__ == "__main__":
    main(sys.argv[1])
