//! How long a mapping takes: what a search asks whose objective is time.

use crate::fault::Outcome;

/// Tells the time of one workload on one machine, for any mapping. The same mapping always takes the same time, whatever
/// was asked before and by which thread.
pub trait Clock: Send + Sync {
    /// Seconds until the last rank ends with this endpoint for every rank. `None` if that is later than `limit_s`, which
    /// may be infinite, or if the caller wants an end: then nothing more is known.
    ///
    /// # Errors
    /// What the workload or the routing reports.
    fn time_s(&self, endpoint_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>>;
}
