//! A scenario from its parts.

use std::sync::Arc;

use netloom_model::{Background, Call, Job, Machine, Outcome, RoutingCall, Scenario};
use netloom_net::routing;

use crate::in_network;

/// A job, and the routing of its messages as a call, which is built for the network of the scenario.
#[derive(Clone, Debug)]
pub struct PartsJob {
    pub job: Job,
    pub routing: Option<Call>,
}

impl PartsJob {
    /// # Errors
    /// `NL-A002` to `NL-A008` for a routing that nothing is called, or whose arguments are wrong.
    pub fn new(job: Job, routing: Option<Call>) -> Outcome<PartsJob> {
        routing.as_ref().map_or(Ok(()), routing::check)?;
        Ok(PartsJob { job, routing })
    }
}

/// What a scenario is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    pub machine: Machine,
    pub jobs: Vec<PartsJob>,
    pub background: Vec<Background>,
}

impl Parts {
    /// The scenario: jobs with the same call of a routing share it, the node stands on the network, and the switches of
    /// in-network collectives are ranks.
    ///
    /// # Errors
    /// `NL-N018` and `NL-E030` for in-network collectives, those of [`netloom_model::Node::on`] and of [`Scenario::check`].
    pub fn scenario(self) -> Outcome<Scenario> {
        let Parts { mut machine, jobs: listed, background } = in_network::with_switches(self)?;
        let mut shared: Vec<Arc<RoutingCall>> = Vec::new();
        let mut jobs = Vec::with_capacity(listed.len());
        for PartsJob { mut job, routing } in listed {
            if let Some(call) = routing {
                let known = shared.iter().find(|made| *made.call() == call).map(Arc::clone);
                let made = known.unwrap_or_else(|| Arc::new(RoutingCall::new(call, routing::build)));
                shared.push(Arc::clone(&made));
                job.routing = Some(made);
            }
            jobs.push(job);
        }
        machine.node = machine.node.map(|node| node.on(&machine.network).map(Arc::new)).transpose()?;
        let scenario = Scenario { machine, jobs, background };
        scenario.check()?;
        Ok(scenario)
    }
}
