//! How long-running work reports progress and learns that it must stop.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Shared between the worker and the watching thread. Cheap enough to update once per block of work.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
    /// Share of a budget of time that is used up, in millionths.
    spent: AtomicU32,
    simulated_ps: AtomicU64,
}

/// One whole, in [`Progress::spent`]'s own unit.
const WHOLE: f64 = 1e6;

impl Progress {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn set_total(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }
    /// More work than was known of: runs at the same time each say what they have to do.
    pub fn expect(&self, more: u64) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }
    pub fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }
    /// `(done, total)` in units of the work itself.
    pub fn get(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
    /// Share of the budget of time that is used up, from 0 to 1: 0 where there is none, or nobody says.
    pub fn spent(&self) -> f64 {
        f64::from(self.spent.load(Ordering::Relaxed)) / WHOLE
    }
    /// Whoever keeps a budget of time says how much of it is used up, so that work can be divided; in the core nothing
    /// reads a clock.
    pub fn set_spent(&self, share: f64) {
        self.spent.store((share.clamp(0.0, 1.0) * WHOLE) as u32, Ordering::Relaxed);
    }
    /// A simulation says how far it is, in picoseconds of its own time.
    pub fn set_simulated_ps(&self, time: u64) {
        self.simulated_ps.store(time, Ordering::Relaxed);
    }
    /// Simulated time, 0 where nothing is simulated.
    pub fn simulated_s(&self) -> f64 {
        self.simulated_ps.load(Ordering::Relaxed) as f64 * 1e-12
    }
    pub fn request_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Workers check this between blocks and return early, with what they have if that is a part of an answer.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
