//! Evaluators of a scenario. Three rungs are here: `hops` (distances alone), `links` (bytes and contentions per link
//! for a given routing), `flow` (simulated time). The door for a packet model stands beside them.

pub mod codes;
pub mod flow;
pub mod hops;
pub mod links;
mod workload;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod slow_reference;

pub use hops::{Hops, MessageHops, StepHops, hops, messages};
pub use links::{Contentions, LinkBytes, contentions, link_bytes};
pub use workload::Workload;
