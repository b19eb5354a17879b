"""Predictions held against measurements: scores by hand, a fit that finds what was put in, machines as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom.machine import Measured, load
from netloom.machine.machine import loads
from netloom.machine.writing import dumps, with_values
from netloom.measured import Measurement, to_csv
from netloom.validation import Compared, Predictor, score, validate
from netloom.validation.fit import fit
from netloom.validation.terms import GPUS, MPI

SWITCH = 'network = \'complete(1,p=64,endpoint_bandwidth="200 Gbps",endpoint_latency="100 ns")\'\n'
VALIDATED = """
[validated]
median = 0.12
p90 = 0.3
measurements = 40
nodes = [4, 16]
ranks_per_node = [1, 1]
bytes = [64, 1048576]
collectives = ["allreduce"]
"""


def row(algorithm: str, size: int, time_s: float, nodes: int = 8) -> Measurement:
    return Measurement("allreduce", algorithm, "", nodes, 1, size, time_s, f"x:{size}")


def test_scores_by_hand() -> None:
    found = score(
        [
            Compared(row("ring", 8, 1e-5), 2e-5),
            Compared(row("bine", 8, 2e-5), 1e-5),
            Compared(row("ring", 64, 4e-5), 4e-5),
            Compared(row("bine", 64, 5e-5), 6e-5),
        ]
    )
    assert (found.rows, found.worst) == (4, 1.0)
    assert found.median == pytest.approx((0.2 + 0.5) / 2)
    assert found.p90 == pytest.approx(0.5 + 0.7 * 0.5)
    assert found.bias == pytest.approx(1.1)
    assert [(size, rows) for size, _, _, rows in found.by_size] == [(8, 2), (64, 2)]
    # At 8 bytes bine would be chosen, which took twice as long as the ring.
    assert [(one.chosen, one.best, one.regret) for one in found.choices] == [
        ("bine", "ring", 2.0), ("ring", "ring", 1.0),
    ]  # fmt: skip
    assert found.regret == pytest.approx(1.5)
    # Ranks 2, 1, 3, 4 against 1, 2, 3, 4.
    assert found.rank_correlation == pytest.approx(0.8)


def test_rows_that_cannot_be_simulated_say_why(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(SWITCH)
    rows = [row("ring", 1024, 1e-4), row("spiral", 1024, 1e-4), row("default", 1024, 1e-4), row("ring", 8, 1e-4, 65)]
    (tmp_path / "t.csv").write_text(to_csv(rows))
    found = validate([tmp_path / "t.csv"], tmp_path / "m.toml")
    assert found.score.rows == 1
    reasons = " / ".join(found.reasons())
    for said in ("spiral", "choice of the library", "at most 64 nodes"):
        assert said in reasons
    (tmp_path / "t.csv").write_text(to_csv(rows[1:]))
    with pytest.raises(NetloomError, match="NL-V001"):
        validate([tmp_path / "t.csv"], tmp_path / "m.toml")


def test_a_fit_finds_the_costs_that_made_the_times(tmp_path: Path) -> None:
    """Times that the simulator itself made: the terms that they depend on come back."""
    pytest.importorskip("scipy")
    (tmp_path / "m.toml").write_text(SWITCH + "[wire]\nsharing = 'equal'\n")
    sizes = [8, 64, 512, 4096, 32768, 262144, 4 << 20, 64 << 20]
    rows = [
        Measurement(collective, algorithm, "", nodes, 1, size, 1.0, "x")
        for nodes in (4, 8)
        for collective, algorithm in (
            ("allreduce", "ring"), ("allreduce", "recursive-doubling"), ("allgather", "ring"), ("allgather", "bruck"),
        )
        for size in sizes
    ]  # fmt: skip
    truth = {one.name: one.usual * 1.6 for one in MPI.all}
    made = Predictor(tmp_path / "m.toml")
    made.prepare(rows)
    times = made.times_s(MPI.settings(truth, made.settings))
    timed = [replace(one, time_s=at) for one, at in zip(rows, times, strict=True)]
    again = Predictor(tmp_path / "m.toml")
    again.prepare(timed)
    found = fit(again.prepared)
    assert found.own.median < 0.02
    assert found.held_out is not None and found.held_out[0] < 0.05
    assert found.held_algorithms.keys() == {
        "allreduce:ring",
        "allreduce:recursive-doubling",
        "allgather:ring",
        "allgather:bruck",
    }
    assert found.held_out_algorithms is not None and found.held_out_algorithms[0] < 0.1
    for name in ("latency_s", "combine_s_per_byte"):
        assert name in found.determined
        assert found.values[name] == pytest.approx(truth[name], rel=0.1)
    with pytest.raises(NetloomError, match="NL-V002"):
        fit(again.prepared[:5])


def test_costs_of_a_library_of_gpus_are_found_again(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    network = 'network = "rail_cluster(nodes=8,gpus=4)"\nlibrary = "nccl"\n'
    (tmp_path / "m.toml").write_text(network + "[wire]\nsharing = 'equal'\n")
    rows = [
        Measurement("allreduce", algorithm, "nccl", nodes, 4, size, 1.0, "x", memory="gpu")
        for nodes in (2, 4, 8)
        for algorithm in ("ring", "chained-trees")
        for size in (256, 1 << 14, 1 << 20, 1 << 24, 1 << 28)
    ]
    truth = {one.name: one.usual * 1.5 for one in GPUS.all}
    made = Predictor(tmp_path / "m.toml")
    made.prepare(rows)
    times = made.times_s(GPUS.settings(truth, made.settings))
    again = Predictor(tmp_path / "m.toml")
    again.prepare([replace(one, time_s=at) for one, at in zip(rows, times, strict=True)])
    found = fit(again.prepared, cross=False)
    assert found.terms is GPUS and found.own.median < 0.02
    assert found.values["ll_latency_s"] == pytest.approx(truth["ll_latency_s"], rel=0.15)
    with pytest.raises(NetloomError, match="measurements of MPI, or of a library of GPUs"):
        fit([*again.prepared, replace(again.prepared[0], call="allreduce:ring")])


def test_a_machine_is_written_as_it_is_read(tmp_path: Path) -> None:
    machine = load("lumi-g")
    again = loads(dumps(machine).encode(), "lumi-g.toml")
    assert (again.values, again.validated, again.title) == (machine.values, machine.validated, machine.title)
    changed = with_values(machine, {"software.flow_cap": Measured(1e9, "measured", "here")}, None, "here")
    assert loads(dumps(changed).encode(), "x.toml").inputs()["software"]["flow_cap"] == 1e9  # type: ignore[index]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [("median = 0.12", "median"), ("nodes = [4, 16]", "nodes"), ('collectives = ["allreduce"]', "collectives")],
)
def test_a_damaged_table_is_one_fault(wrong: str, says: str) -> None:
    with pytest.raises(NetloomError) as error:
        loads((SWITCH + VALIDATED.replace(wrong, "")).encode(), "m.toml")
    (fault,) = error.value.faults
    assert fault.place.endswith(says)


def test_rows_of_default_are_simulated_with_what_the_library_chooses(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(SWITCH + "library = 'cray-mpich'\n")
    rows = [row("default", 1024, 1e-4), row("default", 4096, 1e-4), row("rabenseifner", 4096, 1e-4)]
    rows += [replace(row("default", 1024, 1e-4), library=name) for name in ("MPICH 4.0.2", "Fujitsu MPI 4")]
    (tmp_path / "t.csv").write_text(to_csv(rows))
    found = validate([tmp_path / "t.csv"], tmp_path / "m.toml")
    assert [one.call for one in found.compared] == [
        "allreduce:recursive-doubling", "allreduce:rabenseifner", "allreduce:rabenseifner", "allreduce:rabenseifner",
    ]  # fmt: skip
    # The choice takes what the algorithm takes, and is none to choose.
    assert found.compared[1].predicted_s == found.compared[2].predicted_s
    assert found.score.choices == []
    assert list(found.reasons()) == ["the choice of Fujitsu MPI 4 is not known"]
    fitted = Predictor(tmp_path / "m.toml")
    fitted.prepare(rows, chosen=False)
    assert len(fitted.prepared) == 1
