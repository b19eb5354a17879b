"""Connections of the explorer: a deadline for each request, and room that strangers cannot take from the page."""

from __future__ import annotations

import contextlib
import io
import threading
import time
from socket import SHUT_RDWR, socket

#: Connections of whom the token is not known yet, and of holders of the token.
MOST_STRANGERS, MOST_KNOWN = 24, 32
#: Seconds for the head of a request, all of it, and then for its body, all of it.
HEAD_S, BODY_S = 5.0, 20.0


class Connections:
    """Who is connected. Of strangers the one that came first has to go when another comes: a page says its token within
    a moment, and who says nothing cannot keep it away.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # In the order of their coming.
        self._strangers: dict[socket, None] = {}
        self._known: set[socket] = set()

    def came(self, one: socket) -> None:
        """A connection that has said nothing yet."""
        with self._lock:
            gone = next(iter(self._strangers)) if len(self._strangers) >= MOST_STRANGERS else None
            if gone is not None:
                del self._strangers[gone]
            self._strangers[one] = None
        if gone is not None:
            # Its thread reads the end, and closes it.
            with contextlib.suppress(OSError):
                gone.shutdown(SHUT_RDWR)

    def recognised(self, one: socket) -> bool:
        """It has said the token; False if there are too many such, or it had to go."""
        with self._lock:
            if one not in self._strangers or len(self._known) >= MOST_KNOWN:
                return False
            del self._strangers[one]
            self._known.add(one)
            return True

    def went(self, one: socket) -> None:
        """It is closed."""
        with self._lock:
            self._strangers.pop(one, None)
            self._known.discard(one)


class Patient(io.RawIOBase):
    """What a connection sends until a deadline, however it is cut into pieces.

    Raises
    ------
    TimeoutError
        From reading, after the deadline.
    """

    def __init__(self, connection: socket, seconds: float) -> None:
        self._connection = connection
        self.within(seconds)

    def within(self, seconds: float) -> None:
        """A new deadline, from now on."""
        self._end = time.monotonic() + seconds

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # narrower than any buffer
        """The next bytes."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request took too long")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)
