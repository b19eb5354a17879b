//! Time as the goal: cheap objectives propose mappings, time decides.
//!
//! A search that simulates every move sees few mappings. So the objectives that are followed by increments (bytes between
//! nodes, hop-bytes, the loads of links) search first, as *scouts*: short searches from the given start and from a shuffled
//! one, each followed by a descent by loads. What they find is simulated. The better half of the scouts goes on from where
//! it stands, for longer, and the best mapping so far is refined by loads as well. A descent by time comes last. The best
//! by time is kept, the given start among them.

mod pace;
mod scout;

use std::sync::{Arc, OnceLock};

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Call, Clock, Mapping, Outcome, Param, Progress, Value};
use rayon::prelude::*;

use crate::gather;
use crate::guest::Weigh;
use crate::objective::{Goal, PS_PER_S, PathTable, clock, picoseconds, start_time};
use crate::prepared::Prepared;
use crate::problem::{Budget, Problem, Solution, TracePoint};
use crate::registry::{SEED, single};
use pace::Pace;
use scout::{Candidate, Found, PATH_SITES, Scout, descent, one_path};

/// Messages that the descent of `auto` may simulate, and its most moves.
const SIMULATED: u64 = 1 << 20;
const MOST_MOVES: u64 = 1000;
/// Scouts that always go on.
const FEWEST: usize = 2;
/// A step-load this many times the least is not simulated where seconds count: on machines of all kinds time is 0.7 to 1.4 times step-load.
const FAR: f64 = 2.0;
/// Share of a budget of time after which a round simulates no more of what was found.
const LONG: f64 = 0.1;
/// Simulations of scouts break off at this multiple of the best time: by how much a scout is behind does not matter then.
const BEHIND: f64 = 1.1;

/// Inputs of a search for time.
pub(crate) struct Lead<'a> {
    pub problem: &'a Problem<'a>,
    /// The method that searches with the proxies, every argument by name, and what it takes.
    pub method: Call,
    pub params: &'static [Param],
    /// `time` with its options, for the descent.
    pub time: Call,
    pub goal: Goal,
    pub budget: Budget,
    pub progress: &'a Progress,
    /// Of the searches over step-load.
    pub paths: Arc<OnceLock<PathTable>>,
}

/// The best by time, and what it took.
struct Best {
    mapping: Mapping,
    time_s: f64,
    evaluations: u64,
    accepted: u64,
    trace: Vec<TracePoint>,
}

impl Best {
    /// Simulates a mapping and takes it if it is better; infinite if it is not near the best, or there is no time.
    fn consider(&mut self, clock: &dyn Clock, mapping: &Mapping) -> Outcome<f64> {
        self.evaluations += 1;
        let time_s = clock.time_s(mapping.endpoints(), self.time_s * BEHIND)?.unwrap_or(f64::INFINITY);
        if time_s < self.time_s {
            self.accepted += 1;
            (self.mapping, self.time_s) = (mapping.clone(), time_s);
            self.trace.push(TracePoint { evaluations: self.evaluations, value: picoseconds(time_s) });
        }
        Ok(time_s)
    }
}

impl<'a> Lead<'a> {
    /// The value is in picoseconds; every simulation is an evaluation.
    ///
    /// # Errors
    /// `NL-O008` without a clock, `NL-O009` if there was no time for the start, and those of the searches.
    pub fn run(&self) -> Outcome<Solution> {
        let clock = clock(self.problem)?;
        let start_s = start_time(self.problem, self.problem.start.endpoints())?;
        let start_value = picoseconds(start_s);
        let trace = vec![TracePoint { evaluations: 0, value: start_value }];
        let mut best =
            Best { mapping: self.problem.start.clone(), time_s: start_s, evaluations: 0, accepted: 0, trace };
        // Before the scouts, which may take all the time where ranks are many.
        if let Some(groups) = self.gathered()? {
            best.consider(clock, &groups)?;
        }
        let mut scouts = self.scouts()?;
        let mut pace = Pace::new(self.budget, self.progress);
        let over = |best: &Best| self.progress.stopped() || best.time_s <= 0.0 || self.alone();
        while !over(&best) && !scouts.is_empty() {
            let before = scouts.len();
            self.round(clock, &mut scouts, &pace, &mut best)?;
            if pace.last() {
                break;
            }
            if self.progress.spent() == 0.0 && self.budget == Budget::UntilStopped {
                // Nobody says when the last round is.
                self.descend(clock, &mut best, Some(pace.share), pace.round)?;
            }
            pace.next(before, scouts.len());
        }
        if !over(&best) {
            let share = (self.budget == Budget::Swaps).then_some(1.0);
            self.descend(clock, &mut best, share, pace.round)?;
        }
        self.solution(best, start_value)
    }

