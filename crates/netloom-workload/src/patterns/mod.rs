//! Traffic patterns: messages and bytes from rank to rank, without order. One row per pattern; all sizes are checked
//! before anything is allocated. A row generates its messages rank by rank wherever it can; [`build_pattern`] collects
//! them into a list, [`stream_pattern`] generates them on demand.

mod fixed;
mod grid;
mod hot;
mod lines;
mod made;
mod mix;
mod near;
mod params;
mod random;
mod registry;
mod row;
mod stencil;

#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod summed_tests;
#[cfg(test)]
mod tests;

pub(crate) use grid::{DIMS, points};
pub use mix::mix;
pub(crate) use params::whole_bytes;
pub use registry::{PATTERNS, build_pattern, stream_pattern};
pub use row::{Pattern, PatternRow};
