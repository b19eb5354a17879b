//! The virtual channels of group-minimal routing.

use netloom_model::fault::Fault;
use netloom_model::{Bound, Kind, Outcome, Param};

use crate::routing::codes;

pub const VC: Param = Param::optional(
    "vc",
    Kind::Choice(&["auto", "globals", "hops", "one"]),
    "auto",
    "virtual channel of a packet: the global links that it has taken, this one included; the hops that it has made, which \
         never deadlocks; always the same one. auto: globals where all switches of a group are joined and none failed, \
         which never deadlocks either, else hops",
);

/// Which virtual channel a packet uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    One,
    /// The number of global links that it has taken, this one included: 0 or 1.
    Globals,
    /// The number of hops that it has made; holds the number of channels.
    Hops(u8),
}

impl Channels {
    /// `joined`: all switches of a group are joined, and nothing failed; `across`: there are global links; `longest`: most
    /// hops of a path.
    ///
    /// # Errors
    /// If a channel per hop needs more than 255.
    pub fn of(bound: &Bound, place: &str, joined: bool, across: bool, longest: u32) -> Outcome<Channels> {
        let vc = match bound.text("vc") {
            "auto" if joined => "globals",
            "auto" => "hops",
            given => given,
        };
        match (vc, u8::try_from(longest)) {
            ("hops", Ok(channels)) => Ok(Channels::Hops(channels)),
            ("hops", Err(_)) => {
                let sentence = format!("one channel per hop needs {longest} virtual channels, 255 is the most");
                Err(Fault::say(&codes::TOO_MANY_CHANNELS, place, sentence).hint("give vc=\"one\"").into())
            }
            ("globals", _) if across => Ok(Channels::Globals),
            _ => Ok(Channels::One),
        }
    }

    pub fn number(self) -> u8 {
        match self {
            Channels::One => 1,
            Channels::Globals => 2,
            Channels::Hops(channels) => channels,
        }
    }
}
