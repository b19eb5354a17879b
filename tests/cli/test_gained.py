"""`netloom gained` on records that are made here: what it compares, predicts and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.traces.record_files import Rank, write

from netloom.workload.traces.netloom_record import layout

from .test_record_files import NAMES, written

Run = Callable[..., tuple[int, str, str]]
#: Two ranks that exchange a large message many times, and two that wait for nothing.
RANKS = 4
SIZE = 1 << 20


@pytest.fixture
def netloom(netloom: Run) -> Run:
    """Records of a run of 2 s and of one of 1 s; ranks 0 and 2 talk."""
    for name, end_ns in (("sent", 2_000_000_000), ("again", 1_000_000_000)):
        ranks = [Rank(rank, RANKS) for rank in range(RANKS)]
        ranks[0].call("Send", peer=2, sent=SIZE)
        ranks[2].call("Recv", peer=0, wanted=SIZE)
        write(Path(name), ranks, end_ns=end_ns, depth=2 if name == "sent" else 1)
    # Ranks 0 and 2 on one endpoint.
    Path("order.txt").write_text("0\n1\n0\n1\n")
    return netloom


WHERE = ("-n", 'star(2,bandwidth="1 Gbps",latency="0 s")', "--cores", "2", "--mapping", "order.txt")


def test_measured_times_stand_side_by_side(netloom: Run) -> None:
    code, out, err = netloom("gained", "sent", "again")
    assert code == 0, err
    (line,) = [line for line in out.splitlines() if line.startswith("time of the run")]
    assert line.split()[-5:] == ["2", "s", "-", "1", "s"]
    found = json.loads(netloom("gained", "sent", "again", "--json")[1])
    assert (found["before_s"], found["after_s"], found["gain_s"]) == (2.0, 1.0, 1.0)
    assert found["predicted_s"] is None


def test_the_trace_is_simulated_in_both_orders(netloom: Run) -> None:
    """A megabyte over 1 Gb/s is 8.4 ms, which an order that keeps it on its endpoint saves."""
    code, out, err = netloom("gained", "sent", "again", *WHERE, "--json")
    assert code == 0, err
    found = json.loads(out)
    wire_s = SIZE / 125e6
    assert wire_s < found["simulated_before_s"] < 1.5 * wire_s and found["simulated_after_s"] < wire_s / 10
    assert found["predicted_s"] == pytest.approx(2.0 - found["predicted_gain_s"])
    code, out, err = netloom("gained", "sent", "again", *WHERE)
    assert code == 0 and "simulated: " in err and "predicted" in out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("sent", "absent"), "absent"),
        (("sent", "three"), "NL-I007 three must be a record of 4 ranks, as sent is, got 3"),
        (("sent", "again", "--mapping", "order.txt"), "NL-X010 --mapping: is about a prediction"),
        (("sent", "again", "--cores", "2"), "NL-X010 --cores: is about a prediction"),
        (("sent", "again", "-n", "star(2)"), "NL-X010 --mapping: is missing"),
        (("sent", "again", "--machine", "no-such-machine", "--mapping", "order.txt"), "no-such-machine"),
        (("again", "sent", *WHERE), "NL-I076 again: has no trace to simulate"),
    ],
)
def test_bad_input_is_one_line(netloom: Run, args: tuple[str, ...], says: str) -> None:
    Path("three").mkdir()
    (Path("three") / layout.ABOUT).write_text(json.dumps({"form": layout.FORM, "functions": NAMES}))
    for rank in range(3):
        written(Path("three"), rank, 3)
    code, out, err = netloom("gained", *args)
    assert (code, out) == (2, "")
    assert says in err and err.count("error: NL-") == 1 and "Traceback" not in err
