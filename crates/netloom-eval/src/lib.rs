//! Evaluators of a scenario. Rungs: `hops` (distances alone), `links` (bytes and contentions per link for a given
//! routing), `loads` (link loads of many jobs at machine scale, adaptive routing), `ranks` and `flow` (simulated
//! time: the machine of ranks, and messages as flows under it). A packet model will be another transport of `ranks`.

pub mod codes;
pub mod flow;
pub mod hops;
pub mod links;
pub mod loads;
pub mod ranks;
mod workload;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod slow_reference;

pub use hops::{Hops, MessageHops, StepHops, hops, messages};
pub use links::{Contentions, LinkBytes, contentions, link_bytes};
pub use workload::Workload;
