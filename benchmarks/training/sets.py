"""Measured training steps: files, models, splits, and which rows an efficiency is fitted to."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from netloom.training import Model, Site, Split, model

Row = Mapping[str, str]


@dataclass(frozen=True)
class Case:
    """A measured step.

    Attributes
    ----------
    site, model, split
        What is predicted.
    seconds
        Measured.
    fitted
        The efficiency of its set is fitted to it, so that it is not reported.
    """

    name: str
    site: Site
    model: Model
    split: Split
    seconds: float
    fitted: bool


Cases = Callable[[Path], Iterator[Case]]


@dataclass(frozen=True)
class Set:
    """Measured steps of one GPU type and precision: one efficiency.

    Attributes
    ----------
    fitted_on
        The rows to which it is fitted, in words.
    sources
        Measurements by name.
    """

    gpu: str
    precision: str
    fitted_on: str
    sources: tuple[tuple[str, Cases], ...]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _network(nodes: int, gpus: int, rails: int, nvlink: str, nic: str) -> dict[str, object]:
    """Nodes of GPUs on one level of rails; the pod is the machine, as what joins pods is not known of all of them."""
    shape = f"nodes={nodes},gpus={gpus},rails={rails},pod={nodes},spine=absent,radix={max(2 * nodes, 64)}"
    rates = f'nvlink_bandwidth="{nvlink}",nic_bandwidth="{nic}",gpu_bandwidth="3.35 TBps"'
    return {"network": f"rail_cluster({shape},{rates})"}


#: DGX A100 of Selene and of vTrain: 300 GB/s each way of NVLink 3, of which collectives reach 0.8, and HDR.
A100 = {"software.inside_flow_cap": 234e9, "software.simple_inside_flow_cap": 234e9, "software.flow_cap": 24e9,
        "software.simple_flow_cap": 24e9}  # fmt: skip


def _gpt(name: str, layers: int, hidden: int, heads: int, sequence: int, vocab: int = 51200, **more: object) -> Model:
    return Model(
        name, layers, hidden, 4 * hidden, heads, vocab, sequence=sequence, gated=False, biases=True, dropout=True,
        learned_positions=sequence, tied=True, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def _vtrain(folder: Path) -> Iterator[Case]:
    for row in _rows(folder / "vtrain" / "multi_node.csv"):
        hidden, heads, layers, sequence = (int(row[key]) for key in ("hidden", "heads", "layers", "sequence"))
        gpus, tp, dp, pp = (int(row[key]) for key in ("gpus", "tensor", "data", "pipeline"))
        split = Split(
            gpus, tp=tp, pp=pp, dp=dp, micro_batch=int(row["micro_batch"]), global_batch=int(row["global_batch"]),
            sequence=sequence, zero=1, recompute="full", attention="stored", sequence_parallel=False, gradient_bytes=2,
            uneven=True,
        )  # fmt: skip
        site = Site("dgx-h100", "a100-80gb", inputs=_network(gpus // 8, 8, 4, "240 GBps", "200 Gbps") | A100)
        made = _gpt(f"gpt-{row['parameters_billion']}b", layers, hidden, heads, sequence)
        name = f"{row['parameters_billion']}B {gpus} GPUs b{row['micro_batch']} tp{tp} dp{dp} pp{pp}"
        yield Case(name, site, made, split, float(row["iteration_ms"]) / 1e3, row["micro_batch"] == "4")


#: Layers, hidden width, heads, and data-parallel degree of Korthikanti et al. (2022), table 3.
_SEQSEL = {"megatron-22B": (48, 6144, 64), "gpt3-175B": (96, 12288, 96), "turing-530B": (105, 20480, 128)}


def _seqsel(folder: Path) -> Iterator[Case]:
    for row in _rows(folder / "megatron-seqsel" / "iteration.csv"):
        if row["model"] not in _SEQSEL:
            continue
        gpus, tp, pp = (int(row[key]) for key in ("gpus", "tp", "pp"))
        selective, parts = "selective" in row["recompute"], int(row["interleaving"])
        split = Split(
            gpus, tp=tp, pp=pp, dp=gpus // tp // pp, micro_batch=int(row["micro_batch"]),
            global_batch=int(row["batch"]), sequence=2048, zero=0, recompute="selective" if selective else "full",
            attention="stored", sequence_parallel=selective, gradient_bytes=2,
            schedule="interleaved" if parts > 1 else "1f1b",
            interleave=parts,
        )  # fmt: skip
        site = Site("dgx-h100", "a100-80gb", inputs=_network(max(2, gpus // 8), 8, 8, "240 GBps", "200 Gbps") | A100)
        yield Case(
            f"{row['model']} {gpus} GPUs, {row['recompute']}", site,
            _gpt(row["model"], *_SEQSEL[row["model"]], 2048), split, float(row["iteration_s"]), False,
        )  # fmt: skip


#: Layers, hidden width and heads of MPT (the configurations of llm-foundry).
_MPT = {
    "760m": (24, 1536, 12), "1b": (24, 2048, 16), "3b": (32, 2560, 20), "7b": (32, 4096, 32), "13b": (40, 5120, 40),
    "30b": (48, 7168, 56), "70b": (80, 8192, 64), "125m": (12, 768, 12), "350m": (24, 1024, 16),
}  # fmt: skip


def _mpt(gpu: str, precision: str) -> Cases:
    def cases(folder: Path) -> Iterator[Case]:
        for row in _rows(folder / "mpt-h100" / "throughput.csv"):
            if row["gpu"] != gpu or not row["precision"].endswith(precision) or row["cpu_offload"] == "True":
                continue
            layers, hidden, heads = _MPT[row["model"]]
            gpus, sequence = int(row["gpus"]), int(row["sequence"])
            made = Model(
                f"mpt-{row['model']}", layers, hidden, 4 * hidden, heads, 50432, sequence=sequence, gated=False,
                tied=True, learned_positions=sequence,
            )  # fmt: skip
            split = Split(
                gpus, dp=gpus, micro_batch=int(row["micro_batch"]), global_batch=int(row["global_batch"]),
                sequence=sequence, zero=3 if row["sharding"] == "FULL_SHARD" else 2,
                recompute="full" if row["checkpointing"] == "True" else "none",
                precision=precision, gradient_bytes=2 if row["mp_mode"] == "PURE" else 4,
            )  # fmt: skip
            named = {"h100_80gb": "h100", "a100_40gb": "a100-40gb", "a100_80gb": "a100-80gb"}[gpu]
            nic = _network(max(2, gpus // 8), 8, 8, "360 GBps", "400 Gbps")
            if named != "h100":
                nic = _network(max(2, gpus // 8), 8, 8, "240 GBps", "200 Gbps") | A100
            yield Case(
                f"{row['model']} s{sequence} {gpus} GPUs b{row['micro_batch']} {row['sharding']}",
                Site("dgx-h100", named, inputs=nic), made, split,
                int(row["global_batch"]) * sequence / float(row["tokens_per_s"]),
                gpus == 8 and sequence == 2048 and gpu == "h100_80gb",
            )  # fmt: skip

    return cases


def _mlperf(gpu: str, version: str, precision: str, fitted: int) -> Cases:
    def cases(folder: Path) -> Iterator[Case]:
        for row in _rows(folder / "mlperf51" / "llama31_405b_steps.csv"):
            if gpu.upper() not in row["accelerator"] or not row["version"].startswith(version) or not row["tp"]:
                continue
            gpus, tp, pp, cp = (int(row[key]) for key in ("gpus", "tp", "pp", "cp"))
            dp = gpus // (tp * pp * cp)
            split = Split(
                gpus, tp=tp, pp=pp, cp=cp, dp=dp, micro_batch=1, global_batch=dp * int(row["micro_batches"]),
                sequence=8192, schedule="interleaved", interleave=8, recompute="none", precision=precision,
                gradient_bytes=2, overlap={"tp": 0.5},
            )  # fmt: skip
            domain, nvlink = (8, "360 GBps") if gpu in ("h100", "h200") else (64, "720 GBps")
            nic = "800 Gbps" if gpu == "gb300" else "400 Gbps"
            inputs = _network(gpus // domain, domain, domain, nvlink, nic)
            if domain == 64:
                inputs |= {"software.inside_flow_cap": 702e9, "software.simple_inside_flow_cap": 702e9}
            made = model("llama3-405b")
            yield Case(
                f"{row['submitter']} {row['version']} {gpus} GPUs", Site("dgx-h100", gpu, inputs=inputs), made, split,
                float(row["median_s"]), gpus == fitted,
            )  # fmt: skip

    return cases


_MEGATRON_2022, _MOSAIC = "Korthikanti 2022, Megatron", "MosaicML, FSDP"
SETS = (
    Set(
        "a100-80gb", "bf16", "vTrain, micro-batches of 4",
        (("vTrain, Megatron-DeepSpeed", _vtrain), (_MEGATRON_2022, _seqsel), (_MOSAIC, _mpt("a100_80gb", "bf16"))),
    ),
    Set("h100", "bf16", "8 GPUs, sequences of 2,048", ((_MOSAIC, _mpt("h100_80gb", "bf16")),)),
    Set("h100", "fp8", "512 GPUs", (("MLPerf 5.0, NeMo", _mlperf("h100", "5.0", "fp8", 512)),)),
    Set("h200", "fp8", "512 GPUs", (("MLPerf 5.0, NeMo", _mlperf("h200", "5.0", "fp8", 512)),)),
    Set("gb200", "fp8", "512 GPUs", (("MLPerf 5.0, NeMo", _mlperf("gb200", "5.0", "fp8", 512)),)),
    Set("gb200", "fp4", "512 GPUs", (("MLPerf 5.1, NeMo", _mlperf("gb200", "5.1", "fp4", 512)),)),
)  # fmt: skip
