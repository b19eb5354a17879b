//! What messages do to a network without simulated time: how far they travel ([`hops`](mod@hops)), which links they share
//! ([`links`]), and the loads of all jobs on every link at machine scale, with adaptive routing ([`loads`]).

pub mod codes;
pub mod evaluators;
pub mod features;
pub mod hops;
pub mod links;
pub mod loads;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod slow_reference;

pub use evaluators::{CONTENTIONS, HOPS, LOADS};
pub use hops::{Hops, StepHops, hops};
pub use links::{Contentions, LinkBytes, contentions, link_bytes};
pub use loads::VARIANTS;
