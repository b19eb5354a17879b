//! What a file of a network gives.

use netloom_model::Network;

/// A network from a file.
#[derive(Clone, Debug)]
pub struct Read {
    pub network: Network,
    /// Parts of the file that the network does not hold, or how an ambiguity was resolved; one sentence each.
    pub notes: Vec<String>,
    /// The call that made it, if its file says so: to be checked by whoever can build it.
    pub made_by: Option<MadeBy>,
}

/// The generator of a network in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeBy {
    pub call: String,
    /// What was out of service then: switches, and cables by their ends.
    pub switches: Vec<u32>,
    pub cables: Vec<(u32, u32)>,
}
