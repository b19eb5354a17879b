//! Slurm `topology.conf` of the tree plugin, and what `scontrol show topology` prints.
//!
//! Source: Slurm documentation, `topology.conf(5)`.

mod read;
mod write;

#[cfg(test)]
mod tests;

use netloom_model::param::Kind;
use netloom_model::units::Quantity;
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

/// Cables that a line of the file stands for.
const UPLINKS: Param = Param::optional(
    "uplinks",
    Kind::Int { min: 1, max: 1 << 16 },
    "1",
    "cables that join a switch to each of its parents",
)
.keyword_only();
const LINK_SPEED: Param = Param::optional(
    "link_speed",
    Kind::Quantity(Quantity::BytesPerSecond),
    "None",
    "what LinkSpeed=1 means, such as \"1 Gbps\": the cables from that switch to its parents have LinkSpeed times it; \
     without it LinkSpeed is left out",
)
.keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "slurm",
    aliases: &["slurm-topology", "topology.conf"],
    summary: "Slurm topology.conf, tree plugin: SwitchName, Nodes, Switches, with host lists such as n[001-128].",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, UPLINKS, LINK_SPEED, SHAPE, graph::SLOTS],
    example: "slurm(shape=levels)",
    restrictions: "The file holds no bandwidth, no latency, no parallel cables: say `uplinks`, `bandwidth` and, since \
                   LinkSpeed has no unit, `link_speed`. Written: trees as they are, networks with levels or \
                   groups as that hierarchy, others not at all.",
    source: "Slurm documentation, topology.conf(5)",
    build: Format {
        extensions: &["conf"],
        begins: |head| head.first_words().first().is_some_and(|w| w.to_ascii_lowercase().starts_with("switchname=")),
        read: Some(read::read),
        write: Some(write::write),
    },
};
