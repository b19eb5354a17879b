//! Every optimiser that has a name: one row each. Objectives have theirs in [`crate::objective`].

use std::sync::{Arc, OnceLock};

use netloom_model::{Bound, Call, Kind, Mapping, Outcome, Param, Progress, Registry, Row, Value};

use crate::lead::{self, Lead};
use crate::objective::{Goal, OBJECTIVES, Objective, PathTable, kept};
use crate::prepared::Prepared;
use crate::problem::{Budget, Problem, Solution};
use crate::walk::{Found, Walk};
use crate::{anneal, auto, bisection, bound, enumeration, every, gather, grid, two_opt};

/// Seed of all random choices of a search.
pub const SEED: Param =
    Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "0", "seed of all random choices").keyword_only();

/// The type that an optimiser's row builds.
#[derive(Clone, Copy)]
pub struct Optimiser {
    pub(crate) run: fn(&Run<'_>) -> Outcome<Found>,
}

/// A method; its restrictions give the requirements on the problem.
pub type OptimiserRow = Row<Optimiser>;

/// The input of a method.
pub(crate) struct Run<'p> {
    pub prepared: &'p Prepared<'p>,
    /// On the start; methods work on copies.
    pub objective: Box<dyn Objective + 'p>,
    pub bound: u64,
    pub args: Bound,
    pub budget: Budget,
    pub progress: &'p Progress,
}

impl<'p> Run<'p> {
    pub fn seed(&self) -> u64 {
        self.args.int("seed") as u64
    }
    /// A walk from the start.
    pub fn walk(&self) -> Walk<'p> {
        Walk::new(self.prepared, self.prepared.places(), self.objective.boxed(), self.bound, self.progress)
    }
    /// A walk from elsewhere. O(slots) exchanges.
    pub fn walk_from(&self, slot_of_rank: &[u32]) -> Walk<'p> {
        let mut places = self.prepared.places();
        let mut objective = self.objective.boxed();
        let moves = places.exchanges_to(slot_of_rank);
        if !moves.is_empty() {
            objective.make(&mut places, &moves, f64::INFINITY);
        }
        Walk::new(self.prepared, places, objective, self.bound, self.progress)
    }
}

/// Every optimiser.
pub static OPTIMISERS: Registry<Optimiser> = Registry {
    kind: "optimisers",
    what: "optimiser",
    rows: &[
        auto::ROW,
        anneal::GUIDED,
        anneal::PLAIN,
        two_opt::ROW,
        grid::ROW,
        gather::ROW,
        bisection::ROW,
        bisection::GEOMETRIC,
        enumeration::ROW,
    ],
};

/// True if this objective is simulated time, so that [`Problem::clock`] must be there; false for an unknown one.
pub fn needs_clock(objective: &Call) -> bool {
    OBJECTIVES.find(&objective.name).is_ok_and(|row| row.build == Goal::Time)
}

/// True if this objective is simulated time whenever [`Problem::clock`] is given.
pub fn takes_clock(objective: &Call) -> bool {
    OBJECTIVES.find(&objective.name).is_ok_and(|row| matches!(row.build, Goal::Time | Goal::Auto))
}

/// True if this objective follows messages on several paths, where a routing has them.
pub fn takes_split(objective: &Call) -> bool {
    followed(objective, |goal| goal == Goal::StepLoad)
}

/// True if this objective looks at links, so that [`Problem::routing`] must be there; false for an unknown one, which
/// [`optimise`] refuses.
pub fn needs_routing(objective: &Call) -> bool {
    followed(objective, Goal::needs_routing)
}

/// True of an objective, or of what it keeps.
fn followed(objective: &Call, is: impl Fn(Goal) -> bool) -> bool {
    OBJECTIVES.bind(objective).is_ok_and(|(row, args)| is(row.build) || kept(&args).is_some_and(is))
}

