//! What a schedule sends, as a list.

use std::collections::BTreeSet;

use super::{ScheduleSends, Sends};
use crate::fault::{Fault, Outcome, codes};
use crate::memory;
use crate::schedule::{Partner, Schedule};
use crate::traffic::{FLOW_LIMIT, Flow, Traffic};

impl Traffic {
    /// The messages of a schedule, without steps.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^27 pairs of ranks; `NL-X011` without the memory.
    pub fn of_schedule(schedule: &Schedule) -> Outcome<Traffic> {
        let partners: BTreeSet<Partner> = schedule.rounds.cyclic().iter().map(|round| round.partner).collect();
        let cyclic = partners.len() as u64 * u64::from(schedule.ranks) * u64::from(schedule.channels);
        let pairs = cyclic + schedule.rounds.listed().transfers.len() as u64;
        if pairs > FLOW_LIMIT {
            let sentence =
                format!("messages between {pairs} pairs of ranks exceed the {FLOW_LIMIT} that can be held as a list");
            return Err(Fault::say(&codes::TOO_LARGE, &schedule.label, sentence)
                .hint("use fewer ranks; hop counts need no list and still work")
                .into());
        }
        memory::require(pairs * size_of::<Flow>() as u64, &schedule.label, "the list of its messages")?;
        let mut flows = Vec::with_capacity(pairs as usize);
        let sends = ScheduleSends::new(schedule);
        for src in 0..schedule.ranks {
            sends.for_each_summed(src, &mut |dst, messages, bytes| flows.push(Flow { src, dst, messages, bytes }));
        }
        Ok(Traffic::new(schedule.label.clone(), schedule.ranks, flows))
    }
}
