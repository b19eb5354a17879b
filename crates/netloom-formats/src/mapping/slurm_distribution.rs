//! Slurm's `--distribution` where it can say which host each rank is on.
//!
//! Source: srun(1), option `--distribution`.

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::pins::lists;
use crate::codes;
use crate::registry::Format;

pub const ROW: Row<Format<Mapping>> = Row {
    name: "slurm-distribution",
    aliases: &["distribution"],
    summary: "Slurm's `--distribution=block:block`, `cyclic:block` or `plane=N`, where one of them places the ranks so.",
    params: &[HOST_PATTERN, SLOTS],
    example: "slurm-distribution(slots=2)",
    restrictions: "Ranks go round the hosts, in ascending order, one by one or in blocks, onto slots in order.",
    source: "srun(1), --distribution",
    build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    hosts.require_slots_in_order(mapping, ROW.name)?;
    let used = lists(mapping, &hosts);
    let (ranks, nodes) = (mapping.ranks() as usize, used.len());
    let plane =
        mapping.endpoints().chunk_by(|a, b| hosts.slot(*a).0 == hosts.slot(*b).0).next().map_or(1, <[u32]>::len);
    let even = used.iter().all(|(_, slots)| slots.len() * nodes == ranks);
    let round = |rank: usize| used[rank / plane % nodes].0;
    let fits = (0..ranks).all(|rank| hosts.slot(mapping.endpoints()[rank]).0 == round(rank));
    if !even || !fits {
        let sentence = "ranks do not go round the hosts in equal blocks; no distribution places them so";
        return Err(Fault::say(&codes::CANNOT_EXPRESS, network.label(), sentence).hint("write slurm-arbitrary").into());
    }
    let word = match plane {
        _ if plane * nodes == ranks => "block:block".to_string(),
        1 => "cyclic:block".to_string(),
        _ => format!("plane={plane}"),
    };
    Ok(format!("--distribution={word}\n").into_bytes())
}
