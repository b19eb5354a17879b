"""Workers that are killed, a scheduler that dies, a disk that is full: the study ends with the same bytes."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from distributed import Client

from netloom.study.backends.secured import Keys

from .studies import content, start

#: Runs of some 50 ms, so that a worker dies in the middle of one.
STUDY = """title = "workers"
[[experiment]]
name = "time"
evaluate = "time"
[experiment.axes]
seed = { range = [1, 25] }
network = ["torus(16,16)", "k_ary_n_tree(k=16,n=2)"]
ranks = 256
order = "random(seed={seed})"
workload = ["alltoall:pairwise", "allreduce:ring"]
"""
#: Kills of one study before it may end.
KILLS_OF_ONE = 5
#: Parts of the study with the full disk, and the bytes that fit on it.
PARTS, ROOM = 3, 6000
RUN = ["run", "study.toml", "-o", "out", "--no-figures"]


def campaign(count: int, chance: random.Random, folder: Path) -> tuple[Counter[str], list[str]]:
    """`count` SIGKILLs of workers, one of a scheduler, one full disk."""
    counts: Counter[str] = Counter()
    bad: list[str] = []
    expected = _whole(_fresh(folder))
    while counts["kills of workers"] < count:
        on = min(("processes", "dask"), key=lambda on: counts[f"kills under {on}"])
        at = _fresh(folder)
        code, said = _killing(on, count - counts["kills of workers"], chance, at, counts)
        counts["studies"] += 1
        _compare(f"{on}, exit code {code}, {said}", code, at, expected, bad)
    at = _fresh(folder)
    said = _scheduler(chance, at, counts, bad)
    code = start([*RUN, "--on", "processes"], at).wait()
    _compare(f"scheduler killed, {said}", code, at, expected, bad)
    at = _fresh(folder)
    _full_disk(chance, at, counts, bad)
    code = start(["merge", "out"], at).wait()
    _compare("full disk", code, at, expected, bad, without="shards")
    return counts, bad


def _fresh(folder: Path) -> Path:
    at = folder / "trial"
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir()
    (at / "study.toml").write_text(STUDY)
    return at


def _whole(at: Path) -> dict[str, bytes]:
    if start(RUN, at).wait():
        raise RuntimeError("the study itself fails")
    return content(at / "out")


def _compare(
    what: str, code: int, at: Path, expected: dict[str, bytes], bad: list[str], without: str = "none of them"
) -> None:
    if code:
        bad.append(f"{what}: exit code {code}")
    got = {name: data for name, data in content(at / "out").items() if not name.startswith(without)}
    differing = sorted(name for name in {*got, *expected} if got.get(name) != expected.get(name))
    if differing:
        bad.append(f"{what}: other bytes in {differing}")


def _killing(on: str, most: int, chance: random.Random, at: Path, counts: Counter[str]) -> tuple[int, str]:
    """One study whose workers die one after another, resumed if it gave up; its exit code and last words."""
    kills = 0
    while True:
        process = start([*RUN, "-j", "2", "--on", f"{on}(retries=100)"], at)
        before = _records(at)
        while process.poll() is None and kills < min(KILLS_OF_ONE, most):
            time.sleep(chance.uniform(0.1, 0.8))
            living = _workers(process.pid)
            if _records(at) > before and living and process.poll() is None:
                os.kill(chance.choice(living), signal.SIGKILL)
                kills += 1
                counts["kills of workers"] += 1
                counts[f"kills under {on}"] += 1
        _, said = process.communicate()
        words = said.decode(errors="replace")[-300:]
        if process.returncode == 0 or "error: NL-S" not in words or _records(at) == before:
            return process.returncode, words
        counts["gave up and resumed"] += 1


def _workers(parent: int) -> list[int]:
    """Processes below one that were spawned to work."""
    tree: dict[int, list[int]] = {}
    words: dict[int, bytes] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                above = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
                words[int(entry.name)] = entry.joinpath("cmdline").read_bytes()
            except OSError:
                continue
            tree.setdefault(above, []).append(int(entry.name))
    found, waiting = [], [parent]
    while waiting:
        below = tree.get(waiting.pop(), [])
        waiting += below
        found += [pid for pid in below if b"spawn_main" in words[pid]]
    return sorted(found)


def _scheduler(chance: random.Random, at: Path, counts: Counter[str], bad: list[str]) -> str:
    """A study on a running scheduler that is killed: it says so and ends; the last words."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tls://127.0.0.1:{port}"
    keys = Keys(at.parent / "keys")
    ca, key, cert = (str(keys.folder / f"{name}.pem") for name in ("ca", "key", "cert"))
    for name, path in {"CA_FILE": ca, "CLIENT__KEY": key, "CLIENT__CERT": cert}.items():
        os.environ[f"DASK_DISTRIBUTED__COMM__TLS__{name}"] = path
    dask = [sys.executable, "-m", "dask"]
    tls = ["--protocol", "tls", "--tls-ca-file", ca, "--tls-cert", cert, "--tls-key", key]
    quiet = {"cwd": at.parent, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", *tls],
        **quiet,  # type: ignore[call-overload]
    )
    worker = subprocess.Popen(
        [*dask, "worker", address, "--nthreads", "1", "--nworkers", "2", "--no-dashboard", *tls],
        **quiet,  # type: ignore[call-overload]
    )
    try:
        with Client(address, timeout=30, security=keys.security) as client:
            client.wait_for_workers(2, timeout=60)
        process = start([*RUN, "--on", address], at)
        while process.poll() is None and not _records(at):
            time.sleep(0.05)
        time.sleep(chance.uniform(0.0, 0.5))
        scheduler.kill()
        began = time.monotonic()
        try:
            _, said = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            bad.append("the study waits for ever for a dead scheduler")
            return "killed after 120 s"
    finally:
        for one in (worker, scheduler):
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()
        keys.remove()
    words = said.decode(errors="replace").strip()
    counts["kills of schedulers"] += 1
    counts["runs kept before"] = _records(at)
    counts["seconds until it was said"] = round(time.monotonic() - began)
    if process.returncode not in (1, 2) or "error: NL-" not in words or "Traceback" in words:
        bad.append(f"dead scheduler: exit code {process.returncode}, {words[-600:]}")
    return words[-200:]


def _records(at: Path) -> int:
    path = at / "out" / "runs.jsonl"
    return max(path.read_bytes().count(b"\n") - 1, 0) if path.exists() else 0


def _full_disk(chance: random.Random, at: Path, counts: Counter[str], bad: list[str]) -> None:
    """Parts of a study, one of which finds its disk full; the same command again ends it."""
    full = chance.randrange(PARTS) + 1
    start([*RUN, "--shards", str(PARTS), "--emit", "slurm-array"], at).wait()
    for part in range(1, PARTS + 1):
        words = [*RUN, "--shard", f"{part}/{PARTS}"]
        if part == full:
            process = start(words, at, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM)))
            _, said = process.communicate()
            counts["full disks"] += 1
            if process.returncode not in (1, 2) or said.count(b"error: NL-") != 1 or b"Traceback" in said:
                bad.append(f"full disk: exit code {process.returncode}, {said[-600:]!r}")
            merged = start(["merge", "out"], at)
            _, said = merged.communicate()
            if merged.returncode != 2:
                bad.append(f"merged without a part: exit code {merged.returncode}, {said[-600:]!r}")
        if start(words, at).wait():
            bad.append(f"part {part} does not end")
