"""One process that feeds inputs; a line per input that is worth one. Its parent sees it die."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from netloom.base import memory
from netloom.base.errors import NetloomError
from netloom.cli.app import _guarded

from .mutate import mutated
from .targets import FILE, TEXT, Target, chosen

#: What an input below 64 KiB may take.
CPU_S, MEMORY_KIB = 2.0, 1 << 20
#: No input may take the machine down with it.
ADDRESS_BYTES = 6 << 30
ALLOWED = "512 MiB"


def made(target: Target, seeds: list[tuple[str, bytes]], draw: random.Random) -> tuple[str, bytes]:
    """Ending and content of one input."""
    ending, data = draw.choice(seeds)
    return ending, mutated(data, [other for _, other in seeds], draw)


def fed(target: Target, ending: str, data: bytes, folder: Path, draw: random.Random) -> tuple[object, str]:
    """Exit code and what was said."""
    path = folder / f"input{ending}"
    # A new file: where one is emptied and written again, ext4 waits for the disk.
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)
    if target.read is not None:
        try:
            target.read(path)
        except NetloomError as error:
            return 2, str(error)
        return 0, ""
    text = data.decode("utf-8", "surrogateescape").replace("\0", "")
    args = [text if word == TEXT else str(path) if word == FILE else word for word in draw.choice(target.commands)]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = _guarded(args)
    return code, out.buffer.getvalue().decode()


def verdict(code: object, said: str) -> str:
    """`failed` for what must never be, else `done` or `refused`."""
    if code not in (0, 1, 2) or "NL-X013" in said or "Traceback" in said or "panicked" in said:
        return "failed"
    if code == 2 and "NL-" not in said:
        return "failed"
    return "refused" if code == 2 else "done"


def main(first: int, count: int, step: int, seed: int, only: str = "") -> None:
    """Inputs `first`, `first + step`, ... of the targets that begin with `only`: each is made from its number alone."""
    targets = chosen(only)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
    # A call of a few letters may ask for a large network: what it says to that is tested, not that it is made.
    os.environ["NETLOOM_MEMORY"] = ALLOWED
    memory.limit_memory(ALLOWED)
    seeds = {target.name: target.seeds() for target in targets}
    with tempfile.TemporaryDirectory(prefix="netloom-fuzz-") as name:
        folder = Path(name)
        os.chdir(folder)
        for number in range(first, first + count * step, step):
            draw = random.Random(f"{seed}:{number}")
            target = targets[number % len(targets)]
            ending, data = made(target, seeds[target.name], draw)
            print(json.dumps({"at": number}), file=sys.__stdout__, flush=True)
            before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
            try:
                code, said = fed(target, ending, data, folder, draw)
                found = verdict(code, said)
            except BaseException as error:
                found, said = "failed", f"{type(error).__name__}: {error}"
            took = time.process_time() - start
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            line: dict[str, object] = {"number": number, "target": target.name, "verdict": found}
            if found == "failed":
                line["said"] = said[-500:]
            if took > CPU_S:
                line["slow_s"] = round(took, 1)
            if most > MEMORY_KIB and most > before:
                line["memory_kib"] = most
            print(json.dumps(line), file=sys.__stdout__, flush=True)
            if most > MEMORY_KIB:
                return  # The most of a process never falls: the next input gets a new one.


if __name__ == "__main__":
    main(*map(int, sys.argv[1:5]), *sys.argv[5:])
