"""Other processes of a command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from netloom import NetloomError, limit_memory, network
from netloom.base.memory import given
from netloom.base.processes import build
from netloom.base.workers import Workers
from netloom.study.load import load
from netloom.study.plan import make_plan
from netloom.study.work import compute_here, ticket


def nothing() -> None:
    """What each process begins with."""


def bytes_there() -> int | None:
    """The limit of a process."""
    return given()


def ends() -> None:
    """As the system ends a process that takes too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def workers() -> Iterator[Workers]:
    limit_memory("3 GiB")
    made = Workers(1, nothing)
    yield made
    made.close()
    limit_memory(None)


def test_the_limit_of_memory_holds_in_every_process(workers: Workers) -> None:
    assert workers.result(workers.submit(bytes_there)) == 3 << 30


def test_a_process_that_dies_is_a_fault(workers: Workers) -> None:
    with pytest.raises(NetloomError, match="NL-X011 --jobs: a process was ended from outside"):
        workers.result(workers.submit(ends))


def test_a_look_may_end_the_wait(workers: Workers) -> None:
    from time import sleep

    def over() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        workers.result(workers.submit(sleep, 30), over)


def test_a_network_beyond_the_limit_is_refused_there() -> None:
    limit_memory("1 MiB")
    workers = Workers(1, nothing)
    try:
        with pytest.raises(NetloomError, match="NL-X011"):
            workers.result(workers.submit(_built, "torus(40,40,40)"))
    finally:
        workers.close()
        limit_memory(None)


def _built(call: str) -> int:
    return network(call).switches


def test_the_limit_is_in_what_workers_of_studies_get(tmp_path: Path) -> None:
    axes = 'network = "torus(20,20,20)"\nworkload = "shift"\nranks = 8\n'
    text = f'title = "t"\n[[experiment]]\nname = "a"\nevaluate = "hops"\n[experiment.axes]\n{axes}'
    (tmp_path / "s.toml").write_text(text)
    made = make_plan(load(tmp_path / "s.toml"), build())
    part = made.parts[0]
    limit_memory("1 MiB")
    try:
        asked = ticket(made, part, part.runs[0])
        refused, done = compute_here(asked), compute_here(replace(asked, memory=None))
    finally:
        limit_memory(None)
    assert isinstance(refused, dict) and isinstance(done, dict)
    assert (refused["status"], refused["faults"][0][0], done["status"]) == ("failed", "NL-X011", "done")


def test_ctrl_c_while_a_process_starts_is_not_for_it(workers: Workers) -> None:
    found = workers.submit(bytes_there)
    for process in list((workers._pool._processes or {}).values()):
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)
    assert workers.result(found) == 3 << 30


ORPHANS = """
import os
from netloom.base.workers import Workers
from tests.unit.test_workers import bytes_there, nothing
if __name__ == "__main__":
    workers = Workers(2, nothing)
    [workers.result(workers.submit(bytes_there)) for _ in range(4)]
    print(*workers._pool._processes, flush=True)
    os._exit(1)
"""


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS)
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([root, *sys.path])
    # No pipe: whoever is left would hold it open.
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, script], env={**os.environ, "PYTHONPATH": paths}, stdout=out, check=False)
    pids = [int(word) for word in (tmp_path / "out").read_text().split()]
    assert pids
    for _ in range(300):
        if not any(runs(pid) for pid in pids):
            return
        time.sleep(0.1)
    raise AssertionError(f"still there: {[pid for pid in pids if runs(pid)]}")


def runs(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False
