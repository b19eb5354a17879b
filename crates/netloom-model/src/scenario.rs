//! The inputs of one question: the argument of every evaluator.

use std::sync::Arc;

use crate::distance::{Distances, HopMatrix};
use crate::fault::{Fault, Faults, Outcome, codes};
use crate::hosts::Hosts;
use crate::job::Job;
use crate::machine::{Background, Machine};
use crate::network::Network;
use crate::node::Node;
use crate::paths::Routing;
use crate::progress::Progress;
use crate::seats::{Place, places};

/// Jobs on a network. Plain data: copies share large parts.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub network: Arc<Network>,
    /// Of the network.
    pub distances: Arc<Distances>,
    /// What is behind the endpoints; `None`: every endpoint is a node without levels.
    pub node: Option<Arc<Node>>,
    pub jobs: Vec<Job>,
    pub background: Vec<Background>,
    pub machine: Machine,
}

impl Scenario {
    /// # Errors
    /// For all jobs together: `NL-E001` if workload and places have different numbers of ranks, those of
    /// [`crate::Seats::check`] and of [`Node::check`], and `NL-M002` for ranks without a seat on their node.
    pub fn check(&self) -> Outcome<()> {
        let mut faults = Faults::none();
        for job in &self.jobs {
            let ranks = job.workload.require_ranks(job.seats.endpoints().len());
            let found = ranks.and_then(|()| job.seats.check(&self.network));
            faults.0.extend(found.err().into_iter().flat_map(|found| self.of_whom(job, found).0));
        }
        faults.or(())?;
        self.node.as_ref().map_or(Ok(()), |node| node.check(&self.network))?;
        self.places().map(drop)
    }

    /// The seats of every job's ranks on their nodes, seats that nobody named in order of job and rank; empty without a
    /// node. O(ranks + endpoints).
    ///
    /// # Errors
    /// `NL-M002` for a rank without a seat.
    pub fn places(&self) -> Outcome<Vec<Vec<Place>>> {
        let Some(node) = &self.node else { return Ok(Vec::new()) };
        let mut taken = vec![0; self.network.endpoints() as usize];
        let mut all = Vec::new();
        for job in &self.jobs {
            let places = places(&job.seats, &mut taken);
            if let Some(rank) = places.iter().position(|place| place.seat >= node.room(place.endpoint)) {
                let (endpoint, room) = (places[rank].endpoint, node.room(places[rank].endpoint));
                let name = self.network.endpoint_name(endpoint);
                let sentence = format!("endpoint {name} has {room} seats, and more ranks than these");
                let fault = Fault::say(&codes::MAPPING_TWICE, format!("mapping[{rank}]"), sentence);
                return self.of(job, Err(fault.hint("use more endpoints, or a node with more seats").into()));
            }
            all.push(places);
        }
        Ok(all)
    }

    /// The machines inside which no message uses the network: nodes with several NICs, else hosts with several ports;
    /// `None` if each has one endpoint.
    pub fn closed(&self) -> Option<Arc<Hosts>> {
        closed(&self.network, self.node.as_deref())
    }

    /// The machines that count as nodes: as [`Scenario::closed`], and those whose endpoints the network itself joins.
    pub fn machines(&self) -> Option<Arc<Hosts>> {
        machines(&self.network, self.node.as_deref())
    }

    /// The routing of one of its jobs.
    ///
    /// # Errors
    /// As [`Job::paths`], with the name of the job if there are several.
    pub fn paths<'a>(&self, job: &'a Job) -> Outcome<&'a dyn Routing> {
        self.of(job, job.paths(&self.network))
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

    /// # Errors
    /// Those of measuring them.
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

/// As [`Scenario::closed`], of a node that [`Node::on`] put on the network.
pub fn closed(network: &Network, node: Option<&Node>) -> Option<Arc<Hosts>> {
    match node {
        Some(node) => node.hosts(network),
        None => network.closed_hosts().cloned(),
    }
    .filter(|hosts| hosts.share())
}

/// As [`Scenario::machines`].
pub fn machines(network: &Network, node: Option<&Node>) -> Option<Arc<Hosts>> {
    let larger = |hosts: &&Arc<Hosts>| hosts.are_linked() && hosts.extremes().1 >= node.map_or(1, Node::nics);
    network.hosts().filter(larger).cloned().or_else(|| closed(network, node))
}
