//! Evaluators of a scenario. Two rungs are here: `hops` (distances alone) and `links` (bytes and contentions per link
//! for a given routing). The doors for flow and packet models stand beside them.

pub mod codes;
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
