//! Time as the goal: cheap objectives propose mappings, time decides.
//!
//! A search that simulates every move sees few mappings. So the objectives that are followed by increments (bytes between
//! nodes, hop-bytes, the largest load of a link) search first, from the given start and from shuffled ones; what they find
//! is simulated, the best by time is kept, the given start among them, and a descent by time goes on from there.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Call, Clock, Mapping, Outcome, Param, Progress, Routing, Stream, Value};
use rayon::prelude::*;

use crate::anneal;
use crate::codes;
use crate::gather;
use crate::guest::Weigh;
use crate::objective::{FOLLOWED, Goal, PS_PER_S, clock, picoseconds, start_time};
use crate::prepared::Prepared;
use crate::problem::{Budget, Problem, Solution, TracePoint};
use crate::registry::{SEED, single};

/// Sites whose paths are listed for a proposal, at most: the table grows with their square.
const PATH_SITES: u32 = 1 << 11;
/// The same where a pair has several paths.
const SPLIT_SITES: u32 = 1 << 9;
/// Messages of a pair of ranks, on average, up to which loads are followed step by step.
const MEETINGS: u64 = 16;
/// Messages that the descent of `auto` may simulate, and its most moves.
const SIMULATED: u64 = 1 << 20;
const MOST_MOVES: u64 = 1000;
/// Evaluations of a proposal for each move of a descent that the user counts himself.
const PER_MOVE: i64 = 64;

/// Share of the usual moves in the first round under a time budget, and how rounds grow.
const FIRST: f64 = 0.125;
const GROWTH: f64 = 2.0;

