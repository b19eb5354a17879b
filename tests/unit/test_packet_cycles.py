"""Messages through input-queued switches: cycles by the model's own definition, and the latencies of the network."""

from __future__ import annotations

from functools import partial

import pytest

import netloom

#: One phit of 16 bytes over a link of 100 Gbit/s.
CYCLE_S = 16 / 12.5e9
#: Cycles of switches and links alone.
simulate = partial(netloom.simulate, calibration="pure")
SWITCH = {"cut-through": "input-queued", "booksim": "input-queued(model=booksim,packet_flits=16,buffer_flits=16)"}


def cycles(
    network: str, workload: object = "shift(k=1,bytes=256)", model: str = "cut-through", **asked: object
) -> float:
    found = simulate(network, workload=workload, switch=SWITCH[model], **asked)  # type: ignore[arg-type]
    return float(found["time_s"]) / CYCLE_S


def at_zero_load(network: str, model: str) -> float:
    scenario = netloom.Scenario(network, workload="shift(k=1,bytes=256)")
    found = netloom.evaluate(scenario, "throughput", switch=SWITCH[model], loads="0.01", saturation=False)
    assert found.zero_load_exact == 1
    return float(found.zero_load_latency or 0)


@pytest.mark.parametrize("model", SWITCH)
def test_a_message_takes_what_its_packet_does_at_zero_load(model: str) -> None:
    # A hub between all leaves: two links between switches, three switches, packets of 16 phits.
    known = {"cut-through": 2 + 2 + 15, "booksim": 2 + 4 * 3 + 15}[model]
    assert cycles("star(3,latency=0)", model=model) == pytest.approx(known)
    assert at_zero_load("star(3,latency=0)", model) == known


@pytest.mark.parametrize("model", SWITCH)
def test_a_chain_of_messages_takes_the_sum_of_them(model: str) -> None:
    one = cycles("star(4,latency=0)", "broadcast:chain(segments=1)", model, size_bytes=256)
    two = cycles("star(8,latency=0)", "broadcast:chain(segments=1)", model, size_bytes=256)
    alone = at_zero_load("star(8,latency=0)", model)
    assert (one, two) == (pytest.approx(3 * alone), pytest.approx(7 * alone))


def test_latencies_of_links_and_switches_count() -> None:
    short, long = cycles("star(3)"), cycles('star(3,latency="10 us",endpoint_latency="10 us")')
    # Four links and three switches; each in whole cycles.
    assert short == pytest.approx(19 + 4 * round(100e-9 / CYCLE_S))
    assert long == pytest.approx(19 + 4 * round(10e-6 / CYCLE_S), abs=4)
    both = round((100e-9 + 1e-6) / CYCLE_S)
    assert cycles("star(3)", switch_latency="1 us") == pytest.approx(19 + 3 * both + round(100e-9 / CYCLE_S), abs=1)


@pytest.mark.parametrize("model", SWITCH)
def test_both_switch_models_agree_on_one_message_to_the_cycles_of_their_switches(model: str) -> None:
    for network in ("star(3)", 'star(3,latency="10 us")', "torus(4,4)"):
        queued = simulate(network, workload="shift(k=1,bytes=256)", switch="output-queued", switch_latency="50 ns")
        most = cycles(network, model=model, switch_latency="50 ns") * CYCLE_S - float(queued["time_s"])
        # A few cycles for each switch, and half a cycle of rounding for each link.
        assert 0 <= most <= 24 * CYCLE_S


def test_small_buffers_on_long_links_hold_a_stream_up() -> None:
    """A credit comes back over the wire too: so much as the buffers hold goes in each round trip."""
    asked = {"workload": "shift(k=1,bytes=65536)"}
    tight = cycles('star(2,latency="2 us")', **asked)
    round_trip, packets = 2 * 2e-6 / CYCLE_S, 65536 / 256
    # 16 packets of 256 bytes in four channels of a link, 32 in those of the injection link.
    assert tight == pytest.approx(packets / 16 * round_trip, rel=0.1)


def test_ranks_act_when_a_message_is_there() -> None:
    """What is sent in the middle of a cycle leaves with the next one, not before."""
    half = 0.5 * CYCLE_S
    rows = [[("compute", half * 1e11), ("send", 1, 256)], [("receive", 0, 256)]]
    load = netloom.programs(rows)  # type: ignore[arg-type]
    found = simulate("complete(1,p=2,endpoint_latency=0)", workload=load, switch="input-queued")
    assert float(found["time_s"]) / CYCLE_S == pytest.approx(1 + 2 + 15)
