//! A question about one job on one network, from text.

use std::sync::Arc;

use netloom_mapping::registry as mapping;
use netloom_model::distance::Distances;
use netloom_model::job::JOB;
use netloom_model::{
    Answer, Bound, Call, Job, Machine, NODES, Network, Outcome, Progress, RoutingCall, Scenario, Seats, Settings,
    Workload,
};
use netloom_net::routing;

use netloom_model::fault::codes;
use netloom_model::{Fault, Faults};
use netloom_workload::applications::{self, APPLICATIONS};
use netloom_workload::patterns;

use crate::scenario::{Parts, PartsJob};
use crate::search::{Goal, search};
use crate::{Found, rungs};

/// A machine with what one job sends and where its ranks run. Each method gives a changed copy; large parts are shared.
#[derive(Clone, Debug)]
pub struct Question {
    machine: Machine,
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
            ranks: network.endpoints(),
            placement: Call::bare("linear"),
            order: Call::bare("draw"),
            workload: None,
            machine: Machine::new(network, Arc::new(Distances::new(netloom_net::MEASURE))),
        }
    }

    /// With what is behind each endpoint, such as `node(sockets=2,cores=4)`. Ranks stay one an endpoint.
    ///
    /// # Errors
    /// Those of the node and of [`netloom_model::Node::on`].
    pub fn node(mut self, node: &str) -> Outcome<Question> {
        let (row, bound) = NODES.bind(&Call::parse(node)?)?;
        let made = (row.build)(&bound)?;
        self.machine.node = Some(Arc::new(made.on(&self.machine.network)?));
        Ok(self)
    }

    /// With settings of the wire and of software by name, such as `machine(duplex=half, combine_s_per_byte=1e-10)`.
    ///
    /// # Errors
    /// `NL-A003`, `NL-A007` for a setting that does not exist or is out of range.
    pub fn machine(mut self, settings: &str) -> Outcome<Question> {
        self.machine = self.machine.with(Settings::bind(&Call::parse(settings)?)?.1);
        Ok(self)
    }

    /// With a routing in place of that of the network.
    ///
    /// # Errors
    /// `NL-A001` to `NL-A008` for the call.
    pub fn routed(mut self, routing: &str) -> Outcome<Question> {
        let call = Call::parse(routing)?;
        routing::check(&call)?;
        self.machine.routing = Some(Arc::new(RoutingCall::new(call, routing::build)));
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
        let mut machine = self.machine.clone();
        let network = Arc::clone(&machine.network);
        let placed = mapping::place(&network, self.ranks.into(), &self.placement)?;
        let endpoints = mapping::order(&network, &placed, &self.order)?;
        let workload = self.workload.clone().ok_or_else(nothing_sent)?;
        let job = Job::new("job".into(), Arc::new(Seats::new(endpoints)), workload, &Bound::defaults("job", JOB))?;
        if machine.routing.is_none() {
            let own = Call::parse(&routing::default_routing(&network))?;
            machine.routing = Some(Arc::new(RoutingCall::new(own, routing::build)));
        }
        Parts { machine, jobs: vec![PartsJob::new(job, None)?], background: Vec::new() }.scenario()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Datum;

    fn seconds(question: &Question) -> f64 {
        match question.ask("time").unwrap().get("time_s") {
            Some(Datum::Number(seconds)) => *seconds,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_job_without_routing_takes_the_machines() {
        let question = Question::on("torus(4,bandwidth=1GB/s,latency=0s)").unwrap();
        let shift = question.sends("shift(k=2,bytes=1000000)", 0).unwrap();
        let made = shift.scenario().unwrap();
        assert!(made.jobs[0].routing.is_none());
        assert_eq!(made.machine.routing.unwrap().call().name, "minimal");
        // Two hops a message: in equal shares both ways each link carries one message, in one direction two.
        assert!((seconds(&shift) - 1e-3).abs() < 1e-9);
        assert!((seconds(&shift.clone().routed("dimension-ordered").unwrap()) - 2e-3).abs() < 1e-9);
        assert_eq!(shift.routed("dimension-orderd").unwrap_err().0[0].code, "NL-A002");
    }
}
