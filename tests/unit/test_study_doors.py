"""Whoever has no certificate of a study reaches neither its scheduler nor its workers; no study is left without any."""

from __future__ import annotations

import http.client
import os
import re
import stat
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from netloom import NetloomError
from netloom.study.backends import Lost, backend, check, cluster, secured
from netloom.study.run import run_study

distributed = pytest.importorskip("distributed")
STUDY = """
title = "Doors"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["ring(4)", "torus(3,3)"]
ranks = 4
workload = "alltoall:pairwise"
"""


#: Where a worker has its page; workers elsewhere do not know this module.
PAGE = lambda dask_worker: f"{dask_worker.http_server.address}:{dask_worker.http_server.port}"  # noqa: E731


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    made = cluster.local(1, 0)
    yield made
    made.close()


def addresses(dask: Any) -> list[str]:
    of = dask._owned.cluster
    return [of.scheduler_address, *(one.worker_address for one in of.workers.values()), *dask._client.nthreads()]


def test_all_that_listens_talks_tls(dask: Any) -> None:
    found = addresses(dask)
    assert len(found) >= 3 and all(one.startswith("tls://127.0.0.1:") for one in found)


@pytest.mark.parametrize("stranger", ["plain", "own certificates"])
def test_a_client_without_the_certificates_runs_nothing(dask: Any, stranger: str) -> None:
    address = addresses(dask)[0]
    security = None
    if stranger == "plain":
        address = address.replace("tls://", "tcp://")
    else:
        security = distributed.Security.temporary()
    with pytest.raises(OSError):
        distributed.Client(address, security=security, timeout=1).run(os.getpid)


def test_no_page_is_served(dask: Any) -> None:
    of = dask._owned.cluster
    ports = [of.scheduler.http_server.port]
    ports += [int(one.rpartition(":")[2]) for one in dask._client.run(PAGE).values()]
    for port in ports:
        for page in ("/", "/status", "/health", "/info/main/workers.html", "/metrics", "/json/identity.json"):
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            asked.request("GET", page)
            assert asked.getresponse().status == 404, page
            asked.close()
    assert dask.place == ""


def test_what_workers_spill_is_for_their_user_only(dask: Any) -> None:
    (folder,) = dask._client.run(lambda dask_worker: str(dask_worker.local_directory)).values()
    own = dask._owned.folder
    assert own in Path(folder).parents and stat.S_IMODE(own.stat().st_mode) == 0o700


@pytest.mark.parametrize("on", ["dask", "slurm"])
def test_without_cryptography_nothing_starts(on: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        if name == "cryptography":
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(secured, "import_module", absent)
    with pytest.raises(NetloomError, match=r"^NL-S019 --on: needs the package cryptography\n  hint: pip install"):
        backend(on, None, 1)  # type: ignore[arg-type]  # not looked at


def test_a_scheduler_without_tls_is_refused() -> None:
    with pytest.raises(NetloomError, match=r"NL-S017 --on must be tls://HOST:PORT.*got tcp://127.0.0.1:9"):
        check("tcp://127.0.0.1:9")


def test_no_certificates_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    with pytest.raises(NetloomError, match=r"NL-S018 tls://127.0.0.1:9: needs the certificates"):
        run_study(tmp_path / "study.toml", tmp_path / "out", on="tls://127.0.0.1:9", figures=False)
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with (
        known(secured.Keys(tmp_path / "keys")),
        pytest.raises(NetloomError, match=r"NL-S018 tls://127.0.0.1:9: no sch"),
    ):
        run_study(tmp_path / "study.toml", tmp_path / "out", on="tls://127.0.0.1:9", figures=False)


def known(keys: secured.Keys) -> Any:
    """Dask's configuration names these files."""
    of = {part: str(keys.folder / f"{part}.pem") for part in ("ca", "key", "cert")}
    tls = "distributed.comm.tls"
    named = {f"{tls}.ca-file": of["ca"], f"{tls}.client.key": of["key"], f"{tls}.client.cert": of["cert"]}
    return import_module("dask").config.set(named)


def test_a_running_scheduler_is_joined_over_tls(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    run_study(tmp_path / "study.toml", tmp_path / "here", figures=False)
    keys = secured.Keys(tmp_path / "keys")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", silence_logs=50, security=keys.security,
            dashboard_address="127.0.0.1:0",
        ) as running,
        known(keys),
    ):  # fmt: skip
        run_study(tmp_path / "study.toml", tmp_path / "there", on=running.scheduler_address, figures=False)
    assert (tmp_path / "here" / "runs.jsonl").read_bytes() == (tmp_path / "there" / "runs.jsonl").read_bytes()


