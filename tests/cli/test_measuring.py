"""`calibrate --run` and `validate --run` as a user runs them, with a script as launcher; MPI: `tests/peers`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.machine import load

from .measured_here import FILES, TEXT

Run = Callable[..., tuple[int, str, str]]
RUN = ("--run", "--launch", "sh start.sh", "--seconds", "2")


@pytest.fixture
def netloom(netloom: Run) -> Run:
    for name, text in FILES.items():
        Path(name).write_text(text)
    return netloom


def test_a_machine_is_measured_and_written(netloom: Run) -> None:
    code, out, err = netloom("calibrate", *RUN, "-o", "mine.toml")
    assert code == 0, err
    assert "measuring for about 2 s: sh start.sh" in err and err.endswith("wrote mine.toml\n")
    assert "Open MPI v4.1.4" in out and "4KiB" in out and "residual" in out
    machine = load("mine.toml")
    assert machine.values["software.sender_returns_below_bytes"].value == 1025
    assert machine.values["library"].value == "openmpi"
    assert Path("calibration.jsonl").read_text() == TEXT


def test_measurements_are_fitted_again(netloom: Run) -> None:
    netloom("calibrate", *RUN, "-o", "mine.toml", "--measured", "own.jsonl")
    code, out, _ = netloom("calibrate", "own.jsonl", "--json", "-o", "again.toml")
    found = json.loads(out)
    assert code == 0 and found["job"]["ended"] == "all" and found["output"] == "again.toml"
    assert [row["size_bytes"] for row in found["residuals"]] == [0, 8, 64, 512, 4096, 1 << 20]
    assert max(abs(row["residual"]) for row in found["residuals"]) < 0.02
    assert load("again.toml").values == load("mine.toml").values


def test_predictions_are_held_against_what_is_measured(netloom: Run) -> None:
    netloom("calibrate", *RUN, "-o", "mine.toml")
    code, out, err = netloom("validate", *RUN, "--machine", "mine.toml", "--json")
    found = json.loads(out)
    assert code == 0, err
    assert found["rows_used"] == 8 and found["machine"] == "mine"
    by_name = {row["collective"]: row for row in found["predictions"]}
    assert by_name["allreduce"]["chosen"].startswith("allreduce:") and by_name["exchange"]["predicted_s"] > 1e-6
    assert any(note.startswith("1 of 8 times were disturbed") for note in found["notes"])
    again = json.loads(netloom("validate", "validation.jsonl", "--machine", "mine.toml", "--json")[1])
    assert again["predictions"] == found["predictions"]


def test_a_run_that_ended_early_says_so(netloom: Run) -> None:
    Path("kept.jsonl").write_text(TEXT.removesuffix('{"end": "all"}\n'))
    code, _, err = netloom("calibrate", *RUN)
    assert code == 0 and "note: the measurements ended early" in err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("calibrate", "--run", "--launch", "no-such-mpirun -n 2"), "NL-I073 --launch must be a launcher"),
        (("calibrate", "--run", "--launch", "'"), "NL-I073 --launch"),
        (("calibrate", "--run", "--launch", "sh dying.sh"), "exit code 3: There are not enough slots available."),
        (("calibrate", "--run", "--launch", "sh refusing.sh"), "NL-I072 --launch: 9 processes are more"),
        (("calibrate", "--run", "--launch", "true"), "NL-X001 calibration.jsonl"),
        (("calibrate", *RUN, "--measured", "absent/own.jsonl"), "absent"),
        (("calibrate", "--run", "--launch", "sh start.sh", "--seconds", "0"), "NL-A007 --seconds"),
        (("calibrate", *RUN, "kept.jsonl"), "next to --run"),
        (("calibrate", *RUN, "--hops", "2"), "NL-X010 --hops: is about a ping-pong"),
        (("calibrate", *RUN, "--noise", "0.1"), "NL-X010 --noise: is about a ping-pong"),
        (("calibrate", *RUN, "--machine", "generic-hdr"), "NL-X010 --machine"),
        (("calibrate", *RUN, "-o", "mine.txt"), ".toml"),
        (("calibrate", *RUN, "--stop-after", "9"), "NL-X010 --stop-after"),
        (("calibrate", "kept.jsonl", "--seconds", "9"), "NL-X010 --seconds: is about measuring"),
        (("calibrate", "kept.jsonl", "kept.jsonl"), "whole set"),
        (("calibrate",), "NL-X010 FILE: is missing"),
        (("calibrate", "cut.jsonl"), "NL-I074 cut.jsonl:4 must be one whole JSON object"),
        (("calibrate", "short.jsonl"), "NL-I075 short.jsonl"),
        (("validate", "cut.jsonl", "--machine", "generic-hdr"), "NL-I074 cut.jsonl:4"),
        (("validate", "short.jsonl", "--machine", "generic-hdr"), "NL-V001"),
        (("validate", *RUN, "--machine", "no-such-machine"), "no-such-machine"),
        (("validate", "--machine", "generic-hdr"), "NL-X010 FILE: is missing"),
        (("validate", "kept.jsonl", "--machine", "generic-hdr", "--oversubscribe"), "NL-X010 --oversubscribe"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(netloom: Run, args: tuple[str, ...], says: str) -> None:
    lines = TEXT.splitlines()
    Path("cut.jsonl").write_text("\n".join(lines[:4])[:-9])
    Path("short.jsonl").write_text(lines[0] + "\n")
    code, out, err = netloom(*args)
    assert (code, out) == (2, "")
    last = next(text for text in err.splitlines() if text.startswith("error"))
    assert says in last, err
    assert err.count("error: NL-") == 1 and "Traceback" not in err
    assert not Path("mine.toml").exists()


def test_without_mpi_one_line_says_what_to_do(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    code, out, err = netloom("calibrate", "--run")
    assert (code, out) == (2, "")
    assert err == (
        "error: NL-I001 --launch: no mpirun is on the path\n"
        "  hint: load the module of your MPI, or give --launch 'srun -n 8'\n"
    )
