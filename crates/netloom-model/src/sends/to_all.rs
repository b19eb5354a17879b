//! Schedules in which every rank sends to every other one.

use crate::schedule::{Blocks, CyclicRound, Partner, RelativeRange, Rounds, Schedule};

/// The same number of messages from every rank to every other one, and bytes that depend on the receiver alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToAll {
    /// From each rank to each other.
    pub messages: u64,
    /// Of all these messages, by receiver.
    pub bytes: Vec<u64>,
}

impl ToAll {
    /// `None` unless cyclic rounds of one kind have every partner equally often, with the same blocks seen from the receiver.
    /// O(rounds + ranks x channels).
    pub(super) fn of_schedule(schedule: &Schedule) -> Option<ToAll> {
        let (p, Rounds::Cyclic(rounds)) = (schedule.ranks, &schedule.rounds) else { return None };
        if p < 2 || rounds.len() < p as usize - 1 {
            return None;
        }
        let is_xor = |round: &CyclicRound| matches!(round.partner, Partner::Xor(_));
        let xors = is_xor(&rounds[0]);
        let (mut times, mut sums) = (vec![0u64; p as usize], vec![0u64; p as usize]);
        for round in rounds {
            let key = key(round, p)?;
            if is_xor(round) != xors || key >= p {
                return None;
            }
            times[key as usize] += 1;
            sums[key as usize] = sums[key as usize].saturating_add(round.bytes);
        }
        if times[1] == 0 || times[1..].iter().any(|number| *number != times[1]) {
            return None;
        }
        let channels = u64::from(schedule.channels);
        let messages = times[1].checked_mul(channels)?;
        if schedule.blocks.are_even() {
            let bytes = sums[1].checked_mul(channels)?;
            return sums[1..]
                .iter()
                .all(|sum| *sum == sums[1])
                .then(|| ToAll { messages, bytes: vec![bytes; p as usize] });
        }
        Some(ToAll { messages, bytes: uneven(schedule, rounds, times[1])? })
    }
}

/// 0 where a rank sends to itself, which is no message; `None` on a grid.
fn key(round: &CyclicRound, ranks: u32) -> Option<u32> {
    match round.partner {
        Partner::Shift(k) => Some(k % ranks),
        Partner::Xor(k) => Some(k),
        Partner::Grid(..) => None,
    }
}

/// Bytes by receiver where blocks differ in size: every round carries the same ones, seen from the receiver.
fn uneven(schedule: &Schedule, rounds: &[CyclicRound], times: u64) -> Option<Vec<u64>> {
    let p = schedule.ranks;
    let Blocks::Split { count, .. } = schedule.blocks else { return None };
    if times != 1 || count != u64::from(p) * u64::from(schedule.channels) {
        return None;
    }
    let mut messages = rounds.iter().filter(|round| key(round, p) != Some(0));
    let first = messages.next()?;
    let wanted = seen(first, p)?;
    if !messages.all(|round| seen(round, p).as_ref() == Some(&wanted)) {
        return None;
    }
    let mut bytes = vec![0u64; p as usize];
    for (channel, to) in (0..schedule.channels).flat_map(|channel| (0..p).map(move |to| (channel, to))) {
        let from = first.partner.back(to, p);
        let sum = &mut bytes[schedule.rank_at(channel, to) as usize];
        *sum = sum.checked_add(schedule.cyclic_bytes(first, channel, from))?;
    }
    Some(bytes)
}

/// The blocks of a round relative to its receiver; `None` for runs of blocks that an exclusive or takes apart.
fn seen(round: &CyclicRound, ranks: u32) -> Option<Vec<RelativeRange>> {
    let from_receiver = |range: &RelativeRange| match round.partner {
        Partner::Shift(k) => {
            Some(RelativeRange { first: (range.first % ranks + (ranks - k % ranks)) % ranks, ..*range })
        }
        Partner::Xor(k) => (range.count == 1).then_some(RelativeRange { first: range.first ^ k, ..*range }),
        Partner::Grid(..) => None,
    };
    round.ranges.iter().map(from_receiver).collect()
}
