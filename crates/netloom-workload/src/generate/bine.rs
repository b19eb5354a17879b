//! Bine trees: binomial trees over Swing's partners, far ones first, so that a subtree is a run of ranks round its root (De
//! Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality", SC 2025,
//! arXiv 2508.17311).

use netloom_model::schedule::BlockRange;

use super::swing::distance;
use crate::counts::log_ceil;
use crate::plan::{Builder, Plan};

/// Lowest and highest offset that `steps` near steps reach: `2^steps` offsets in a row, 0 among them.
pub(crate) fn reach(steps: u32) -> (i64, i64) {
    (0..steps).map(distance).fold((0, 0), |(low, high), d| (low.min(d - high), high.max(d - low)))
}

/// `(step, from, to)` of every edge on an even number of ranks (or one): a rank that has the message sends it to its partner, unless
/// that one has it. O(p log p).
fn edges(ranks: u32) -> Vec<(u32, u32, u32)> {
    let (p, steps) = (i64::from(ranks), log_ceil(u64::from(ranks), 2));
    let mut informed = vec![0u32];
    let mut has = vec![false; ranks as usize];
    has[0] = true;
    let mut edges = Vec::with_capacity(ranks as usize);
    for t in 0..steps {
        let d = distance(steps - 1 - t);
        for i in 0..informed.len() {
            let from = informed[i];
            let to = (i64::from(from) + if from % 2 == 0 { d } else { -d }).rem_euclid(p) as u32;
            if !std::mem::replace(&mut has[to as usize], true) {
                edges.push((t, from, to));
                informed.push(to);
            }
        }
    }
    edges
}

/// The whole message down the tree.
pub(crate) fn broadcast(ranks: u32) -> Plan {
    let mut builder = Builder::new(ranks, 1);
    for (step, from, to) in edges(ranks) {
        builder.send_run(step, from, to, 0, 1, false);
    }
    builder.finish(log_ceil(u64::from(ranks), 2))
}

/// Block `v` to rank `v` on a power of two ranks: an edge carries the run of ranks below it, which may wrap.
pub(crate) fn scatter(ranks: u32) -> Plan {
    let (p, steps) = (i64::from(ranks), log_ceil(u64::from(ranks), 2));
    let mut builder = Builder::new(ranks, ranks);
    for (step, from, to) in edges(ranks) {
        let below = steps - 1 - step;
        let (low, high) = reach(below);
        let first = (i64::from(to) + if to % 2 == 0 { low } else { -high }).rem_euclid(p) as u32;
        let (count, head) = (1u32 << below, (1u32 << below).min(ranks - first));
        let held = [BlockRange { first: 0, count: count - head }, BlockRange { first, count: head }];
        builder.send(step, from, to, &held, false);
    }
    builder.finish(steps)
}

/// Messages of rank 0 in the broadcast on `p` ranks, the most of all: one per step, except where its partner was told
/// before from the other side of the ring. Before step `s` the informed offsets are, within [`reach`], the multiples of
/// `2^(s+2)` and those that are as far from them as the last partner was. O(log p).
pub(crate) fn root_messages(p: u64) -> u32 {
    let steps = log_ceil(p, 2);
    let (low, high) = reach(steps);
    let told = |s: u32| {
        let unit = 1i64 << (s + 2);
        let informed =
            |v: i64| (low..=high).contains(&v) && s + 1 < steps && (v - distance(s + 1)).rem_euclid(unit) == 0;
        [-1, 1].iter().any(|turn| informed(distance(s) + turn * p as i64))
    };
    (0..steps).filter(|s| !told(*s)).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_sends_most() {
        for p in (2..=1100u32).step_by(2) {
            let mut sent = vec![0u32; p as usize];
            let edges = edges(p);
            assert_eq!(edges.len() as u32, p - 1, "p={p}");
            edges.iter().for_each(|e| sent[e.1 as usize] += 1);
            assert_eq!((sent[0], sent.iter().max()), (root_messages(p.into()), Some(&sent[0])), "p={p}");
        }
    }
}
