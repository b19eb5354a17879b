"""`netloom calibrate` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom import calibration

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def netloom(netloom: Run) -> Run:
    """The command line in this process, in a folder with one latency and one bandwidth test."""
    known = calibration.load("simgrid-pure")
    rows = "".join(f"{1 << k} {known.one_way_s(1 << k, 400e-9, 12.5e9) * 1e6:.6f}\n" for k in range(23))
    Path("lat.txt").write_text("# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n" + rows)
    Path("bw.txt").write_text("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1 4.0\n4194304 12500.0\n")

    return netloom


def test_a_path_without_corrections_has_factors_of_one(netloom: Run) -> None:
    code, out, err = netloom("calibrate", "lat.txt", "bw.txt", "--latency", "100 ns", "--hops", "2", "-o", "my.toml")
    assert (code, err) == (0, "wrote my.toml\n")
    assert "above_bytes" in out
    made = calibration.load("my.toml")
    assert (made.name, made.envelope_bytes, len(made.latency_factors)) == ("my", 16, 1)
    assert made.latency_factors[0][1] == pytest.approx(1.0, rel=1e-4)
    assert made.bandwidth_factors[0][1] == pytest.approx(1.0, rel=1e-4)
    assert "lat.txt, bw.txt" in made.source


def test_json_has_the_table_and_every_residual(netloom: Run) -> None:
    args = ("calibrate", "lat.txt", "--latency", "400ns", "--bandwidth", "100 Gbps", "--like", "simgrid-smpi", "--json")
    code, out, _ = netloom(*args)
    found = json.loads(out)
    assert code == 0
    assert (found["sizes"], found["segments"], found["output"]) == (23, 1, None)
    assert len(found["residuals"]) == 23
    assert found["residual_max"] < 1e-5
    assert not list(Path().glob("*.toml"))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("lat.txt", "--latency", "100 ns"), "--bandwidth"),
        (("lat.txt", "--latency", "fast", "--bandwidth", "1e9"), "NL-A008 --latency"),
        (("lat.txt", "--latency", "0", "--bandwidth", "1e9"), "a time > 0"),
        (("lat.txt", "--latency", "1us", "--bandwidth", "3 Gbpd"), "NL-A008 --bandwidth"),
        (("bw.txt", "--latency", "1us"), "NL-L005"),
        (("none.txt", "--latency", "1us"), "NL-X001"),
        (("lat.txt", "bw.txt", "--latency", "1us", "--hops", "-1"), "--hops"),
        (("lat.txt", "bw.txt", "--latency", "1us", "--envelope", "0"), "--envelope"),
        (("lat.txt", "bw.txt", "--latency", "1us", "--constant", "x"), "latency or overhead"),
        (("lat.txt", "bw.txt", "--latency", "1us", "--like", "pur"), "NL-L002"),
        (("lat.txt", "bw.txt", "--latency", "1us", "-o", "my.txt"), ".toml"),
    ],
)
def test_bad_input_is_one_line(netloom: Run, args: tuple[str, ...], says: str) -> None:
    code, out, err = netloom("calibrate", *args)
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("error: NL-")
    assert not list(Path().glob("my*"))
