//! Order of hosts and GPUs for PyTorch: a line per node.
//!
//! Source: PyTorch, torchrun: rank = node rank × processes per node + local rank; the process of local rank i uses the i-th
//! device of `CUDA_VISIBLE_DEVICES`. NCCL numbers ranks as the processes do.

use std::fmt::Write as _;

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::pins::{lists, uneven};
use crate::row::Format;

pub const ROW: Row<Format<Mapping>> = Row {
    name: "torchrun",
    aliases: &["pytorch", "nccl"],
    summary: "A line per node for `torchrun`: its host, `--node-rank` and `CUDA_VISIBLE_DEVICES` in order of its ranks.",
    params: &[HOST_PATTERN, SLOTS],
    example: "torchrun(slots=2)",
    restrictions: "A slot is a GPU. The ranks of a node follow each other, and every node has the same number.",
    source: "PyTorch documentation, torchrun (Elastic Launch)",
    build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let runs: Vec<&[u32]> = mapping.endpoints().chunk_by(|a, b| hosts.slot(*a).0 == hosts.slot(*b).0).collect();
    let each = runs.first().map_or(0, |run| run.len());
    let distinct = lists(mapping, &hosts).len();
    // Node ranks may go to hosts in any order.
    if distinct != runs.len() || runs.iter().any(|run| run.len() != each) {
        return Err(uneven(ROW.name).into());
    }
    let mut out = String::new();
    for (rank, run) in runs.iter().enumerate() {
        let devices: Vec<String> = run.iter().map(|endpoint| hosts.slot(*endpoint).1.to_string()).collect();
        let _ = writeln!(out, "{} --node-rank={rank} CUDA_VISIBLE_DEVICES={}", hosts.name(run[0]), devices.join(","));
    }
    Ok(out.into_bytes())
}
