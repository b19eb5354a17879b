//! The communication of a job, in any of the forms that evaluators read.

use std::sync::Arc;

use crate::fault::{Fault, Outcome, codes};
use crate::program::Programs;
use crate::schedule::{Message, Schedule};
use crate::sends::{ScheduleSends, Sends};
use crate::traffic::{FLOW_LIMIT, Flow, Traffic};

/// One form of a workload, shared: copies cost a pointer.
#[derive(Clone)]
pub enum Workload {
    /// Flows without order.
    Traffic(Arc<Traffic>),
    /// The same generated rank by rank, never held as a whole.
    Stream(Arc<dyn Sends>),
    /// A collective's messages in steps.
    Schedule(Arc<Schedule>),
    /// The actions of every rank, in order.
    Programs(Arc<Programs>),
}

impl Workload {
    /// "traffic", "stream", "schedule" or "programs".
    pub fn kind(&self) -> &'static str {
        match self {
            Workload::Traffic(_) => "traffic",
            Workload::Stream(_) => "stream",
            Workload::Schedule(_) => "schedule",
            Workload::Programs(_) => "programs",
        }
    }

    /// The call that made it.
    pub fn label(&self) -> &str {
        match self {
            Workload::Traffic(traffic) => &traffic.label,
            Workload::Stream(sends) => sends.label(),
            Workload::Schedule(schedule) => &schedule.label,
            Workload::Programs(programs) => &programs.label,
        }
    }

    pub fn ranks(&self) -> u32 {
        match self {
            Workload::Traffic(traffic) => traffic.ranks,
            Workload::Stream(sends) => sends.ranks(),
            Workload::Schedule(schedule) => schedule.ranks,
            Workload::Programs(programs) => programs.ranks(),
        }
    }

    /// # Errors
    /// `NL-E001` unless `places` ranks are mapped.
    pub fn require_ranks(&self, places: usize) -> Outcome<()> {
        require_ranks(self.label(), self.ranks(), places)
    }

    /// Its messages rank by rank. O(ranks + transfers) for a schedule with a list of transfers, O(messages) for programs,
    /// else O(1).
    ///
    /// # Errors
    /// As [`Traffic::of_programs`].
    pub fn sends(&self) -> Outcome<Arc<dyn Sends>> {
        Ok(match self {
            Workload::Traffic(traffic) => Arc::clone(traffic) as Arc<dyn Sends>,
            Workload::Stream(sends) => Arc::clone(sends),
            Workload::Schedule(schedule) => Arc::new(ScheduleSends::new(Arc::clone(schedule))),
            Workload::Programs(programs) => Arc::new(Traffic::of_programs(programs)?),
        })
    }

    /// Its messages as a list, without order. O(messages), unless it is a list already.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^27 flows, or if a sum exceeds 2^63.
    pub fn traffic(&self) -> Outcome<Arc<Traffic>> {
        Ok(match self {
            Workload::Traffic(traffic) => Arc::clone(traffic),
            Workload::Stream(sends) => Arc::new(collect(&**sends)?),
            Workload::Schedule(schedule) => Arc::new(Traffic::of_schedule(schedule)?),
            Workload::Programs(programs) => Arc::new(Traffic::of_programs(programs)?),
        })
    }

    /// The same as steps or flows: a workload with neither becomes a list of flows.
    ///
    /// # Errors
    /// As [`Workload::traffic`].
    pub fn listed(&self) -> Outcome<Workload> {
        match self {
            Workload::Traffic(_) | Workload::Schedule(_) => Ok(self.clone()),
            Workload::Stream(_) | Workload::Programs(_) => self.traffic().map(Workload::Traffic),
        }
    }

    /// The schedule, if it is one.
    pub fn schedule(&self) -> Option<&Arc<Schedule>> {
        match self {
            Workload::Schedule(schedule) => Some(schedule),
            _ => None,
        }
    }

    /// Every message of a schedule in order of step; every flow of anything else, once for all its messages, as step 0.
    pub fn for_each(&self, mut visit: impl FnMut(Message)) {
        let flow = |src, dst, bytes| Message { step: 0, src, dst, bytes };
        match self {
            Workload::Schedule(schedule) => schedule.for_each_message(visit),
            Workload::Traffic(traffic) => traffic.flows().iter().for_each(|f| visit(flow(f.src, f.dst, f.bytes))),
            Workload::Stream(sends) => {
                (0..sends.ranks())
                    .for_each(|src| sends.for_each(src, &mut |dst, _, bytes| visit(flow(src, dst, bytes))));
            }
            Workload::Programs(programs) => {
                programs.for_each_message(|src, dst, bytes, times| visit(flow(src, dst, bytes * times)));
            }
        }
    }
}

