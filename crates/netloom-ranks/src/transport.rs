//! Carries messages from one endpoint to another: all that the engine of ranks knows of a network.

use netloom_model::{Outcome, Place, Reach, Time};

use crate::Job;
use crate::trace::LinkBins;

/// A message, as a transport sees it. Both endpoints may be the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payload {
    pub from: Place,
    pub to: Place,
    pub bytes: u64,
    /// Largest rate of the message, bytes per second; infinite if nothing bounds it.
    pub cap_bytes_per_s: f64,
    /// Number of its job, which may have its own routing.
    pub job: u32,
    /// The class of its pair of ranks, [`crate::NO_PAIR`] where ranks are not folded.
    pub pair: u32,
}

/// Times of a message, for the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Latency over: its bytes began to move.
    pub flow: Time,
    /// Transfer time if it were alone.
    pub alone_s: f64,
}

/// Carries messages in simulated time. At every instant the ranks call [`Transport::advance`], then
/// [`Transport::begin`] for each message that starts, then [`Transport::settle`]; an instant is everything before
/// [`Time::instant_end`], and instants may repeat. Calls are static: an engine is compiled for its transport.
pub trait Transport {
    /// Its count of its own work.
    type Work: Default;

    /// Checks before the start that a job can run here.
    ///
    /// # Errors
    /// Those of the transport; at least for endpoints that do not exist.
    fn check(&self, job: &Job<'_>) -> Outcome<()>;

    /// True if seats of one endpoint are different places.
    fn seated(&self) -> bool {
        false
    }

    /// Seconds that a byte of memory takes each of these ranks when all of them compute; empty where memory bounds nothing.
    fn memory_s_per_byte(&self, _places: &[Place]) -> Vec<f64> {
        Vec::new()
    }

    /// How far a message goes.
    fn reach(&self, from: Place, to: Place) -> Reach;

    /// A message starts. `id` names it until it is done; ids are small, and used again.
    ///
    /// # Errors
    /// If it has no route.
    fn begin(&mut self, now: Time, payload: Payload, id: u32) -> Outcome<()>;

    /// Time of the next event, if any. If there is none up to `until`, when the ranks act next, it may be left out: a
    /// transport that looks ahead need not look further.
    ///
    /// # Errors
    /// As [`Transport::begin`].
    fn next(&mut self, until: Time) -> Outcome<Option<Time>>;

    /// Advances to the end of the instant that begins at `now`, and appends the messages that arrived to `done`, in
    /// order.
    ///
    /// # Errors
    /// As [`Transport::begin`].
    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()>;

    /// What it carries: number of a message, how far it is on its way, and seconds or bytes until it is further. `None` if
    /// it does not tell, or if more than this decides how it goes on. After [`Transport::settle`] at `now`.
    fn moving(&self, _now: Time) -> Option<Vec<(u32, u64, f64)>> {
        None
    }

    /// All messages that start at `now` have begun.
    fn settle(&mut self, now: Time);

    /// Resets to the initial state. Memory and cached routes stay.
    fn reset(&mut self);

    /// Records from now on the data for the record of a run.
    fn record(&mut self);

    /// Times of the message that [`Transport::advance`] last returned under this id.
    fn passage(&self, id: u32) -> Passage;

    /// Bytes on links over time, if recorded.
    fn link_bins(&mut self) -> LinkBins;

    /// All ranks have ended.
    ///
    /// # Errors
    /// As [`Transport::begin`].
    fn finish(&mut self) -> Outcome<()> {
        Ok(())
    }

    /// True if a run that is stopped has a part of a result.
    fn parts_with_it(&self) -> bool {
        true
    }

    /// # Errors
    /// Those of the transport, if its work is counted in several processes.
    fn work(&mut self) -> Outcome<Self::Work>;
}
