//! Scouts: cheap objectives that look for mappings, each from where it stands.

use netloom_model::{Mapping, Outcome};

use super::inputs::Portfolio;
use super::proposals::{self, Candidate, Method, STEPS, foretells};
use crate::objective::{CONTENTIONS, FOLLOWED, HOP_BYTES, HOPS, INTER_NODE, MAX_LINK_LOAD, ObjectiveRow};
use crate::problem::Budget;

/// A cheap objective and the mapping from which it goes on.
pub struct Scout {
    pub proxy: &'static ObjectiveRow,
    pub at: Mapping,
    /// The best by time of what it found last; infinite: not known, or worse than was asked.
    pub time_s: f64,
    /// The least estimate of what it found last.
    pub estimate: u64,
}

/// What a scout reports.
pub struct Report {
    /// Where it goes on, if it moved.
    pub at: Option<Mapping>,
    /// What may be simulated.
    pub candidates: Vec<Candidate>,
}

/// The scouts of the first round, those first of which most is expected: every proxy from the given start, and what
/// costs little from a shuffled one as well. Where moves are counted, the searches from the given start are those
/// that the proxies make alone, so that time is behind none of them; seconds are for what leads somewhere.
pub fn first(portfolio: &Portfolio<'_>) -> Outcome<Vec<Scout>> {
    if portfolio.given("swaps") == Some(0) || portfolio.alone() {
        return Ok(Vec::new());
    }
    let problem = portfolio.asked.problem;
    let (start, shuffled) = (&problem.start, portfolio.shuffled(0)?);
    let sums = [(problem.per_node() > 1).then_some(&INTER_NODE), Some(&HOP_BYTES)];
    let sums: Vec<&'static ObjectiveRow> = sums.into_iter().flatten().collect();
    let scout = |proxy: &'static ObjectiveRow, at: &Mapping| Scout {
        proxy,
        at: at.clone(),
        time_s: f64::INFINITY,
        estimate: 0,
    };
    let mut scouts: Vec<Scout> = sums.iter().map(|proxy| scout(proxy, start)).collect();
    let loads = portfolio.loads();
    scouts.extend(loads.map(|proxy| scout(proxy, start)));
    if portfolio.asked.budget == Budget::Swaps {
        let together = portfolio.loads_together();
        let steps = |proxy: &&ObjectiveRow| !proxy.needs.schedule || problem.schedule.is_some();
        let contentions = together.map(|_| &CONTENTIONS).filter(steps);
        let together = together.filter(|_| loads.is_none_or(|loads| loads.name != MAX_LINK_LOAD.name));
        let more = [Some(&HOPS), together, contentions].into_iter().flatten();
        scouts.extend(more.map(|proxy| scout(proxy, start)));
    }
    scouts.extend(sums.iter().map(|proxy| scout(proxy, &shuffled)));
    Ok(scouts)
}

/// One search of a scout, then a descent by loads from what it found.
pub fn search(portfolio: &Portfolio<'_>, scout: &Scout, share: f64, round: usize) -> Outcome<Report> {
    // Where seconds count, all scouts take about as long.
    let steps = if portfolio.asked.budget == Budget::Swaps { 2 * FOLLOWED } else { STEPS };
    let swaps = proposals::swaps(portfolio, scout.proxy, steps, share);
    let none = Report { at: None, candidates: Vec::new() };
    let method = Method { call: &portfolio.method, params: portfolio.params, swaps };
    let Some(own) = proposals::propose(portfolio, &method, &scout.at, scout.proxy, round)? else {
        return Ok(none);
    };
    // Where it stood, it was simulated; only in the first round it was not refined.
    let moved = own.mapping.endpoints() != scout.at.endpoints();
    if !moved && round > 0 {
        return Ok(none);
    }
    let loads = portfolio.loads();
    let refined = match loads.filter(|loads| loads.name != scout.proxy.name) {
        Some(loads) => proposals::refine(portfolio, &own.mapping, loads, share, round)?,
        None => None,
    };
    let estimate = match refined.as_ref().map_or(own.value, |refined| refined.start_value) {
        load if loads.is_some_and(foretells) => load,
        _ => 0,
    };
    let candidate = moved.then(|| Candidate { mapping: own.mapping.clone(), estimate });
    let refined = refined.and_then(|refined| refined.candidate);
    Ok(Report { at: moved.then_some(own.mapping), candidates: candidate.into_iter().chain(refined).collect() })
}
