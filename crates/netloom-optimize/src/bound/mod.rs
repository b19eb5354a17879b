//! Lower bounds for every mapping.
//!
//! *Gilmore-Lawler.* A rank on a slot cannot be closer to its partners than if its heaviest partners held the nearest
//! other slots. That gives a cost for every (rank, slot); the cheapest assignment of ranks to slots under those costs,
//! halved because every edge is counted at both ends, bounds the sum of weighted hops (Gilmore 1962, Lawler 1963). Ranks
//! with the same weights and slots with the same distances are treated as one class each, which makes the assignment a
//! small transport problem: 1 × 10 classes for recursive doubling on a random regular network.

mod forest;
mod transport;

use std::collections::BTreeMap;

use crate::prepared::Prepared;

/// Classes of ranks times classes of slots up to which the assignment is solved; beyond, each rank takes its own best
/// slot.
const CLASS_LIMIT: usize = 1 << 18;

/// Hop-bytes spread evenly over all links; and, where every slot has a switch and a node for itself, the bytes that the
/// busiest rank must send or receive over the links of its switch.
pub(crate) fn max_link_load(prepared: &Prepared<'_>) -> u64 {
    let network = prepared.problem.network;
    let even = weighted_hops(prepared).div_ceil(u64::from(network.switch_links()).max(1));
    let lone = |block_of_slot: &[u32]| sizes(block_of_slot).len() == prepared.endpoints.len();
    let on: Vec<u32> = prepared.site_of_slot.iter().map(|site| prepared.switches[*site as usize]).collect();
    if !lone(&on) || !lone(&prepared.node_of_slot) {
        return even;
    }
    let ranks = prepared.ranks() as usize;
    let (mut sent, mut received) = (vec![0u64; ranks], vec![0u64; ranks]);
    for f in prepared.problem.traffic.flows() {
        sent[f.src as usize] += f.bytes;
        received[f.dst as usize] += f.bytes;
    }
    let busiest = sent.into_iter().chain(received).max().unwrap_or(0);
    let degree = prepared.switches.iter().map(|&s| network.degree(s)).max().unwrap_or(1);
    even.max(busiest.div_ceil(u64::from(degree).max(1)))
}

/// A bound on weighted hops: between two different sites there is at least one.
pub(crate) fn weighted_hops(prepared: &Prepared<'_>) -> u64 {
    let separate = prepared.distance.iter().filter(|d| **d == 0).count() == prepared.switches.len();
    let cut =
        if separate { forest::least_cut(&prepared.guest, prepared.ranks(), sizes(&prepared.site_of_slot)) } else { 0 };
    assigned(prepared, |deepest| slot_classes(prepared, deepest)).max(cut as u64 * prepared.guest.unit)
}

/// Slots of one node are at distance 0, all others at 1.
pub(crate) fn inter_node(prepared: &Prepared<'_>) -> u64 {
    let sizes = sizes(&prepared.node_of_slot);
    let classes = |deepest: usize| {
        let mut classes = SlotClasses::new();
        for &size in &sizes {
            let home = (size as usize - 1).min(deepest);
            let shells = [(0, home), (1, deepest - home)].into_iter().filter(|shell| shell.1 > 0).collect();
            *classes.entry(shells).or_insert(0) += i64::from(size);
        }
        classes
    };
    let cut = forest::least_cut(&prepared.guest, prepared.ranks(), sizes.clone()) as u64;
    assigned(prepared, classes).max(cut * prepared.guest.unit)
}

/// Slots of each block, without blocks that have none.
fn sizes(block_of_slot: &[u32]) -> Vec<u32> {
    let mut sizes = vec![0u32; block_of_slot.iter().max().map_or(0, |b| *b as usize + 1)];
    block_of_slot.iter().for_each(|block| sizes[*block as usize] += 1);
    sizes.retain(|size| *size > 0);
    sizes
}

/// Distances from a slot to the nearest others, as (distance, how many) → number of such slots.
type SlotClasses = BTreeMap<Vec<(u8, usize)>, i64>;

/// The cheapest assignment, where `slots` classes them by their nearest others, as many as it is told. O(slots × sites + classes of ranks ×
/// classes of slots × degree), plus the transport problem.
fn assigned(prepared: &Prepared<'_>, slots: impl FnOnce(usize) -> SlotClasses) -> u64 {
    let ranks = rank_classes(prepared);
    let deepest = ranks.keys().map(Vec::len).max().unwrap_or(0);
    let slots = slots(deepest);
    let cost: Vec<Vec<i64>> = ranks.keys().map(|w| slots.keys().map(|d| cheapest(w, d)).collect()).collect();
    let supply: Vec<i64> = ranks.into_values().collect();
    let demand: Vec<i64> = slots.into_values().collect();
    let twice = if supply.len() * demand.len() <= CLASS_LIMIT {
        transport::minimum(&cost, &supply, &demand)
    } else {
        cost.iter().zip(&supply).map(|(row, n)| row.iter().min().copied().unwrap_or(0) * n).sum()
    };
    (twice as u64).div_ceil(2) * prepared.guest.unit
}

/// Weights of a rank's edges, heaviest first → number of such ranks.
fn rank_classes(prepared: &Prepared<'_>) -> BTreeMap<Vec<i64>, i64> {
    let mut classes = BTreeMap::new();
    for rank in 0..prepared.ranks() {
        let mut weights = prepared.guest.weights[prepared.guest.row(rank)].to_vec();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        *classes.entry(weights).or_insert(0) += 1;
    }
    classes
}

/// Hops from the slots to their `deepest` nearest others.
fn slot_classes(prepared: &Prepared<'_>, deepest: usize) -> SlotClasses {
    let mut per_site = vec![0usize; prepared.switches.len()];
    for &site in &prepared.site_of_slot {
        per_site[site as usize] += 1;
    }
    let mut classes = BTreeMap::new();
    let mut at = [0usize; 256];
    for site in 0..prepared.switches.len() {
        at.fill(0);
        for (&d, slots) in prepared.row(site as u32).iter().zip(&per_site) {
            at[d as usize] += slots;
        }
        at[0] -= 1; // the slot itself
        let mut left = deepest;
        let mut shells = Vec::new();
        for (d, &count) in at.iter().enumerate() {
            let take = count.min(left);
            if take > 0 {
                shells.push((d as u8, take));
            }
            left -= take;
        }
        *classes.entry(shells).or_insert(0) += per_site[site] as i64;
    }
    classes
}

/// Heaviest weights on the nearest slots.
fn cheapest(weights: &[i64], shells: &[(u8, usize)]) -> i64 {
    let near = shells.iter().flat_map(|&(d, count)| std::iter::repeat_n(i64::from(d), count));
    weights.iter().zip(near).map(|(w, d)| w * d).sum()
}
