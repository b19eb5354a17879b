//! Who sends how much to whom, without order: the weighted guest graph of mapping and of the hop metrics.

use crate::fault::{Fault, Outcome, codes};
use crate::schedule::Schedule;

/// All messages from one rank to another, summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub src: u32,
    pub dst: u32,
    pub messages: u64,
    pub bytes: u64,
}

/// Flows sorted by (src, dst), each pair once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traffic {
    pub label: String,
    pub ranks: u32,
    flows: Vec<Flow>,
    /// Extent of each axis and whether it is periodic, if the ranks form a Cartesian grid (row-major).
    pub grid: Option<(Vec<u32>, Vec<bool>)>,
}

/// Most flows that are held explicitly (24 bytes each).
pub const FLOW_LIMIT: u64 = 1 << 27;

impl Traffic {
    /// Sorts and merges. Flows from a rank to itself are dropped: they use no link. O(flows log flows).
    pub fn new(label: impl Into<String>, ranks: u32, mut flows: Vec<Flow>) -> Traffic {
        flows.retain(|f| f.src != f.dst);
        flows.sort_unstable_by_key(|f| (f.src, f.dst));
        flows.dedup_by(|next, kept| {
            let same = (next.src, next.dst) == (kept.src, kept.dst);
            if same {
                kept.messages += next.messages;
                kept.bytes += next.bytes;
            }
            same
        });
        Traffic { label: label.into(), ranks, flows, grid: None }
    }

    /// The messages of a schedule, steps forgotten.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^27 messages.
    pub fn of_schedule(schedule: &Schedule) -> Outcome<Traffic> {
        if schedule.messages() > FLOW_LIMIT {
            let sentence =
                format!("{} messages exceed the {FLOW_LIMIT} that can be held as a list", schedule.messages());
            return Err(Fault::say(&codes::TOO_LARGE, &schedule.label, sentence)
                .hint("use fewer ranks; hop counts need no list and still work")
                .into());
        }
        let mut flows = Vec::with_capacity(schedule.messages() as usize);
        schedule.for_each_message(|m| flows.push(Flow { src: m.src, dst: m.dst, messages: 1, bytes: m.bytes }));
        Ok(Traffic::new(schedule.label.clone(), schedule.ranks, flows))
    }

    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }
    pub fn messages(&self) -> u64 {
        self.flows.iter().map(|f| f.messages).sum()
    }
    pub fn bytes(&self) -> u64 {
        self.flows.iter().map(|f| f.bytes).sum()
    }
}
