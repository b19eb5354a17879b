"""Runs in processes of this machine: one that dies takes only its run with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection

from ...base.errors import Fault, NetloomError
from ...base.workers import ignore_interrupts, quiet_start
from ...scenario import Interrupted
from .. import codes
from ..sealed import Record
from ..work import Ticket, compute_here
from .base import Lost, Pooled

#: A child starts anew instead of copying this process, whose threads hold locks.
_CONTEXT = multiprocessing.get_context("spawn")


class Processes:
    """As many children as wanted, each behind a thread that waits for it."""

    def __init__(self, count: int, retries: int) -> None:
        self.room, self.retries, self.place = 2 * count, retries, ""
        self.cores = self.widest = count
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="netloom-child")
        self._given = Pooled(self._pool, self._compute)
        self._own = threading.local()
        self._lock = threading.Lock()
        self._children: list[_Child] = []
        self._stopped = False

    def submit(self, one: Ticket) -> Future[Record]:
        return self._given.submit(one)

    def tend(self) -> None:
        """Nothing: a child that died is replaced by the thread that waits for it."""

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for child in self._children:
                child.process.kill()

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        for child in self._children:
            child.close()

    def _compute(self, one: Ticket) -> Record:
        child = self._child()
        try:
            found = child.ask(one)
        except (EOFError, OSError):
            raise self._gone() from None
        if isinstance(found, list):
            raise NetloomError(found)
        return found

    def _child(self) -> _Child:
        child: _Child | None = getattr(self._own, "child", None)
        if child is None:
            with self._lock:
                if self._stopped:
                    raise Interrupted
                try:
                    child = self._own.child = _Child()
                except OSError as error:
                    raise _none(error) from None
                self._children.append(child)
        return child

    def _gone(self) -> Exception:
        child: _Child = self._own.child
        self._own.child = None
        with self._lock:
            self._children.remove(child)
            stopped = self._stopped
        code = child.close()
        if stopped:
            return Interrupted()
        return Lost(f"its process ended with {_ending(code)}")


class _Child:
    """A process, and the pipe to it."""

    def __init__(self) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_serve, args=(theirs,), daemon=True)
        with quiet_start():
            self.process.start()
        # Otherwise its end would be seen only when this process ends.
        theirs.close()

    def ask(self, one: Ticket) -> Record | list:  # type: ignore[type-arg]
        self.pipe.send(one)
        found: Record | list = self.pipe.recv()  # type: ignore[type-arg]
        return found

    def close(self) -> int | None:
        """The exit code; a negative one is a signal."""
        self.pipe.close()
        self.process.join()
        return self.process.exitcode


def _none(error: OSError) -> NetloomError:
    """No process is to be had; what is finished is kept."""
    sentence = f"no process can be started: {error.strerror or error}"
    hint = "allow this user more processes (ulimit -u), or use --on threads"
    return NetloomError([Fault(codes.NO_SCHEDULER, "--on processes", sentence, "", hint)])


def _serve(pipe: Connection) -> None:
    """A child's life: a ticket in, a record out."""
    ignore_interrupts()
    # It ends with the pipe, however the parent ended.
    with contextlib.suppress(EOFError, OSError):
        while True:
            one: Ticket = pipe.recv()
            pipe.send(compute_here(one))


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            return f"signal {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
