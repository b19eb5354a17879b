//! How the parts of a machine worked together: what that cost, not what was found.

use crate::wire::{Wire, as_bytes};

/// Counts of one simulation; they depend on the parts, the result does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParallelStats {
    pub parts: u64,
    pub processes: u64,
    /// Of the part that has most; one over the number of parts of all, if they are balanced.
    pub most_events: u64,
    /// Of a window, picoseconds.
    pub lookahead_ps: u64,
    /// Times that all parts waited for each other.
    pub synchronisations: u64,
    /// Packets and credits from one part to another.
    pub mail: u64,
    /// Of parts that run ahead: events, with those that were undone; times that a part went back; packets and credits that were
    /// not true.
    pub processed: u64,
    pub rollbacks: u64,
    pub cancelled: u64,
}

as_bytes! {
    ParallelStats { parts, processes, most_events, lookahead_ps, synchronisations, mail, processed, rollbacks, cancelled }
}

impl ParallelStats {
    /// Adds what another process counted alone.
    pub fn add(&mut self, other: ParallelStats) {
        self.mail += other.mail;
        self.processed += other.processed;
        self.rollbacks += other.rollbacks;
        self.cancelled += other.cancelled;
    }
}
