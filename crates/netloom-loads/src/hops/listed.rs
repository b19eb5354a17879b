//! Hops of messages that are held as a list.

use netloom_model::schedule::Transfer;
use netloom_model::workload::steps;
use netloom_model::{HopRows, Progress, Schedule, Traffic};
use rayon::prelude::*;

use super::tally::Tally;
use super::{Pairs, Place};

/// Messages per unit of parallel work.
const CHUNK: usize = 1 << 16;

/// What a schedule lists.
pub(crate) fn schedule<D: HopRows>(place: &Place<'_, D>, schedule: &Schedule, progress: &Progress) -> Tally {
    let (steps, list) = (steps(schedule), schedule.rounds.listed());
    let work = list.transfers.par_chunks(CHUNK).enumerate().map(|(chunk, part)| {
        let mut tally = Tally::new(steps);
        if progress.stopped() {
            return tally;
        }
        let first = chunk * CHUNK;
        let mut step = list.offsets.partition_point(|&o| o as usize <= first).saturating_sub(1);
        for (i, t) in part.iter().enumerate() {
            while list.offsets.get(step + 1).is_some_and(|&end| end as usize <= first + i) {
                step += 1;
            }
            let bytes: u128 = list.held(t).iter().map(|r| u128::from(schedule.blocks.bytes(*r))).sum();
            tally.add(Some(step), place.between(t.src, t.dst), 1, bytes);
        }
        progress.add(part.len() as u64);
        tally
    });
    work.reduce(|| Tally::new(steps), Tally::join)
}

/// Distinct (source, destination) of a list of transfers. O(n log n).
pub(crate) fn pairs<'a, D: HopRows>(place: &Place<'_, D>, transfers: impl Iterator<Item = &'a Transfer>) -> Pairs {
    let mut keys: Vec<(u32, u32)> = transfers.map(|t| (t.src, t.dst)).collect();
    keys.par_sort_unstable();
    keys.dedup();
    let hops = keys.par_iter().map(|k| u64::from(place.between(k.0, k.1))).sum();
    Pairs { count: keys.len() as u64, hops }
}

/// Flows are distinct pairs already.
pub(crate) fn traffic<D: HopRows>(place: &Place<'_, D>, traffic: &Traffic, progress: &Progress) -> (Tally, Pairs) {
    let empty = || (Tally::new(0), 0);
    let work = traffic.flows().par_chunks(CHUNK).map(|part| {
        let (mut tally, mut hops) = empty();
        if progress.stopped() {
            return (tally, hops);
        }
        for f in part {
            let d = place.between(f.src, f.dst);
            tally.add(None, d, f.messages, u128::from(f.bytes));
            hops += u64::from(d);
        }
        progress.add(part.iter().map(|f| f.messages).sum());
        (tally, hops)
    });
    let (tally, hops) = work.reduce(empty, |a, b| (a.0.join(b.0), a.1 + b.1));
    (tally, Pairs { count: traffic.flows().len() as u64, hops })
}
