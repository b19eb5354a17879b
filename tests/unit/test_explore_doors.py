"""Who does not know the token keeps nobody away from the explorer; nor does another page, or a text that is none."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from netloom import Scenario
from netloom.explore import Server, connections
from netloom.explore.connections import MOST_KNOWN, MOST_STRANGERS, Connections, Patient

START = Scenario("torus(4,4)", workload="allreduce:ring", size_bytes="1 MiB")
ASKED = {"network": "torus(2,2)", "workload": "alltoall:pairwise", "size_bytes": "64 KiB"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(START, tmp_path) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def question(server: Server, what: str, body: bytes) -> tuple[int, Any]:
    asked = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)
    asked.request("POST", f"/{server.token}/{what}", body, {"Content-Type": "application/json"})
    answer = asked.getresponse()
    found = answer.status, answer.read()
    asked.close()
    return found[0], json.loads(found[1])


def state(server: Server, page: str, turn: int, **more: object) -> int:
    return question(server, "state", json.dumps({"page": page, "turn": turn, "scenario": ASKED, **more}).encode())[0]


def strangers(server: Server, count: int) -> list[socket.socket]:
    made = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", server.server_address[1]))
        one.sendall(b"GET /")
        made.append(one)
    return made


def test_strangers_that_say_nothing_keep_nobody_away(server: Server) -> None:
    slow = strangers(server, 3 * MOST_STRANGERS)
    try:
        for turn in range(5):
            assert state(server, "a", turn) == 200
            slow += strangers(server, MOST_STRANGERS)
        assert len(server.connections._strangers) <= MOST_STRANGERS
    finally:
        for one in slow:
            one.close()


def test_a_byte_now_and_then_prolongs_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netloom.explore.server.HEAD_S", 0.3)
    (slow,) = strangers(server, 1)
    slow.settimeout(30)
    gone = threading.Event()

    def drip() -> None:
        while not gone.wait(0.05):
            try:
                slow.sendall(b"x")
            except OSError:
                return

    dripping = threading.Thread(target=drip, daemon=True)
    dripping.start()
    try:
        with pytest.raises((ConnectionError, EOFError)):
            while slow.recv(1000):
                pass
            raise EOFError
    finally:
        gone.set()
        dripping.join()
        slow.close()


def test_a_deadline_is_for_all_pieces_together(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(connections.time, "monotonic", lambda: now[0])
    ours, theirs = socket.socketpair()
    with ours, theirs:
        patient = Patient(ours, 5.0)
        for at in (1.0, 3.0, 4.9):
            now[0] = at
            theirs.sendall(b"x")
            assert patient.read(1) == b"x"
        now[0] = 5.1
        theirs.sendall(b"x")
        with pytest.raises(TimeoutError):
            patient.read(1)
        patient.within(1.0)
        assert patient.read(1) == b"x"


def test_the_first_stranger_goes_and_no_holder_of_the_token() -> None:
    made, pairs = Connections(), [socket.socketpair() for _ in range(MOST_STRANGERS + 2)]
    ours = [one for one, _ in pairs]
    made.came(ours[0])
    assert made.recognised(ours[0]) and not made.recognised(ours[0])
    for one in ours[1:]:
        made.came(one)
    # The known one and the newest strangers are there; the first stranger reads its end.
    assert ours[1].recv(1) == b"" and not made.recognised(ours[1])
    assert all(made.recognised(one) for one in ours[2:]) and len(made._known) <= MOST_KNOWN
    for one, other in pairs:
        made.went(one)
        one.close()
        other.close()
    assert not made._known and not made._strangers


def test_a_page_is_not_older_than_another(server: Server) -> None:
    assert state(server, "a", 1_000_000) == 200
    # Another tab, or the same one after the clock was set back and it was loaded again.
    assert state(server, "b", 1) == 200
    assert state(server, "a", 999_999) == 409
    assert state(server, "b", 2) == 200


def test_pages_that_are_forgotten_go_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netloom.explore.server.MOST_PAGES", 2)
    for page in "abc":
        assert state(server, page, 5) == 200
    assert len(server._newest) == 2 and state(server, "a", 6) == 200


@pytest.mark.parametrize("page", [3, None, "a b", "x" * 65, ["a"]])
def test_names_of_pages_are_plain(server: Server, page: object) -> None:
    assert question(server, "state", json.dumps({"page": page, "turn": 1, "scenario": ASKED}).encode())[0] == 422


def test_the_page_takes_its_number_from_no_clock() -> None:
    script = (Path(connections.__file__).parent / "assets" / "explore.js").read_text(encoding="utf-8")
    assert "Date.now" not in script and "page: PAGE" in script


@pytest.mark.parametrize("place", ["network", "workload", "order", "routing", "size_bytes", "\\udc00"])
@pytest.mark.parametrize("what", ["state", "time", "save"])
def test_half_a_character_is_refused(server: Server, what: str, place: str) -> None:
    said = json.dumps(ASKED)[1:-1]
    body = f'{{"turn": 1, "name": "a.toml", "scenario": {{{said}, "{place}": "torus(4,4)\\ud800"}}}}'
    status, found = question(server, what, body.encode())
    assert status == 422 and found["faults"][0]["code"] == "NL-A012"
    assert state(server, "a", 2) == 200


def test_what_nobody_thought_of_is_answered_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("state")

    monkeypatch.setattr(server.explorer, "state", broken)
    status, found = question(server, "state", json.dumps({"turn": 1, "scenario": ASKED}).encode())
    assert status == 500 and found["faults"][0]["code"] == "NL-X013"


def test_a_connection_is_let_go(server: Server) -> None:
    assert state(server, "a", 1) == 200
    end = time.monotonic() + 10
    while (server.connections._known or server.connections._strangers) and time.monotonic() < end:
        time.sleep(0.01)
    assert not server.connections._known and not server.connections._strangers
