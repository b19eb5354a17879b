//! The inputs of a portfolio.

use netloom_model::{Call, Mapping, Outcome, Param, Routing, Stream, Value};

use crate::asked::{Asked, Search};
use crate::objective::{MAX_LINK_LOAD, ObjectiveRow, STEP_LOAD};
use crate::problem::Problem;
use crate::row::SEED;

/// Sites whose paths are listed for a proposal, at most: the table grows with their square.
pub(super) const PATH_SITES: u32 = 1 << 11;
/// Most sites where a pair has several paths.
const SPLIT_SITES: u32 = 1 << 9;
/// Messages of a pair of ranks, on average, up to which loads are followed step by step.
const MEETINGS: u64 = 16;

/// A search for the least time, made of searches by other objectives.
pub(crate) struct Portfolio<'a> {
    /// The problem with its clock. Method and objective as the caller gave them.
    pub asked: Asked<'a>,
    /// How one method searches with one objective.
    pub inner: Search,
    /// The method that searches with the proxies, every argument by name.
    pub method: Call,
    /// What that method takes.
    pub params: &'static [Param],
    /// `time` with its options, for the descent.
    pub time: Call,
    /// True if a number of moves that the caller gives is of simulated ones.
    pub simulated: bool,
}

impl<'a> Portfolio<'a> {
    /// True if there is no other mapping.
    pub fn alone(&self) -> bool {
        let ranks = self.asked.problem.start.ranks();
        ranks == 0 || (ranks == 1 && !self.asked.problem.free)
    }

    /// An integer among the method's arguments.
    pub fn given(&self, name: &str) -> Option<i64> {
        let value = self.method.keyword.iter().find(|(key, _)| key == name);
        value.and_then(|(_, value)| if let Value::Int(number) = value { Some(*number) } else { None })
    }

    /// The seed of a round.
    pub fn seed(&self, round: usize) -> i64 {
        self.given(SEED.name).unwrap_or(0).wrapping_add(round as i64) & i64::MAX
    }

    /// The objective over links that can be followed: the loads of single steps tell more than those of all together.
    pub fn loads(&self) -> Option<&'static ObjectiveRow> {
        let sites = self.asked.problem.most_sites();
        let most = |routing: &dyn Routing| if routing.is_deterministic() { PATH_SITES } else { SPLIT_SITES };
        let own = self.asked.problem.routing.is_some_and(|routing| sites <= most(routing));
        if own && self.few_steps() { Some(&STEP_LOAD) } else { self.loads_together() }
    }

    /// The loads of all steps together, where pairs have one path to follow.
    pub fn loads_together(&self) -> Option<&'static ObjectiveRow> {
        let sites = self.asked.problem.most_sites();
        (one_path(self.asked.problem).is_some() && sites <= PATH_SITES).then_some(&MAX_LINK_LOAD)
    }

    /// True unless pairs of ranks meet in many steps: an evaluation visits every message of two ranks.
    fn few_steps(&self) -> bool {
        let pairs = self.asked.problem.traffic.flows().len() as u64;
        self.asked.problem.schedule.is_none_or(|schedule| schedule.messages() <= MEETINGS * pairs)
    }

    /// The ranks in random order on the slots of the start, or on any endpoints if the search may choose.
    pub fn shuffled(&self, round: usize) -> Outcome<Mapping> {
        let Problem { network, start, free, .. } = *self.asked.problem;
        let mut endpoints: Vec<u32> =
            if free { (0..network.endpoints()).collect() } else { start.endpoints().to_vec() };
        Stream::new(self.seed(0) as u64, &format!("start {round}")).shuffle(&mut endpoints);
        endpoints.truncate(start.ranks() as usize);
        Mapping::new(endpoints, network)
    }
}

/// The routing that objectives with one path per pair follow.
pub(super) fn one_path<'a>(problem: &Problem<'a>) -> Option<&'a dyn Routing> {
    problem.routing.filter(|r| r.is_deterministic()).or(problem.one_path)
}
