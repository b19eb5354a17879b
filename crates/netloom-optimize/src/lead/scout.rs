//! Scouts: cheap objectives that look for mappings, each from where it stands.

use std::sync::Arc;

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Call, Mapping, Outcome, Param, Routing, Stream, Value};

use super::Lead;
use crate::anneal;
use crate::codes;
use crate::objective::{FOLLOWED, Goal};
use crate::problem::{Budget, Problem, Solution};
use crate::registry::{SEED, one_of_many};

/// Sites whose paths are listed for a proposal, at most: the table grows with their square.
pub(super) const PATH_SITES: u32 = 1 << 11;
/// The same where a pair has several paths.
const SPLIT_SITES: u32 = 1 << 9;
/// Messages of a pair of ranks, on average, up to which loads are followed step by step.
const MEETINGS: u64 = 16;
/// Evaluations of hops that one of step-load takes, as measured.
const STEPS: u64 = 256;
/// Evaluations of a proposal for each move of a descent that the user counts himself.
const PER_MOVE: i64 = 64;

/// A cheap objective and the mapping from which it goes on.
pub(super) struct Scout {
    pub proxy: Goal,
    pub at: Mapping,
    /// The best by time of what it found last; infinite: not known, or worse than was asked.
    pub time_s: f64,
    /// The least estimate of what it found last.
    pub estimate: u64,
}

/// A mapping that may be simulated.
pub(super) struct Candidate {
    pub mapping: Mapping,
    /// Its step-load, which foretells its time well; 0 where steps cannot be followed.
    pub estimate: u64,
}

/// What a scout found: where it goes on, if it moved, and what may be simulated.
pub(super) struct Found {
    pub at: Option<Mapping>,
    pub candidates: Vec<Candidate>,
}

/// Faults of a proxy for which there is no place, or no time.
const NOTHING: [&str; 3] = [TOO_LARGE.code, codes::NEEDS_ROUTING.code, codes::NO_START.code];

