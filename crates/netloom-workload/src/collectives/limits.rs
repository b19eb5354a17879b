//! Sizes that a schedule may have.

use netloom_model::fault::codes as model_codes;
use netloom_model::{Fault, Faults, Outcome, memory};

use super::job::Job;

/// Most messages, or rounds of a cyclic schedule, that are held: about 1 GiB.
pub const ROW_LIMIT: u128 = 1 << 25;
/// Bytes of a message and its range of blocks.
const ROW_BYTES: u64 = 28;

pub(super) fn too_large(owner: &str, job: &Job, rows: u128) -> Faults {
    let sentence = format!("{rows} rows on {} ranks exceed the {ROW_LIMIT} that a schedule holds", job.ranks);
    Fault::say(&model_codes::TOO_LARGE, owner, sentence).hint("use fewer ranks or fewer segments").into()
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
/// `NL-A009` beyond [`ROW_LIMIT`] rows or block ranges; `NL-X011` without the memory.
pub(crate) fn check_rows(owner: &str, job: &Job, rows: u128) -> Outcome<()> {
    if rows > ROW_LIMIT {
        return Err(too_large(owner, job, rows));
    }
    Ok(memory::require(ROW_BYTES * rows as u64, owner, &format!("its schedule on {} ranks", job.ranks))?)
}
