//! Classes of virtual channels: into how many parts the channels of a link are divided, and the proof that packets cannot wait
//! for each other forever.

use netloom_model::deadlock::AnyChannel;
use netloom_model::fault::Fault;
use netloom_model::{Deadlock, Network, Outcome, Progress, Routing, deadlock};

use super::escape::Escape;
use super::hops::Hops;
use super::legs;
use super::proof::{PROVED, names, too_few};
use super::taking::{Legs, Taking};
use crate::codes;

/// How the packets of a routing use the channels of every link.
#[derive(Clone)]
pub struct Plan<'a> {
    network: &'a Network,
    routing: &'a dyn Routing,
    /// Of the routing, or 1 if packets may use any channel.
    classes: u8,
    pub proved: bool,
    escape: Option<Escape<'a>>,
    legs: Legs,
}

impl<'a> Plan<'a> {
    /// `escape`: the routing of escape channels, for packets that have them; `channels` of a link, or as many as needed;
    /// `buffer`: packets that one of them holds.
    ///
    /// # Errors
    /// As [`classes`] and [`Escape::new`]; `NL-E019` for fewer channels than detours need.
    pub fn new(
        network: &'a Network,
        (routing, escape): (&'a dyn Routing, Option<&'a dyn Routing>),
        taking: Taking,
        (channels, buffer): (Option<u32>, u32),
    ) -> Outcome<Plan<'a>> {
        if let Some(escape) = escape {
            let escape = Escape::new(network, routing, escape, (channels, buffer))?;
            let legs = Legs::plain(escape.classes());
            return Ok(Plan { network, routing, classes: 1, proved: true, escape: Some(escape), legs });
        }
        let (classes, proved) = classes(network, routing, channels, &Progress::new())?;
        let legs = legs::of(network, routing, classes, taking)?;
        if taking.detours() {
            too_few(routing.label().into(), "with detours", legs.total.into(), channels, "")?;
        }
        Ok(Plan { network, routing, classes, proved, escape: None, legs })
    }

    /// For buffers that count bytes.
    ///
    /// # Errors
    /// `NL-E019` for an escape whose channels form rings.
    pub fn in_bytes(self) -> Outcome<Plan<'a>> {
        if !self.escape.as_ref().is_some_and(Escape::has_rings) {
            return Ok(self);
        }
        let place = format!("escape of {} on {}", self.routing.label(), self.network.label());
        let sentence =
            "has rings, on which room for a packet must stay in one place; buffers in bytes could have it in pieces";
        let hint = "use an escape without rings, such as dimension-ordered or up-down, or input-queued switches";
        Err(Fault::say(&codes::UNSAFE, place, sentence).hint(hint).into())
    }

    /// The routing without its escape, whatever channels it uses.
    pub fn plain_hops(&self) -> Hops<'a> {
        Hops::new(self.network, self.routing, self.classes).on(Legs::plain(self.classes))
    }

    /// Classes of channels in all.
    pub fn classes(&self) -> u8 {
        self.legs.total
    }

    pub fn hops(&self) -> Hops<'a> {
        Hops::new(self.network, self.routing, self.classes).escaping(self.escape.clone()).on(self.legs)
    }
}

/// The classes into which the channels of each link are divided: 1, so that a packet may use any, if no use of the
/// channels can deadlock; else as many as the routing names. Without a number of channels: as many as it names, if these
/// are ordered by construction, which needs no proof. `None` in place of the proof: the network is too large for
/// it, and the routing's own classes are used as they are.
///
/// # Errors
/// `NL-E019` for fewer channels than classes, or a cycle among the channels, which it names; as [`deadlock`].
pub fn classes(
    network: &Network,
    routing: &dyn Routing,
    channels: Option<u32>,
    progress: &Progress,
) -> Outcome<(u8, bool)> {
    let named = routing.virtual_channels();
    if routing.is_ordered() && (channels.is_none() || named == 1) {
        return Ok((named, true));
    }
    let channels = channels.unwrap_or(u32::MAX);
    let ends = if routing.by_endpoint() { network.endpoints() } else { network.switches() };
    let place = || format!("{} on {}", routing.label(), network.label());
    let proved = u64::from(ends) * u64::from(network.switch_links()) <= PROVED;
    let cycle = if proved {
        match deadlock(network, &AnyChannel(routing), progress)? {
            Deadlock::Free { .. } => return Ok((1, true)),
            Deadlock::Cycle(_) if named > 1 => match deadlock(network, routing, progress)? {
                Deadlock::Free { .. } => None,
                Deadlock::Cycle(cycle) => Some(cycle),
            },
            Deadlock::Cycle(cycle) => Some(cycle),
        }
    } else {
        None
    };
    if let Some(cycle) = cycle {
        let sentence = format!("packets could wait for each other forever on the links {}", names(network, &cycle));
        let hint = "use the routing with its own virtual channels (vc), or another one";
        return Err(Fault::say(&codes::UNSAFE, place(), sentence).hint(hint).into());
    }
    // On a grid there is a routing of shortest paths that needs few.
    let other = if network.structure().grid.is_some() { "the routing dimension-ordered" } else { "" };
    too_few(place(), "", named.into(), Some(channels), other)?;
    Ok((named, proved))
}
