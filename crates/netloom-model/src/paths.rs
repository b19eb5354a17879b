//! What a routing answers: for two switches, the candidate paths, each with its virtual channels and its share.

use crate::fault::Outcome;

/// One path between two switches, as link numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Switch links in travel order; empty from a switch to itself.
    pub links: Vec<u32>,
    /// Virtual channel used on each link.
    pub channels: Vec<u8>,
    /// Share of the traffic; the shares of one pair sum to 1.
    pub fraction: f64,
}

/// A routing bound to one network. The same definition serves hop counting, link loads, contention and, later, the
/// flow and packet engines.
pub trait Routing: Send + Sync {
    /// The call that made it, such as `minimal` or `dimension-ordered`.
    fn label(&self) -> &str;

    /// Replaces `out` by the paths from `source` to `destination`, in a fixed order. `source == destination` gives one
    /// empty path.
    ///
    /// # Errors
    /// If no path exists, or more candidates than the routing's stated limit.
    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()>;

    /// Number of virtual channels that the routing uses on any link, at least 1.
    fn virtual_channels(&self) -> u8;

    /// True if there is exactly one path per pair.
    fn is_deterministic(&self) -> bool;
}
