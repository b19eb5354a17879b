//! One endpoint, or one switch, of each group in turn (Jain 2016 §3.2.3: RRN, RRR).

use std::ops::Range;

use netloom_model::{Network, Outcome};

use super::units::{Size, Units, groups};
use crate::free::{AVAILABLE, Free};
use crate::row::PlacementRow;

pub const ENDPOINTS: PlacementRow = PlacementRow {
    name: "round-robin",
    aliases: &["round-robin-endpoints", "round-robin-nodes", "rrn"],
    summary: "The first free endpoint of every group, then the second of every group, ...; groups that are full \
              are passed over.",
    params: &[AVAILABLE],
    example: "round-robin",
    restrictions: "a network of groups, or a tree (a group is a pod: the switches connected below the top level)",
    source: "Jain 2016 §3.2.3, round robin nodes",
    build: |network, ranks, free, _| endpoints(network, ranks, free),
};
pub const SWITCHES: PlacementRow = PlacementRow {
    name: "round-robin-switches",
    aliases: &["round-robin-routers", "rrr"],
    summary: "The first free switch of every group, then the second of every group, ..., the endpoints of each one \
              after the other; switches that are completely free first.",
    params: &[AVAILABLE],
    example: "round-robin-switches",
    restrictions: "a network of groups, or a tree (a group is a pod: the switches connected below the top level)",
    source: "Jain 2016 §3.2.3, round robin routers",
    build: |network, ranks, free, _| switches(network, ranks, free),
};

/// O(switches + endpoints).
fn endpoints(network: &Network, ranks: u32, free: &Free) -> Outcome<Vec<u32>> {
    let units = Units::of(network, Size::Group, free)?;
    let dealt = dealt((0..units.count()).map(|u| units.range(u)).collect(), ranks);
    Ok(dealt.into_iter().map(|place| units.at(place)).collect())
}

/// O(switches + endpoints).
fn switches(network: &Network, ranks: u32, free: &Free) -> Outcome<Vec<u32>> {
    let group_of = groups(network)?;
    let units = Units::of(network, Size::Switch, free)?;
    let group = |unit: u32| {
        let switch = units.free(unit).first().map_or(0, |&e| network.endpoint_switch()[e as usize]);
        group_of[switch as usize]
    };
    let (whole, part) = units.whole_then_part();
    let mut order = Vec::new();
    for mut list in [whole, part] {
        list.sort_by_cached_key(|&unit| group(unit));
        let mut runs = Vec::new();
        for run in list.chunk_by(|&a, &b| group(a) == group(b)) {
            let start = runs.last().map_or(0, |last: &Range<u32>| last.end);
            runs.push(start..start + run.len() as u32);
        }
        // No more switches than ranks are needed: each has a free endpoint.
        order.extend(dealt(runs, ranks).into_iter().map(|place| list[place as usize]));
    }
    Ok(units.fill(order, ranks))
}

/// The first of every run, then the second of every run, ..., until there are `most`. O(runs + most).
fn dealt(mut runs: Vec<Range<u32>>, most: u32) -> Vec<u32> {
    let mut out = Vec::new();
    while !runs.is_empty() && out.len() < most as usize {
        runs.retain_mut(|run| {
            out.extend(run.next());
            run.start < run.end
        });
    }
    out.truncate(most as usize);
    out
}
