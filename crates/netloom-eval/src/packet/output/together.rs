//! How the parts of a machine worked together: what that cost, not what was found.

use super::wire::{Wire, records};

/// Counts of one simulation; they depend on the parts, the result does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Together {
    pub parts: u64,
    pub processes: u64,
    /// Of a window, picoseconds.
    pub lookahead_ps: u64,
    /// Events of the simulation; those that were undone are not among them.
    pub events: u64,
    /// Times that all parts waited for each other.
    pub synchronisations: u64,
    /// Packets and credits from one part to another.
    pub mail: u64,
    /// Times that a part went back, the events that it undid, and those that it simulated again on its way.
    pub rollbacks: u64,
    pub rolled_back: u64,
    pub replayed: u64,
}

records! {
    Together { parts, processes, lookahead_ps, events, synchronisations, mail, rollbacks, rolled_back, replayed }
}

impl Together {
    /// Adds what another process counted alone.
    pub fn add(&mut self, other: Together) {
        self.mail += other.mail;
        self.rollbacks += other.rollbacks;
        self.rolled_back += other.rolled_back;
        self.replayed += other.replayed;
    }

    /// 1 - undone events / events, which can be negative (Jain 2016, section 5.5.1).
    pub fn efficiency(&self) -> f64 {
        1.0 - self.rolled_back as f64 / self.events.max(1) as f64
    }
}
