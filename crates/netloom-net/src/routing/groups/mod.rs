//! Group-minimal routing: inside a group by shortest paths, between groups over exactly one global link.
//!
//! No search of the network and no table of all pairs of switches: distances inside the groups, and the cables of every
//! pair of groups, from which each pair of switches is answered on its own.

mod build;
mod channels;
mod chassis;
mod detour;
mod group_minimal;
mod shape;
mod tables;
#[cfg(test)]
mod tests;
mod way;

use netloom_model::{Kind, Param};

use super::minimal::LIMIT;
use super::row::RoutingRow;
use channels::VC;

const PARAMS: &[Param] = &[
    LIMIT,
    VC,
    Param::optional(
        "inside",
        Kind::Choice(&["any", "chassis"]),
        "any",
        "inside a group all shortest paths, or first within the chassis, then from chassis to chassis, as SimGrid",
    ),
];

pub const GROUP_MINIMAL: RoutingRow = RoutingRow {
    name: "group-minimal",
    aliases: &["dragonfly-minimal", "hierarchical"],
    summary: "at most one global link: shortest inside the source's group, across, shortest inside the destination's",
    params: PARAMS,
    example: "group-minimal",
    restrictions: "networks whose groups are connected and joined pair by pair: dragonfly, dragonfly+",
    source: "Kim, Dally, Scott, Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008, section 4.1; \
             Static Direct of Jain 2016 section 3.2.2",
    build: build::build,
};
