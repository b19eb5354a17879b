//! Simulated time with messages as flows: the transport that shares links max-min fairly, and flows without ranks.

mod agenda;
mod bundle;
pub mod codes;
mod evaluator;
mod execute;
mod finishes;
mod flows;
mod fluid;
mod fold;
#[cfg(test)]
mod kinds_tests;
mod max_min;
#[cfg(test)]
mod max_min_anew_tests;
#[cfg(test)]
mod max_min_churn_tests;
#[cfg(test)]
mod max_min_tests;
mod routes;
mod split;
#[cfg(test)]
mod strand_tests;
#[cfg(test)]
mod tests;
mod transport;
mod ways;

pub use evaluator::{ROW as TIME, simulated_share};
pub use execute::{Asked, Execution, Stopwatch, execute, stopwatch};
pub use flows::{FlowSet, FlowTimes, simulate_flows, watch_flows};
pub use fold::Limits;
pub use max_min::{MaxMin, TOLERANCE, Use, Work};
pub use transport::Flows;