    fn solution(&self, mut best: Best, start_value: u64) -> Outcome<Solution> {
        let value = picoseconds(best.time_s);
        best.trace.retain(|p| p.evaluations == 0 || p.evaluations < best.evaluations);
        if best.evaluations > 0 {
            best.trace.push(TracePoint { evaluations: best.evaluations, value });
        }
        Ok(Solution {
            mapping: best.mapping,
            value,
            start_value,
            bound: 0,
            evaluations: best.evaluations,
            accepted: best.accepted,
            trace: best.trace,
            method: self.method.to_string(),
            decided_by: Goal::Time.name(),
        })
    }

    /// No other mapping is there to be found.
    fn alone(&self) -> bool {
        let ranks = self.problem.start.ranks();
        ranks == 0 || (ranks == 1 && !self.problem.free)
    }

    fn given(&self, name: &str) -> Option<i64> {
        let value = self.method.keyword.iter().find(|(key, _)| key == name);
        value.and_then(|(_, value)| if let Value::Int(number) = value { Some(*number) } else { None })
    }
    /// Another seed for every round.
    fn seed(&self, round: usize) -> i64 {
        self.given(SEED.name).unwrap_or(0).wrapping_add(round as i64) & i64::MAX
    }

    /// Groups of ranks that talk most, as they are: no proxy knows all that they save.
    fn gathered(&self) -> Outcome<Option<Mapping>> {
        if self.given("swaps") == Some(0) || self.alone() {
            return Ok(None);
        }
        let prepared = Prepared::new(&Problem { routing: None, ..*self.problem }, Weigh::Bytes)?;
        let endpoints = |slots: Vec<u32>| slots.iter().map(|slot| prepared.endpoints[*slot as usize]).collect();
        let found = gather::applies(&prepared).then(|| endpoints(gather::slots(&prepared, None)));
        found.map(|endpoints| Mapping::new(endpoints, self.problem.network)).transpose()
    }

    /// The paths that the searches over step-load share, before these start side by side. What goes wrong they find again.
    fn list_paths(&self) {
        if self.loads() != Some(Goal::StepLoad) || self.paths.get().is_some() {
            return;
        }
        if let Ok(mut prepared) = Prepared::new(&Problem { clock: None, ..*self.problem }, Weigh::Bytes) {
            (prepared.progress, prepared.paths) = (Some(self.progress), Arc::clone(&self.paths));
            drop(PathTable::shared(&prepared));
        }
    }

