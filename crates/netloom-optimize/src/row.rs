//! What an optimiser has: a search by one objective.

use netloom_model::{Bound, Kind, Outcome, Param, Progress, Row};

use crate::objective::Objective;
use crate::prepared::Prepared;
use crate::problem::Budget;
use crate::walk::{Found, Walk};

/// Seed of all random choices of a search.
pub const SEED: Param =
    Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "0", "seed of all random choices").keyword_only();

/// The type that an optimiser's row builds.
#[derive(Clone, Copy)]
pub struct Optimiser {
    pub(crate) run: fn(&Run<'_>) -> Outcome<Found>,
    /// True if simulated time is the goal of a [`Portfolio`](crate::portfolio::Portfolio), in which `run` searches by
    /// cheaper objectives; false if every move is simulated.
    pub(crate) leads: bool,
}

/// A method; its restrictions give the requirements on the problem.
pub type OptimiserRow = Row<Optimiser>;

/// The input of a method.
pub(crate) struct Run<'p> {
    pub prepared: &'p Prepared<'p>,
    /// The objective on the start; methods work on copies.
    pub objective: Box<dyn Objective + 'p>,
    pub bound: u64,
    pub args: Bound,
    pub budget: Budget,
    pub progress: &'p Progress,
}

impl<'p> Run<'p> {
    pub fn seed(&self) -> u64 {
        self.args.int("seed") as u64
    }
    /// A walk from the start.
    pub fn walk(&self) -> Walk<'p> {
        Walk::new(self.prepared, self.prepared.places(), self.objective.boxed(), self.bound, self.progress)
    }
    /// A walk from elsewhere. O(slots) exchanges.
    pub fn walk_from(&self, slot_of_rank: &[u32]) -> Walk<'p> {
        let mut places = self.prepared.places();
        let mut objective = self.objective.boxed();
        let moves = places.exchanges_to(slot_of_rank);
        if !moves.is_empty() {
            objective.make(&mut places, &moves, f64::INFINITY);
        }
        Walk::new(self.prepared, places, objective, self.bound, self.progress)
    }
}
