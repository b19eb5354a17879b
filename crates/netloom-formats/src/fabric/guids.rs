//! Lists of GUIDs that OpenSM takes in addition to its configuration: the roots of a tree, and an order of the hosts.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Network, Outcome, Row, Subnet};

use super::levels::likely_levels;
use crate::codes;
use crate::forwarding::require_numbers;
use crate::row::Format;

pub const ROOTS: Row<Format<Network>> = Row {
    name: "root-guids",
    aliases: &["roots"],
    summary: "GUIDs of the top switches of a tree, for opensm -a (up/down, fat tree, dfsssp with roots).",
    params: &[],
    example: "root-guids",
    restrictions: "Only written. The levels are the network's own, or those of its cables: endpoints on level 0, every \
                   cable between a level and the next one.",
    source: "OpenSM 3.3, opensm(8), --root_guid_file",
    build: Format { extensions: &["roots"], begins: |_| false, read: None, write: Some(roots) },
};

pub const ORDER: Row<Format<Network>> = Row {
    name: "node-order",
    aliases: &["guid-routing-order"],
    summary: "Port GUIDs of all endpoints in their order, for opensm -X (guid_routing_order_file).",
    params: &[],
    example: "node-order",
    restrictions: "Only written. MinHop and Up/Down assign the routes to endpoints in this order.",
    source: "OpenSM 3.3, opensm(8), --guid_routing_order_file",
    build: Format { extensions: &["order"], begins: |_| false, read: None, write: Some(order) },
};

fn lines(guids: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut out = String::new();
    guids.for_each(|guid| {
        let _ = writeln!(out, "0x{guid:016x}");
    });
    out.into_bytes()
}

fn subnet(network: &Network) -> Subnet {
    network.subnet().map_or_else(|| Subnet::numbered(network), |own| own.as_ref().clone())
}

fn roots(network: &Network, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    require_numbers(network, ROOTS.name)?;
    let levels = network.structure().levels.clone().or_else(|| likely_levels(network));
    let Some(levels) = levels else {
        let sentence = "has no levels: its cables do not join one level to the next";
        return Err(Fault::say(&codes::CANNOT_EXPRESS, network.label(), sentence)
            .hint("roots are those of trees; other networks are routed by opensm -R dfsssp or -R file")
            .into());
    };
    let top = levels.iter().max().copied().unwrap_or(0);
    let guids = subnet(network).switch_guid;
    Ok(lines(guids.into_iter().zip(levels).filter(|(_, level)| *level == top).map(|(guid, _)| guid)))
}

fn order(network: &Network, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    require_numbers(network, ORDER.name)?;
    Ok(lines(subnet(network).endpoint_guid.into_iter()))
}
