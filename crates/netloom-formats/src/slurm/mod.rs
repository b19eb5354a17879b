//! Slurm `topology.conf` of the plugins tree, block and ring, and what `scontrol show topology` prints; `topology.yaml`.
//!
//! Source: Slurm documentation, `topology.conf(5)`.

mod names;
mod planes;
mod plugins;
mod read;
mod words;
mod write;
mod yaml;

#[cfg(test)]
mod plugin_tests;
#[cfg(test)]
mod site_tests;
#[cfg(test)]
mod tests;

use netloom_model::param::Kind;
use netloom_model::units::Quantity;
use netloom_model::{Network, Param, Row};

use crate::graph;
use crate::row::Format;

const SHAPE: Param = Param::optional(
    "shape",
    Kind::Choice(&["auto", "tree", "levels", "groups", "block", "ring", "torus3d"]),
    "auto",
    "what is written: the network's own tree, its levels (all switches that join the same leaves are one) or its groups; \
     block: nodes of a switch, and of larger units of 2, 4, 8, ... of them; ring: a ring of 16 switches or fewer; torus3d \
     (topology.yaml only): a torus of three extents",
)
.keyword_only();

/// Cables that a line of the file stands for.
const UPLINKS: Param = Param::optional(
    "uplinks",
    Kind::Int { min: 1, max: 1 << 16 },
    "",
    "cables that join a switch to each of its parents; absent: one link as wide as all nodes below the switch have together \
     (full bandwidth), shared among several parents",
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

pub use yaml::ROW as YAML;

pub const ROW: Row<Format<Network>> = Row {
    name: "slurm",
    aliases: &["slurm-topology", "topology.conf"],
    summary: "Slurm topology.conf of tree, block and ring: SwitchName, BlockName, RingName, with host lists such as n[001-128].",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, UPLINKS, LINK_SPEED, SHAPE, graph::SLOTS],
    example: "slurm(shape=levels)",
    restrictions: "The file holds no bandwidth, no latency, no cables: without `uplinks` a switch has full bandwidth \
                   upwards. Say `uplinks`, `bandwidth` and, since LinkSpeed has no unit, `link_speed`. Written: trees \
                   as they are, networks with levels or groups as that hierarchy, others not at all; names of switches \
                   in the characters that Slurm takes, with those of the network in comments.",
    source: "Slurm documentation, topology.conf(5)",
    build: Format {
        extensions: &["conf"],
        begins: |head| {
            let first = head.first_words().first().map(|w| w.to_ascii_lowercase()).unwrap_or_default();
            ["switchname=", "blockname=", "blocksizes=", "ringname=", "torusname="]
                .iter()
                .any(|key| first.starts_with(key))
        },
        read: Some(read::read),
        write: Some(write::write),
    },
};
