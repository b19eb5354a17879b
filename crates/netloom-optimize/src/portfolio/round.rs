//! A round: all scouts search, then what they found is simulated.

use netloom_model::{Clock, Outcome};
use rayon::prelude::*;

use super::best::Best;
use super::inputs::Portfolio;
use super::pace::Pace;
use super::proposals::{self, Candidate};
use super::scouts::{self, Report, Scout};
use crate::problem::Budget;

/// Scouts that always go on.
const FEWEST: usize = 2;
/// A step-load this many times the least is not simulated where seconds count: on machines of all kinds time is 0.7 to 1.4 times step-load.
const FAR: f64 = 2.0;
/// Share of a budget of time after which a round simulates no more of what was found.
const LONG: f64 = 0.1;

/// A candidate, and the scout that found it; none for the refinement of the best mapping.
struct Proposed {
    by: Option<usize>,
    candidate: Candidate,
}

/// All scouts search, on all cores; then what they found is simulated, what promises most first.
pub fn run(
    portfolio: &Portfolio<'_>,
    clock: &dyn Clock,
    scouts: &mut Vec<Scout>,
    pace: &Pace<'_>,
    best: &mut Best,
) -> Outcome<()> {
    proposals::list_paths(portfolio);
    let search = |scout: &Scout| scouts::search(portfolio, scout, pace.share, pace.round);
    let reports: Vec<Report> = scouts.par_iter().map(search).collect::<Outcome<_>>()?;
    let mut found: Vec<Proposed> = Vec::new();
    for (i, (scout, report)) in scouts.iter_mut().zip(reports).enumerate() {
        (scout.time_s, scout.estimate) = (f64::INFINITY, u64::MAX);
        scout.at = match report.at {
            Some(at) => at,
            // It is as low as it gets from there.
            None if pace.round > 0 => portfolio.shuffled(pace.round)?,
            None => scout.at.clone(),
        };
        found.extend(report.candidates.into_iter().map(|candidate| Proposed { by: Some(i), candidate }));
    }
    if let Some(loads) = portfolio.loads().filter(|_| pace.round > 0 && !portfolio.asked.progress.stopped())
        && let Some(refined) = proposals::refine(portfolio, &best.mapping, loads, pace.share, pace.round)?
    {
        found.extend(refined.candidate.map(|candidate| Proposed { by: None, candidate }));
    }
    found.sort_by_key(|found| found.candidate.estimate);
    for found in &found {
        if let Some(scout) = found.by.and_then(|i| scouts.get_mut(i)) {
            scout.estimate = scout.estimate.min(found.candidate.estimate);
        }
    }
    simulate(portfolio, clock, &found, scouts, best)?;
    choose(scouts);
    Ok(())
}

/// Simulates what was found, in order; where seconds count, what is near the least estimate, while there is time.
fn simulate(
    portfolio: &Portfolio<'_>,
    clock: &dyn Clock,
    found: &[Proposed],
    scouts: &mut [Scout],
    best: &mut Best,
) -> Outcome<()> {
    let progress = portfolio.asked.progress;
    let least = found.first().map_or(0, |first| first.candidate.estimate);
    let (all, began) = (portfolio.asked.budget == Budget::Swaps, progress.spent());
    for Proposed { by, candidate } in found.iter().filter(|found| all || near(found.candidate.estimate, least)) {
        // What was found before the end is simulated if nothing else was.
        let long = progress.stopped() || progress.spent() - began > LONG;
        if long && best.accepted > 0 {
            break;
        }
        let time_s = best.consider(clock, &candidate.mapping)?;
        if let Some(scout) = by.and_then(|i| scouts.get_mut(i)) {
            scout.time_s = scout.time_s.min(time_s);
        }
    }
    Ok(())
}

/// True if this step-load is not far above the least.
fn near(estimate: u64, least: u64) -> bool {
    estimate as f64 <= least as f64 * FAR
}

/// The better half of the scouts by time, less those that are far behind.
fn choose(scouts: &mut Vec<Scout>) {
    scouts.sort_by(|a, b| a.time_s.total_cmp(&b.time_s).then(a.estimate.cmp(&b.estimate)));
    scouts.truncate(scouts.len().div_ceil(2).max(FEWEST));
    let least = scouts.first().map_or(0, |first| first.estimate);
    scouts.retain(|scout| near(scout.estimate, least));
}
