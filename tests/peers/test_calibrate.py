"""Calibrations against SMPI's own ping-pong: the shipped one foretells it, a fitted one is the shipped one."""

from __future__ import annotations

from pathlib import Path

import pytest

import netloom
from netloom import calibration

from . import simgrid

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(300)]

LATENCY_S, BANDWIDTH = 200e-9, 12.5e9
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="12.5GBps" latency="200ns" sharing_policy="SPLITDUPLEX"/>
<route src="a" dst="b" symmetrical="NO"><link_ctn id="l" direction="UP"/></route>
<route src="b" dst="a" symmetrical="NO"><link_ctn id="l" direction="DOWN"/></route></zone></platform>
"""
CONFIGURATIONS = {"simgrid-smpi": simgrid.DEFAULT, "simgrid-pure": simgrid.PURE}


def measured(name: str, folder: Path, hosts: str = "a\nb\n") -> dict[int, float]:
    """What SMPI takes one way, by size."""
    (folder / "pair.xml").write_text(PLATFORM)
    (folder / "pair.txt").write_text(hosts)
    program = simgrid.built("pingpong.c", "smpicc", "-O2", "-Wall")
    where = ["-platform", str(folder / "pair.xml"), "-hostfile", str(folder / "pair.txt")]
    told = [f"--cfg={option}" for option in (*CONFIGURATIONS[name], *simgrid.QUIET)]
    done = simgrid.run(["smpirun", "-np", "2", *where, *told, "--log=root.thres:error", str(program)])
    return calibration.parse([("pingpong", done.stdout.encode())]).one_way_s


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_shipped_calibration_foretells_every_size(name: str, folder: Path) -> None:
    known = calibration.load(name)
    times = measured(name, folder)
    assert len(times) == 81
    for size, time in times.items():
        # Nine decimals of a microsecond are printed, of two clock readings.
        assert known.one_way_s(size, LATENCY_S, BANDWIDTH) == pytest.approx(time, rel=1e-9, abs=2e-15), size


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_fitted_calibration_is_the_shipped_one(name: str, folder: Path) -> None:
    known = calibration.load(name)
    made = calibration.fit(measured(name, folder), LATENCY_S, BANDWIDTH, noise=1e-4)
    assert max(map(abs, made.residuals.values())) < 1e-6
    assert len(made.segments) == max(1, len(known.latency_factors))
    for segment in made.segments:
        # Its first size is above both limits, ours and SMPI's.
        inside = next(size for size in made.residuals if size + 16 > segment.above_bytes) + 16
        assert made.calibration.latency_factor(inside) == pytest.approx(known.latency_factor(inside), rel=1e-3)
        assert made.calibration.bandwidth_factor(inside) == pytest.approx(known.bandwidth_factor(inside), rel=1e-3)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_two_ranks_of_one_endpoint(name: str, folder: Path) -> None:
    for size, time in measured(name, folder, "a\na\n").items():
        there = netloom.programs([[("send", 1, size)], [("receive", 0, size)]])
        found = netloom.simulate("star(2)", workload=there, mapping=[0, 0], calibration=name)
        assert found["time_s"] == pytest.approx(time, rel=1e-9, abs=2e-15), size
