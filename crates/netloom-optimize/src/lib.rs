//! Searches over a mapping, scored by an objective.
//!
//! The search knows only [`objective::Objective`], which decides what is minimised. All methods are
//! deterministic for a given seed and number of swaps; the caller's stop flag ends any of them early with the best
//! mapping so far.

mod anneal;
mod asked;
mod auto;
mod bisection;
pub mod bound;
mod chance;
pub mod codes;
mod each;
mod enumeration;
mod every;
mod gather;
mod grid;
mod guest;
mod level_moves;
pub mod objective;
mod picoseconds;
mod places;
mod portfolio;
mod prepared;
pub mod problem;
pub mod registry;
pub mod row;
mod search;
mod two_opt;
mod walk;

#[cfg(test)]
mod contract;
#[cfg(test)]
mod contract_contentions;
#[cfg(test)]
mod contract_kept;
#[cfg(test)]
mod contract_node;
#[cfg(test)]
mod contract_optimum;
#[cfg(test)]
mod contract_time;
#[cfg(test)]
mod fixtures;

pub use objective::{needs_clock, needs_routing, takes_clock, takes_split};
pub use places::{Exchange, Places};
pub use prepared::Prepared;
pub use problem::{Budget, Problem, Solution, TracePoint};
pub use search::optimise;
