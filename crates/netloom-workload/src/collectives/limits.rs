//! Sizes that a schedule may have.

use netloom_model::fault::codes as model_codes;
use netloom_model::{Fault, Faults, Outcome, memory};

use super::job::Job;

/// Most messages or ranges of blocks of a list, if there is memory for them.
pub const ROW_LIMIT: u128 = 1 << 28;
/// Bytes of a message with its range of blocks, while a list of them is sorted.
const ROW_BYTES: u64 = 64;
/// Most rounds of a cyclic schedule.
const ROUND_LIMIT: u128 = 1 << 25;
/// Bytes of a round with one range, and of one more range.
const ROUND_BYTES: u64 = 160;
const RANGE_BYTES: u64 = 16;

pub(super) fn too_large(owner: &str, job: &Job, rows: u128) -> Faults {
    refused(owner, job, (rows, "rows", ROW_LIMIT))
}

fn refused(owner: &str, job: &Job, (number, what, most): (u128, &str, u128)) -> Faults {
    let sentence = format!("{number} {what} on {} ranks exceed the {most} that a schedule holds", job.ranks);
    Fault::say(&model_codes::TOO_LARGE, owner, sentence).hint("use fewer ranks or fewer segments").into()
}

/// # Errors
/// `NL-A009` beyond 2^25 rounds; `NL-X011` without the memory.
pub(super) fn check_rounds(owner: &str, job: &Job, rounds: u128) -> Outcome<()> {
    if rounds > ROUND_LIMIT {
        return Err(refused(owner, job, (rounds, "rounds", ROUND_LIMIT)));
    }
    Ok(memory::require(ROUND_BYTES * rounds as u64, owner, &format!("its rounds on {} ranks", job.ranks))?)
}

/// # Errors
/// `NL-A009` for 2^32 pairs of ranks: the blocks of a list have numbers below that. Rounds of one rank have no such limit.
pub(super) fn check_listed_pairs(owner: &str, job: &Job) -> Outcome<()> {
    let pairs = job.p() * job.p();
    if pairs <= u64::from(u32::MAX) {
        return Ok(());
    }
    let sentence = format!("{pairs} pairs of {} ranks exceed the {} blocks that a list numbers", job.ranks, u32::MAX);
    Err(Fault::say(&model_codes::TOO_LARGE, owner, sentence).hint("use fewer ranks, or alltoall:pairwise").into())
}

/// # Errors
/// `NL-A009` beyond [`ROW_LIMIT`] ranges; `NL-X011` without the memory.
pub(super) fn check_ranges(owner: &str, job: &Job, ranges: u128) -> Outcome<()> {
    if ranges > ROW_LIMIT {
        return Err(refused(owner, job, (ranges, "ranges of blocks", ROW_LIMIT)));
    }
    Ok(memory::require(RANGE_BYTES * ranges as u64, owner, &format!("its ranges of blocks on {} ranks", job.ranks))?)
}

/// # Errors
/// `NL-A009` beyond [`ROW_LIMIT`] rows or block ranges; `NL-X011` without the memory.
pub(crate) fn check_rows(owner: &str, job: &Job, rows: u128) -> Outcome<()> {
    if rows > ROW_LIMIT {
        return Err(too_large(owner, job, rows));
    }
    Ok(memory::require(ROW_BYTES * rows as u64, owner, &format!("its schedule on {} ranks", job.ranks))?)
}
