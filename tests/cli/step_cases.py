"""Options of `netloom step`."""

from __future__ import annotations

from .option_case import Case

STEP = "llama3-8b --machine dgx-h100 --gpus 16 --tp 8 -q"

STEPPED = {
    ("step", "--gpus"): Case("llama3-8b --machine dgx-h100 -q --tp 8", "--gpus 8", "mends"),
    **{
        ("step", added.partition(" ")[0]): Case(STEP, added)
        for added in (
            "--tp 4",
            "--pp 2",
            "--cp 2",
            "--micro-batch 2",
            "--global-batch 8",
            "--sequence 4096",
            "--zero 0",
            "--recompute full",
            "--precision fp8",
            "--attention stored",
            "--no-sequence-parallel",
            "--gradient-bytes 2",
            "--overlap tp=0.5",
            "--machine cloud-h100-roce",
            "--gpu h200",
            "--efficiency 0.6",
            "--fail links:2%,seed=1",
            "--set network.nic_bandwidth=100Gbps",
            "--place",
        )
    },
    ("step", "--dp"): Case("llama3-8b --machine dgx-h100 --gpus 16 --tp 8 -q", "--dp 2", "runs"),
    ("step", "--ep"): Case("mixtral-8x7b --machine dgx-h100 --gpus 16 --tp 4 --sequence 2048 -q", "--ep 4", "mends"),
    ("step", "--schedule"): Case(f"{STEP} --pp 2", "--schedule zero-bubble"),
    ("step", "--interleave"): Case(f"{STEP} --pp 2 --schedule interleaved", "--interleave 4"),
    ("step", "--axes"): Case(STEP, "--axes dp-tp-cp-ep-pp"),
    ("step", "--uneven"): Case("llama3-8b --machine dgx-h100 --gpus 24 --tp 8 --pp 3 -q", "--uneven", "mends"),
    ("step", "--routing"): Case("llama3-8b --machine dgx-h100 --gpus 512 --tp 8 --pp 2 -q", "-r single-minimal"),
    ("step", "--machines"): Case(
        "llama3-8b --machine near --gpu h200 --gpus 2 --zero 3 -q", "--machines near", "mends"
    ),
    ("step", "--sweep"): Case("llama3-8b --machine dgx-h100 --gpus 8 --cp 1 --pp 1 -q", "--sweep"),
    ("step", "--best"): Case("llama3-8b --machine dgx-h100 --gpus 8 --cp 1 --pp 1 --sweep -q", "--best 1"),
    ("step", "--emit"): Case(f"{STEP} --place", "--emit slurm"),
    ("step", "--output"): Case(f"{STEP} --place --emit slurm", "-o made", "files"),
    ("step", "--cpus"): Case(STEP, "--cpus node.xml", "refuses"),
    ("step", "--write-trace"): Case(f"{STEP} --global-batch 2", "--write-trace made.goal", "files"),
    ("step", "--to"): Case(f"{STEP} --global-batch 2 --write-trace made", "--to goal", "mends"),
    ("step", "--with"): Case(f"{STEP} --global-batch 2", "--with '16: step(\"llama3-8b\",tp=8)'"),
    ("step", "--turns"): Case(
        f"{STEP} --global-batch 2 --set network.nodes=4 --set network.pod=2 --with '16: step(\"llama3-8b\",tp=8)'",
        "--turns",
    ),
    ("step", "--report"): Case(STEP, "--report made.html", "files"),
}
