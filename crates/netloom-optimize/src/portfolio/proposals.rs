//! What the proxies propose: mappings that may be simulated.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Call, Mapping, Outcome, Param, Value};

use super::descent;
use super::inputs::{Portfolio, one_path};
use crate::anneal;
use crate::asked::Asked;
use crate::codes;
use crate::gather;
use crate::guest::Weigh;
use crate::objective::{FOLLOWED, Followed, ObjectiveRow, SharedPaths};
use crate::prepared::Prepared;
use crate::problem::{Budget, Problem, Solution};
use crate::row::SEED;

/// Evaluations of hops that one of step-load takes, as measured.
pub const STEPS: u64 = 256;
/// Evaluations of a proposal for each move of a descent whose number the caller gives.
const PER_MOVE: i64 = 64;

/// A mapping that may be simulated.
pub struct Candidate {
    pub mapping: Mapping,
    /// Its step-load, which foretells its time well; 0 where steps cannot be followed.
    pub estimate: u64,
}

/// A descent by loads.
pub struct Refined {
    /// The loads before.
    pub start_value: u64,
    /// What was found, if it is another mapping.
    pub candidate: Option<Candidate>,
}

/// A method that searches with a proxy, and what it takes.
pub struct Method<'a> {
    pub call: &'a Call,
    pub params: &'static [Param],
    /// Moves, where it counts them.
    pub swaps: i64,
}

/// Faults of a proxy for which there is no place, or no time.
const NOTHING: [&str; 3] = [TOO_LARGE.code, codes::NEEDS_ROUTING.code, codes::NO_START.code];

/// True if the proxy's value foretells time: it follows the loads of single steps.
pub fn foretells(proxy: &ObjectiveRow) -> bool {
    proxy.needs.paths == Followed::Shares
}

/// Groups of ranks that talk most, as they are: no proxy knows all that they save.
pub fn gathered(portfolio: &Portfolio<'_>) -> Outcome<Option<Mapping>> {
    if portfolio.given("swaps") == Some(0) || portfolio.alone() {
        return Ok(None);
    }
    let problem = portfolio.asked.problem;
    let prepared = Prepared::new(&Problem { routing: None, ..*problem }, Weigh::Bytes)?;
    let endpoints = |slots: Vec<u32>| slots.iter().map(|slot| prepared.endpoints[*slot as usize]).collect();
    let found = gather::applies(&prepared).then(|| endpoints(gather::slots(&prepared, None)));
    found.map(|endpoints| Mapping::new(endpoints, problem.network)).transpose()
}

/// The paths that the searches over step-load share, before these start side by side. What goes wrong they find again.
pub fn list_paths(portfolio: &Portfolio<'_>) {
    let asked = &portfolio.asked;
    if !portfolio.loads().is_some_and(foretells) || asked.paths.is_made() {
        return;
    }
    if let Ok(mut prepared) = Prepared::new(&Problem { clock: None, ..*asked.problem }, Weigh::Bytes) {
        prepared.progress = Some(asked.progress);
        drop(asked.paths.table(&prepared));
    }
}

/// A descent by the loads of links, moves that do not make them worse. Nothing if the problem is too large for it.
pub fn refine(
    portfolio: &Portfolio<'_>,
    from: &Mapping,
    loads: &ObjectiveRow,
    share: f64,
    round: usize,
) -> Outcome<Option<Refined>> {
    let swaps = swaps(portfolio, loads, STEPS, share);
    let method = Method { call: &descent::method(), params: anneal::GUIDED.params, swaps };
    Ok(propose(portfolio, &method, from, loads, round)?.map(|found| {
        let estimate = if foretells(loads) { found.value } else { 0 };
        let moved = found.mapping.endpoints() != from.endpoints();
        let candidate = moved.then_some(Candidate { mapping: found.mapping, estimate });
        Refined { start_value: found.start_value, candidate }
    }))
}

/// Moves of a proxy, a share of the usual number; one of step-load takes as long as `steps` of hops.
pub fn swaps(portfolio: &Portfolio<'_>, proxy: &ObjectiveRow, steps: u64, share: f64) -> i64 {
    let each = if portfolio.simulated { PER_MOVE } else { 1 };
    let given = portfolio.given("swaps").map(|swaps| swaps.saturating_mul(each));
    let cost = match proxy.needs.paths {
        Followed::Shares => steps,
        Followed::OnePath => FOLLOWED,
        Followed::Nothing => 1,
    };
    let usual = anneal::default_swaps(portfolio.asked.problem.start.ranks(), cost) as i64;
    (given.unwrap_or(usual) as f64 * share).ceil() as i64
}

/// The result of one proxy by a method, or nothing if the problem is too large for it.
pub fn propose(
    portfolio: &Portfolio<'_>,
    method: &Method<'_>,
    start: &Mapping,
    proxy: &ObjectiveRow,
    round: usize,
) -> Outcome<Option<Solution>> {
    let asked = &portfolio.asked;
    let routing = match proxy.needs.paths {
        Followed::Nothing => None,
        Followed::OnePath => one_path(asked.problem),
        Followed::Shares => asked.problem.routing,
    };
    let problem = &Problem { start, routing, clock: None, ..*asked.problem };
    let mut call = method.call.clone();
    for (name, number) in [(SEED.name, portfolio.seed(round)), ("swaps", method.swaps)] {
        if method.params.iter().any(|p| p.name == name) {
            call.keyword.retain(|(key, _)| key != name);
            call.keyword.push((name.into(), Value::Int(number)));
        }
    }
    let own = SharedPaths::default();
    let paths = if foretells(proxy) { asked.paths } else { &own };
    let objective = &Call::bare(proxy.name);
    let inner = Asked { problem, method: &call, objective, budget: Budget::Swaps, progress: asked.progress, paths };
    match (portfolio.inner)(&inner) {
        Ok(found) => Ok(Some(found)),
        Err(faults) if faults.0.iter().all(|f| NOTHING.contains(&f.code)) => Ok(None),
        // Too many paths to list are no reason to give up.
        Err(_) if foretells(proxy) => Ok(None),
        Err(faults) => Err(faults),
    }
}
