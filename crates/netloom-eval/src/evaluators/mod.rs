//! Every evaluator that has a name: one file each, one line of `mod` and one row.

use netloom_model::{Evaluates, Registry};

mod contention_causes;
mod contentions;
#[cfg(test)]
mod direct_tests;
mod hops;
mod link_classes;
mod load_jobs;
mod loads;
#[cfg(test)]
mod node_oracle;
#[cfg(test)]
mod node_tests;
mod packet;
mod packet_seen;
pub mod runs;
#[cfg(test)]
mod tests;
mod throughput;
mod time;

pub use packet::answer_together;

/// In the order of the docs: from distances alone to packets.
pub static EVALUATORS: Registry<Evaluates> = Registry {
    kind: "evaluators",
    what: "evaluator",
    rows: &[hops::ROW, contentions::ROW, loads::ROW, time::ROW, packet::ROW, throughput::ROW],
};
