//! Simulated time with messages as flows: the transport that shares links max-min fairly, and flows without ranks.

mod agenda;
mod bundle;
pub(crate) mod check;
mod finishes;
mod flows;
mod fluid;
#[cfg(test)]
mod kinds_tests;
mod machine;
mod max_min;
#[cfg(test)]
mod max_min_churn_tests;
#[cfg(test)]
mod max_min_tests;
mod routes;
#[cfg(test)]
mod tests;
mod transport;
mod utilisation;
mod ways;

pub use flows::{FlowSet, FlowTimes, simulate_flows, watch_flows};
pub use machine::{Background, Duplex, Execution, Machine, Stopwatch, execute};
pub use max_min::{MaxMin, TOLERANCE, Use, Work};
pub use netloom_model::machine::{SMPI_CROSS_TRAFFIC, SMPI_TCP_WINDOW_BYTES, SMPI_WEIGHT_S_BYTES, Sharing};
pub use transport::Flows;
pub(crate) use utilisation::Utilisation;
