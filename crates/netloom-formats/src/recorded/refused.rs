//! What is wrong with an event.

use netloom_model::CodeRow;

use super::entered::Entered;
use crate::codes;

/// The requirement that an event breaks.
#[derive(Debug)]
pub enum Refused {
    /// A different collective than that of other members.
    Disagrees(Entered),
    UnknownRequest,
    NoSingleSender,
    TooManyCalls,
    /// The rank is not of the communicator.
    NoMember,
    /// A peer, a root or a list of counts is not of the communicator's size.
    OutOfGroup,
}

impl Refused {
    /// The code, what is expected instead, and the remedy.
    pub fn says(&self) -> (&'static CodeRow, String, &'static str) {
        match self {
            Refused::Disagrees(before) => (
                &codes::DISAGREE,
                format!("{before}, which other ranks enter here"),
                "collectives on a part of the ranks (sub-communicators) look like this where a trace cannot hold them",
            ),
            Refused::UnknownRequest => {
                (&codes::UNKNOWN_ID, "a request that was started".to_string(), "isend and irecv start one")
            }
            Refused::NoSingleSender => (
                &codes::AMBIGUOUS,
                "a receive that the messages of exactly one rank fit".to_string(),
                "the trace does not record which message came: name the source",
            ),
            Refused::TooManyCalls => {
                (&codes::TOO_LARGE, "one of fewer different collectives".to_string(), "cut the trace, or the ranks")
            }
            Refused::NoMember => (
                &codes::UNKNOWN_ID,
                "a communicator that the rank belongs to".to_string(),
                "the record is cut, or does not say who created it",
            ),
            Refused::OutOfGroup => (
                &codes::VALUE,
                "peers, roots and counts within the communicator".to_string(),
                "a peer is a number in the communicator of its call",
            ),
        }
    }
}
