"""Calibrations: the shipped numbers, the file format, and everything that may be wrong with one."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

import netloom
from netloom import _core, calibration
from netloom.base.errors import NetloomError
from netloom.calibration import Calibration
from netloom.machine import calibration as module


def faults_of(call):
    with pytest.raises(NetloomError) as caught:
        call()
    return caught.value.faults


@pytest.mark.parametrize("name", calibration.names())
def test_every_shipped_calibration_says_what_it_is_and_survives_its_file(name, tmp_path: Path):
    known = calibration.load(name)
    assert known.name == name
    assert known.description
    assert known.source
    path = tmp_path / "again.toml"
    calibration.save(known, path)
    assert calibration.load(path) == known
    assert calibration.dumps(calibration.load(path)).encode() == path.read_bytes()


def test_the_largest_threshold_strictly_below_the_size_counts():
    smpi = calibration.load("simgrid-smpi")
    assert [smpi.latency_factor(n) for n in (0, 1, 257, 258, 65472, 65473, 10**12)] == [
        1.0, 2.01467, 2.01467, 1.95341, 3.48845, 11.6436, 11.6436,
    ]  # fmt: skip
    assert smpi.bandwidth_factor(65488) == 0.940694


def test_one_way_time_by_hand():
    smpi = calibration.load("simgrid-smpi")
    # 1 MiB over 200 ns at 12.5 GB/s: 11.6436 * 200 ns + 1048592 / (0.940694 * 12.5e9).
    assert smpi.one_way_s(1 << 20, 200e-9, 12.5e9) == pytest.approx(2.32872e-6 + 89.1760e-6, rel=1e-5)
    pure = calibration.load("simgrid-pure")
    assert pure.one_way_s(256, 200e-9, 12.5e9) == pytest.approx(200e-9 + 272 / 12.5e9, rel=1e-15)
    slow = Calibration(send_overhead=((0, 1e-6, 1e-9),), receive_overhead=((0, 2e-6, 0.0), (100, 3e-6, 0.0)))
    assert slow.one_way_s(100, 0.0, 1e9) == pytest.approx(1e-7 + 1e-6 + 1e-7 + 2e-6)
    assert slow.one_way_s(101, 0.0, 1e9) == pytest.approx(1.01e-7 + 1e-6 + 1.01e-7 + 3e-6)


def test_what_the_engine_is_given():
    core = calibration.load("simgrid-smpi").settings
    assert not {"name", "description", "source"} & set(core)
    assert core["latency_factors"][0] == [0, 2.01467]
    assert core["loopback_bandwidth_bytes_per_s"] == 1e10
    assert calibration.load("pure").settings["loopback_bandwidth_bytes_per_s"] == math.inf
    assert (core["sharing"], core["weight_s_bytes"], core["cross_traffic"]) == ("smpi", 8775.0, 0.05)


def test_a_file_may_leave_out_what_it_does_not_correct():
    made = calibration.loads(b'sharing = "equal"\nloopback_bandwidth_bytes_per_s = 1e9\n', "my/own.toml")
    assert made == Calibration(name="own", sharing="equal", loopback_bandwidth_bytes_per_s=1e9)


BAD = [
    ("latency_factor = []", "NL-A003", 'did you mean "latency_factors"?'),
    ("sharing = 'fair'", "NL-A007", "one of equal, rtt, smpi"),
    ("cross_traffic = 1.5", "NL-A007", "a number in 0..1"),
    ("cross_traffic = nan", "NL-A007", "a number in 0..1"),
    ("weight_s_bytes = -1", "NL-A007", "a finite number >= 0"),
    ("tcp_window_bytes = inf", "NL-A007", "a finite number"),
    ("envelope_bytes = 1.5", "NL-A007", "an integer in 0.."),
    ("envelope_bytes = true", "NL-A007", "an integer in 0.."),
    ("sender_returns_below_bytes = 9223372036854775808", "NL-A007", "an integer >= 0"),
    ("latency_factors = -3", "NL-A007", "a finite factor >= 0"),
    ('latency_factors = "3"', "NL-A007", "a number, or a list of at most 4096 rows"),
    ("latency_factors = [[0]]", "NL-A007", "a row [above_bytes, factor]"),
    ("latency_factors = [[5, 1.0], [5, 2.0]]", "NL-A007", "latency_factors[1] must be above the threshold before"),
    ("latency_factors = [[-1, 1.0]]", "NL-A007", "an integer >= 0"),
    ("bandwidth_factors = [[0, 0.0]]", "NL-A007", "a finite factor > 0"),
    ("send_overhead = [[0, 1e-6]]", "NL-A007", "[above_bytes, fixed_s, s_per_byte]"),
    ("receive_overhead = [[0, 1e-6, -1.0]]", "NL-A007", "a finite s_per_byte >= 0"),
    ("loopback_bandwidth_bytes_per_s = 0", "NL-A007", '"none"'),
    ("loopback_bandwidth_bytes_per_s = 'fast'", "NL-A007", '"none"'),
    ("latency_factors = [" + "[0, 1.0]," * 4097 + "]", "NL-A007", "a list of 4097"),
    ("duplex = 'both'", "NL-A007", "one of full, half"),
    ("name = 3", "NL-L001", "text"),
    ("a = ", "NL-L003", "is not TOML"),
    ("a = " + "[" * 5000, "NL-L003", "levels deep"),
    ("envelope_bytes = " + "9" * 5000, "NL-L003", "200 characters"),
    ("# " + "x" * (1 << 20), "NL-L003", "1 MiB"),
]


def test_every_setting_is_in_the_docs():
    page = Path(__file__).resolve().parents[2] / "docs" / "reference" / "calibrations.md"
    text = page.read_text(encoding="utf-8")
    settings = [param["name"] for param in _core.machine_params()]
    assert settings == list(Calibration().settings)
    assert [name for name in settings if f"`{name}`" not in text] == []


@pytest.mark.parametrize(("text", "code", "says"), BAD, ids=[text[:30] for text, *_ in BAD])
def test_one_clear_fault_for_one_wrong_key(text, code, says):
    (fault,) = faults_of(lambda: calibration.loads(text.encode(), "c.toml"))
    assert fault.code == code
    assert fault.place.startswith("c.toml")
    assert says in str(fault)
    assert len(str(fault)) < 500


def test_all_faults_of_a_file_come_together():
    text = b"sharing = 1\ncross_trafic = 0\nenvelope_bytes = -1\n"
    assert [f.code for f in faults_of(lambda: calibration.loads(text, "c.toml"))] == ["NL-A003", "NL-A007", "NL-A007"]


def test_a_calibration_made_in_python_is_checked_too():
    (fault,) = faults_of(lambda: Calibration(bandwidth_factors=[(0, float("inf"))]))
    assert str(fault).startswith("NL-A007 Calibration: bandwidth_factors[0]")


def test_names_and_files_that_do_not_exist():
    (fault,) = faults_of(lambda: calibration.load("simgrid"))
    assert "simgrid-" in fault.hint
    (fault,) = faults_of(lambda: calibration.load("nowhere/mine.toml"))
    assert fault.code == "NL-X001"
    (fault,) = faults_of(lambda: calibration.loads(b"\xff", "c.toml"))
    assert fault.code == "NL-L003"


def test_a_preset_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Dropped into the folder of the shipped ones it is listed, described and used by its name."""
    home = shutil.copytree(module._SHIPPED, tmp_path / "calibrations")
    (home / "ours.toml").write_text('description = "Ours."\nsource = "a test"\ncombine_s_per_byte = 1e-9\n')
    monkeypatch.setattr(module, "_SHIPPED", home)
    assert "ours" in calibration.names()
    assert {row["name"]: row["summary"] for row in module.rows()}["ours"] == "Ours."
    job = {"workload": "allreduce:ring", "size_bytes": "1 MiB"}
    took = {name: netloom.simulate("ring(4)", calibration=name, **job)["time_s"] for name in ("ours", "pure")}
    # Each rank combines three quarters of the data.
    assert took["ours"] - took["pure"] == pytest.approx(0.75 * (1 << 20) * 1e-9)
