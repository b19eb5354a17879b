"""The page over HTTP, for the user of this machine alone.

Python's own server is enough: it listens on 127.0.0.1 only. Whoever asks has to know the token in the address, which is
new each time; the Host header must be this machine's, so that no other site's name can be made to point here; a request
has a bounded size, a bounded time, and the only file written is a scenario in the folder of the command line.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.toml import check_tree
from ..scenario import Scenario
from .asked import scenario_of
from .codes import NO_PORT, NOT_ASKED
from .page import page
from .saving import save
from .view import Explorer

HOST = "127.0.0.1"
#: Bytes of a request's body, requests under way, and seconds for the bytes of one.
MOST_BYTES, MOST_CONNECTIONS, SLOW_S = 1 << 20, 32, 20.0
_JSON = "application/json"
_HTML = "text/html; charset=utf-8"
_POLICY = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Superseded(Exception):
    """The page has asked something newer."""


class Refused(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, headers


class Server(ThreadingHTTPServer):
    """One page on one port of this machine.

    Parameters
    ----------
    given
        The scenario that the page starts with.
    folder
        Where scenarios are saved.
    port
        0: a free one.

    Raises
    ------
    NetloomError
        `NL-X204`.
    """

    daemon_threads = True
    # Two explorers never share a port.
    allow_reuse_port = False

    def __init__(self, given: Scenario, folder: Path, port: int = 0) -> None:
        try:
            super().__init__((HOST, port), Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            fault = Fault(
                NO_PORT, f"port {port}", f"cannot be used: {reason}", "", "leave --port out, or choose another"
            )
            raise NetloomError([fault]) from None
        self.token, self.ticket = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.folder = folder.resolve()
        self.explorer = Explorer(given)
        self._newest, self._lock = 0, threading.Lock()
        self._busy = threading.Lock()
        self._connections = threading.BoundedSemaphore(MOST_CONNECTIONS)

    @property
    def hosts(self) -> tuple[str, ...]:
        """What a browser of this machine calls it."""
        port = self.server_address[1]
        return f"{HOST}:{port}", f"localhost:{port}"

    @property
    def address(self) -> str:
        """Of the page."""
        return f"http://{self.hosts[0]}/{self.token}/"

    @property
    def opened_once(self) -> str:
        """Leads to the page, once. For a browser's command line, which others on the machine can see."""
        return f"http://{self.hosts[0]}/{self.ticket}"

    def process_request(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """A thread for each, up to a bound; what is above it is closed."""
        if not self._connections.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            # No thread is to be had: it is answered here, and the others wait.
            self.process_request_thread(request, client_address)

    def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Within the bound."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that went away is no news."""

    def asked(self, what: str, table: dict[str, object]) -> dict[str, object]:
        """The answer to one question of the page, one after another.

        Raises
        ------
        NetloomError
            What is wrong with the question.
        Superseded
            A newer one came.
        """
        turn = table.get("turn")
        if type(turn) is not int or not 0 <= turn < 1 << 53:
            raise NetloomError([Fault(NOT_ASKED, "page.turn", "a number of the page's own", type(turn).__name__)])
        with self._lock:
            self._newest = max(self._newest, turn)

        def alive() -> None:
            if turn < self._newest:
                raise Superseded

        scenario = scenario_of(table.get("scenario"), self.explorer.given)
        with self._busy:
            alive()
            if what == "state":
                return self.explorer.state(scenario, alive)
            return self.explorer.time(scenario, alive)

    def saved(self, table: dict[str, object]) -> dict[str, object]:
        """The page's scenario in a file.

        Raises
        ------
        NetloomError
            As `scenario_of` and `save`.
        """
        scenario = scenario_of(table.get("scenario"), self.explorer.given)
        with self._busy:
            bound = self.explorer.bound(scenario)
            return save(scenario, bound, self.folder, table.get("name"), table.get("replace") is True)


class Handler(BaseHTTPRequestHandler):
    """GET of the page, POST of questions; everything else is refused."""

    server: Server
    server_version, sys_version = "netloom", ""
    timeout = SLOW_S

    def __getattr__(self, name: str) -> Callable[[], None]:
        # A method that HTTP knows and this page does not is 405, like one that nobody knows.
        if name.startswith("do_"):
            return self._any
        raise AttributeError(name)

    def do_GET(self) -> None:
        """The page."""
        self._any()

    def do_POST(self) -> None:
        """A question in JSON."""
        self._any()

    def version_string(self) -> str:
        """Without the versions of libraries."""
        return f"netloom {_core.version()}"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal belongs to the user."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the library refuses itself: headers that are too long, a request line that is none."""
        self._send(code, "text/plain", f"{message or 'refused'}\n".encode())

    def _any(self) -> None:
        try:
            status, kind, body = self._answered()
        except Refused as refused:
            self._drain()
            self._send(refused.status, "text/plain", f"{refused.sentence}\n".encode(), refused.headers)
            return
        self._send(status, kind, body)

    def _answered(self) -> tuple[int, str, bytes]:
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            raise Refused(403, "not this machine's name")
        if self.command == "GET" and self._is(self.path, f"/{self.server.ticket}") and self.server.ticket:
            self.server.ticket = ""
            raise Refused(302, "this way", Location=f"/{self.server.token}/")
        token, _, what = self.path.removeprefix("/").partition("/")
        if not self._is(token, self.server.token):
            raise Refused(403, "the address is not complete: use the one that netloom explore printed")
        if self.command not in ("GET", "POST"):
            raise Refused(405, "GET and POST only", Allow="GET, POST")
        if self.command == "GET":
            if what:
                raise Refused(404, "there is only one page")
            return 200, _HTML, page(self.server.explorer.given, self.server.folder).encode()
        if what not in ("state", "time", "save"):
            raise Refused(404, "there is no such question")
        return self._question(what, self._table())

    def _question(self, what: str, table: dict[str, object]) -> tuple[int, str, bytes]:
        try:
            found = self.server.saved(table) if what == "save" else self.server.asked(what, table)
            status = 200
        except Superseded:
            found, status = {"superseded": True}, 409
        except NetloomError as error:
            found, status = {"faults": [_told(fault) for fault in error.faults[:20]]}, 422
        except MemoryError:
            fault = Fault("NL-X011", "netloom", "not enough memory", "", "choose smaller sizes")
            found, status = {"faults": [_told(fault)]}, 422
        return status, _JSON, json.dumps(found, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")

    def _table(self) -> dict[str, object]:
        origin = self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.server.hosts]:
            raise Refused(403, "asked by another page")
        if self.headers.get_content_type() != _JSON:
            raise Refused(415, "JSON only")
        length = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdecimal()):
            raise Refused(411, "say how long the question is")
        if len(length) > 12 or int(length) > MOST_BYTES:
            raise Refused(413, f"at most {MOST_BYTES} bytes")
        try:
            body = self.rfile.read(int(length))
        except TimeoutError:
            raise Refused(408, "too slow") from None
        try:
            table = json.loads(body)
            check_tree(table, "page", NOT_ASKED)
        except (ValueError, RecursionError):
            raise Refused(400, "not JSON") from None
        if not isinstance(table, dict):
            raise Refused(400, "a table is asked for")
        return table

    def _is(self, said: str, secret: str) -> bool:
        return hmac.compare_digest(said.encode("utf-8", "replace"), secret.encode())

    def _drain(self) -> None:
        """Read some of what is not wanted: a browser that is still sending would not read the answer."""
        try:
            self.connection.settimeout(0.2)
            left = 4 * MOST_BYTES if self.command == "POST" else 0
            while left > 0 and (piece := self.rfile.read1(min(left, 1 << 16))):
                left -= len(piece)
        except OSError:
            pass

    def _send(self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {**_POLICY, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _told(fault: Fault) -> dict[str, str]:
    return {"code": fault.code, "place": fault.place, "text": str(fault).partition("\n")[0], "hint": fault.hint}
