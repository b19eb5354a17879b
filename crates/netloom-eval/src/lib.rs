//! Evaluators of a scenario, listed in [`EVALUATORS`], over the models behind them: `hops` (distances alone), `links` (bytes
//! and contentions of one workload), `loads` (link loads of many jobs at machine scale, adaptive routing), `ranks` and `flow`
//! (simulated time: the engine of ranks, and messages as flows under it), `packet` (packets through switches with buffers).

pub mod codes;
pub mod evaluators;
pub mod flow;
pub mod hops;
pub mod links;
pub mod loads;
pub mod packet;
pub mod ranks;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod slow_reference;

pub use evaluators::{EVALUATORS, answer_together};
pub use hops::{Hops, StepHops, hops};
pub use links::{Contentions, LinkBytes, contentions, link_bytes};
pub use loads::VARIANTS;
pub use packet::{Company, Exchange, PARALLEL, SOURCES, SWITCHES};
