//! The inputs of one question: the one argument of every evaluator.

use std::sync::Arc;

use crate::distance::{Distances, HopMatrix};
use crate::fault::{Fault, Faults, Outcome, codes};
use crate::job::Job;
use crate::machine::{Background, Machine};
use crate::network::Network;
use crate::progress::Progress;

/// Jobs on a network. Plain data: copies share what is large.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub network: Arc<Network>,
    /// Of the network.
    pub distances: Arc<Distances>,
    pub jobs: Vec<Job>,
    pub background: Vec<Background>,
    pub machine: Machine,
}

impl Scenario {
    /// # Errors
    /// For all jobs together: `NL-E001` if workload and places have different numbers of ranks, and those of
    /// [`crate::Seats::check`].
    pub fn check(&self) -> Outcome<()> {
        let mut faults = Faults::none();
        for job in &self.jobs {
            let ranks = job.workload.require_ranks(job.seats.endpoints().len());
            faults.0.extend(ranks.err().into_iter().flat_map(|faults| faults.0));
            faults.0.extend(job.seats.check(&self.network).err().into_iter().flat_map(|faults| faults.0));
        }
        faults.or(())
    }

    /// # Errors
    /// What measuring them reports.
    pub fn distances(&self) -> Outcome<Arc<HopMatrix>> {
        self.distances.get(&self.network, &Progress::new())
    }

    /// The job, for evaluators that take just one.
    ///
    /// # Errors
    /// `NL-E030` for none or several.
    pub fn one_job(&self) -> Outcome<&Job> {
        match self.jobs.as_slice() {
            [job] => Ok(job),
            jobs => {
                let sentence = format!("one job is needed, there are {}", jobs.len());
                Err(Fault::say(&codes::UNSUPPORTED, "jobs", sentence).into())
            }
        }
    }
}
