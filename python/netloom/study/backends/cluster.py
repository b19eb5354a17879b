"""Runs on workers of Dask: a local cluster, a running scheduler, or jobs of Slurm through dask-jobqueue."""

from __future__ import annotations

import logging
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Protocol

from ...base.errors import Fault, NetloomError
from ...base.processes import build
from ...scenario import Interrupted
from .. import codes
from ..sealed import Record
from ..work import Ticket, compute_here
from . import secured
from .base import Lost

#: Seconds that a scheduler has to answer; between two looks at the workers; that one without workers is waited for.
PATIENCE, LOOK, EMPTY = 10.0, 5.0, 120.0
#: Resource of Dask's workers that runs of several threads share.
CORES = "cores"


class _Task(Protocol):
    def add_done_callback(self, call: object) -> None: ...
    def exception(self) -> BaseException | None: ...
    def result(self) -> Record | list[Fault]: ...
    def cancelled(self) -> bool: ...


class _Client(Protocol):
    dashboard_link: str

    def submit(
        self, call: object, one: Ticket, *, pure: bool, key: str, retries: int, resources: dict[str, int] | None
    ) -> _Task: ...
    def run(self, call: object) -> dict[str, str]: ...
    def scheduler_info(self, n_workers: int = -1) -> dict[str, dict[str, object]]: ...
    def cancel(self, tasks: list[_Task]) -> None: ...
    def close(self) -> None: ...


class _Cluster(Protocol):
    def close(self) -> None: ...


@dataclass
class Owned:
    """A cluster that was started here.

    Parameters
    ----------
    refill
        Starts workers anew in the place of those that are gone for good.
    folder
        Of this cluster alone; it goes with it.
    """

    cluster: _Cluster
    refill: Callable[[], object]
    folder: Path

    def close(self) -> None:
        """The cluster and its folder."""
        self.cluster.close()
        rmtree(self.folder, ignore_errors=True)


class Dask:
    """Runs through a client of Dask's scheduler. Retrying is the study's business, not the scheduler's."""

    def __init__(
        self, client: _Client, owned: Owned | None, cores: int, retries: int, widest: int, counted: bool
    ) -> None:
        self.room, self.retries, self.cores, self.widest = 4 * max(cores, 1), retries, cores, widest
        # Workers that say how many cores they have are given runs by it; on others only the sum is kept.
        self._counted = counted
        # Clusters that are started here have no page to watch.
        self.place = "" if owned else client.dashboard_link
        self._client, self._owned = client, owned
        self._lock = threading.Lock()
        self._looked = self._seen = time.monotonic()
        self._tasks: dict[_Task, Future[Record]] = {}
        self._tries: dict[str, int] = {}
        # What it would log, a fault says.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        wrong = {address: theirs for address, theirs in client.run(build).items() if theirs != build()}
        for address, theirs in wrong.items():
            expected = f"the netloom of the planner, {build()}"
            self.close()
            raise NetloomError(
                [Fault(codes.WORKER, f"worker {address}", expected, theirs, "install the same netloom on all workers")]
            )

    def submit(self, one: Ticket) -> Future[Record]:
        future: Future[Record] = Future()
        future.set_running_or_notify_cancel()
        tries = self._tries[one.key] = self._tries.get(one.key, 0) + 1
        cores = {CORES: one.width} if self._counted else None
        key = f"netloom-{one.key[:24]}-{tries}"
        task = self._client.submit(compute_here, one, pure=False, key=key, retries=0, resources=cores)
        with self._lock:
            self._tasks[task] = future
        task.add_done_callback(self._ended)
        return future

    def tend(self) -> None:
        """Called about every second while runs are under way: workers that are gone for good are replaced.

        Dask starts a worker that was killed again, but not one that was killed while it started: without this, a study
        whose workers were all lost like that would stand still.

        Raises
        ------
        NetloomError
            `NL-S018` if a scheduler that somebody else started has had no workers for two minutes.
        """
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        if self._owned is not None:
            self._owned.refill()
            return
        if self._client.scheduler_info(n_workers=-1)["workers"]:
            self._seen = now
        elif now - self._seen > EMPTY:
            hint = "finished runs are kept: start workers and give the same command again, or choose another backend"
            raise NetloomError([Fault(codes.NO_SCHEDULER, "--on", "the scheduler has no workers any more", "", hint)])

    def _ended(self, task: _Task) -> None:
        with self._lock:
            future = self._tasks.pop(task, None)
        if future is None or future.done():
            return
        # Dask only logs what a callback raises, and the study would wait for this run for ever.
        try:
            _settle(future, task)
        except Exception as error:
            future.set_exception(Lost(f"its result is gone: {type(error).__name__}"))

    def stop(self) -> None:
        with self._lock:
            tasks, self._tasks = self._tasks, {}
        for future in tasks.values():
            future.set_exception(Interrupted())
        self._client.cancel(list(tasks))

    def close(self) -> None:
        self._client.close()
        if self._owned is not None:
            self._owned.close()


def _settle(future: Future[Record], task: _Task) -> None:
    """What a task came to. Its result may have gone with its worker, after the task had ended."""
    if task.cancelled():
        # None of ours is cancelled before `stop` has let go of it: the scheduler itself is gone.
        hint = "finished runs are kept: give the same command again, on any backend"
        fault = Fault(codes.NO_SCHEDULER, "--on", "the scheduler does not answer any more", "", hint)
        future.set_exception(NetloomError([fault]))
        return
    error = task.exception()
    if error is not None:
        future.set_exception(Lost(f"its worker is gone: {type(error).__name__}"))
        return
    found = task.result()
    if isinstance(found, list):
        future.set_exception(NetloomError(found))
    else:
        future.set_result(found)