    /// All scouts search, on all cores; then what they found is simulated, what promises most first.
    fn round(&self, clock: &dyn Clock, scouts: &mut Vec<Scout>, pace: &Pace<'_>, best: &mut Best) -> Outcome<()> {
        self.list_paths();
        let search = |scout: &Scout| self.scout(scout, pace.share, pace.round);
        let found: Vec<Found> = scouts.par_iter().map(search).collect::<Outcome<_>>()?;
        let mut candidates: Vec<(Option<usize>, Candidate)> = Vec::new();
        for (i, (scout, found)) in scouts.iter_mut().zip(found).enumerate() {
            (scout.time_s, scout.estimate) = (f64::INFINITY, u64::MAX);
            scout.at = match found.at {
                Some(at) => at,
                // It is as low as it gets from there.
                None if pace.round > 0 => self.shuffled(pace.round)?,
                None => scout.at.clone(),
            };
            candidates.extend(found.candidates.into_iter().map(|candidate| (Some(i), candidate)));
        }
        if let Some(loads) = self.loads().filter(|_| pace.round > 0 && !self.progress.stopped())
            && let Some((_, Some(refined))) = self.refine(&best.mapping, loads, pace.share, pace.round)?
        {
            candidates.push((None, refined));
        }
        candidates.sort_by_key(|(_, candidate)| candidate.estimate);
        let least = candidates.first().map_or(0, |(_, first)| first.estimate);
        let (all, began) = (self.budget == Budget::Swaps, self.progress.spent());
        for (scout, candidate) in &candidates {
            if let Some(scout) = scout.and_then(|i| scouts.get_mut(i)) {
                scout.estimate = scout.estimate.min(candidate.estimate);
            }
        }
        for (scout, candidate) in candidates.iter().filter(|(_, candidate)| all || near(candidate.estimate, least)) {
            // What was found before the end is simulated if nothing else was.
            let long = self.progress.stopped() || self.progress.spent() - began > LONG;
            if long && best.accepted > 0 {
                break;
            }
            let time_s = best.consider(clock, &candidate.mapping)?;
            if let Some(scout) = scout.and_then(|i| scouts.get_mut(i)) {
                scout.time_s = scout.time_s.min(time_s);
            }
        }
        choose(scouts);
        Ok(())
    }

    /// Moves of the descent by time.
    fn moves(&self) -> u64 {
        let messages = self.problem.traffic.flows().iter().map(|f| f.messages).sum::<u64>();
        let affordable = (SIMULATED / messages.max(1)).min(MOST_MOVES);
        let given = self.given("swaps").map(|s| s.unsigned_abs());
        if self.goal == Goal::Time && self.budget == Budget::Swaps {
            given.unwrap_or(MOST_MOVES)
        } else {
            given.map_or(affordable, |s| affordable.min(s))
        }
    }

    /// From the best by time: moves that are not worse, most of them guided. A share of the usual moves, or until the end.
    fn descend(&self, clock: &dyn Clock, best: &mut Best, share: Option<f64>, round: usize) -> Outcome<()> {
        let moves = (self.moves() as f64 * share.unwrap_or(1.0)).ceil() as u64;
        if moves == 0 || self.progress.stopped() {
            return Ok(());
        }
        let problem = Problem { start: &best.mapping, routing: None, clock: Some(clock), ..*self.problem };
        let mut method = descent();
        let counts = [("swaps", moves as i64), (SEED.name, self.seed(round))];
        method.keyword.extend(counts.map(|(name, number)| (name.to_string(), Value::Int(number))));
        let budget = if share.is_some() { Budget::Swaps } else { self.budget };
        let found = match single(&problem, &method, &self.time, budget, self.progress) {
            Ok(found) => found,
            // Broken off before its start was simulated again.
            Err(_) if self.progress.stopped() => return Ok(()),
            Err(faults) => return Err(faults),
        };
        let better = found.trace.iter().filter(|p| p.value < picoseconds(best.time_s));
        let at = |p: &TracePoint| TracePoint { evaluations: p.evaluations + best.evaluations, value: p.value };
        let points: Vec<TracePoint> = better.map(at).collect();
        best.evaluations += found.evaluations;
        if !points.is_empty() {
            best.trace.extend(points);
            best.accepted += found.accepted;
            (best.time_s, best.mapping) = (found.value as f64 / PS_PER_S, found.mapping);
        }
        Ok(())
    }
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

/// What decides where time cannot: the largest load of a link if paths are given and few enough, else hop-bytes.
///
/// # Errors
/// Those of the searches.
pub(crate) fn without_time(
    problem: &Problem<'_>,
    method: &Call,
    budget: Budget,
    progress: &Progress,
) -> Outcome<Solution> {
    let few = problem.most_sites() <= PATH_SITES;
    if let Some(routing) = one_path(problem).filter(|_| few) {
        match single(
            &Problem { routing: Some(routing), ..*problem },
            method,
            &Goal::MaxLinkLoad.call(),
            budget,
            progress,
        ) {
            Err(faults) if faults.0.iter().all(|f| f.code == TOO_LARGE.code) => {}
            found => return found,
        }
    }
    single(&Problem { routing: None, ..*problem }, method, &Goal::HopBytes.call(), budget, progress)
}
