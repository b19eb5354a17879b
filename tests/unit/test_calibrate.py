"""Fitting a calibration to ping-pong: what went in comes out, and files that are not measurements are refused."""

from __future__ import annotations

import random

import pytest

from netloom import calibration
from netloom.base.errors import NetloomError
from netloom.calibration import Calibration, fit, parse

LATENCY_S, BANDWIDTH = 300e-9, 12.5e9
SIZES = sorted({round(2 ** (k / 4)) for k in range(89)})
KNOWN = Calibration(
    envelope_bytes=16,
    latency_factors=((0, 3.0), (1040, 5.0), (65552, 20.0)),
    bandwidth_factors=((0, 0.25), (1040, 0.6), (65552, 0.9)),
)


def times(known: Calibration, noise: float = 0.0) -> dict[int, float]:
    draw = random.Random(7)
    exact = {size: known.one_way_s(size, LATENCY_S, BANDWIDTH) for size in SIZES}
    return {size: time * (1 + draw.gauss(0, noise)) for size, time in exact.items()}


def osu(measured: dict[int, float]) -> bytes:
    rows = "".join(f"{size:<22d}{time * 1e6:.4f}\n" for size, time in measured.items())
    return ("# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n" + rows).encode()


def codes_of(call) -> list[str]:
    with pytest.raises(NetloomError) as caught:
        call()
    return [fault.code for fault in caught.value.faults]


def test_a_known_calibration_is_recovered():
    made = fit(times(KNOWN), LATENCY_S, BANDWIDTH, noise=1e-4)
    assert len(made.segments) == 3
    assert max(map(abs, made.residuals.values())) < 1e-9
    for size in (1, 700, 1200, 30000, 80000, 1 << 22):
        assert made.calibration.latency_factor(size) == pytest.approx(KNOWN.latency_factor(size), rel=1e-6)
        assert made.calibration.bandwidth_factor(size) == pytest.approx(KNOWN.bandwidth_factor(size), rel=1e-6)
    # A limit lies between the sizes that were measured on both its sides.
    for segment, (above, _) in zip(made.segments, KNOWN.latency_factors, strict=True):
        assert above / 2**0.25 <= segment.above_bytes <= above * 2**0.25


def test_scatter_moves_the_fit_by_no_more_than_itself():
    made = fit(times(KNOWN, noise=0.01), LATENCY_S, BANDWIDTH)
    assert len(made.segments) == 3
    for size in SIZES:
        true = KNOWN.one_way_s(size, LATENCY_S, BANDWIDTH)
        assert made.calibration.one_way_s(size, LATENCY_S, BANDWIDTH) == pytest.approx(true, rel=0.02)


def test_a_straight_line_is_one_piece():
    plain = Calibration(envelope_bytes=16)
    made = fit(times(plain, noise=0.005), LATENCY_S, BANDWIDTH)
    assert len(made.segments) == 1
    assert made.calibration.latency_factors[0][1] == pytest.approx(1.0, rel=0.01)
    assert made.calibration.bandwidth_factors[0][1] == pytest.approx(1.0, rel=0.01)


def test_the_smpi_calibration_is_met_at_every_size():
    known = calibration.load("simgrid-smpi")
    made = fit(times(known), LATENCY_S, BANDWIDTH, noise=1e-4, base=known)
    assert max(map(abs, made.residuals.values())) < 1e-3
    assert (made.calibration.sharing, made.calibration.cross_traffic) == ("smpi", 0.05)


def test_what_does_not_grow_with_the_path_is_an_overhead():
    made = fit(times(KNOWN), LATENCY_S, BANDWIDTH, noise=1e-4, constant="overhead")
    assert [factor for _, factor in made.calibration.latency_factors] == pytest.approx([1.0, 1.0, 1.0])
    assert made.calibration.send_overhead[2][1] == pytest.approx(19 * LATENCY_S / 2, rel=1e-6)
    assert max(map(abs, made.residuals.values())) < 1e-9
    # A message of no bytes has the overhead too, thanks to its envelope.
    assert made.calibration.one_way_s(0, LATENCY_S, BANDWIDTH) > 3 * LATENCY_S