def local(count: int, retries: int) -> Dask:
    """A cluster of processes on this machine, closed to its other users.

    Raises
    ------
    NetloomError
        `NL-S018` if it does not start; `NL-S019`.
    """
    distributed = secured.module("distributed")
    security, folder = secured.certificates(), secured.private_folder()
    try:
        with secured.no_pages():
            cluster = distributed.LocalCluster(
                n_workers=count, threads_per_worker=1, host="127.0.0.1", silence_logs=50, security=security,
                dashboard_address=secured.LOOPBACK, scheduler_kwargs={"dashboard": False}, local_directory=str(folder),
            )  # fmt: skip
    except (OSError, RuntimeError) as error:
        rmtree(folder, ignore_errors=True)
        words = " ".join(str(error).split())[:120]
        hint = "try again, with fewer workers (-j), or --on processes"
        fault = Fault(codes.NO_SCHEDULER, "--on dask", f"the cluster did not start: {words}", "", hint)
        raise NetloomError([fault]) from None
    owned = Owned(cluster, lambda: cluster.scale(count), folder)
    return Dask(distributed.Client(cluster), owned, count, retries, widest=count, counted=False)


def joined(address: str, retries: int) -> Dask:
    """The workers of a running scheduler, over TLS with the certificates of Dask's configuration.

    Raises
    ------
    NetloomError
        `NL-S018` if none answers there, it has no workers, or Dask knows no certificates.
    """
    distributed = secured.module("distributed")
    security = distributed.Security(require_encryption=True)
    if not (security.tls_ca_file and security.tls_client_cert):
        hint = "set distributed.comm.tls.ca-file, .client.cert and .client.key; see docs/how-to/long-studies.md"
        expected = "needs the certificates of the scheduler in Dask's configuration"
        raise NetloomError([Fault(codes.NO_SCHEDULER, address, expected, "", hint)])
    try:
        client = distributed.Client(address, timeout=PATIENCE, security=security)
    except (OSError, ValueError) as error:
        words = " ".join(str(error).split())[:120]
        hint = "start one with `dask scheduler --protocol tls` and the same certificates, or name another with --on"
        raise NetloomError(
            [Fault(codes.NO_SCHEDULER, address, f"no scheduler answers there: {words}", "", hint)]
        ) from None
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        client.close()
        hint = f"start some with `dask worker {address}`"
        raise NetloomError([Fault(codes.NO_SCHEDULER, address, "the scheduler has no workers", "", hint)])
    threads = [int(str(worker["nthreads"])) for worker in workers.values()]
    resources = [worker.get("resources") for worker in workers.values()]
    own = [int(given.get(CORES, 0)) for given in resources if isinstance(given, dict)]
    counted = len(own) == len(threads) and min(own) > 0
    widest, cores = (min(own), sum(own)) if counted else (min(threads), sum(threads))
    return Dask(client, None, cores, retries, widest=widest, counted=counted)


def slurm(count: int, retries: int, partition: str, walltime: str, memory: str, cores: str) -> Dask:
    """Workers as jobs of Slurm, which may wait in its queue; certificates of this study alone let them in.

    Raises
    ------
    NetloomError
        `NL-S018` if Slurm would refuse the jobs; `NL-S019`; `NL-X003` for the folder of the keys.
    """
    distributed, jobqueue = secured.module("distributed"), secured.module("dask_jobqueue")
    each = int(cores)
    keys = secured.Keys(secured.keys_parent())
    told = import_module("dask").config.get("jobqueue.slurm.scheduler-options", None) or {}
    # Words of the script are not quoted there.
    extra = ["--resources", f"{CORES}={each}", "--no-dashboard", "--dashboard-address", secured.LOOPBACK]
    try:
        with secured.no_pages():
            cluster = jobqueue.SLURMCluster(
                queue=partition or None, walltime=walltime, memory=memory, cores=each, processes=1, silence_logs=50,
                security=keys.security, protocol="tls://", python=shlex.quote(sys.executable),
                scheduler_options={**told, "dashboard": False, "dashboard_address": secured.LOOPBACK},
                worker_extra_args=extra, job_script_prologue=secured.PROLOGUE,
            )  # fmt: skip
    except BaseException:
        keys.remove()
        raise
    owned = Owned(cluster, lambda: cluster.scale(jobs=count), keys.folder)
    refused = _refused(cluster.job_script())
    if refused:
        owned.close()
        hint = "sinfo shows partitions, their limits and nodes; see partition, walltime and memory of slurm(...)"
        raise NetloomError([Fault(codes.NO_SCHEDULER, "--on slurm", f"Slurm takes no such job: {refused}", "", hint)])
    cluster.scale(jobs=count)
    return Dask(distributed.Client(cluster), owned, count * each, retries, widest=each, counted=True)


def _refused(script: str) -> str:
    """Why Slurm would not queue a job, in one line; empty if it would. A refusal of the job itself is only logged."""
    try:
        done = subprocess.run(["sbatch", "--test-only"], input=script, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"sbatch cannot be asked: {error}"[:120]
    return "" if done.returncode == 0 else (" ".join(done.stderr.split())[:160] or "sbatch failed")
