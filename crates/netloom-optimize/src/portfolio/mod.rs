//! Time as the goal: cheap objectives propose mappings, time decides.
//!
//! A search that simulates every move sees few mappings. So the objectives that are followed by increments (bytes between
//! nodes, hop-bytes, the loads of links) search first, as *scouts*: short searches from the given start and from a shuffled
//! one, each followed by a descent by loads. What they find is simulated. The better half of the scouts goes on from where
//! it stands, for longer, and the best mapping so far is refined by loads as well. A descent by time comes last. The best
//! by time is kept, the given start among them.

mod best;
mod descent;
mod inputs;
mod pace;
mod proposals;
mod round;
mod scouts;
mod without_time;

use netloom_model::Outcome;

use crate::objective::{TIME, clock, start_time};
use crate::picoseconds::picoseconds;
use crate::problem::{Budget, Solution};
use best::Best;
pub(crate) use inputs::Portfolio;
use pace::Pace;
pub(crate) use without_time::without_time;

/// Searches by cheap objectives, then by time. The value is in picoseconds; every simulation is an evaluation.
///
/// # Errors
/// `NL-O008` without a clock, `NL-O009` if there was no time for the start, and those of the searches.
pub(crate) fn search(portfolio: &Portfolio<'_>) -> Outcome<Solution> {
    let (problem, progress, budget) = (portfolio.asked.problem, portfolio.asked.progress, portfolio.asked.budget);
    let clock = clock(problem)?;
    let start_s = start_time(problem, problem.start.endpoints())?;
    let mut best = Best::new(problem.start.clone(), start_s);
    // Before the scouts, which may take all the time where ranks are many.
    if let Some(groups) = proposals::gathered(portfolio)? {
        best.consider(clock, &groups)?;
    }
    let mut scouts = scouts::first(portfolio)?;
    let mut pace = Pace::new(budget, progress);
    let over = |best: &Best| progress.stopped() || best.time_s <= 0.0 || portfolio.alone();
    while !over(&best) && !scouts.is_empty() {
        let before = scouts.len();
        round::run(portfolio, clock, &mut scouts, &pace, &mut best)?;
        if pace.last() {
            break;
        }
        if progress.spent() == 0.0 && budget == Budget::UntilStopped {
            // Nobody says when the last round is.
            descent::by_time(portfolio, clock, &mut best, Some(pace.share), pace.round)?;
        }
        pace.next(before, scouts.len());
    }
    if !over(&best) {
        let share = (budget == Budget::Swaps).then_some(1.0);
        descent::by_time(portfolio, clock, &mut best, share, pace.round)?;
    }
    Ok(best.solution(picoseconds(start_s), portfolio.method.to_string(), TIME.name))
}
