//! What one rank sends and receives.

use netloom_model::schedule::{BlockRange, Transfer};
use netloom_model::{Outcome, Schedule};

use super::listed;
use super::listed::List;

/// The transfers of one rank, in order of step and, within a step, in the order in which all ranks list them: two messages
/// between the same pair of ranks are in the same order on both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankPart {
    /// Step and transfer. The number of a transfer is that in the whole schedule.
    pub transfers: Vec<(u32, u32, Transfer)>,
    /// Their blocks: those of the `i`-th are `ranges[offsets[i]..offsets[i+1]]`.
    pub offsets: Vec<u32>,
    pub ranges: Vec<BlockRange>,
}

/// The part of `rank`. O(messages of the schedule).
///
/// # Errors
/// `NL-E030` where switches take part, and as [`listed`].
pub fn part_of(schedule: &Schedule, rank: u32) -> Outcome<RankPart> {
    schedule.require_no_switches()?;
    let schedule = listed(schedule)?;
    let mut part = RankPart { offsets: vec![0], ..RankPart::default() };
    let Some(list) = List::of(&schedule) else { return Ok(part) };
    for step in 0..schedule.steps as usize {
        for (at, t) in list.step(step).iter().enumerate().filter(|(_, t)| t.src == rank || t.dst == rank) {
            part.transfers.push((step as u32, list.offsets[step] + at as u32, *t));
            part.ranges.extend_from_slice(list.held(t));
            part.offsets.push(part.ranges.len() as u32);
        }
    }
    Ok(part)
}
