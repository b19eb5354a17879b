//! Graph metrics: distances, diameter, average shortest path length, bisection.

mod bisection;
pub mod bounds;
pub mod codes;
mod cut;
mod endpoints;
mod graph;
mod kernel;
mod matrix;
mod one_way;
mod reach;
mod simd;
mod summary;
mod symmetry;
#[cfg(test)]
pub(crate) mod tests;

pub use bisection::{Bisection, bisection};
pub use bounds::{lower_bounds, moore_bound};
pub use cut::{CutBound, CutQuestion, cut_bound};
pub use endpoints::{EndpointBisection, Interval, endpoint_bisection};
pub use matrix::{MATRIX_LIMIT, hop_matrix, hop_rows};
pub use reach::{Reach, reach};
pub use summary::{ClassCables, Metrics, Options, metrics};
