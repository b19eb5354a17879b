"""Other processes of this command: fresh interpreters that know what this one was told."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TypeVar

from . import interrupt
from .errors import Fault, NetloomError
from .memory import given, limit_memory
from .threads import limit_threads

T = TypeVar("T")
#: Seconds between two looks for Ctrl-C.
LOOK_S = 0.1
#: Threads of the core do not outlive a fork.
_CONTEXT = multiprocessing.get_context("spawn")


class Workers:
    """Processes that do calls.

    Parameters
    ----------
    number
        How many.
    begin, what
        Called with these in each process before its first call.
    """

    def __init__(self, number: int, begin: Callable[..., None], *what: object) -> None:
        self._pool = ProcessPoolExecutor(number, _CONTEXT, _begin, (given(), begin, what))

    def submit(self, call: Callable[..., T], *arguments: object) -> Future[T]:
        """A call that a process does when it has done those before."""
        with quiet_start():
            return self._pool.submit(call, *arguments)

    def result(self, future: Future[T], look: Callable[[], None] = interrupt.require_go_on) -> T:
        """What a call gives; `look` is called while it is waited for, and may raise.

        Raises
        ------
        NetloomError
            `NL-X011` if its process was ended from outside.
        """
        while not wait([future], LOOK_S).done:
            look()
        try:
            return future.result()
        except BrokenProcessPool:
            self.close()
            interrupt.require_go_on()
            hint = "choose smaller sizes, or fewer jobs (-j)"
            raise NetloomError([Fault("NL-X011", "--jobs", "a process was ended from outside", "", hint)]) from None

    def close(self) -> None:
        """Ends the processes."""
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def quiet_start() -> Iterator[None]:
    """Processes started in it hear no Ctrl-C before they say what it means to them; this one hears it afterwards."""
    # It would unblock the signal when it starts.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """In a process that was started quietly: its parent decides what Ctrl-C means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def _begin(memory: int | None, begin: Callable[..., None], what: tuple[object, ...]) -> None:
    """A process's start."""
    ignore_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # As many processes as there are cores work already.
    limit_threads(1)
    limit_memory(memory)
    begin(*what)


def _end_with_parent() -> None:
    """However it ends: a process that waits for a call holds the pipe that would tell it open itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
