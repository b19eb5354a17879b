//! Simulated time of a mapping, for searches whose objective is time.

use crate::fault::Outcome;

/// Gives the time of one workload on one machine, for any mapping. The same mapping always takes the same time,
/// independent of earlier calls and of the thread.
pub trait Clock: Send + Sync {
    /// Seconds until the last rank ends with this slot for every rank: an endpoint, or one of its seats. `None` if that is later than `limit_s`, which
    /// may be infinite, or if the caller wants an end: then nothing more is known.
    ///
    /// # Errors
    /// Those of the workload and the routing.
    fn time_s(&self, slot_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>>;
}
