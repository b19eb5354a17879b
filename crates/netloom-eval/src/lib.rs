//! Evaluators of a scenario. Rungs: `hops` (distances alone), `links` (bytes and contentions per link for a given
//! routing), `loads` (link loads of many jobs at machine scale, adaptive routing), `flow` (simulated time). The
//! door for a packet model stands beside them.

pub mod codes;
pub mod flow;
pub mod hops;
pub mod links;
pub mod loads;
mod workload;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod slow_reference;

pub use hops::{Hops, StepHops, hops};
pub use links::{Contentions, LinkBytes, contentions, link_bytes};
pub use workload::Workload;
