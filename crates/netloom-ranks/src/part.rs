//! The work of the ranks of a job, ready to be done step by step.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::{GroupCall, Outcome, Programs};

use crate::flows::Flows;
use crate::source::Play;
use crate::{Job, Load};

/// What its ranks do.
pub enum Part<'a> {
    One(Play<'a>),
    /// Calls of one schedule share what plays it.
    Programs {
        programs: Cow<'a, Programs>,
        calls: Vec<Arc<Play<'a>>>,
    },
    Flows(Flows<'a>),
}

impl<'a> Part<'a> {
    /// O(messages) for explicit schedules, O(flows) for traffic.
    ///
    /// # Errors
    /// As [`Programs::of_traffic`].
    pub fn new(job: &Job<'a>) -> Outcome<Part<'a>> {
        Ok(match job.work {
            Load::Schedule(schedule) => Part::One(Play::new(schedule)),
            Load::Programs(programs) => {
                let mut plays = HashMap::new();
                let play = |call: &'a GroupCall| {
                    let made = plays.entry(Arc::as_ptr(&call.schedule));
                    Arc::clone(made.or_insert_with(|| Arc::new(Play::new(&call.schedule))))
                };
                let calls = programs.calls.iter().map(play).collect();
                Part::Programs { programs: Cow::Borrowed(programs), calls }
            }
            Load::Traffic(traffic) if traffic.starts().is_empty() && job.repetitions == 1 => {
                Part::Flows(Flows::new(traffic))
            }
            Load::Traffic(traffic) => {
                Part::Programs { programs: Cow::Owned(Programs::of_traffic(traffic)?), calls: Vec::new() }
            }
        })
    }
}
