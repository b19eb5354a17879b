//! Hops of cyclic rounds, without ever listing their messages.
//!
//! The outer loop runs over ranks, because one rank's row of the distance matrix stays in the cache while its partners
//! of all rounds are looked up: with the rounds outside, every message of a large pairwise exchange is a cache miss.

use std::collections::BTreeMap;

use netloom_model::schedule::{CyclicRound, Partner};
use netloom_model::{Progress, Schedule};
use rayon::prelude::*;

use super::tally::Tally;
use super::{Pairs, Place};
use netloom_model::workload::steps;

/// Ranks per unit of parallel work.
const CHUNK: usize = 64;
/// Ranks whose rows are read together, so that the sums of a round are touched once for all of them.
const LANES: usize = 4;

/// Sums of one group of ranks, per round.
struct Sums {
    hops: Vec<u64>,
    max: Vec<u8>,
    /// Per round bytes and hop-bytes, where the messages of a round differ in size.
    uneven: Vec<(u128, u128)>,
    histogram: [u64; 256],
}

/// The partners of all rounds, in the form that the hot loop needs.
enum Partners {
    Shifts(Vec<u32>),
    Xors(Vec<u32>),
    Mixed(Vec<Partner>),
}

impl Partners {
    fn of(rounds: &[CyclicRound], ranks: u32) -> Partners {
        let shifts = rounds.iter().map(|r| match r.partner {
            Partner::Shift(k) => Some(k % ranks),
            Partner::Xor(_) => None,
        });
        let xors = rounds.iter().map(|r| match r.partner {
            Partner::Xor(k) => Some(k),
            Partner::Shift(_) => None,
        });
        match (shifts.collect(), xors.collect()) {
            (Some(shifts), _) => Partners::Shifts(shifts),
            (None, Some(xors)) => Partners::Xors(xors),
            (None, None) => Partners::Mixed(rounds.iter().map(|r| r.partner).collect()),
        }
    }
}

/// All sums of a schedule of cyclic rounds, and those over its distinct pairs of ranks. O(messages).
pub(crate) fn tally(
    place: &Place<'_>,
    schedule: &Schedule,
    rounds: &[CyclicRound],
    progress: &Progress,
) -> (Tally, Pairs) {
    let even = schedule.blocks.are_even();
    let empty = || Sums {
        hops: vec![0; rounds.len()],
        max: vec![0; rounds.len()],
        uneven: if even { Vec::new() } else { vec![(0, 0); rounds.len()] },
        histogram: [0; 256],
    };
    let partners = Partners::of(rounds, schedule.ranks.max(1));
    // Twice in a row, so that a shift needs no remainder.
    let twice: Vec<u32> = place.switch_of_rank.iter().chain(place.switch_of_rank).copied().collect();
    let ranks: Vec<u32> = (0..schedule.ranks).collect();
    let work = ranks.par_chunks(CHUNK).fold(empty, |mut sums, part| {
        if !progress.stopped() {
            add_group(place, &twice, &partners, part, &mut sums);
            if !even {
                add_bytes(place, schedule, rounds, part, &mut sums);
            }
            progress.add(part.len() as u64 * rounds.len() as u64);
        }
        sums
    });
    let sums = work.reduce(empty, join);
    (into_tally(&sums, schedule, rounds, even), pairs(place, &sums.hops, schedule.ranks, &partners))
}

/// The same, message by message, for nodes on several switches.
pub(crate) fn listed(
    place: &Place<'_>,
    schedule: &Schedule,
    rounds: &[CyclicRound],
    progress: &Progress,
) -> (Tally, Pairs) {
    let empty = || Tally::new(steps(schedule));
    let add = |mut tally: Tally, rank: u32| {
        for round in rounds.iter().filter(|_| !progress.stopped()) {
            let bytes = u128::from(schedule.cyclic_bytes(round, rank));
            let hops = place.between(rank, round.partner.of(rank, schedule.ranks));
            tally.add(Some(round.step as usize), hops, 1, bytes);
        }
        progress.add(rounds.len() as u64);
        tally
    };
    let tally = (0..schedule.ranks).into_par_iter().fold(empty, add).reduce(empty, Tally::join);
    let partners = Partners::Mixed(rounds.iter().map(|r| r.partner).collect());
    (tally, pairs(place, &[], schedule.ranks, &partners))
}

fn add_group(place: &Place<'_>, twice: &[u32], partners: &Partners, group: &[u32], sums: &mut Sums) {
    let ranks = (twice.len() / 2) as u32;
    match partners {
        Partners::Shifts(k) => add_rows(place, group, sums, |rank, i| twice[rank as usize + k[i] as usize]),
        Partners::Xors(k) => add_rows(place, group, sums, |rank, i| twice[(rank ^ k[i]) as usize]),
        Partners::Mixed(p) => add_rows(place, group, sums, |rank, i| twice[p[i].of(rank, ranks) as usize]),
    }
}

