//! What carries messages from one endpoint to another: all that the machine of ranks knows of a network.

use netloom_model::{Outcome, Time};

use super::Job;
use super::trace::LinkBins;

/// A message, as a transport sees it. Both endpoints may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    pub from: u32,
    pub to: u32,
    /// Payload.
    pub bytes: u64,
    /// Number of its job, which may have a routing of its own.
    pub job: u32,
}

/// How a message went, for the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Latency over: its bytes began to move.
    pub flow: Time,
    /// Seconds that they would have moved alone.
    pub alone_s: f64,
}

/// Carries messages in simulated time. At every instant the ranks call [`Transport::advance`], then
/// [`Transport::begin`] for each message that starts, then [`Transport::settle`]; an instant is what lies before
/// [`Time::instant_end`], and instants may come again. Calls are static: an engine is compiled for its transport.
pub trait Transport {
    /// What it counts of its own work.
    type Work: Default;

    /// Says what keeps a job from running here, before it starts.
    ///
    /// # Errors
    /// As the transport says; at least for endpoints that it does not have.
    fn check(&self, job: &Job<'_>) -> Outcome<()>;

    /// A message starts. `id` names it until it is done; ids are small, and used again.
    ///
    /// # Errors
    /// Where it has no route.
    fn begin(&mut self, now: Time, wire: Wire, id: u32) -> Outcome<()>;

    /// When it is to be advanced next, if ever.
    fn next(&mut self) -> Option<Time>;

    /// Goes on to the end of the instant that begins at `now`, and appends the messages that are there to `done`, in
    /// order.
    ///
    /// # Errors
    /// As [`Transport::begin`].
    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()>;

    /// All that starts at `now` has begun.
    fn settle(&mut self, now: Time);

    /// As if nothing had begun. Memory, and routes already found, stay.
    fn reset(&mut self);

    /// Keeps from now on what the record of a run needs of it.
    fn record(&mut self);

    /// How the message went that [`Transport::advance`] gave last under this id.
    fn passage(&self, id: u32) -> Passage;

    /// Bytes on links over time, if recorded.
    fn link_bins(&mut self) -> LinkBins;

    fn work(&self) -> Self::Work;
}
