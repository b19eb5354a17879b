//! Moves by time from the best mapping.

use netloom_model::{Call, Clock, Outcome, Value};

use super::best::Best;
use super::inputs::Portfolio;
use crate::asked::Asked;
use crate::objective::SharedPaths;
use crate::problem::{Budget, Problem};
use crate::row::SEED;

/// Messages that the descent of `auto` may simulate, and its most moves.
const SIMULATED: u64 = 1 << 20;
const MOST_MOVES: u64 = 1000;

/// Moves that are not worse, most of them guided; the caller adds their number and a seed.
pub fn method() -> Call {
    let cold = |name: &str| (name.to_string(), Value::Float(0.0));
    Call { name: "guided".into(), positional: Vec::new(), keyword: vec![cold("t_start"), cold("t_end")] }
}

/// Moves from the best by time that are not worse: a share of the usual number, or until the end.
pub fn by_time(
    portfolio: &Portfolio<'_>,
    clock: &dyn Clock,
    best: &mut Best,
    share: Option<f64>,
    round: usize,
) -> Outcome<()> {
    let progress = portfolio.asked.progress;
    let moves = (moves(portfolio) as f64 * share.unwrap_or(1.0)).ceil() as u64;
    if moves == 0 || progress.stopped() {
        return Ok(());
    }
    let problem = &Problem { start: &best.mapping, routing: None, clock: Some(clock), ..*portfolio.asked.problem };
    let mut method = method();
    let counts = [("swaps", moves as i64), (SEED.name, portfolio.seed(round))];
    method.keyword.extend(counts.map(|(name, number)| (name.to_string(), Value::Int(number))));
    let budget = if share.is_some() { Budget::Swaps } else { portfolio.asked.budget };
    let paths = &SharedPaths::default();
    let asked = Asked { problem, method: &method, objective: &portfolio.time, budget, progress, paths };
    match (portfolio.inner)(&asked) {
        Ok(found) => best.follow(found),
        // Broken off before its start was simulated again.
        Err(_) if progress.stopped() => {}
        Err(faults) => return Err(faults),
    }
    Ok(())
}

/// The usual number of moves.
fn moves(portfolio: &Portfolio<'_>) -> u64 {
    let messages = portfolio.asked.problem.traffic.flows().iter().map(|f| f.messages).sum::<u64>();
    let affordable = (SIMULATED / messages.max(1)).min(MOST_MOVES);
    let given = portfolio.given("swaps").map(|s| s.unsigned_abs());
    if portfolio.simulated && portfolio.asked.budget == Budget::Swaps {
        given.unwrap_or(MOST_MOVES)
    } else {
        given.map_or(affordable, |s| affordable.min(s))
    }
}
