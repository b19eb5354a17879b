//! How far a proof goes.

use netloom_model::fault::codes as model_codes;
use netloom_model::{Fault, Faults, Outcome, Schedule};

use crate::codes;

/// Most bits that a proof keeps at a time (1 GiB): the state, and what one step carries.
pub const BIT_LIMIT: u128 = 1 << 33;

/// The fault of a proof that the caller ended.
pub fn stopped(schedule: &Schedule) -> Faults {
    Fault::say(&model_codes::TOO_LARGE, &schedule.label, "the proof was stopped before its end")
        .hint("allow more time, or prove the algorithm on fewer ranks")
        .into()
}

/// Refuses state beyond `limit`, before anything is allocated; `blocks` are those that must be held together.
pub fn check_size(schedule: &Schedule, blocks: u64, bits: u128, limit: u128) -> Outcome<()> {
    if bits <= limit {
        return Ok(());
    }
    let plural = if blocks == 1 { "" } else { "s" };
    let sentence = format!("the sets of {} ranks and {blocks} block{plural} need {} MiB", schedule.ranks, bits >> 23);
    Err(Fault::say(&codes::PROOF_LARGE, &schedule.label, sentence).hint("prove it on fewer ranks").into())
}
