//! Cyclic rounds by partner: what a rank sends to another in all rounds together.

use std::collections::BTreeMap;

use crate::schedule::{Blocks, CyclicRound, Partner, Schedule};

/// Most numbers that are kept to sum rounds of blocks of different sizes: 128 MiB.
const KEPT: usize = 1 << 24;

/// The rounds with one partner.
struct Alike {
    partner: Partner,
    messages: u64,
    bytes: Sum,
}

/// Bytes of all these rounds.
enum Sum {
    /// The same for all ranks.
    Even(u64),
    /// How often blocks before each offset from the rank's own are sent, in a channel of so many blocks.
    Before(Vec<u64>),
    /// Round by round, by their numbers.
    Each(Vec<u32>),
}

/// Rounds by partner.
pub(super) struct Summed {
    alike: Vec<Alike>,
}

impl Summed {
    /// O(rounds log rounds); where blocks differ in size 8 bytes for every partner with several rounds and block, up to
    /// [`KEPT`] of them.
    pub fn new(schedule: &Schedule, rounds: &[CyclicRound]) -> Summed {
        let mut of_partner: BTreeMap<Partner, Vec<u32>> = BTreeMap::new();
        for (number, round) in (0..).zip(rounds) {
            let key = match round.partner {
                Partner::Shift(k) => Partner::Shift(k % schedule.ranks.max(1)),
                other => other,
            };
            of_partner.entry(key).or_default().push(number);
        }
        let mut room = KEPT;
        let mut alike = |own: Vec<u32>| {
            let of = |number: &u32| &rounds[*number as usize];
            let messages = own.len() as u64;
            let partner = of(&own[0]).partner;
            let count = (schedule.blocks.count() / u64::from(schedule.channels)) as usize;
            let of_ranks = count == schedule.ranks as usize;
            let bytes = match (schedule.blocks, partner) {
                _ if schedule.blocks.are_even() => {
                    Sum::Even(own.iter().fold(0, |sum, number| of(number).bytes.saturating_add(sum)))
                }
                (Blocks::Split { .. }, Partner::Shift(_)) if of_ranks && own.len() > 1 && count <= room => {
                    room -= count;
                    Sum::Before(before(own.iter().map(of), count))
                }
                _ => Sum::Each(own),
            };
            Alike { partner, messages, bytes }
        };
        Summed { alike: of_partner.into_values().map(&mut alike).collect() }
    }

    /// As [`crate::Sends::for_each_summed`].
    pub fn for_each(
        &self,
        schedule: &Schedule,
        rounds: &[CyclicRound],
        rank: u32,
        visit: &mut dyn FnMut(u32, u64, u64),
    ) {
        for channel in 0..schedule.channels {
            let position = schedule.position_of(channel, rank);
            for alike in &self.alike {
                let to = schedule.rank_at(channel, alike.partner.of(position, schedule.ranks));
                if to == rank {
                    continue;
                }
                let bytes = match &alike.bytes {
                    Sum::Even(bytes) => *bytes,
                    Sum::Before(before) => uneven(schedule, before, channel, position),
                    Sum::Each(own) => {
                        let of = |number: &u32| schedule.cyclic_bytes(&rounds[*number as usize], channel, position);
                        own.iter().map(of).sum()
                    }
                };
                visit(to, alike.messages, bytes);
            }
        }
    }
}

/// How often the rounds send the blocks at the offsets `0..o` from the rank's own, for `o` in `0..=count`.
fn before<'a>(rounds: impl Iterator<Item = &'a CyclicRound>, count: usize) -> Vec<u64> {
    // More and fewer at each offset, first.
    let mut change = vec![0i64; count + 1];
    for range in rounds.flat_map(|round| &round.ranges) {
        let (first, length) = (range.first as usize % count, range.count as usize);
        let head = length.min(count - first);
        for (from, to) in [(first, first + head), (0, length - head)] {
            change[from] += 1;
            change[to] -= 1;
        }
    }
    let (mut sent, mut sum) = (0i64, 0u64);
    let mut all = vec![0];
    for change in &change[..count] {
        sent += change;
        sum += sent as u64;
        all.push(sum);
    }
    all
}

/// Bytes of a rank at a position: the blocks of a channel have one size, but for its first ones, which are one byte longer.
fn uneven(schedule: &Schedule, before: &[u64], channel: u32, position: u32) -> u64 {
    let Blocks::Split { total_bytes, count } = schedule.blocks else { return 0 };
    let own = (before.len() - 1) as u64;
    let (each, longer) = (total_bytes / count, total_bytes % count);
    let longer = longer.saturating_sub(u64::from(channel) * own).min(own);
    // The first block of the channel is at this offset from the rank's own; the longer ones follow, round the end.
    let first = (own - u64::from(position) % own) % own;
    let upto = |offset: u64| before[offset as usize];
    let tail = longer.min(own - first);
    each * upto(own) + upto(first + tail) - upto(first) + upto(longer - tail)
}
