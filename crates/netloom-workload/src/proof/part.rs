//! What one rank sends and receives.

use netloom_model::fault::codes as model_codes;
use netloom_model::schedule::{BlockRange, Blocks, CyclicRound, Rounds};
use netloom_model::{Collective, Fault, Outcome, Schedule};

use super::{check, listed};
use crate::plan::{Woven, absolute, join};

/// One message of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnTransfer {
    pub step: u32,
    /// In the whole schedule, all its messages listed.
    pub number: u32,
    pub src: u32,
    pub dst: u32,
    pub combine: bool,
}

/// The transfers of one rank, in order of step and, within a step, in the order in which all ranks list them: two messages
/// between the same pair of ranks are in the same order on both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankPart {
    pub transfers: Vec<OwnTransfer>,
    /// Their blocks: those of the `i`-th are `ranges[offsets[i]..offsets[i+1]]`.
    pub offsets: Vec<u32>,
    pub ranges: Vec<BlockRange>,
}

impl RankPart {
    fn add(&mut self, transfer: OwnTransfer, held: &[BlockRange]) {
        self.transfers.push(transfer);
        self.ranges.extend_from_slice(held);
        self.offsets.push(self.ranges.len() as u32);
    }
}

/// The part of `rank`. O(messages listed in the schedule + messages and blocks of the rank in its cyclic rounds).
///
/// # Errors
/// `NL-C005` if it is malformed, `NL-E030` where switches take part, `NL-A009` beyond 2^32 messages or blocks.
pub fn part_of(schedule: &Schedule, rank: u32) -> Outcome<RankPart> {
    schedule.require_no_switches()?;
    check(schedule)?;
    let plain = schedule.channels == 1 && schedule.order.is_plain();
    if matches!(schedule.rounds, Rounds::Both { .. }) && !plain {
        return part_of(&listed(schedule)?, rank);
    }
    let most = schedule.messages().max(schedule.blocks.count());
    if most > u64::from(u32::MAX) {
        let sentence = format!("{most} messages or blocks are too many to number");
        return Err(Fault::say(&model_codes::TOO_LARGE, &schedule.label, sentence).hint("use fewer ranks").into());
    }
    let mut part = RankPart { offsets: vec![0], ..RankPart::default() };
    let list = schedule.rounds.listed();
    for step in 0..list.steps() {
        for (at, t) in list.of_step(step).iter().enumerate().filter(|(_, t)| t.src == rank || t.dst == rank) {
            let (src, dst, combine) = (t.src, t.dst, t.combine);
            let number = list.offsets[step] + at as u32;
            part.add(OwnTransfer { step: step as u32, number, src, dst, combine }, list.held(t));
        }
    }
    add_rounds(schedule, rank, list.transfers.len() as u32, &mut part);
    Ok(part)
}

/// What the rank sends and receives in cyclic rounds, whose messages are numbered from `number` on: step by step, in each by
/// channel, round, and position of the sender.
fn add_rounds(schedule: &Schedule, rank: u32, mut number: u32, part: &mut RankPart) {
    let ranks = schedule.ranks;
    for step in schedule.rounds.cyclic().chunk_by(|a, b| a.step == b.step) {
        for channel in 0..schedule.channels {
            let own = schedule.position_of(channel, rank);
            for round in step {
                let mut pairs = [(own, round.partner.of(own, ranks)), (round.partner.back(own, ranks), own)];
                pairs.sort_unstable();
                for (from, to) in pairs {
                    let (src, dst) = (schedule.rank_at(channel, from), schedule.rank_at(channel, to));
                    let transfer =
                        OwnTransfer { step: round.step, number: number + from, src, dst, combine: round.combine };
                    part.add(transfer, &held(schedule, round, channel, from));
                }
                number += ranks;
            }
        }
    }
}

/// The blocks that the rank at a position of a channel sends in a round.
fn held(schedule: &Schedule, round: &CyclicRound, channel: u32, position: u32) -> Vec<BlockRange> {
    let Schedule { ranks, channels, order, .. } = *schedule;
    let blocks = schedule.blocks.count() / u64::from(channels);
    let of_pairs = schedule.collective == Collective::Alltoall;
    let held = absolute(round, position, (ranks, blocks, of_pairs));
    if channels == 1 && order.is_plain() {
        return held;
    }
    let woven = Woven { channels, order, owned: matches!(schedule.blocks, Blocks::Parts { .. }) };
    let mut held = woven.moved(&held, (channel, blocks as u32), ranks, |at| schedule.rank_at(channel, at));
    join(&mut held);
    held
}