def test_keys_are_for_their_owner_only(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        keys = secured.Keys(tmp_path / "shared")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(keys.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in keys.folder.iterdir()} == {0o600}
    keys.remove()
    assert list((tmp_path / "shared").iterdir()) == []


def test_a_folder_that_a_script_cannot_name_plainly_holds_no_keys(tmp_path: Path) -> None:
    with pytest.raises(NetloomError, match="NL-S018 --on slurm"):
        secured.Keys(tmp_path / "a b; touch pwned")
    assert list((tmp_path / "a b; touch pwned").iterdir()) == []


@pytest.mark.parametrize(
    "call",
    ['slurm(partition="a\ntouch pwned")', 'slurm(memory="4GB; x")', 'slurm(partition="a b")', "slurm(memory=-1)"],
)
def test_words_of_a_job_script_are_plain(call: str) -> None:
    with pytest.raises(NetloomError):
        check(call)


SBATCH = """#!{python}
import os, pathlib, shutil, subprocess, sys
here = pathlib.Path({folder!r})
if "--test-only" in sys.argv:
    sys.exit(0)
number = len(list(here.glob("*.job"))) + 1
job = here / f"{{number}}.job"
shutil.copy(sys.argv[1], job)
with open(here / f"{{number}}.log", "w") as log:
    done = subprocess.Popen(["bash", str(job)], stdout=log, stderr=log, start_new_session=True)
(here / f"{{number}}.pid").write_text(str(done.pid))
print(f"Submitted batch job {{number}}")
"""
SCANCEL = """#!{python}
import os, pathlib, signal, sys
pid = int((pathlib.Path({folder!r}) / f"{{sys.argv[-1]}}.pid").read_text())
try:
    os.killpg(pid, signal.SIGTERM)
except OSError:
    pass
"""


def test_jobs_of_slurm_come_in_with_keys_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dask_jobqueue")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (commands / name).write_text(text.format(python=sys.executable, folder=str(tmp_path)))
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    made = backend('slurm(partition=test,memory="400MB")', None, 1)  # type: ignore[arg-type]  # not looked at
    try:
        (folder,) = (tmp_path / "cache" / "netloom").iterdir()
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())]
        assert modes == [0o700, 0o600, 0o600, 0o600]
        made._client.wait_for_workers(1, timeout=120)  # type: ignore[attr-defined]
        address = made._owned.cluster.scheduler_address  # type: ignore[attr-defined]
        with pytest.raises(OSError):
            distributed.Client(address.replace("tls://", "tcp://"), timeout=1)
        with pytest.raises(OSError):
            distributed.Client(address, security=distributed.Security.temporary(), timeout=1)
        assert made._client.submit(sum, [1, 2]).result(60) == 3  # type: ignore[attr-defined]
        (page,) = made._client.run(PAGE).values()  # type: ignore[attr-defined]
        assert page.startswith("127.0.0.1:")
        assert made._owned.cluster.scheduler.http_server.address == "127.0.0.1"  # type: ignore[attr-defined]
    finally:
        made.close()
    assert list((tmp_path / "cache" / "netloom").iterdir()) == []
    script = (tmp_path / "1.job").read_text()
    assert "--tls-ca-file" in script and "--no-dashboard" in script and "PRIVATE KEY" not in script


def test_workers_that_are_gone_for_good_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is killed while it starts takes Dask's watcher of it along: nobody starts another."""
    monkeypatch.setattr(cluster, "LOOK", 0.0)
    with import_module("dask").config.set({"distributed.deploy.lost-worker-timeout": "10ms"}):
        made: Any = cluster.local(1, 0)
        try:
            of = made._owned.cluster
            (watcher,) = of.workers.values()
            of.sync(watcher.close)
            end = time.monotonic() + 60
            while watcher in of.workers.values() and time.monotonic() < end:
                time.sleep(0.01)
            task = made._client.submit(sum, [1, 2])
            while not task.done() and time.monotonic() < end:
                made.tend()
                time.sleep(0.05)
            assert task.result(1) == 3
        finally:
            made.close()


class Gone:
    """A task that had ended, whose result went with its worker."""

    def cancelled(self) -> bool:
        return False

    def exception(self) -> None:
        return None

    def result(self) -> None:
        raise RuntimeError("cannot be gathered")


def test_a_result_that_cannot_be_fetched_is_a_run_to_try_again() -> None:
    made = cluster.Dask.__new__(cluster.Dask)
    future: Future[Any] = Future()
    task = Gone()
    made._lock, made._tasks = threading.Lock(), {task: future}  # type: ignore[dict-item]
    made._ended(task)  # type: ignore[arg-type]
    with pytest.raises(Lost, match="its result is gone: RuntimeError"):
        future.result(0)


def test_a_joined_scheduler_that_loses_all_workers_ends_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.0)
    monkeypatch.setattr(cluster, "EMPTY", 0.0)
    made = cluster.Dask.__new__(cluster.Dask)
    made._owned, made._looked, made._seen = None, 0.0, 0.0

    class Empty:
        def scheduler_info(self, n_workers: int) -> dict[str, dict[str, object]]:
            return {"workers": {}}

    made._client = Empty()  # type: ignore[assignment]
    with pytest.raises(NetloomError, match=re.escape("NL-S018 --on: the scheduler has no workers any more")):
        made.tend()
