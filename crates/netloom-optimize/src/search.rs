//! A search: one method with one objective, or a portfolio of such searches.

use netloom_model::{Call, Mapping, Outcome, Param, Progress, Value};

use crate::asked::Asked;
use crate::every;
use crate::objective::{Clocked, OBJECTIVES, SharedPaths, TIME, follows, on_start};
use crate::portfolio::{self, Portfolio};
use crate::prepared::Prepared;
use crate::problem::{Budget, Problem, Solution};
use crate::registry::OPTIMISERS;
use crate::row::Run;

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
    let (goal, options) = OBJECTIVES.bind(objective)?;
    let paths = &SharedPaths::default();
    let asked = Asked { problem, method, objective, budget, progress, paths };
    let time = match goal.needs.clock {
        Clocked::IfGiven if problem.clock.is_none() => return portfolio::without_time(&asked, one),
        Clocked::IfGiven => Call::bare(TIME.name),
        Clocked::Always if row.leads => options.canonical(),
        Clocked::Never | Clocked::Always => {
            // Slots that a routing tells apart are sites of their own only where it counts.
            let routing = problem.routing.filter(|_| follows(objective, |goal| goal.needs.routing()));
            return one(&Asked { problem: &Problem { routing, ..*problem }, ..asked });
        }
    };
    let simulated = goal.needs.clock == Clocked::Always;
    portfolio::search(&Portfolio { asked, inner: one, method: args.canonical(), params: row.params, time, simulated })
}

/// One method with one objective.
///
/// # Errors
/// Those of [`optimise`].
fn one(asked: &Asked<'_>) -> Outcome<Solution> {
    let Asked { problem, budget, progress, paths, .. } = *asked;
    let (row, mut args) = OPTIMISERS.bind(asked.method)?;
    let (goal, options) = OBJECTIVES.bind(asked.objective)?;
    if let Some(moves) = goal.moves.filter(|_| leaves_open(asked.method, row.params, "swaps")) {
        let mut method = asked.method.clone();
        method.keyword.push(("swaps".into(), Value::Int(moves)));
        args = row.bind(&method)?;
    }
    let mut prepared = Prepared::new(problem, (goal.weigh)(&options))?;
    prepared.progress = Some(progress);
    let prepared = prepared;
    let objective = on_start(goal, &prepared, &options, paths)?;
    let start_value = objective.value();
    let bound = (goal.bound)(&prepared).min(start_value);
    let method = args.canonical().to_string();
    let run = Run { prepared: &prepared, objective, bound, args, budget, progress };
    let counted = row.params.iter().any(|p| p.name == "swaps");
    let every = if goal.every && counted { every::mapping(&run) } else { None };
    let found = every.map_or_else(|| (row.run)(&run), Ok)?;
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
        decided_by: goal.name,
    })
}

/// True if a call could give this parameter, and does not.
fn leaves_open(call: &Call, params: &[Param], name: &str) -> bool {
    let position = params.iter().position(|p| p.name == name);
    position.is_some_and(|at| call.positional.len() <= at && call.keyword.iter().all(|(key, _)| key != name))
}
