//! Hops of cyclic rounds, without ever listing their messages.
//!
//! The outer loop runs over ranks, because one rank's row of the distances stays in the cache while its partners
//! of all rounds are looked up: with the rounds outside, every message of a large pairwise exchange is a cache miss.

use std::collections::BTreeMap;

use netloom_model::schedule::{CyclicRound, Partner};
use netloom_model::{HopRows, Progress, Schedule};
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
    fn of(partners: &[Partner], ranks: u32) -> Partners {
        let shifts = partners.iter().map(|partner| match partner {
            Partner::Shift(k) => Some(k % ranks),
            _ => None,
        });
        let xors = partners.iter().map(|partner| match partner {
            Partner::Xor(k) => Some(*k),
            _ => None,
        });
        match (shifts.collect(), xors.collect()) {
            (Some(shifts), _) => Partners::Shifts(shifts),
            (None, Some(xors)) => Partners::Xors(xors),
            (None, None) => Partners::Mixed(partners.to_vec()),
        }
    }
}

/// Rounds with one partner: they take the same hops.
struct Alike<'a> {
    partner: Partner,
    rounds: Vec<&'a CyclicRound>,
}

impl<'a> Alike<'a> {
    fn of(round: &'a CyclicRound) -> Alike<'a> {
        Alike { partner: round.partner, rounds: vec![round] }
    }
}

/// Rounds by partner, in groups of partners with equally many rounds; each round alone where its messages differ in size.
fn alike(rounds: &[CyclicRound], even: bool) -> Vec<Vec<Alike<'_>>> {
    if !even {
        return vec![rounds.iter().map(Alike::of).collect()];
    }
    let mut of_partner: BTreeMap<Partner, Alike<'_>> = BTreeMap::new();
    for round in rounds {
        of_partner
            .entry(round.partner)
            .and_modify(|alike| alike.rounds.push(round))
            .or_insert_with(|| Alike::of(round));
    }
    let mut by_number: BTreeMap<usize, Vec<Alike<'_>>> = BTreeMap::new();
    for alike in of_partner.into_values() {
        by_number.entry(alike.rounds.len()).or_default().push(alike);
    }
    by_number.into_values().collect()
}

/// All sums of a schedule of cyclic rounds, and those over its distinct pairs of ranks. O(channels × ranks × partners), or
/// messages where they differ in size.
pub(crate) fn tally<D: HopRows>(
    place: &Place<'_, D>,
    schedule: &Schedule,
    rounds: &[CyclicRound],
    progress: &Progress,
) -> (Tally, Pairs) {
    let even = schedule.blocks.are_even();
    let groups = alike(rounds, even);
    let mut whole = Tally::new(steps(schedule));
    let (mut partners, mut hops) = (Vec::new(), Vec::new());
    for channel in 0..schedule.channels {
        let order = (0..schedule.ranks).map(|at| place.switch_of_rank[schedule.rank_at(channel, at) as usize]);
        let switch_of_rank: Vec<u32> = order.collect();
        let place = &Place { switch_of_rank: &switch_of_rank, ..*place };
        for group in &groups {
            let sums = summed(place, (schedule, channel), group, progress);
            whole = whole.join(into_tally(&sums, schedule, group, even));
            partners.extend(group.iter().map(|alike| alike.partner));
            hops.extend(sums.hops);
        }
    }
    let pairs = match schedule.channels {
        1 if schedule.order.is_plain() => {
            pairs(place, &hops, schedule.ranks, &Partners::of(&partners, schedule.ranks.max(1)))
        }
        _ => pairs_of_channels(place, schedule, rounds),
    };
    (whole, pairs)
}

