//! A score that follows moves.

use netloom_model::Fault;
use netloom_model::fault::codes::TOO_LARGE;

use crate::places::{Exchange, Places};

/// Score of a mapping that follows swaps.
///
/// `value` is reported; `energy` is minimised by searches. They are the same for sums; for a maximum, which one move
/// hardly ever changes, the energy is a smooth substitute.
pub trait Objective: Send + Sync {
    /// Objective of the present state.
    fn value(&self) -> u64;
    /// Energy of the present state, recomputed from scratch. For tests and plug-ins: O(everything).
    fn energy(&self, places: &Places) -> f64;
    /// Change of the energy if `a` and `b` (ranks or fillers, not the same) exchanged their places.
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64;
    /// Follows the exchange of `a` and `b`, which `places` does not yet show.
    fn swap(&mut self, places: &Places, a: u32, b: u32);
    /// The change as [`Objective::swap_delta`] gives it, for a caller that rejects every change above `most`: then any number above it may
    /// come, without the work of knowing more. An infinite `most` is no such permission.
    fn delta_within(&mut self, places: &Places, a: u32, b: u32, most: f64) -> f64 {
        let _ = most;
        self.swap_delta(places, a, b)
    }
    /// Makes several exchanges one after another, in `places` too; gives their energy change together, or something above
    /// `most`, and then they must be taken back.
    fn make(&mut self, places: &mut Places, moves: &[Exchange], most: f64) -> f64 {
        let _ = most;
        let mut change = 0.0;
        for &Exchange { a, b } in moves {
            change += self.swap_delta(places, a, b);
            self.swap(places, a, b);
            places.swap(a, b);
        }
        change
    }
    /// Undoes [`Objective::make`], which came just before with the same moves.
    fn take_back(&mut self, places: &mut Places, moves: &[Exchange]) {
        for &Exchange { a, b } in moves.iter().rev() {
            self.swap(places, a, b);
            places.swap(a, b);
        }
    }
    /// What one unit of energy is in units of the value, where they are proportional.
    fn unit(&self) -> f64 {
        1.0
    }
    /// Cost of one evaluation in evaluations of hops, roughly: default budgets are divided by it.
    fn relative_cost(&self) -> u64 {
        1
    }
    /// Factor on the temperatures at which a search begins, in standard deviations of random changes.
    fn heat(&self) -> f64 {
        1.0
    }
    /// A copy for another walk.
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's;
}

/// Relative cost of an objective that follows paths.
pub const FOLLOWED: u64 = 32;

/// A relative cost from which on every single evaluation counts.
pub const EXPENSIVE: u64 = 1024;

/// The fault that a table of `items` items would not fit.
pub(super) fn too_large(place: &str, what: &str, items: u64) -> Fault {
    Fault::say(&TOO_LARGE, place, format!("{items} {what} are too many to search over"))
        .hint("use fewer ranks or slots")
}
