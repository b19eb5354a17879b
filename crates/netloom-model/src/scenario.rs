//! The inputs of one question: the argument of every evaluator.

use crate::background::Background;
use crate::fault::{Fault, Faults, Outcome, codes};
use crate::job::Job;
use crate::machine::Machine;
use crate::paths::Routing;
use crate::seats::{Place, places};

/// Jobs on a machine. Plain data: copies share large parts.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub machine: Machine,
    pub jobs: Vec<Job>,
    pub background: Vec<Background>,
}

impl Scenario {
    /// # Errors
    /// For all jobs together: `NL-E001` if workload and places have different numbers of ranks, those of
    /// [`crate::Seats::check`] and of [`Node::check`], and `NL-M002` for ranks without a seat on their node.
    pub fn check(&self) -> Outcome<()> {
        let mut faults = Faults::none();
        for job in &self.jobs {
            let ranks = job.workload.require_ranks(job.seats.endpoints().len());
            let found = ranks.and_then(|()| job.seats.check(&self.machine.network));
            faults.0.extend(found.err().into_iter().flat_map(|found| self.of_whom(job, found).0));
        }
        faults.or(())?;
        self.machine.node.as_ref().map_or(Ok(()), |node| node.check(&self.machine.network))?;
        self.places().map(drop)
    }

    /// The seats of every job's ranks on their nodes, seats that nobody named in order of job and rank; empty without a
    /// node. O(ranks + endpoints).
    ///
    /// # Errors
    /// `NL-M002` for a rank without a seat.
    pub fn places(&self) -> Outcome<Vec<Vec<Place>>> {
        let Some(node) = &self.machine.node else { return Ok(Vec::new()) };
        let mut taken = vec![0; self.machine.network.endpoints() as usize];
        let mut all = Vec::new();
        for job in &self.jobs {
            let places = places(&job.seats, &mut taken);
            if let Some(rank) = places.iter().position(|place| place.seat >= node.room(place.endpoint)) {
                let (endpoint, room) = (places[rank].endpoint, node.room(places[rank].endpoint));
                let name = self.machine.network.endpoint_name(endpoint);
                let sentence = format!("endpoint {name} has {room} seats, and more ranks than these");
                let fault = Fault::say(&codes::MAPPING_TWICE, format!("mapping[{rank}]"), sentence);
                return self.of(job, Err(fault.hint("use more endpoints, or a node with more seats").into()));
            }
            all.push(places);
        }
        Ok(all)
    }

    /// The routing of one of its jobs.
    ///
    /// # Errors
    /// As [`Job::paths`], with the name of the job if there are several.
    pub fn paths<'a>(&'a self, job: &'a Job) -> Outcome<&'a dyn Routing> {
        self.of(job, job.paths(&self.machine))
    }

    /// The routing of background flows where this is the first job: the machine's, else the job's.
    ///
    /// # Errors
    /// As [`Scenario::paths`].
    pub fn background_paths<'a>(&'a self, first: &'a Job) -> Outcome<&'a dyn Routing> {
        self.machine.routing.as_ref().map_or_else(|| self.paths(first), |routing| routing.on(&self.machine.network))
    }

    /// The result for one of its jobs; faults name the job if there are several.
    pub fn of<T>(&self, job: &Job, found: Outcome<T>) -> Outcome<T> {
        found.map_err(|faults| self.of_whom(job, faults))
    }

    /// Faults with the job's name, if there are several jobs.
    fn of_whom(&self, job: &Job, mut faults: Faults) -> Faults {
        if self.jobs.len() > 1 {
            faults.0.iter_mut().for_each(|fault| fault.place = format!("job {}: {}", job.name, fault.place));
        }
        faults
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
