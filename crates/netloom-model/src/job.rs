//! One job of a scenario.

use std::sync::Arc;

use crate::call::Call;
use crate::fault::{Fault, Outcome, codes};
use crate::machine::Machine;
use crate::param::{Bound, Kind, Param};
use crate::paths::Routing;
use crate::routed::RoutingCall;
use crate::seats::Seats;
use crate::units::Quantity;
use crate::workload::Workload;

/// Attributes of a job in addition to its name, workload and places: names, ranges and defaults are defined only here.
pub const JOB: &[Param] = &[
    Param::optional("cores", Kind::Int { min: 1, max: 1 << 20 }, "", "ranks that an endpoint has room for"),
    Param::optional("routing", Kind::Text, "", "paths of its messages, such as minimal; some evaluators need none"),
    Param::optional("variant", Kind::Text, "", "how messages choose among these paths, such as adaptive-direct"),
    Param::optional("start", Kind::Quantity(Quantity::Seconds), "0.0", "when it starts"),
    Param::optional("repetitions", Kind::Int { min: 1, max: u32::MAX as i64 }, "1", "how often it does its workload"),
];

/// A workload on its places.
#[derive(Clone, Debug)]
pub struct Job {
    pub name: String,
    pub seats: Arc<Seats>,
    pub workload: Workload,
    /// `None` for that of the machine.
    pub routing: Option<Arc<RoutingCall>>,
    /// How messages choose among the paths of the routing; `None` for the evaluator's default.
    pub variant: Option<Call>,
    pub start_s: f64,
    /// Repetitions of the workload, one after another without a barrier.
    pub repetitions: u32,
}

impl Job {
    /// From arguments bound to [`JOB`], except `cores`, which `seats` know, and `routing`, which several jobs may share.
    ///
    /// # Errors
    /// `NL-A001` if `variant` cannot be read.
    pub fn new(name: String, seats: Arc<Seats>, workload: Workload, bound: &Bound) -> Outcome<Job> {
        let variant = bound.is_given("variant").then(|| Call::parse(bound.text("variant"))).transpose()?;
        let (start_s, repetitions) = (bound.float("start"), bound.size("repetitions"));
        Ok(Job { name, seats, workload, routing: None, variant, start_s, repetitions })
    }

    /// Its routing, or that of the machine, on the machine's network.
    ///
    /// # Errors
    /// `NL-A004` if neither has one, and those of making it.
    pub fn paths<'a>(&'a self, machine: &'a Machine) -> Outcome<&'a dyn Routing> {
        match self.routing.as_ref().or(machine.routing.as_ref()) {
            Some(routing) => routing.on(&machine.network),
            None => {
                let place = format!("routing of job {}", self.name);
                let fault = Fault::say(&codes::MISSING_PARAMETER, place, "is missing, and this evaluator needs paths");
                Err(fault.hint("give one, such as single-minimal").into())
            }
        }
    }
}
