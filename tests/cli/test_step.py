"""`netloom step` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

MINE = "[mine]\nlayers = 8\nhidden = 1024\nffn = 4096\nheads = 16\nkv_heads = 8\nvocab = 8192\nsequence = 1024\n"
LINE = ("step", "m.toml", "--machine", "dgx-h100", "--gpus", "32", "--tp", "2", "--pp", "2", "-q")
FOUR = ("--set", "network.nodes=4", "--set", "network.pod=4")
KEYS = {"step_s", "tokens_per_s", "mfu", "exposed_s", "memory_bytes_per_gpu", "bubble"}


@pytest.fixture(autouse=True)
def _models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_text(MINE, encoding="utf-8")


def test_json_has_the_fixed_keys(netloom) -> None:
    code, out, err = netloom(*LINE, "--cp", "1", "--ep", "1", "--dp", "8", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "") and set(found) >= KEYS
    assert set(found["exposed_s"]) == {"tp", "pp", "cp", "ep", "dp"}
    assert found["split"]["micro_batches"] == 8 and found["limits"] and found["assumptions"] and found["left_out"]
    assert {row["group"] for row in found["messages"]} == {"tp", "pp", "dp"}
    assert all(row["flops"] or row["bytes"] for row in found["operations"])


def test_the_table_says_what_limits(netloom) -> None:
    code, out, _ = netloom(*LINE, "--report", "page.html")
    assert code == 0 and "limits" in out and "exposed" in out and "hot: link" in out
    assert "What the step is made of" in Path("page.html").read_text(encoding="utf-8")


def test_a_failed_leaf_is_compared_with_none(netloom) -> None:
    line = ("step", "m.toml", "--machine", "dgx-h100", "--gpus", "64", "--tp", "8", "-q", "--fail", "switch:1152")
    found = json.loads(netloom(*line, "--json")[1])
    assert found["step_s"] > found["sound_step_s"]
    assert "if nothing had failed" in netloom(*line)[1]


def test_machines_are_compared(netloom) -> None:
    line = (*LINE, "--machine", "cloud-h100-roce")
    found = json.loads(netloom(*line, "--json")[1])["machines"]
    assert [row["machine"] for row in found] == ["dgx-h100", "cloud-h100-roce"]
    assert "to the first" in netloom(*line)[1]


def test_a_sweep_is_sorted_and_counts_what_it_refused(netloom) -> None:
    line = ("step", "m.toml", "--machine", "dgx-h100", "--gpus", "16", "--sweep", "--best", "2", "-q")
    found = json.loads(netloom(*line, "--json")[1])
    simulated = [row["step_s"] for row in found["splits"] if row["step_s"] is not None]
    assert len(simulated) == 2 and simulated == sorted(simulated) and found["best"]["step_s"] == simulated[0]
    assert sum(found["refused"].values()) > 0
    code, out, err = netloom(*line, "--micro-batch", "1")
    assert code == 0 and "limits of the best" in out and "refused:" in err


def test_the_best_order_is_written_for_a_launcher(netloom) -> None:
    code, out, err = netloom(*LINE, "--place", "--emit", "slurm,torchrun", "-o", "ranks")
    assert code == 0 and "Megatron-LM" in out and "run: " in err
    hosts = Path("ranks/slurm.txt").read_text(encoding="utf-8").split()
    assert len(hosts) == 32 and len(set(hosts)) == 4
    assert len(Path("ranks/torchrun.txt").read_text(encoding="utf-8").splitlines()) == 4
    found = json.loads(netloom(*LINE, "--place", "--json", "--best", "1")[1])
    times = [row["step_s"] for row in found["orders"]]
    assert times == sorted(times) and found["files"] == []


def test_the_step_is_written_as_a_trace_that_other_commands_take(netloom) -> None:
    code, out, err = netloom(*LINE, "--write-trace", "step.goal")
    assert code == 0 and "32 ranks" in err and "limits" in out
    code, out, _ = netloom("simulate", "--machine", "dgx-h100", "--trace", "step.goal", "--json", "-q")
    goal_s = json.loads(out)["time_s"]
    files = json.loads(netloom(*LINE, "--write-trace", "step.et", "--json")[1])["files"]
    assert len(files) == 32 and files[0] == "step.0.et" and Path("step.31.et").exists()
    _, _, err = netloom(*LINE, "--write-trace", "step.trace", "--to", "smpi")
    assert "what a step hides is waited for" in err
    found = json.loads(netloom("describe", "step.goal", "--json")[1])
    assert found["format"] == "goal" and found["ranks"] == 32 and goal_s > 0


def test_a_second_job_is_simulated_with_the_step(netloom) -> None:
    other = '16: step("m.toml",tp=2)'
    line = ("step", "m.toml", "--machine", "dgx-h100", "--gpus", "16", "--tp", "2", "-q", "--with", other)
    taper = ("--set", "network.nodes=4", "--set", "network.pod=2", "--set", "network.oversubscription=2")
    apart, turns = (json.loads(netloom(*line, *taper, *more, "--json")[1]) for more in ((), ("--turns",)))
    assert [job["slowdown"] for job in apart["jobs"]] == pytest.approx([1, 1]) and apart["shared_leaves"] == 0
    assert all(job["slowdown"] > 1.01 for job in turns["jobs"]) and turns["shared_leaves"] == 2
    assert "slowdown" in netloom(*line, *taper)[1]


def test_ranks_get_nodes_with_labels_of_kubernetes(netloom) -> None:
    _, out, _ = netloom(*LINE, "--place", "--emit", "kubernetes", "--best", "1")
    assert out.count("- rank:") == 32 and "cloud.provider.com/topology-block" in out and "kubernetes.io/hostname" in out


@pytest.mark.parametrize(
    ("added", "code", "words"),
    [
        (("--tp", "3"), "NL-Y004", "3 does not divide the 16 heads of mine"),
        (("--dp", "3"), "NL-Y004", "are 12 GPUs, not 32"),
        (("--pp", "3", "--gpus", "48"), "NL-Y004", "8 layers of mine do not divide over 3 stages"),
        (("--pp", "16"), "NL-Y004", "more parts than the 8 layers"),
        (("--ep", "2"), "NL-Y004", "mine has no experts"),
        (("--global-batch", "9"), "NL-Y004", "9 is no multiple of dp 8"),
        (("--cp", "3", "--gpus", "24"), "NL-Y004", "1024 tokens are no multiple"),
        (("--schedule", "interleaved", "--global-batch", "24"), "NL-Y004", "micro-batches in turns of 2"),
        (("--schedule", "1f2b"), "NL-Y002", '--schedule must be one of'),
        (("--interleave", "2"), "NL-Y003", "has no effect with the schedule 1f1b"),
        (("--recompute", "ful"), "NL-Y002", "--recompute"),
        (("--precision", "fp4"), "NL-Y002", "h100 has no fp4"),
        (("--attention", "flesh"), "NL-Y002", 'did you mean "flash"'),
        (("--zero", "4"), "NL-A007", "--zero"),
        (("--axes", "tp-pp"), "NL-Y003", "--axes"),
        (("--overlap", "tp"), "NL-X010", "--overlap"),
        (("--overlap", "tp=2"), "NL-Y003", "a share in 0..1"),
        (("--overlap", "dp=0.5"), "NL-Y002", "--overlap"),
        (("--efficiency", "1.5"), "NL-A007", "--efficiency"),
        (("--gpu", "h10"), "NL-Y002", 'did you mean "h100"'),
        (("--gpus", "0"), "NL-A007", "--gpus"),
        (("--micro-batch", "4096"), "NL-Y005", "the step needs"),
        (("--emit", "slurm"), "NL-X010", "--emit"),
        (("--best", "3"), "NL-X010", "--best"),
        (("--sweep", "--place"), "NL-X010", "--place"),
        (("--sweep", "--machine", "alps"), "NL-X010", "--machine"),
        (("--sweep", "--report", "a.html"), "NL-X010", "--report"),
        (("--to", "goal"), "NL-X010", "--to"),
        (("--turns",), "NL-X010", "--turns"),
        (("--write-trace", "a.goal", "--sweep"), "NL-X010", "--write-trace"),
        (("--write-trace", "a.goal", "--machine", "alps"), "NL-X010", "--write-trace"),
        (("--write-trace", "a.goal", "--with", "8: shift"), "NL-X010", "--write-trace"),
        (("--write-trace", "a.goal", "--schedule", "zero-bubble"), "NL-Y003", "no fixed order"),
        (("--write-trace", "a.goal", "--overlap", "tp=0.5"), "NL-Y003", "a share of messages"),
        (("--write-trace", "a.xyz"), "NL-X014", "a.xyz"),
        (("--write-trace", "-", "--to", "goal"), "NL-X010", "--write-trace"),
        (("--write-trace", "a", "--to", "gaol"), "NL-A002", "gaol"),
        (("--write-trace", "a.goal", "--global-batch", "524288"), "NL-Y003", "32 ranks x"),
        (("--with", "shift"), "NL-Y003", "N: WORKLOAD"),
        (("--with", "8: shft"), "NL-A002", "shft"),
        ((*FOUR, "--with", "16: shift(k=1,bytes=8)"), "NL-Y003", "fewer than 48"),
        (("--with", "8: shift(k=1,bytes=8)", "--report", "a.html"), "NL-X010", "--report"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_two(netloom, added, code, words) -> None:
    left, out, err = netloom(*LINE, *added)
    first = err.splitlines()[0]
    assert (left, out) == (2, "") and err.startswith(f"error: {code}"), err
    assert words in err and "Traceback" not in err and first


def test_unknown_models_and_machines_without_gpus_are_refused(netloom) -> None:
    left, _, err = netloom("step", "llama3-405", "--machine", "dgx-h100", "--gpus", "8")
    assert left == 2 and 'did you mean "llama3-405b"' in err
    left, _, err = netloom("step", "llama3-8b", "--machine", "generic-hdr", "--gpus", "8")
    assert left == 2 and "NL-Y006" in err and "--gpu" in err
    left, _, err = netloom("step", "llama3-8b", "--machine", "gb200-nvl72", "--gpus", "80")
    assert left == 2 and "has 72 GPUs" in err
