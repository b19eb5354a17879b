//! Searches for better places of a scenario's only job.

use std::sync::Arc;

use netloom_flow::stopwatch;
use netloom_model::{Call, Clock, Mapping, Needs, Network, Node, Outcome, Place, Progress, Scenario, Seats};
use netloom_net::routing;
use netloom_optimize::{self as optimisers, Budget, Problem, Solution};
use netloom_ranks::{Job, RoutedMachine, Spread, runs};

/// Messages that are simulated in a fraction of a second.
const SHORT: u64 = 1 << 16;

pub use netloom_optimize::{needs_clock, takes_clock, takes_split};

/// What is asked of a search besides its scenario.
#[derive(Clone, Debug)]
pub struct Goal {
    pub optimiser: Call,
    pub objective: Call,
    /// Any seat of the network may be used, not only those of the start.
    pub free: bool,
    /// Mappings may be simulated.
    pub timed: bool,
    /// The routing that objectives over links follow where that of the scenario has several paths.
    pub one_path: Option<Call>,
}

impl Goal {
    fn takes_clock(&self) -> bool {
        self.timed && takes_clock(&self.objective)
    }
    /// True if paths of messages count, for a clock or for an objective over links.
    fn takes_paths(&self) -> bool {
        takes_clock(&self.objective) || optimisers::needs_routing(&self.objective)
    }
    fn check(&self, asked: &Scenario) -> Outcome<()> {
        let needs = Needs::new("the search", asked);
        needs.all(&[
            |n| n.no_switches(),
            |n| n.one_job(),
            |n| n.no_background(),
            |n| n.no_variant(),
            |n| n.no_start(),
        ])?;
        if self.takes_clock() { Ok(()) } else { needs.all(&[|n| n.no_repetitions()]) }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// Of every rank.
    pub places: Vec<Place>,
    /// The objective after and before, its bound, and how the search went; its mapping is one of slots.
    pub solution: Solution,
}

/// The network of a search: every seat of every endpoint is an endpoint.
struct Slots {
    network: Arc<Network>,
    each: u32,
    start: Mapping,
}

impl Slots {
    fn new(asked: &Scenario, seats: &Seats) -> Outcome<Slots> {
        let (network, node) = (&asked.machine.network, asked.machine.node.as_deref());
        let each = seats.room(network.endpoints());
        let room = |endpoint: u32| node.map_or(each, |node| node.room(endpoint));
        let network = if each == 1 { Arc::clone(network) } else { Arc::new(network.with_rooms(each, room)?) };
        let start = seats.on_slots(&network, each)?;
        Ok(Slots { network, each, start })
    }
}

/// Better places for the only job. Paths, machine and repetitions are the scenario's. The search ends with its own number
/// of evaluations, or, `until_stopped`, when `progress` is stopped, with what it has found.
///
/// # Errors
/// `NL-E030` for what a search cannot use of the scenario, and those of optimiser and objective.
pub fn search(asked: &Scenario, goal: &Goal, until_stopped: bool, progress: &Progress) -> Outcome<Found> {
    goal.check(asked)?;
    let budget = if until_stopped { Budget::UntilStopped } else { Budget::Swaps };
    let (solution, each) = find(asked, goal, budget, progress)?;
    let alike = asked.machine.node.as_deref().map(Node::alike);
    let seats = Seats::of_slots(solution.mapping.endpoints(), each)?;
    let places = seats.in_order(alike.unwrap_or(each)).places(asked.machine.network.endpoints());
    Ok(Found { places, solution })
}

fn find(asked: &Scenario, goal: &Goal, budget: Budget, progress: &Progress) -> Outcome<(Solution, u32)> {
    let job = asked.one_job()?;
    let distance = asked.machine.hop_matrix()?;
    let traffic = job.workload.traffic()?;
    let slots = Slots::new(asked, &job.seats)?;
    // Routings read switches and links, which slots do not change.
    let paths = if goal.takes_paths() { Some(asked.paths(job)?) } else { None };
    let one_path = goal.one_path.as_ref().filter(|_| paths.is_some_and(|paths| !paths.is_deterministic()));
    let one_path = one_path.map(|call| routing::build(&asked.machine.network, call)).transpose()?;
    let node = asked.machine.node.as_deref();
    let machine = paths.filter(|_| goal.takes_clock()).map(|paths| RoutedMachine::new(&asked.machine, paths));
    let seats: Vec<u32> = asked.places()?.iter().flatten().map(|place: &Place| place.seat).collect();
    let work = runs::ordered(&job.workload)?;
    let timed = runs::load(&work).map(|work| Job {
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
    let watch = machine.as_ref().zip(timed).map(|(machine, job)| stopwatch(machine, job, slots.each, stop));
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
        free: goal.free,
    };
    Ok((optimisers::optimise(&problem, &goal.optimiser, &goal.objective, budget, progress)?, slots.each))
}