/// Improves `problem.start` by `method`, scored by `objective`.
///
/// The result is never worse than the start. With [`Budget::Swaps`] it is always the same, whatever the number of
/// threads; `progress` counts moves. The stop flag ends the search early with the best so far. Time as the goal of the
/// method `auto`, and the objective `auto` with any method, begin with the results of cheaper objectives.
///
/// # Errors
/// `NL-A002` an unknown method or objective, `NL-A003`..`NL-A007` their arguments, `NL-A009` too large to search over,
/// `NL-O001`..`NL-O009`, and those of the routing and the clock.
pub fn optimise(
    problem: &Problem<'_>,
    method: &Call,
    objective: &Call,
    budget: Budget,
    progress: &Progress,
) -> Outcome<Solution> {
    let (row, args) = OPTIMISERS.bind(method)?;
    let (score, options) = OBJECTIVES.bind(objective)?;
    let goal = score.build;
    if goal == Goal::Auto && problem.clock.is_none() {
        return lead::without_time(problem, method, budget, progress);
    }
    if goal != Goal::Auto && (goal != Goal::Time || row.name != auto::ROW.name) {
        // Slots that a routing tells apart are sites of their own only where it counts.
        let follows = followed(objective, Goal::needs_routing);
        let routing = problem.routing.filter(|_| follows);
        return single(&Problem { routing, ..*problem }, method, objective, budget, progress);
    }
    let time = if goal == Goal::Time { options.canonical().clone() } else { Goal::Time.call() };
    let method = args.canonical().clone();
    Lead { problem, method, params: row.params, time, goal, budget, progress, paths: Arc::default() }.run()
}

/// One method with one objective.
///
/// # Errors
/// Those of [`optimise`].
pub(crate) fn single(
    problem: &Problem<'_>,
    method: &Call,
    objective: &Call,
    budget: Budget,
    progress: &Progress,
) -> Outcome<Solution> {
    one_of_many(problem, method, objective, budget, progress, &Arc::default())
}

/// One of several searches over the same slots with the same routing, which share the paths.
///
/// # Errors
/// Those of [`optimise`].
pub(crate) fn one_of_many(
    problem: &Problem<'_>,
    method: &Call,
    objective: &Call,
    budget: Budget,
    progress: &Progress,
    paths: &Arc<OnceLock<PathTable>>,
) -> Outcome<Solution> {
    let (row, mut args) = OPTIMISERS.bind(method)?;
    let (score, options) = OBJECTIVES.bind(objective)?;
    if let Some(moves) = score.moves().filter(|_| leaves_open(method, row.params, "swaps")) {
        let mut method = method.clone();
        method.keyword.push(("swaps".into(), Value::Int(moves)));
        args = row.bind(&method)?;
    }
    let mut prepared = Prepared::new(problem, score.weigh(&options))?;
    (prepared.progress, prepared.paths) = (Some(progress), Arc::clone(paths));
    let prepared = prepared;
    let objective = score.objective(&prepared, &options)?;
    let start_value = objective.value();
    let bound = bound::lower_bound(&prepared, score.build).min(start_value);
    let method = args.canonical().to_string();
    let run = Run { prepared: &prepared, objective, bound, args, budget, progress };
    let counted = row.params.iter().any(|p| p.name == "swaps");
    let found = every::mapping(&run, score.build, counted).map_or_else(|| (row.run)(&run), Ok)?;
    if let Some(faults) = prepared.fault.get() {
        return Err(faults.clone());
    }
    let endpoints = found.slot_of_rank.iter().map(|&s| prepared.endpoints[s as usize]).collect();
    Ok(Solution {
        mapping: Mapping::new(endpoints, problem.network)?,
        value: found.value,
        start_value,
        bound,
        evaluations: found.evaluations,
        accepted: found.accepted,
        trace: found.trace,
        method,
        decided_by: score.name,
    })
}

/// True if a call could give this parameter, and does not.
fn leaves_open(call: &Call, params: &[Param], name: &str) -> bool {
    let position = params.iter().position(|p| p.name == name);
    position.is_some_and(|at| call.positional.len() <= at && call.keyword.iter().all(|(key, _)| key != name))
}
