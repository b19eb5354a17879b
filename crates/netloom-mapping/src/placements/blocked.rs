//! Blocks of the machine in order.

use netloom_model::{Bound, Kind, Network, Outcome, Param};

use super::units::{Size, Units};
use crate::free::{AVAILABLE, Free};
use crate::row::PlacementRow;

pub const ROW: PlacementRow = PlacementRow {
    name: "blocked",
    aliases: &["blocks"],
    summary: "Blocks of consecutive endpoints, switches, chassis or groups, ascending; blocks that are completely free first.",
    params: &[
        Param::optional("size", Kind::Int { min: 1, max: (1 << 31) - 1 }, "1", "units of a block"),
        Param::optional(
            "unit",
            Kind::Choice(&["endpoints", "switches", "chassis", "groups"]),
            "switches",
            "unit of the blocks; blocks start at unit 0, whatever is free",
        ),
        AVAILABLE,
    ],
    example: "blocked(4,endpoints)",
    restrictions: "chassis: a dragonfly or a tree; groups: a network of groups or a tree",
    source: "Jain 2016 §3.2.3, blocking",
    build,
};

/// O(switches + endpoints).
fn build(network: &Network, ranks: u32, free: &Free, args: &Bound) -> Outcome<Vec<u32>> {
    let units = match args.text("unit") {
        "endpoints" => Units::endpoints(network, free),
        "chassis" => Units::of(network, Size::Chassis, free)?,
        "groups" => Units::of(network, Size::Group, free)?,
        _ => Units::of(network, Size::Switch, free)?,
    };
    let blocks = units.joined(args.size("size").max(1) as usize);
    let (whole, part) = blocks.whole_then_part();
    Ok(blocks.fill(whole.into_iter().chain(part), ranks))
}