/// What a search for time is told.
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
    fn take(&mut self, mapping: Mapping, time_s: f64) {
        (self.mapping, self.time_s) = (mapping, time_s);
        self.trace.push(TracePoint { evaluations: self.evaluations, value: picoseconds(time_s) });
    }
    /// Simulates a candidate.
    fn consider(&mut self, clock: &dyn Clock, candidate: Mapping) -> Outcome<()> {
        self.evaluations += 1;
        if let Some(time_s) = clock.time_s(candidate.endpoints(), self.time_s)?.filter(|s| *s < self.time_s) {
            self.accepted += 1;
            self.take(candidate, time_s);
        }
        Ok(())
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
        // Before the proxies, which may take all the time where ranks are many.
        if let Some(groups) = self.gathered()? {
            best.consider(clock, groups)?;
        }
        // With a time budget the first rounds are short, so that there is a good mapping soon.
        let mut round = 0;
        let mut share = if self.budget == Budget::Swaps { 1.0 } else { FIRST };
        loop {
            for candidate in self.proposals(round, share)? {
                best.consider(clock, candidate)?;
            }
            self.descend(clock, &mut best, share, round)?;
            if self.budget == Budget::Swaps || self.progress.stopped() || best.time_s <= 0.0 || self.alone() {
                return self.solution(best, start_value);
            }
            (round, share) = (round + 1, share * GROWTH);
        }
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
    fn takes(&self, name: &str) -> bool {
        self.params.iter().any(|p| p.name == name)
    }
    /// Another seed for every round.
    fn seed(&self, round: i64) -> i64 {
        self.given(SEED.name).unwrap_or(0).wrapping_add(round) & i64::MAX
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

    /// From the best by time: moves that are not worse, most of them guided.
    fn descend(&self, clock: &dyn Clock, best: &mut Best, share: f64, round: i64) -> Outcome<()> {
        let moves = (self.moves() as f64 * share).ceil() as u64;
        if moves == 0 || self.progress.stopped() {
            return Ok(());
        }
        let problem = Problem { start: &best.mapping, routing: None, clock: Some(clock), ..*self.problem };
        let cold = |name: &str| (name.to_string(), Value::Float(0.0));
        let counts = [("swaps", moves as i64), (SEED.name, self.seed(round))];
        let counts = counts.map(|(name, number)| (name.to_string(), Value::Int(number)));
        let method = Call {
            name: "guided".into(),
            positional: Vec::new(),
            keyword: counts.into_iter().chain([cold("t_start"), cold("t_end")]).collect(),
        };
        let found = match single(&problem, &method, &self.time, Budget::Swaps, self.progress) {
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

    /// What the proxies find from the given start and from a shuffled one; under a time budget from one of the two.
    fn proposals(&self, round: i64, share: f64) -> Outcome<Vec<Mapping>> {
        if self.given("swaps") == Some(0) || self.alone() {
            return Ok(Vec::new());
        }
        // From the shuffled start only what costs little: long searches forget where they began.
        let starts = [self.problem.start.clone(), self.shuffled(round)?];
        let cheap = |proxy: &Goal| matches!(proxy, Goal::HopBytes | Goal::InterNode);
        let again = self.proxies().into_iter().filter(cheap).map(|proxy| (1, proxy));
        // The longest search first, so that the others fill the other cores.
        let asked: Vec<(usize, Goal)> = self.proxies().into_iter().rev().map(|proxy| (0, proxy)).chain(again).collect();
        let propose =
            |&(start, proxy): &(usize, Goal)| self.propose(&starts[start], proxy, self.swaps(proxy, share), round);
        let found: Vec<Option<Mapping>> = asked.par_iter().map(propose).collect::<Outcome<_>>()?;
        Ok(found.into_iter().flatten().collect())
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

    /// Moves of a proxy from one start.
    fn swaps(&self, proxy: Goal, share: f64) -> i64 {
        let each = if self.goal == Goal::Time { PER_MOVE } else { 1 };
        let given = self.given("swaps").map(|swaps| swaps.saturating_mul(each));
        let cost = match proxy {
            Goal::StepLoad => 2 * FOLLOWED,
            Goal::MaxLinkLoad => FOLLOWED,
            _ => 1,
        };
        let usual = anneal::default_swaps(self.problem.start.ranks(), cost) as i64;
        (given.unwrap_or(usual) as f64 * share).ceil() as i64
    }

    fn proxies(&self) -> Vec<Goal> {
        let sites = self.problem.start.ranks().min(self.problem.network.switches());
        let own =
            self.problem.routing.is_some_and(|r| sites <= if r.is_deterministic() { PATH_SITES } else { SPLIT_SITES });
        let mut proxies = vec![Goal::HopBytes];
        proxies.extend((self.problem.slots > 1).then_some(Goal::InterNode));
        // The loads of single steps tell more than those of all together.
        let loads = if own && self.few_steps() { Goal::StepLoad } else { Goal::MaxLinkLoad };
        let followed = loads == Goal::StepLoad || (one_path(self.problem).is_some() && sites <= PATH_SITES);
        proxies.extend(followed.then_some(loads));
        proxies
    }

    /// True unless pairs of ranks meet in many steps: an evaluation visits every message of two ranks.
    fn few_steps(&self) -> bool {
        let pairs = self.problem.traffic.flows().len() as u64;
        self.problem.schedule.is_none_or(|schedule| schedule.messages() <= MEETINGS * pairs)
    }

    /// The result of one proxy, or nothing if the problem is too large for it.
    fn propose(&self, start: &Mapping, proxy: Goal, swaps: i64, round: i64) -> Outcome<Option<Mapping>> {
        let routing = if proxy == Goal::MaxLinkLoad { one_path(self.problem) } else { self.problem.routing };
        let routing = routing.filter(|_| proxy.needs_routing());
        let problem = Problem { start, routing, clock: None, ..*self.problem };
        let mut method = self.method.clone();
        for (name, number) in [(SEED.name, self.seed(round)), ("swaps", swaps)] {
            if self.takes(name) {
                method.keyword.retain(|(key, _)| key != name);
                method.keyword.push((name.into(), Value::Int(number)));
            }
        }
        match single(&problem, &method, &proxy.call(), Budget::Swaps, self.progress) {
            Ok(found) => Ok(Some(found.mapping)),
            Err(faults) if faults.0.iter().all(|f| f.code == TOO_LARGE.code || f.code == codes::NEEDS_ROUTING.code) => {
                Ok(None)
            }
            // Too many paths to list are no reason to give up.
            Err(_) if proxy == Goal::StepLoad => Ok(None),
            Err(faults) => Err(faults),
        }
    }

    /// The ranks in random order on the slots of the start, or on any endpoints if the search may choose.
    fn shuffled(&self, round: i64) -> Outcome<Mapping> {
        let Problem { network, start, free, .. } = *self.problem;
        let mut endpoints: Vec<u32> =
            if free { (0..network.endpoints()).collect() } else { start.endpoints().to_vec() };
        Stream::new(self.seed(0) as u64, &format!("start {round}")).shuffle(&mut endpoints);
        endpoints.truncate(start.ranks() as usize);
        Mapping::new(endpoints, network)
    }
}

fn one_path<'a>(problem: &Problem<'a>) -> Option<&'a dyn Routing> {
    problem.routing.filter(|r| r.is_deterministic()).or(problem.one_path)
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
    let few = problem.start.ranks().min(problem.network.switches()) <= PATH_SITES;
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
