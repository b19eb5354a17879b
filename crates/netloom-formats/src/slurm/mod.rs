//! Slurm `topology.conf` of the tree plugin, and what `scontrol show topology` prints.
//!
//! Source: Slurm documentation, `topology.conf(5)`.

mod read;
mod write;

#[cfg(test)]
mod tests;

use netloom_model::param::Kind;
use netloom_model::{Network, Param, Row};

use crate::graph;
use crate::registry::Format;

const SHAPE: Param = Param::optional(
    "shape",
    Kind::Choice(&["auto", "tree", "levels", "groups"]),
    "auto",
    "written hierarchy: the network's own tree, its levels (all switches that join the same leaves are one), or its groups",
)
.keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "slurm",
    aliases: &["slurm-topology", "topology.conf"],
    summary: "Slurm topology.conf, tree plugin: SwitchName, Nodes, Switches, with host lists such as n[001-128].",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, SHAPE, graph::SLOTS],
    example: "slurm(shape=levels)",
    restrictions: "A switch is joined to each child by one cable; the file holds no bandwidth, no latency, no parallel \
                   cables (LinkSpeed has no unit and is left out). Written: trees as they are, networks with levels or \
                   groups as that hierarchy, others not at all.",
    source: "Slurm documentation, topology.conf(5)",
    build: Format {
        extensions: &["conf"],
        begins: |head| head.first_words().first().is_some_and(|w| w.to_ascii_lowercase().starts_with("switchname=")),
        read: Some(read::read),
        write: Some(write::write),
    },
};