/// # Errors
/// `NL-E001` unless there are as many places as ranks.
pub fn require_ranks(label: &str, ranks: u32, places: usize) -> Outcome<()> {
    if places as u64 == u64::from(ranks) {
        return Ok(());
    }
    let sentence = format!("the mapping has {places} ranks, the workload {ranks}");
    Err(Fault::say(&codes::RANKS_DIFFER, label, sentence).hint("map as many ranks as the workload has").into())
}

/// A stream as a list.
fn collect(sends: &dyn Sends) -> Outcome<Traffic> {
    let (mut flows, mut sums) = (Vec::new(), Some((0u64, 0u64)));
    for src in 0..sends.ranks() {
        sends.for_each(src, &mut |dst, messages, bytes| {
            sums = sums
                .and_then(|(m, b)| m.checked_add(messages).zip(b.checked_add(bytes)))
                .filter(|(m, b)| *m < 1 << 63 && *b < 1 << 63 && (flows.len() as u64) < FLOW_LIMIT);
            if sums.is_some() {
                flows.push(Flow { src, dst, messages, bytes });
            }
        });
        if sums.is_none() {
            let sentence = format!("its flows exceed the {FLOW_LIMIT} that can be held as a list, or 2^63 bytes");
            return Err(Fault::say(&codes::TOO_LARGE, sends.label(), sentence).hint("use fewer ranks").into());
        }
    }
    Ok(Traffic::new(sends.label(), sends.ranks(), flows))
}

/// Steps of a schedule, at least as many as its rounds name.
pub fn steps(schedule: &Schedule) -> usize {
    let cyclic = schedule.rounds.cyclic().iter().map(|r| r.step as usize + 1).max().unwrap_or(0);
    cyclic.max(schedule.rounds.listed().steps()).max(schedule.steps as usize)
}

impl From<Arc<Traffic>> for Workload {
    fn from(traffic: Arc<Traffic>) -> Self {
        Workload::Traffic(traffic)
    }
}
impl From<Traffic> for Workload {
    fn from(traffic: Traffic) -> Self {
        Workload::Traffic(Arc::new(traffic))
    }
}
impl From<Arc<Schedule>> for Workload {
    fn from(schedule: Arc<Schedule>) -> Self {
        Workload::Schedule(schedule)
    }
}
impl From<Schedule> for Workload {
    fn from(schedule: Schedule) -> Self {
        Workload::Schedule(Arc::new(schedule))
    }
}
impl From<Arc<Programs>> for Workload {
    fn from(programs: Arc<Programs>) -> Self {
        Workload::Programs(programs)
    }
}
impl From<Arc<dyn Sends>> for Workload {
    fn from(sends: Arc<dyn Sends>) -> Self {
        Workload::Stream(sends)
    }
}

impl std::fmt::Debug for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} on {} ranks", self.kind(), self.label(), self.ranks())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_as_a_list_is_the_list_it_streams() {
        let rows = [[0, 1, 2, 8], [2, 0, 1, 4], [2, 1, 1, 5]];
        let traffic = Arc::new(Traffic::from_rows("t", 4, &rows).unwrap());
        let stream = Workload::from(Arc::clone(&traffic) as Arc<dyn Sends>);
        assert_eq!(stream.traffic().unwrap(), traffic);
        assert_eq!((stream.kind(), stream.ranks()), ("stream", 4));
        let mut seen = Vec::new();
        stream.for_each(|m| seen.push((m.src, m.dst, m.bytes)));
        assert_eq!(seen, [(0, 1, 8), (2, 0, 4), (2, 1, 5)]);
    }
}
