//! Flux task maps: `[[first node, nodes, tasks per node, repeats], ...]`.
//!
//! Source: Flux RFC 34, Flux Task Map; flux-run(1), option `--taskmap`: the map "must match the total number of tasks in the
//! job and the number of tasks per node assigned by the job shell", which gives equally many to every node of a job of `-N`
//! nodes and one more to the first ones.

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::hosts::{BIND, HOST_PATTERN, Hosts, SLOTS};
use super::step::{Distribution, Step};
use crate::codes;
use crate::row::Format;

pub const ROW: Row<Format<Mapping>> = Row {
    name: "flux-taskmap",
    aliases: &["flux"],
    summary: "Flux task map for `flux run --taskmap=manual:MAP`: runs of ranks on nodes, numbered in the order of their names.",
    params: &[HOST_PATTERN, SLOTS, BIND],
    example: "flux-taskmap(slots=2)",
    restrictions: "Holds no slots: with slots above 1 the ranks of a host must be on its slots in order. Every host has \
                   equally many ranks, or the first ones one more, as Flux starts them. The allocation must list its nodes in the order of their names.",
    source: "Flux RFC 34",
    build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
};

const BOUND: &str = "write rankfile, or bind=elsewhere and tell Flux the cores: -o cpu-affinity=map:...";

/// Refuses hosts with other numbers of ranks than Flux starts on them.
fn require_even(step: &Step, hosts: &Hosts) -> Outcome<()> {
    let counts = step.counts();
    let started = Distribution::Block.counts(counts.iter().sum(), counts.len());
    let Some(at) = (0..counts.len()).find(|at| counts[*at] != started[*at]) else { return Ok(()) };
    let sentence = format!(
        "{} has {} rank(s) and Flux starts {} there: equally many on every host, one more on the first ones",
        hosts.names[step.nodes[at] as usize], counts[at], started[at]
    );
    let hint = "fill hosts so, or write rankfile, slurm-arbitrary or hostfile";
    Err(Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence).hint(hint).into())
}

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    if bound.text("bind") != "elsewhere" {
        hosts.require_slots_in_order(mapping, ROW.name, BOUND)?;
    }
    let step = Step::of(mapping, &hosts);
    require_even(&step, &hosts)?;
    let runs = step.indices().chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
    // Neighbouring nodes with equally many ranks are one block; equal blocks one after another are repeats.
    let mut blocks: Vec<[u32; 4]> = Vec::new();
    for (node, ranks) in runs {
        match blocks.last_mut() {
            Some([first, nodes, each, _]) if *first + *nodes == node && *each == ranks => *nodes += 1,
            _ => blocks.push([node, 1, ranks, 1]),
        }
    }
    blocks.dedup_by(|next, kept| {
        let same = next[..3] == kept[..3];
        kept[3] += u32::from(same);
        same
    });
    let words: Vec<String> =
        blocks.iter().map(|b| format!("[{}]", b.map(|number| number.to_string()).join(","))).collect();
    Ok(format!("[{}]\n", words.join(",")).into_bytes())
}