impl Lead<'_> {
    /// The scouts of the first round, those first of which most is expected: every proxy from the given start, and what
    /// costs little from a shuffled one as well. Where moves are counted, the searches from the given start are those
    /// that the proxies make alone, so that time is behind none of them; seconds are for what leads somewhere.
    pub(super) fn scouts(&self) -> Outcome<Vec<Scout>> {
        if self.given("swaps") == Some(0) || self.alone() {
            return Ok(Vec::new());
        }
        let (start, shuffled) = (&self.problem.start, self.shuffled(0)?);
        let sums = [(self.problem.per_node() > 1).then_some(Goal::InterNode), Some(Goal::HopBytes)];
        let sums: Vec<Goal> = sums.into_iter().flatten().collect();
        let scout = |proxy: Goal, at: &Mapping| Scout { proxy, at: at.clone(), time_s: f64::INFINITY, estimate: 0 };
        let mut scouts: Vec<Scout> = sums.iter().map(|proxy| scout(*proxy, start)).collect();
        scouts.extend(self.loads().map(|proxy| scout(proxy, start)));
        if self.budget == Budget::Swaps {
            let all_together = self.follows().filter(|_| self.loads() != Some(Goal::MaxLinkLoad));
            let contentions = self.follows().and(self.problem.schedule).map(|_| Goal::Contentions);
            scouts.extend(
                [Some(Goal::Hops), all_together, contentions].into_iter().flatten().map(|proxy| scout(proxy, start)),
            );
        }
        scouts.extend(sums.iter().map(|proxy| scout(*proxy, &shuffled)));
        Ok(scouts)
    }

    /// One search of a scout, then a descent by loads from what it found.
    pub(super) fn scout(&self, scout: &Scout, share: f64, round: usize) -> Outcome<Found> {
        // Where seconds count, all scouts take about as long.
        let steps = if self.budget == Budget::Swaps { 2 * FOLLOWED } else { STEPS };
        let swaps = self.swaps(scout.proxy, steps, share);
        let none = Found { at: None, candidates: Vec::new() };
        let Some(own) = self.propose((&self.method, self.params), &scout.at, scout.proxy, swaps, round)? else {
            return Ok(none);
        };
        // Where it stood, it was simulated; only in the first round it was not refined.
        let moved = own.mapping.endpoints() != scout.at.endpoints();
        if !moved && round > 0 {
            return Ok(none);
        }
        let mut found = match self.loads().filter(|loads| *loads != scout.proxy) {
            Some(loads) => self.refine(&own.mapping, loads, share, round)?,
            None => None,
        };
        let estimate = found.as_ref().map_or(own.value, |(before, _)| *before);
        let estimate = if self.loads() == Some(Goal::StepLoad) { estimate } else { 0 };
        let refined = found.take().and_then(|(_, refined)| refined);
        let candidate = moved.then(|| Candidate { mapping: own.mapping.clone(), estimate });
        Ok(Found { at: moved.then_some(own.mapping), candidates: candidate.into_iter().chain(refined).collect() })
    }

    /// A descent by the loads of links, moves that do not make them worse: the objective before, and what was found.
    pub(super) fn refine(
        &self,
        from: &Mapping,
        loads: Goal,
        share: f64,
        round: usize,
    ) -> Outcome<Option<(u64, Option<Candidate>)>> {
        let found =
            self.propose((&descent(), anneal::GUIDED.params), from, loads, self.swaps(loads, STEPS, share), round)?;
        Ok(found.map(|found| {
            let estimate = if loads == Goal::StepLoad { found.value } else { 0 };
            let moved = found.mapping.endpoints() != from.endpoints();
            (found.start_value, moved.then_some(Candidate { mapping: found.mapping, estimate }))
        }))
    }

    /// The objective over links that can be followed: the loads of single steps tell more than those of all together.
    pub(super) fn loads(&self) -> Option<Goal> {
        let sites = self.problem.most_sites();
        let own =
            self.problem.routing.is_some_and(|r| sites <= if r.is_deterministic() { PATH_SITES } else { SPLIT_SITES });
        if own && self.few_steps() { Some(Goal::StepLoad) } else { self.follows() }
    }

    /// The loads of all steps together, where pairs have one path to follow.
    fn follows(&self) -> Option<Goal> {
        let sites = self.problem.most_sites();
        (one_path(self.problem).is_some() && sites <= PATH_SITES).then_some(Goal::MaxLinkLoad)
    }

    /// True unless pairs of ranks meet in many steps: an evaluation visits every message of two ranks.
    fn few_steps(&self) -> bool {
        let pairs = self.problem.traffic.flows().len() as u64;
        self.problem.schedule.is_none_or(|schedule| schedule.messages() <= MEETINGS * pairs)
    }

    /// Moves of a proxy; one of step-load takes as long as so many of hops.
    fn swaps(&self, proxy: Goal, steps: u64, share: f64) -> i64 {
        let each = if self.goal == Goal::Time { PER_MOVE } else { 1 };
        let given = self.given("swaps").map(|swaps| swaps.saturating_mul(each));
        let cost = match proxy {
            Goal::StepLoad => steps,
            Goal::MaxLinkLoad | Goal::Contentions => FOLLOWED,
            _ => 1,
        };
        let usual = anneal::default_swaps(self.problem.start.ranks(), cost) as i64;
        (given.unwrap_or(usual) as f64 * share).ceil() as i64
    }

    /// The result of one proxy by a method with its parameters, or nothing if the problem is too large for it.
    fn propose(
        &self,
        (method, params): (&Call, &[Param]),
        start: &Mapping,
        proxy: Goal,
        swaps: i64,
        round: usize,
    ) -> Outcome<Option<Solution>> {
        let one = matches!(proxy, Goal::MaxLinkLoad | Goal::Contentions);
        let routing = if one { one_path(self.problem) } else { self.problem.routing };
        let routing = routing.filter(|_| proxy.needs_routing());
        let problem = Problem { start, routing, clock: None, ..*self.problem };
        let mut method = method.clone();
        for (name, number) in [(SEED.name, self.seed(round)), ("swaps", swaps)] {
            if params.iter().any(|p| p.name == name) {
                method.keyword.retain(|(key, _)| key != name);
                method.keyword.push((name.into(), Value::Int(number)));
            }
        }
        let own = if proxy == Goal::StepLoad { Arc::clone(&self.paths) } else { Arc::default() };
        match one_of_many(&problem, &method, &proxy.call(), Budget::Swaps, self.progress, &own) {
            Ok(found) => Ok(Some(found)),
            Err(faults) if faults.0.iter().all(|f| NOTHING.contains(&f.code)) => Ok(None),
            // Too many paths to list are no reason to give up.
            Err(_) if proxy == Goal::StepLoad => Ok(None),
            Err(faults) => Err(faults),
        }
    }

    /// The ranks in random order on the slots of the start, or on any endpoints if the search may choose.
    pub(super) fn shuffled(&self, round: usize) -> Outcome<Mapping> {
        let Problem { network, start, free, .. } = *self.problem;
        let mut endpoints: Vec<u32> =
            if free { (0..network.endpoints()).collect() } else { start.endpoints().to_vec() };
        Stream::new(self.seed(0) as u64, &format!("start {round}")).shuffle(&mut endpoints);
        endpoints.truncate(start.ranks() as usize);
        Mapping::new(endpoints, network)
    }
}

/// Moves that are not worse, most of them guided; the caller adds their number and a seed.
pub(super) fn descent() -> Call {
    let cold = |name: &str| (name.to_string(), Value::Float(0.0));
    Call { name: "guided".into(), positional: Vec::new(), keyword: vec![cold("t_start"), cold("t_end")] }
}

pub(super) fn one_path<'a>(problem: &Problem<'a>) -> Option<&'a dyn Routing> {
    problem.routing.filter(|r| r.is_deterministic()).or(problem.one_path)
}
