//! Searches for better places for a scenario's job.

use std::sync::Arc;

use netloom_eval::evaluators::runs as timing;
use netloom_eval::flow::{Machine, Stopwatch};
use netloom_eval::ranks::{Job, Spread};
use netloom_model::{Call, Clock, Mapping, Needs, Network, Node, Outcome, Place, Progress, Scenario as Asked, Seats};
use netloom_net::routing;
use netloom_optimize::{self as optimisers, Budget, Problem, Solution};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross;
use crate::fault::OrRaise;
use crate::scenario::Scenario;
use crate::work::watched;

/// Messages that are simulated in a fraction of a second.
const SHORT: u64 = 1 << 16;

/// True if an objective is simulated time whenever the workload can be simulated.
#[pyfunction]
pub fn takes_clock(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(optimisers::takes_clock(&cross::parse(py, objective)?))
}

/// True if an objective follows messages on several paths.
#[pyfunction]
pub fn takes_split(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(optimisers::takes_split(&cross::parse(py, objective)?))
}

/// True if an objective is timed, so that it depends on the scenario's machine.
#[pyfunction]
pub fn needs_clock(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(optimisers::needs_clock(&cross::parse(py, objective)?))
}

/// The network of a search: every seat of every endpoint is an endpoint.
struct Slots {
    network: Arc<Network>,
    each: u32,
    start: Mapping,
}

impl Slots {
    fn new(asked: &Asked, seats: &Seats) -> Outcome<Slots> {
        let (network, node) = (&asked.network, asked.node.as_deref());
        let each = seats.room(network.endpoints());
        let room = |endpoint: u32| node.map_or(each, |node| node.room(endpoint));
        let network = if each == 1 { Arc::clone(network) } else { Arc::new(network.with_rooms(each, room)?) };
        let start = seats.on_slots(&network, each)?;
        Ok(Slots { network, each, start })
    }
}

/// Improves the places of the scenario's only job. Paths, machine and repetitions are the scenario's. `free`: any seat of
/// the network may be used, not only those of the start. `timed`: mappings may be simulated. `one_path`: the routing that
/// objectives over links follow where that of the scenario has several paths.
#[pyfunction]
#[pyo3(signature = (scenario, optimiser, objective, *, free, timed, one_path=None, seconds=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "all but the first three by name")]
pub fn search<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    optimiser: &str,
    objective: &str,
    free: bool,
    timed: bool,
    one_path: Option<&str>,
    seconds: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (method, goal) = (cross::parse(py, optimiser)?, cross::parse(py, objective)?);
    let asked = Arc::clone(&scenario.0);
    let one_path = one_path.map(|text| cross::parse(py, text)).transpose()?;
    let wish = Wish { method, goal, free, timed, one_path };
    supports(&asked, &wish).or_raise(py)?;
    let budget = if seconds.is_some() { Budget::UntilStopped } else { Budget::Swaps };
    let (endpoints, alike) = (asked.network.endpoints(), asked.node.as_deref().map(Node::alike));
    let (found, each) = watched(py, progress, seconds, move |p| find(&asked, &wish, budget, p))?;
    let seats = Seats::of_slots(found.mapping.endpoints(), each).or_raise(py)?;
    let places = seats.in_order(alike.unwrap_or(each)).places(endpoints);
    let out = PyDict::new(py);
    out.set_item("mapping", cross::column(py, &places.iter().map(|place| place.endpoint).collect::<Vec<_>>())?)?;
    out.set_item("seats", cross::column(py, &places.iter().map(|place| place.seat).collect::<Vec<_>>())?)?;
    out.set_item("value", found.value)?;
    out.set_item("start_value", found.start_value)?;
    out.set_item("bound", found.bound)?;
    out.set_item("evaluations", found.evaluations)?;
    out.set_item("accepted", found.accepted)?;
    out.set_item("trace", found.trace.iter().map(|t| (t.evaluations, t.value)).collect::<Vec<_>>())?;
    out.set_item("method", found.method)?;
    out.set_item("decided_by", found.decided_by)?;
    Ok(out)
}

/// What is asked of a search besides its scenario.
struct Wish {
    method: Call,
    goal: Call,
    free: bool,
    timed: bool,
    one_path: Option<Call>,
}

impl Wish {
    fn takes_clock(&self) -> bool {
        self.timed && optimisers::takes_clock(&self.goal)
    }
    /// True if paths of messages count, for a clock or for an objective over links.
    fn takes_paths(&self) -> bool {
        optimisers::takes_clock(&self.goal) || optimisers::needs_routing(&self.goal)
    }
}

fn supports(asked: &Asked, wish: &Wish) -> Outcome<()> {
    let needs = Needs::new("the search", asked);
    needs.all(&[|n| n.one_job(), |n| n.no_background(), |n| n.no_variant(), |n| n.no_start()])?;
    if wish.takes_clock() { Ok(()) } else { needs.all(&[|n| n.no_repetitions()]) }
}

fn find(asked: &Asked, wish: &Wish, budget: Budget, progress: &Progress) -> Outcome<(Solution, u32)> {
    let job = asked.one_job()?;
    let distance = asked.distances()?;
    let traffic = job.workload.traffic()?;
    let slots = Slots::new(asked, &job.seats)?;
    // Routings read switches and links, which slots do not change.
    let paths = if wish.takes_paths() { Some(asked.paths(job)?) } else { None };
    let one_path = wish.one_path.as_ref().filter(|_| paths.is_some_and(|paths| !paths.is_deterministic()));
    let one_path = one_path.map(|call| routing::build(&asked.network, call)).transpose()?;
    let node = asked.node.as_deref();
    let machine =
        paths.filter(|_| wish.takes_clock()).map(|paths| timing::machine(&asked.network, paths, &asked.machine));
    let machine = machine.map(|machine| Machine { node, ..machine });
    let seats: Vec<u32> = asked.places()?.iter().flatten().map(|place: &Place| place.seat).collect();
    let work = timing::ordered(&job.workload)?;
    let timed = timing::load(&work).map(|work| Job {
        work,
        endpoint_of_rank: job.seats.endpoints(),
        routing: None,
        seat_of_rank: &seats,
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions: job.repetitions,
    });
    // Simulations that are over at once are not broken off: what a budget's end leaves is still timed.
    let messages: u64 = traffic.flows().iter().map(|f| f.messages).sum();
    let patient = Progress::new();
    let stop = if messages.saturating_mul(job.repetitions.into()) <= SHORT { &patient } else { progress };
    let watch = machine.as_ref().zip(timed).map(|(machine, job)| Stopwatch::new(machine, job, slots.each, stop));
    let clock = watch.transpose()?;
    let problem = Problem {
        network: &slots.network,
        slots: slots.each,
        node,
        distance: &distance,
        start: &slots.start,
        traffic: &traffic,
        schedule: job.workload.schedule().map(Arc::as_ref),
        routing: paths,
        one_path: one_path.as_deref(),
        clock: clock.as_ref().map(|c| c as &dyn Clock),
        free: wish.free,
    };
    Ok((optimisers::optimise(&problem, &wish.method, &wish.goal, budget, progress)?, slots.each))
}
