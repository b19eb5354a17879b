//! Simulated time: flows that share links max-min fairly, and ranks that send, receive, wait and compute.

mod critical_path;
mod execute;
mod finishes;
mod flows;
mod fluid;
mod max_min;
#[cfg(test)]
mod max_min_churn_tests;
#[cfg(test)]
mod max_min_tests;
mod trace;
mod utilisation;
mod ways;

use netloom_model::{calibration, sharing};

pub use calibration::{Calibration, Factors, Overheads};
pub use critical_path::{CriticalPath, Segment, Stretch, critical_path};
pub use execute::{Background, Duplex, Execution, Job, Load, Machine, Stopwatch, execute};
pub use flows::{FlowSet, FlowTimes, simulate_flows, watch_flows};
pub use max_min::{MaxMin, TOLERANCE, Use, Work};
pub use sharing::{SMPI_CROSS_TRAFFIC, SMPI_TCP_WINDOW_BYTES, SMPI_WEIGHT_S_BYTES, Sharing};
pub use trace::{Activity, Interval, LinkBins, MessageTrace, Trace};
