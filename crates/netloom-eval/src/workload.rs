//! What is evaluated: messages in steps, or flows without order.

use netloom_model::schedule::{Message, Rounds};
use netloom_model::{Fault, Outcome, Schedule, Traffic};

use crate::codes;

/// A schedule or a traffic.
#[derive(Clone, Copy, Debug)]
pub enum Workload<'a> {
    Schedule(&'a Schedule),
    Traffic(&'a Traffic),
}

impl<'a> From<&'a Schedule> for Workload<'a> {
    fn from(schedule: &'a Schedule) -> Self {
        Workload::Schedule(schedule)
    }
}
impl<'a> From<&'a Traffic> for Workload<'a> {
    fn from(traffic: &'a Traffic) -> Self {
        Workload::Traffic(traffic)
    }
}

impl Workload<'_> {
    pub fn ranks(&self) -> u32 {
        match self {
            Workload::Schedule(s) => s.ranks,
            Workload::Traffic(t) => t.ranks,
        }
    }
    pub fn label(&self) -> &str {
        match self {
            Workload::Schedule(s) => &s.label,
            Workload::Traffic(t) => &t.label,
        }
    }
    /// Number of messages. O(rounds) or O(flows).
    pub fn messages(&self) -> u64 {
        match self {
            Workload::Schedule(s) => s.messages(),
            Workload::Traffic(t) => t.messages(),
        }
    }
    /// Every message of a schedule in order of step; every flow of a traffic once, as step 0 with its bytes in all.
    pub fn for_each(&self, mut visit: impl FnMut(Message)) {
        match self {
            Workload::Schedule(s) => s.for_each_message(visit),
            Workload::Traffic(t) => {
                for f in t.flows() {
                    visit(Message { step: 0, src: f.src, dst: f.dst, bytes: f.bytes });
                }
            }
        }
    }

    /// # Errors
    /// `NL-E001` unless `places` ranks are mapped.
    pub fn require_ranks(&self, places: usize) -> Outcome<()> {
        if places as u64 == u64::from(self.ranks()) {
            return Ok(());
        }
        let sentence = format!("the mapping has {places} ranks, the workload {}", self.ranks());
        Err(Fault::say(&codes::RANKS_DIFFER, self.label(), sentence)
            .hint("map as many ranks as the workload has")
            .into())
    }
}

/// Steps of a schedule, at least as many as its rounds name.
pub fn steps(schedule: &Schedule) -> usize {
    match &schedule.rounds {
        Rounds::Cyclic(rounds) => rounds.iter().map(|r| r.step as usize + 1).max().unwrap_or(0),
        Rounds::Explicit { offsets, .. } => offsets.len().saturating_sub(1),
    }
    .max(schedule.steps as usize)
}
