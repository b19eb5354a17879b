"""`python -m tests.fuzz --inputs N`: feeds inputs, counts verdicts, keeps what failed; goes on where it was stopped."""

from __future__ import annotations

import argparse
import json
import os
import selectors
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

#: Inputs of a process.
BATCH = 5000
#: Wall-clock seconds after which an input counts as endless.
ENDLESS_S = 120


def main() -> int:
    """Exit code 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, default=Path("out/fuzz.json"), help="counts, and where to go on")
    parser.add_argument("--fresh", action="store_true", help="do not go on with what the state says")
    parser.add_argument("--only", default="", help="targets whose names begin with one of these, A,B")
    given = parser.parse_args()
    state = {"seed": given.seed, "only": given.only, "next": 0, "counts": {}, "kept": []}
    if given.state.is_file() and not given.fresh:
        state = json.loads(given.state.read_text())
        for key, said in (("seed", given.seed), ("only", given.only)):
            if state.get(key, "") != said:
                parser.error(f"{given.state} is of {key} {state.get(key, '')}")
    given.state.parent.mkdir(parents=True, exist_ok=True)
    _feed(state, given.inputs, given.state)
    print(json.dumps(state["counts"], indent=1))
    for line in state["kept"][:20]:
        print(line)
    return 1 if any(key.split()[1] in ("failed", "died") for key in state["counts"]) else 0


def _feed(state: dict, inputs: int, path: Path) -> None:
    """Every core takes the next batch as soon as it is free; what the state says is done is done without a gap."""
    starts = range(state["next"], inputs, BATCH)
    ends = [min(first + BATCH, inputs) for first in starts]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        waiting = [
            pool.submit(_part, state["seed"], state.get("only", ""), first, end)
            for first, end in zip(starts, ends, strict=True)
        ]
        try:
            for end, part in zip(ends, waiting, strict=True):
                done = part.result()
                counts = Counter(state["counts"]) + Counter(done["counts"])
                state |= {"counts": dict(sorted(counts.items())), "next": end, "kept": state["kept"] + done["kept"]}
                beside = path.with_suffix(".new")
                beside.write_text(json.dumps(state, indent=1))
                beside.replace(path)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _part(seed: int, only: str, first: int, end: int) -> dict:
    """Counts and what is kept of the inputs from `first` to `end`, which several processes may take."""
    state = {"seed": seed, "only": only, "next": first, "counts": {}, "kept": []}
    while state["next"] < end:
        _batch(state, end - state["next"])
    return state


def _batch(state: dict, count: int) -> None:
    """Inputs from `next` on in one process; the one at which it died is counted, and the rest left to the next."""
    words = map(str, (state["next"], count, 1, state["seed"], state["only"]))
    command = [sys.executable, "-m", "tests.fuzz.worker", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    counts, at, last, end = Counter(state["counts"]), None, None, state["next"] + count
    with process, selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while waiting.select(ENDLESS_S):
            line = process.stdout.readline()
            if not line:
                break
            last = json.loads(line)
            if "at" in last:
                at = last["at"]
                continue
            counts[f"{last['target']} {last['verdict']}"] += 1
            for key in ("slow_s", "memory_kib"):
                counts[f"{last['target']} {key.split('_')[0]}"] += key in last
            if len(last) > 3:
                state["kept"].append(last)
            state["next"] = last["number"] + 1
        else:
            process.kill()
        code = process.wait()
    if at is not None and at == state["next"] and at < end:
        from .targets import chosen

        targets = chosen(state["only"])
        name = targets[at % len(targets)].name
        counts[f"{name} died"] += 1
        state["kept"].append({"number": at, "target": name, "verdict": "died", "code": code})
        state["next"] = at + 1
    state["counts"] = {key: value for key, value in sorted(counts.items()) if value}


if __name__ == "__main__":
    sys.exit(main())
