//! Whole switches, chassis or groups, drawn (Jain 2016 §3.2.3: RDR, RDC, RDG).

use netloom_model::{Bound, Network, Outcome, Stream};

use super::SEED;
use super::units::{Size, Units};
use crate::free::{AVAILABLE, Free};
use crate::row::PlacementRow;

pub const SWITCHES: PlacementRow = PlacementRow {
    name: "random-switches",
    aliases: &["random-routers", "rdr"],
    summary: "Switches drawn without replacement, the endpoints of each one after the other; switches that are wholly \
              free first.",
    params: &[SEED, AVAILABLE],
    example: "random-switches(seed=1)",
    restrictions: "",
    source: "Jain 2016 §3.2.3, random routers",
    build: |network, ranks, free, args| build(network, ranks, free, args, Size::Switch),
};
pub const CHASSIS: PlacementRow = PlacementRow {
    name: "random-chassis",
    aliases: &["rdc"],
    summary: "Chassis drawn without replacement, the endpoints of each one after the other; chassis that are completely free \
              first.",
    params: &[SEED, AVAILABLE],
    example: "random-chassis(seed=1)",
    restrictions: "a dragonfly (a chassis is a line of the last extent of its group), or a tree (the switches connected \
                   through the two lowest levels)",
    source: "Jain 2016 §3.2.3, random chassis",
    build: |network, ranks, free, args| build(network, ranks, free, args, Size::Chassis),
};
pub const GROUPS: PlacementRow = PlacementRow {
    name: "random-groups",
    aliases: &["rdg"],
    summary: "Groups drawn without replacement, the endpoints of each one after the other; groups that are completely free \
              first.",
    params: &[SEED, AVAILABLE],
    example: "random-groups(seed=1)",
    restrictions: "a network of groups, or a tree (a group is a pod: the switches connected below the top level)",
    source: "Jain 2016 §3.2.3, random groups",
    build: |network, ranks, free, args| build(network, ranks, free, args, Size::Group),
};

/// A shuffle of the whole units, then one of the rest. O(switches + endpoints).
fn build(network: &Network, ranks: u32, free: &Free, args: &Bound, size: Size) -> Outcome<Vec<u32>> {
    let units = Units::of(network, size, free)?;
    let (mut whole, mut part) = units.whole_then_part();
    let mut stream = Stream::new(args.int("seed") as u64, &format!("placement {}", args.owner));
    stream.shuffle(&mut whole);
    stream.shuffle(&mut part);
    Ok(units.fill(whole.into_iter().chain(part), ranks))
}
