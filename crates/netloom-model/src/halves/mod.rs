//! A graph cut into two sides: of given sizes, with few bytes across.

mod graph;
mod multilevel;
mod refine;
#[cfg(test)]
mod tests;

pub use graph::{Graph, Sides};
pub use multilevel::{contracted, cut};
pub use refine::{Aim, refine};
