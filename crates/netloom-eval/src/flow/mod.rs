//! Simulated time: flows that share links max-min fairly, and ranks that send, receive, wait and compute.

mod finishes;
mod flows;
mod fluid;
mod max_min;
#[cfg(test)]
mod max_min_tests;
mod sharing;
mod utilisation;

pub use flows::{FlowSet, FlowTimes, simulate_flows};
pub use max_min::{MaxMin, TOLERANCE, Use, Work};
pub use sharing::{SMPI_CROSS_TRAFFIC, SMPI_TCP_WINDOW_BYTES, SMPI_WEIGHT_S_BYTES, Sharing};
pub use utilisation::LinkBins;
