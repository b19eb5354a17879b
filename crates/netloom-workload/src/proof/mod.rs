//! Proofs by execution on symbolic data. Instead of bytes every rank holds, for every block, the set of ranks whose
//! contribution it counts. A schedule is right if every rank sends only what it holds when the step begins, nothing is
//! counted twice, no result depends on the order of arrival within a step, and every rank ends with what MPI promises.
//! The proof also counts steps, messages, bytes and ports.
//!
//! Listed schedules are executed rank by rank ([`listed`]). Cyclic rounds are executed for one rank ([`relative`]): if all
//! ranks hold the same relative to themselves, they still do after a round in which all do the same.

mod adjacent;
pub(crate) mod dag;
mod expected;
mod findings;
mod limits;
mod listed;
mod part;
mod relative;
mod sets;
mod validate;

#[cfg(test)]
mod tests;

use netloom_model::fault::codes as model_codes;
use netloom_model::schedule::{Blocks, CyclicRound, Partner, RankOrder, Rounds};
use netloom_model::{Collective, Fault, Outcome, Progress, Schedule};

use crate::counts::Proof;
use crate::plan::{Plan, Woven};

pub use adjacent::{Arrival, arrivals};
pub use dag::{Dag, dag};
pub use part::{OwnTransfer, RankPart, part_of};
pub(crate) use validate::check;

/// Most messages that are listed for a proof or a file.
const MESSAGE_LIMIT: u64 = 1 << 25;
/// Most block ranges of a list (1 GiB).
const RANGE_LIMIT: u128 = 1 << 27;
/// Executes `schedule` on symbolic data. O(Σ blocks moved × ranks / 64) for listed reductions, O(Σ blocks moved) for
/// listed movements, in windows of blocks; cyclic rounds cost as much as one rank does.
///
/// # Errors
/// `NL-C005` malformed, `NL-C006` a sender lacks what it sends, `NL-C007` a contribution counted twice, `NL-C008` a race,
/// `NL-C009` / `NL-C010` the end state is wrong, `NL-C012` too large: each names rank, block and step.
pub fn verify(schedule: &Schedule) -> Outcome<Proof> {
    verify_watched(schedule, &Progress::new())
}

/// [`verify`], counting steps in `progress` and returning early with a fault when stopped.
///
/// # Errors
/// As [`verify`]; `NL-A009` if stopped.
pub fn verify_watched(schedule: &Schedule, progress: &Progress) -> Outcome<Proof> {
    validate::check(schedule)?;
    progress.set_total(u64::from(schedule.steps));
    match &schedule.rounds {
        Rounds::Cyclic(rounds) => relative::execute(schedule, rounds, progress),
        Rounds::Explicit { .. } => listed::execute(schedule, progress),
        Rounds::Both { .. } => listed::execute(&listed(schedule)?, progress),
    }
}

/// The same schedule with every message listed.
///
/// # Errors
/// `NL-C005` if it is malformed, `NL-A009` beyond 2^25 messages or 2^27 block ranges.
pub fn listed(schedule: &Schedule) -> Outcome<Schedule> {
    validate::check(schedule)?;
    let rounds = match &schedule.rounds {
        Rounds::Cyclic(rounds) => rounds,
        Rounds::Both { cyclic, .. } => cyclic,
        Rounds::Explicit { .. } => return Ok(schedule.clone()),
    };
    // A range of a cyclic round may wrap, and with `xor` fall apart into single blocks.
    let pieces = |r: &CyclicRound| match r.partner {
        Partner::Shift(_) => 2 * r.ranges.len() as u64,
        Partner::Xor(_) | Partner::Grid(..) => r.ranges.iter().map(|range| u64::from(range.count)).sum(),
    };
    let of_channel = u128::from(rounds.iter().map(pieces).sum::<u64>()) * u128::from(schedule.ranks);
    let ranges = of_channel * u128::from(schedule.channels);
    let blocks = schedule.blocks.count();
    if schedule.messages() > MESSAGE_LIMIT || ranges > RANGE_LIMIT || blocks > u64::from(u32::MAX) {
        let sentence = format!("{} messages with {ranges} block ranges are too many to list", schedule.messages());
        return Err(Fault::say(&model_codes::TOO_LARGE, &schedule.label, sentence).hint("use fewer ranks").into());
    }
    let Schedule { ranks, channels, steps, order, .. } = *schedule;
    let of_pairs = schedule.collective == Collective::Alltoall;
    let blocks = schedule.blocks.count() / u64::from(channels);
    let plan = Plan { ranks, blocks, of_pairs, steps, rounds: schedule.rounds.clone() };
    let owned = matches!(schedule.blocks, Blocks::Parts { .. });
    let made = if channels == 1 && order.is_plain() {
        plan.expanded()
    } else {
        Woven { channels, order, owned }.listed(&plan)
    };
    Ok(Schedule { rounds: made.rounds, order: RankOrder::default(), ..schedule.clone() })
}