def test_slopes_and_constants_are_never_negative():
    falling = {1 << k: 1e-6 / (k + 1) for k in range(12)}
    made = fit(falling, LATENCY_S, BANDWIDTH, noise=0.5)
    assert all(s.fixed_s >= 0 and s.s_per_byte > 0 for s in made.segments)
    steep = {1 << k: 1e-12 * 4.0**k for k in range(12)}
    made = fit(steep, LATENCY_S, BANDWIDTH, noise=0.5)
    assert all(s.fixed_s >= 0 and s.s_per_byte > 0 for s in made.segments)


def test_what_was_fitted_survives_its_file(tmp_path):
    made = fit(times(KNOWN, noise=0.02), LATENCY_S, BANDWIDTH, name="mine").calibration
    calibration.save(made, tmp_path / "mine.toml")
    assert calibration.load(tmp_path / "mine.toml") == made


def test_the_tables_of_osu_and_imb():
    bandwidth = b"# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1 3.5\n4194304 12100.25\n"
    imb = (
        b"#---\n# Benchmarking Sendrecv\n#bytes #repetitions t_min[usec]\n 0 1000 9.9 9.9\n\n#---\n"
        b"# Benchmarking PingPong\n# #processes = 2\n #bytes #repetitions      t[usec]   Mbytes/sec\n"
        b"      0         1000         1.10         0.00\n      8         1000         1.20         6.67\n"
    )
    found = parse([("l", osu({1: 2e-6, 8: 4e-6})), ("b", bandwidth), ("i", imb)])
    assert found.one_way_s == pytest.approx({0: 1.1e-6, 1: 2e-6, 8: (4e-6 + 1.2e-6) / 2})
    assert found.stream_bytes_per_s == {1: 3.5e6, 4194304: 12100.25e6}
    # What a launcher says around the table, and columns beyond the second, are passed over.
    noisy = osu({1: 2e-6}) + b"srun: job 1 done\n2 5.0 4.0 6.0 1000 Pass\n"
    assert parse([("l", noisy)]).one_way_s == pytest.approx({1: 2e-6, 2: 5e-6})


NOT_MEASURED = [
    b"",
    b"\xff\xfe\x00",
    b"1 2\n2 3\n",
    b"# OSU MPI Bi-Directional Bandwidth Test v5.9\n# Size\n1 2.0\n",
    b"# OSU MPI Multi Latency Test v5.9\n# Size\n1 2.0\n",
    b"# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1\n",
    b"# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 nan\n",
    b"# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 -2\n",
    b"# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 1e300\n",
    b"# OSU MPI Latency Test v5.9\n# Size Latency (us)\n99999999999999999999 1\n",
    b"# OSU MPI Latency Test v5.9\n" + b"1 2\n" * 70000,
    b"x" * (5 << 20),
]


@pytest.mark.parametrize("data", NOT_MEASURED, ids=range(len(NOT_MEASURED)))
def test_what_is_no_measurement_is_refused(data):
    assert codes_of(lambda: parse([("file", data)])) == ["NL-L004"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"one_way_s": {1: 1e-6, 2: 1e-6, 3: 1e-6}}, "NL-L005"),
        ({"one_way_s": dict.fromkeys(range(3000), 1e-06)}, "NL-L001"),
        ({"one_way_s": {1: 0.0, 2: 1e-6, 3: 1e-6, 4: 1e-6}}, "NL-L001"),
        ({"latency_s": 0.0}, "NL-L001"),
        ({"bandwidth_bytes_per_s": float("nan")}, "NL-L001"),
        ({"envelope_bytes": 0}, "NL-L001"),
        ({"noise": 0.0}, "NL-L001"),
        ({"constant": "both"}, "NL-L001"),
    ],
)
def test_a_fit_out_of_range_is_refused(change, code):
    arguments = {"one_way_s": times(KNOWN), "latency_s": LATENCY_S, "bandwidth_bytes_per_s": BANDWIDTH, **change}
    assert codes_of(lambda: fit(**arguments)) == [code]
