//! A question about one job on one network, from text.

use std::sync::Arc;

use netloom_mapping::registry as mapping;
use netloom_model::distance::Distances;
use netloom_model::job::JOB;
use netloom_model::{
    Answer, Bound, Call, Job, Machine, NODES, Network, Node, Outcome, Progress, Scenario, Seats, Workload,
};
use netloom_net::routing;

use netloom_model::fault::codes;
use netloom_model::{Fault, Faults};
use netloom_workload::applications::{self, APPLICATIONS};
use netloom_workload::patterns;

use crate::scenario::{Parts, PartsJob};
use crate::search::{Goal, search};
use crate::{Found, rungs};

/// A network with what one job sends and where its ranks run. Each method gives a changed copy; large parts are shared.
#[derive(Clone, Debug)]
pub struct Question {
    network: Arc<Network>,
    distances: Arc<Distances>,
    node: Option<Arc<Node>>,
    machine: Machine,
    routing: Option<Call>,
    ranks: u32,
    placement: Call,
    order: Call,
    workload: Option<Workload>,
}

impl Question {
    /// About a network given as a call, such as `torus(8,8)`: one rank on every endpoint.
    ///
    /// # Errors
    /// `NL-A001` to `NL-A010` for the call, those of the topology.
    pub fn on(network: &str) -> Outcome<Question> {
        Ok(Question::about(Arc::new(netloom_net::registry::build(&Call::parse(network)?)?)))
    }

    /// About a network that is at hand: one of a file, or made link by link.
    pub fn about(network: Arc<Network>) -> Question {
        Question {
            distances: Arc::new(Distances::new(netloom_net::metrics::hop_matrix)),
            node: None,
            machine: Machine::default(),
            routing: None,
            ranks: network.endpoints(),
            placement: Call::bare("linear"),
            order: Call::bare("draw"),
            workload: None,
            network,
        }
    }

    /// With what is behind each endpoint, such as `node(sockets=2,cores=4)`. Ranks stay one an endpoint.
    ///
    /// # Errors
    /// Those of the node and of [`Node::on`].
    pub fn node(mut self, node: &str) -> Outcome<Question> {
        let (row, bound) = NODES.bind(&Call::parse(node)?)?;
        let made = (row.build)(&bound)?;
        self.node = Some(Arc::new(made.on(&self.network)?));
        Ok(self)
    }

    /// With settings of the wire and of software by name, such as `machine(duplex=half, combine_s_per_byte=1e-10)`.
    ///
    /// # Errors
    /// `NL-A003`, `NL-A007` for a setting that does not exist or is out of range.
    pub fn machine(mut self, settings: &str) -> Outcome<Question> {
        self.machine = Machine::bind(&Call::parse(settings)?)?.1;
        Ok(self)
    }

    /// With a routing in place of that of the network.
    ///
    /// # Errors
    /// `NL-A001` if it cannot be read.
    pub fn routed(mut self, routing: &str) -> Outcome<Question> {
        self.routing = Some(Call::parse(routing)?);
        Ok(self)
    }

    /// With this number of ranks, from 1 to the endpoints of the network.
    #[must_use]
    pub fn ranks(mut self, ranks: u32) -> Question {
        self.ranks = ranks;
        self
    }

    /// A collective of this size in bytes as MPI counts it, a pattern, or an application; size and root count for collectives.
    ///
    /// # Errors
    /// `NL-A002` for a name that nothing has, those of the workload.
    pub fn sends(self, workload: &str, size_bytes: u64) -> Outcome<Question> {
        let made = workload_of(&Call::parse(workload)?, self.ranks, size_bytes)?;
        Ok(self.doing(made))
    }

    /// A workload that is at hand.
    #[must_use]
    pub fn doing(mut self, workload: Workload) -> Question {
        self.workload = Some(workload);
        self
    }

    /// Which endpoints the job gets, and which rank runs on which of them.
    ///
    /// # Errors
    /// `NL-A001` if one cannot be read.
    pub fn placed(mut self, placement: &str, order: &str) -> Outcome<Question> {
        (self.placement, self.order) = (Call::parse(placement)?, Call::parse(order)?);
        Ok(self)
    }

    /// As the argument of the rungs.
    ///
    /// # Errors
    /// `NL-A004` without a workload; those of placement, order and [`Scenario::check`].
    pub fn scenario(&self) -> Outcome<Scenario> {
        let placed = mapping::place(&self.network, self.ranks.into(), &self.placement)?;
        let endpoints = mapping::order(&self.network, &placed, &self.order)?;
        let workload = self.workload.clone().ok_or_else(nothing_sent)?;
        let job = Job::new("job".into(), Arc::new(Seats::new(endpoints)), workload, &Bound::defaults("job", JOB))?;
        let own = || Call::parse(&routing::default_routing(&self.network));
        let routing = self.routing.clone().map_or_else(own, Ok)?;
        Parts {
            network: Arc::clone(&self.network),
            distances: Arc::clone(&self.distances),
            node: self.node.clone(),
            jobs: vec![PartsJob::new(job, Some(routing))?],
            background: Vec::new(),
            machine: self.machine.clone(),
        }
        .scenario()
    }

    /// The answer of a rung, such as `time` or `packet(details=true)`.
    ///
    /// # Errors
    /// Those of [`Question::scenario`] and of [`crate::ask`].
    pub fn ask(&self, rung: &str) -> Outcome<Answer> {
        rungs::ask(&self.scenario()?, &Call::parse(rung)?, &Progress::new())
    }

    /// Better places, by an optimiser and an objective.
    ///
    /// # Errors
    /// Those of [`Question::scenario`] and of [`crate::search`].
    pub fn improve(&self, optimiser: &str, objective: &str) -> Outcome<Found> {
        let (optimiser, objective) = (Call::parse(optimiser)?, Call::parse(objective)?);
        let goal = Goal { optimiser, objective, free: false, timed: true, one_path: None };
        search(&self.scenario()?, &goal, false, &Progress::new())
    }
}

fn nothing_sent() -> Faults {
    Fault::say(&codes::MISSING_PARAMETER, "workload", "nothing is sent")
        .hint("call sends(\"allreduce:ring\", 1 << 20)")
        .into()
}

/// A collective, a pattern or an application by its call.
fn workload_of(call: &Call, ranks: u32, size_bytes: u64) -> Outcome<Workload> {
    if call.name.contains(':') {
        let size = i64::try_from(size_bytes).unwrap_or(i64::MAX);
        return Ok(Workload::Schedule(Arc::new(netloom_workload::registry::build(call, ranks.into(), 0, size)?)));
    }
    if APPLICATIONS.find(&call.name).is_ok() {
        let programs = applications::application(call, ranks, &applications::default_collectives)?;
        return Ok(Workload::Programs(Arc::new(programs)));
    }
    Ok(Workload::Traffic(Arc::new(patterns::build_pattern(call, Some(ranks.into()))?)))
}
