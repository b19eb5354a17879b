//! Evaluators of a scenario, listed in [`evaluators`], over the models behind them: `hops` (distances alone), `links` (bytes
//! and contentions of one workload), `loads` (link loads of many jobs at machine scale, adaptive routing), `flow` (simulated
//! time).

pub mod codes;
pub mod evaluators;
pub mod flow;
pub mod hops;
pub mod links;
pub mod loads;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod slow_reference;

pub use evaluators::EVALUATORS;
pub use hops::{Hops, StepHops, hops};
pub use links::{Contentions, LinkBytes, contentions, link_bytes};
