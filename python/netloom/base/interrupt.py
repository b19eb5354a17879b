"""Ctrl-C on the command line: exit code 130 and one line, whatever was being done.

An exception out of a signal handler can be raised anywhere: in the middle of NumPy's import, which the core then takes
for a missing NumPy, or between a file and its renaming. So the handler leaves at once, except inside `held`, where
something must be finished or kept first. Scripts that use netloom as a library keep Python's own handler.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    # The same without its enumerations, which take longer to load than all that comes before.
    import _signal as signal

INTERRUPTED = 130
PYTHONS = signal.default_int_handler
#: What is printed; a command that keeps something says so.
_words = ["interrupted"]
_holders: list[object] = []
_asked: list[int] = []


class handled:
    """Within it, SIGINT and SIGTERM end the process; a signal that whoever started us ignores stays ignored."""

    def __enter__(self) -> None:
        self.before: dict[int, object] = {}
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) != signal.SIG_IGN:
                    self.before[number] = signal.signal(number, _on_signal)
        except ValueError:
            pass  # Not the main thread: signals are somebody else's.

    def __exit__(self, *exc: object) -> None:
        _asked.clear()
        _words[:] = _words[:1]
        for number, handler in self.before.items():
            # The program has said all it had to: while Python ends, a signal is nothing any more.
            done = handler is _on_signal
            signal.signal(number, signal.SIG_IGN if done else handler)  # type: ignore[arg-type]


def early() -> None:
    """Called while netloom is loaded: if it is the program and no library, its handler is there from the start."""
    program = sys.argv[0] if sys.argv else ""
    if (program == "-m" or program.endswith("/netloom")) and signal.getsignal(signal.SIGINT) == PYTHONS:
        signal.signal(signal.SIGINT, _on_signal)


def say(words: str) -> None:
    """What to print instead of "interrupted"."""
    _words[1:] = [words]


def asked() -> bool:
    """True if a signal came inside `held`."""
    return bool(_asked)


def require_go_on() -> None:
    """For loops inside `held`.

    Raises
    ------
    KeyboardInterrupt
        If a signal came.
    """
    if _asked:
        raise KeyboardInterrupt


class held:
    """A signal is kept until the end; a second one is not."""

    def __enter__(self) -> None:
        _holders.append(self)

    def __exit__(self, kind: object, *exc: object) -> None:
        _holders.remove(self)
        # An exception goes on by itself: to whoever keeps what there is to keep.
        if kind is None and _asked and not _holders:
            leave()


def _on_signal(number: int, frame: object) -> None:
    if _holders and not _asked:
        _asked.append(number)
        return
    leave()


def leave() -> None:
    """End the process: one line, no cleaning up by code that does not expect to be stopped."""
    # A progress bar hides the cursor.
    restored = "\r\x1b[K\x1b[?25h" if os.isatty(2) else ""
    try:
        os.write(2, f"{restored}{_words[-1]}\n".encode())
    finally:
        os._exit(INTERRUPTED)
