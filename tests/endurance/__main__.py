"""`python -m tests.endurance CAMPAIGN --count N --seed S`: counts as JSON; exit code 1 if one was bad."""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from . import workers
from .studies import KINDS, content, start, study

Bad = list[str]
#: Kills of one study before it may end.
KILLS_OF_ONE = 10


def kills(count: int, chance: random.Random, folder: Path) -> tuple[Counter[str], Bad]:
    """SIGKILL at random times, resumed until the study ends: the same bytes as without, nothing half, nothing left."""
    counts: Counter[str] = Counter()
    bad: Bad = []
    whole: dict[str, tuple[dict[str, bytes], float]] = {}
    for kind in KINDS:
        began = time.monotonic()
        made = folder / kind
        made.mkdir()
        text, options = study(kind)
        (made / "study.toml").write_text(text)
        process = start(["run", "study.toml", "-o", "out", *options], made)
        _, said = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{kind}: {said!r}")
        whole[kind] = content(made / "out"), time.monotonic() - began
    while counts["kills"] < count:
        kind = min(KINDS, key=lambda kind: counts[f"kills of {kind}"])
        expected, seconds = whole[kind]
        at = folder / "trial"
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir()
        text, options = study(kind)
        (at / "study.toml").write_text(text)
        for attempt in range(KILLS_OF_ONE + 1):
            process = start(["run", "study.toml", "-o", "out", *options], at)
            try:
                seconds_left = chance.uniform(0, seconds) if attempt < KILLS_OF_ONE else None
                _, said = process.communicate(timeout=seconds_left)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                counts["kills"] += 1
                counts[f"kills of {kind}"] += 1
                for name, data in content(at / "out").items():
                    hidden = Path(name).name.startswith(".") or name.startswith("runs.jsonl")
                    if not hidden and data != expected.get(name):
                        bad.append(f"{kind}: {name} is half written")
                continue
            break
        counts["studies"] += 1
        if process.returncode:
            bad.append(f"{kind}: exit code {process.returncode}: {said[-200:]!r}")
        got = content(at / "out")
        differing = sorted(name for name in {*got, *expected} if got.get(name) != expected.get(name))
        if differing:
            bad.append(f"{kind}: other bytes in {differing}")
    return counts, bad


COMMANDS: tuple[list[str], ...] = (
    ["describe", "random_shortcut(20000,degree=3,seed=1)"],
    ["map", "-n", "torus(8,8)", "-t", "allreduce:ring", "--ranks", "64", "-o", "ranks", "--emit", "rankfile"],
    ["simulate", "-n", "torus(8,8)", "-t", "alltoall:pairwise", "--ranks", "64", "--model", "packet"],
    ["loads", "-n", "dragonfly(a=8,p=4,h=4,g=17)", "-t", "all-pairs", "--ranks", "512"],
    ["run", "study.toml", "-o", "out", "--force"],
)


def interrupts(count: int, chance: random.Random, folder: Path) -> tuple[Counter[str], Bad]:
    """SIGINT at random times: exit code 130 and one line, or the command had ended."""
    counts: Counter[str] = Counter()
    bad: Bad = []
    text, _ = study("loads")
    (folder / "study.toml").write_text(text)
    seconds = []
    for words in COMMANDS:
        began = time.monotonic()
        process = start(words, folder)
        _, said = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{words}: {said!r}")
        seconds.append(time.monotonic() - began)
    while counts["interrupts"] < count:
        which = counts["interrupts"] % len(COMMANDS)
        shutil.rmtree(folder / "out", ignore_errors=True)
        process = start(COMMANDS[which], folder)
        try:
            process.communicate(timeout=chance.uniform(0, seconds[which]))
        except subprocess.TimeoutExpired:
            pass
        else:
            counts["ended before"] += 1
            continue
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        last = said.decode(errors="replace").strip().rpartition("\n")[2]
        counts["interrupts"] += 1
        if process.returncode == 130 and last.startswith("interrupted"):
            counts["130 and one line"] += 1
        elif process.returncode == 0:
            counts["ended at that moment"] += 1
        elif process.returncode in (-signal.SIGINT, 130, 1) and b"netloom" not in said:
            # The interpreter's own words, or none: no line of ours ran yet.
            counts["while Python itself started"] += 1
        elif process.returncode == -signal.SIGINT and b"from .base import interrupt" in said:
            counts["before the first line of netloom had run"] += 1
        else:
            bad.append(f"{COMMANDS[which]}: exit code {process.returncode}: {said[-600:]!r}")
    return counts, bad


def bits(count: int, chance: random.Random, folder: Path) -> tuple[Counter[str], Bad]:
    """Every bit of a journal of 20 runs changed once: named, never believed; `count` of them through the command."""
    from netloom.study.sealed import read_lines

    counts: Counter[str] = Counter()
    bad: Bad = []
    text = study("hops")[0].replace("ranks = 36", "ranks = [8, 36]")
    (folder / "study.toml").write_text(text)
    command = ["run", "study.toml", "-o", "out", "--no-figures"]
    if start(command, folder).wait():
        raise RuntimeError("the study itself fails")
    whole = content(folder / "out")
    lines = whole["runs.jsonl"].split(b"\n")[:21]
    data = b"\n".join(lines) + b"\n"
    sound = read_lines(io.BytesIO(data))
    counts["runs"] = len(sound.runs)
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        found = read_lines(io.BytesIO(changed))
        counts["bits"] += 1
        if any(_line(changed, begin) != _line(data, sound.runs[key]) for key, begin in found.runs.items()):
            bad.append(f"bit {bit}: another record is believed")
        if found.damaged:
            counts["named"] += 1
        elif found.runs == sound.runs and found.head == sound.head:
            counts["harmless"] += 1
        elif found.whole < len(data):
            counts["taken for a torn last line"] += 1
        else:
            bad.append(f"bit {bit}: neither named nor harmless")
    for _ in range(count):
        bit = chance.randrange(8 * len(whole["runs.jsonl"]))
        changed = bytearray(whole["runs.jsonl"])
        changed[bit // 8] ^= 1 << bit % 8
        (folder / "out" / "runs.jsonl").write_bytes(changed)
        process = start(command, folder)
        _, said = process.communicate()
        counts["through the command"] += 1
        if process.returncode or content(folder / "out") != whole:
            bad.append(f"bit {bit} through the command: exit code {process.returncode}: {said[-300:]!r}")
    return counts, bad


def _line(data: bytes | bytearray, begin: int) -> bytes:
    return bytes(data[begin : data.index(b"\n", begin)])


CAMPAIGNS: dict[str, Callable[[int, random.Random, Path], tuple[Counter[str], Bad]]] = {
    "kills": kills,
    "interrupts": interrupts,
    "bits": bits,
    "workers": workers.campaign,
}


def main() -> int:
    """Exit code 1 if something was not as promised."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description=__doc__)
    parser.add_argument("campaign", choices=CAMPAIGNS)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        counts, bad = CAMPAIGNS[given.campaign](given.count, random.Random(given.seed), Path(folder))
    print(json.dumps({"campaign": given.campaign, "seed": given.seed, **counts, "bad": bad}, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
