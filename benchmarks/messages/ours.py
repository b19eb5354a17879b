"""netloom's side, as a process of its own: `python -m benchmarks.messages.ours PROGRAM.json [CALIBRATION]`.

Prints as JSON when each rank is done and the CPU seconds of the answer: routes and schedule are part of it, starting
Python and building the network are not. Nothing is folded or skipped: every message is simulated.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import netloom
from benchmarks.messages.programs import Program


def main(path: str, calibration: str | None = None) -> None:
    program = Program(**json.loads(Path(path).read_text()))
    costs: dict[str, Any] = {} if calibration is None else {"calibration": calibration}
    given = {"mapping": program.mapping, "routing": program.routing, **program.workload(), **costs}
    # What a first use imports is part of starting.
    netloom.evaluate(netloom.Scenario("ring(3)", workload="barrier:dissemination", **costs), "time", fold=False)
    start = time.process_time()
    answer = netloom.evaluate(netloom.Scenario(program.built, **given), "time", fold=False)
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "end_s": [float(end) for end in answer.finish_s]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
