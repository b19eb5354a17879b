//! How ranks handle messages and data, independent of the network: the protocol and its costs.

/// Rows of (above bytes, fixed seconds, seconds per byte): the row with the largest threshold strictly below a size
/// counts.
pub type Overheads = Vec<(u64, f64, f64)>;

/// Time that a rank spends per message, by payload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overhead {
    pub rows: Overheads,
    /// Added to the payload.
    pub envelope_bytes: u64,
}

impl Overhead {
    pub fn seconds(&self, payload: u64) -> f64 {
        let size = payload.saturating_add(self.envelope_bytes);
        row(&self.rows, |r| r.0, size).map_or(0.0, |r| r.1 + r.2 * size as f64)
    }
}

/// How ranks behave.
#[derive(Clone, Debug, PartialEq)]
pub struct Software {
    /// A blocking send of fewer bytes returns at once (eager), one of more when its transfer ends (rendezvous).
    pub sender_returns_below_bytes: u64,
    /// An eager message of fewer bytes moves when it is sent, any other when its receive is posted too.
    pub starts_early_below_bytes: u64,
    pub send: Overhead,
    pub nonblocking_send: Overhead,
    pub receive: Overhead,
    /// Time to combine a byte that arrives with one's own, seconds.
    pub combine_s_per_byte: f64,
    /// Speed of a rank.
    pub flops_per_s: f64,
}

/// The row of a table, ascending by threshold, that counts for a size.
pub fn row<T>(table: &[T], above: impl Fn(&T) -> u64, size: u64) -> Option<&T> {
    table.partition_point(|r| above(r) < size).checked_sub(1).map(|at| &table[at])
}