/// The sums of each partner of a group in one channel; `place` has the switches in its order.
fn summed<D: HopRows>(
    place: &Place<'_, D>,
    (schedule, channel): (&Schedule, u32),
    group: &[Alike<'_>],
    progress: &Progress,
) -> Sums {
    let even = schedule.blocks.are_even();
    let empty = || Sums {
        hops: vec![0; group.len()],
        max: vec![0; group.len()],
        uneven: if even { Vec::new() } else { vec![(0, 0); group.len()] },
        histogram: [0; 256],
    };
    let partners: Vec<Partner> = group.iter().map(|alike| alike.partner).collect();
    let partners = Partners::of(&partners, schedule.ranks.max(1));
    let times: u64 = group.iter().map(|alike| alike.rounds.len() as u64).sum();
    // Twice in a row, so that a shift needs no remainder.
    let keys = place.switch_of_rank.iter().map(|switch| place.distance.key(*switch));
    let twice: Vec<u32> = keys.clone().chain(keys).collect();
    let ranks: Vec<u32> = (0..schedule.ranks).collect();
    let work = ranks.par_chunks(CHUNK).fold(empty, |mut sums, part| {
        if !progress.stopped() {
            add_group(place, &twice, &partners, part, &mut sums);
            if !even {
                add_bytes(place, &twice, (schedule, channel), group, part, &mut sums);
            }
            progress.add(part.len() as u64 * times);
        }
        sums
    });
    work.reduce(empty, join)
}

/// The same, message by message, for nodes on several switches.
pub(crate) fn listed<D: HopRows>(
    place: &Place<'_, D>,
    schedule: &Schedule,
    rounds: &[CyclicRound],
    progress: &Progress,
) -> (Tally, Pairs) {
    let empty = || Tally::new(steps(schedule));
    let even = schedule.blocks.are_even();
    let groups: Vec<Alike<'_>> = alike(rounds, even).into_iter().flatten().collect();
    let add = |mut tally: Tally, rank: u32| {
        for (channel, alike) in (0..schedule.channels).flat_map(|channel| groups.iter().map(move |a| (channel, a))) {
            if progress.stopped() {
                return tally;
            }
            let position = schedule.position_of(channel, rank);
            let to = schedule.rank_at(channel, alike.partner.of(position, schedule.ranks));
            let hops = place.between(rank, to);
            for round in &alike.rounds {
                let bytes = if even { round.bytes } else { schedule.cyclic_bytes(round, channel, position) };
                tally.add(Some(round.step as usize), hops, 1, u128::from(bytes));
            }
        }
        progress.add(rounds.len() as u64 * u64::from(schedule.channels));
        tally
    };
    let tally = (0..schedule.ranks).into_par_iter().fold(empty, add).reduce(empty, Tally::join);
    (tally, pairs_of_channels(place, schedule, rounds))
}

fn add_group<D: HopRows>(place: &Place<'_, D>, twice: &[u32], partners: &Partners, group: &[u32], sums: &mut Sums) {
    let ranks = (twice.len() / 2) as u32;
    match partners {
        Partners::Shifts(k) => add_rows(place, group, sums, |rank, i| twice[rank as usize + k[i] as usize]),
        Partners::Xors(k) => add_rows(place, group, sums, |rank, i| twice[(rank ^ k[i]) as usize]),
        Partners::Mixed(p) => add_rows(place, group, sums, |rank, i| twice[p[i].of(rank, ranks) as usize]),
    }
}

fn add_rows<D: HopRows>(
    place: &Place<'_, D>,
    group: &[u32],
    sums: &mut Sums,
    key_of: impl Fn(u32, usize) -> u32 + Copy,
) {
    // One histogram per lane: equal distances in a row must not wait for each other's store.
    let mut histograms = [[0u64; 256]; LANES];
    let mut chunks = group.chunks_exact(LANES);
    for four in &mut chunks {
        sweep::<D, LANES>(place, four, sums, &mut histograms, key_of);
    }
    for one in chunks.remainder().chunks(1) {
        sweep::<D, 1>(place, one, sums, &mut histograms, key_of);
    }
    for histogram in &histograms {
        sums.histogram.iter_mut().zip(histogram).for_each(|(a, b)| *a += b);
    }
}

/// The hot loop: all rounds of `L` ranks, a few loads and additions per message.
#[inline(always)]
fn sweep<D: HopRows, const L: usize>(
    place: &Place<'_, D>,
    ranks: &[u32],
    sums: &mut Sums,
    histograms: &mut [[u64; 256]; LANES],
    key_of: impl Fn(u32, usize) -> u32,
) {
    let rows: [D::Row<'_>; L] = std::array::from_fn(|l| place.distance.row_of(place.switch_of_rank[ranks[l] as usize]));
    for (i, (hops, max)) in sums.hops.iter_mut().zip(&mut sums.max).enumerate() {
        let (mut total, mut most) = (0, *max);
        for l in 0..L {
            let d = D::at(rows[l], key_of(ranks[l], i));
            total += u32::from(d);
            most = most.max(d);
            histograms[l][d as usize] += 1;
        }
        *hops += u64::from(total);
        *max = most;
    }
}

/// Ranks of `part` are positions of the channel.
fn add_bytes<D: HopRows>(
    place: &Place<'_, D>,
    twice: &[u32],
    (schedule, channel): (&Schedule, u32),
    group: &[Alike<'_>],
    part: &[u32],
    sums: &mut Sums,
) {
    let row = |at: &u32| (*at, place.distance.row_of(place.switch_of_rank[*at as usize]));
    let rows: Vec<(u32, D::Row<'_>)> = part.iter().map(row).collect();
    for (alike, uneven) in group.iter().zip(&mut sums.uneven) {
        for (round, &(position, row)) in alike.rounds.iter().flat_map(|round| rows.iter().map(move |row| (round, row)))
        {
            let bytes = u128::from(schedule.cyclic_bytes(round, channel, position));
            let d = D::at(row, twice[alike.partner.of(position, schedule.ranks) as usize]);
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

fn into_tally(sums: &Sums, schedule: &Schedule, group: &[Alike<'_>], even: bool) -> Tally {
    let mut tally = Tally::new(steps(schedule));
    // All partners of a group have as many rounds.
    let times = group.first().map_or(0, |alike| alike.rounds.len() as u64);
    tally.histogram = sums.histogram.map(|count| count * times);
    let messages = u64::from(schedule.ranks);
    for (i, round) in group.iter().enumerate().flat_map(|(i, alike)| alike.rounds.iter().map(move |round| (i, round))) {
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

/// Pairs of ranks of all channels, each once. O(channels × ranks × partners · log).
fn pairs_of_channels<D: HopRows>(place: &Place<'_, D>, schedule: &Schedule, rounds: &[CyclicRound]) -> Pairs {
    let groups = alike(rounds, true);
    let partners: Vec<Partner> = groups.iter().flatten().map(|alike| alike.partner).collect();
    let of_rank = |rank: u32| {
        let to = |channel: u32, partner: &Partner| {
            schedule.rank_at(channel, partner.of(schedule.position_of(channel, rank), schedule.ranks))
        };
        let mut to: Vec<u32> =
            (0..schedule.channels).flat_map(|channel| partners.iter().map(move |p| to(channel, p))).collect();
        to.sort_unstable();
        to.dedup();
        let hops = to.iter().map(|&t| u64::from(place.between(rank, t))).sum::<u64>();
        (to.len() as u64, hops)
    };
    let (count, hops) =
        (0..schedule.ranks).into_par_iter().map(of_rank).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    Pairs { count, hops }
}

/// Rounds with different partners of one kind share no pair of ranks; a mix of both kinds may, and is checked rank by
/// rank.
fn pairs<D: HopRows>(place: &Place<'_, D>, hops: &[u64], ranks: u32, partners: &Partners) -> Pairs {
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