fn add_rows(place: &Place<'_>, group: &[u32], sums: &mut Sums, switch_of: impl Fn(u32, usize) -> u32 + Copy) {
    // One histogram per lane: equal distances in a row must not wait for each other's store.
    let mut histograms = [[0u64; 256]; LANES];
    let mut chunks = group.chunks_exact(LANES);
    for four in &mut chunks {
        sweep::<LANES>(place, four, sums, &mut histograms, switch_of);
    }
    for one in chunks.remainder().chunks(1) {
        sweep::<1>(place, one, sums, &mut histograms, switch_of);
    }
    for histogram in &histograms {
        sums.histogram.iter_mut().zip(histogram).for_each(|(a, b)| *a += b);
    }
}

/// The hot loop: all rounds of `L` ranks, a few loads and additions per message.
#[inline(always)]
fn sweep<const L: usize>(
    place: &Place<'_>,
    ranks: &[u32],
    sums: &mut Sums,
    histograms: &mut [[u64; 256]; LANES],
    switch_of: impl Fn(u32, usize) -> u32,
) {
    let rows: [&[u8]; L] = std::array::from_fn(|l| place.distance.row(place.switch_of_rank[ranks[l] as usize]));
    for (i, (hops, max)) in sums.hops.iter_mut().zip(&mut sums.max).enumerate() {
        let (mut total, mut most) = (0, *max);
        for l in 0..L {
            let d = rows[l][switch_of(ranks[l], i) as usize];
            total += u32::from(d);
            most = most.max(d);
            histograms[l][d as usize] += 1;
        }
        *hops += u64::from(total);
        *max = most;
    }
}

fn add_bytes(place: &Place<'_>, schedule: &Schedule, rounds: &[CyclicRound], group: &[u32], sums: &mut Sums) {
    for (round, uneven) in rounds.iter().zip(&mut sums.uneven) {
        for &rank in group {
            let bytes = u128::from(schedule.cyclic_bytes(round, rank));
            let d = place.between(rank, round.partner.of(rank, schedule.ranks));
            uneven.0 += bytes;
            uneven.1 += bytes * u128::from(d);
        }
    }
}

fn join(mut a: Sums, b: Sums) -> Sums {
    a.hops.iter_mut().zip(b.hops).for_each(|(a, b)| *a += b);
    a.max.iter_mut().zip(b.max).for_each(|(a, b)| *a = (*a).max(b));
    a.uneven.iter_mut().zip(b.uneven).for_each(|(a, b)| *a = (a.0 + b.0, a.1 + b.1));
    a.histogram.iter_mut().zip(b.histogram).for_each(|(a, b)| *a += b);
    a
}

fn into_tally(sums: &Sums, schedule: &Schedule, rounds: &[CyclicRound], even: bool) -> Tally {
    let mut tally = Tally::new(steps(schedule));
    tally.histogram = sums.histogram;
    for (i, round) in rounds.iter().enumerate() {
        let messages = u64::from(schedule.ranks);
        let (bytes, hop_bytes) = if even {
            let each = u128::from(round.bytes);
            (each * u128::from(messages), each * u128::from(sums.hops[i]))
        } else {
            sums.uneven[i]
        };
        tally.messages += messages;
        tally.hops += sums.hops[i];
        tally.bytes += bytes;
        tally.hop_bytes += hop_bytes;
        let step = &mut tally.steps[round.step as usize];
        step.messages += messages;
        step.hops += sums.hops[i];
        step.max = step.max.max(u32::from(sums.max[i]));
        step.hop_bytes += hop_bytes;
    }
    tally
}

/// Rounds with different partners of one kind share no pair of ranks; a mix of both kinds may, and is checked rank by
/// rank.
fn pairs(place: &Place<'_>, hops: &[u64], ranks: u32, partners: &Partners) -> Pairs {
    match partners {
        Partners::Shifts(k) | Partners::Xors(k) => {
            let distinct: BTreeMap<u32, u64> = k.iter().copied().zip(hops.iter().copied()).collect();
            Pairs { count: distinct.len() as u64 * u64::from(ranks), hops: distinct.values().sum() }
        }
        Partners::Mixed(partners) => {
            let of_rank = |rank: u32| {
                let mut to: Vec<u32> = partners.iter().map(|p| p.of(rank, ranks)).collect();
                to.sort_unstable();
                to.dedup();
                let hops = to.iter().map(|&t| u64::from(place.between(rank, t))).sum::<u64>();
                (to.len() as u64, hops)
            };
            let (count, hops) =
                (0..ranks).into_par_iter().map(of_rank).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            Pairs { count, hops }
        }
    }
}
