//! Slurm's `--distribution` where it can say which host each rank is on.
//!
//! Source: srun(1), option `--distribution`.

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::step::{Distribution, Step};
use crate::codes;
use crate::row::Format;

pub const ROW: Row<Format<Mapping>> = Row {
    name: "slurm-distribution",
    aliases: &["distribution"],
    summary: "Slurm's `--distribution=block:block,NoPack`, `cyclic:block` or `plane=N`, where one of them places the ranks this way.",
    params: &[HOST_PATTERN, SLOTS],
    example: "slurm-distribution(slots=2)",
    restrictions: "Ranks go to hosts in the order of their names, as Slurm sorts them, in blocks, one by one or in planes, onto slots in \
                   order.",
    source: "srun(1), --distribution",
    build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    hosts.require_slots_in_order(
        mapping,
        ROW.name,
        "write rankfile, or slurm-arbitrary(bind=elsewhere) with map-cpu",
    )?;
    let word = match Step::of(mapping, &hosts).distribution() {
        // Sites may pack nodes by default.
        Some(Distribution::Block) => "block:block,NoPack".to_string(),
        Some(Distribution::Cyclic) => "cyclic:block".to_string(),
        Some(Distribution::Plane(size)) => format!("plane={size}"),
        None => {
            let sentence = "ranks are not in blocks, cycles or planes over hosts in the order of their names; no \
                            distribution places them so";
            let fault = Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence);
            return Err(fault.hint("write slurm-arbitrary").into());
        }
    };
    Ok(format!("--distribution={word}\n").into_bytes())
}
