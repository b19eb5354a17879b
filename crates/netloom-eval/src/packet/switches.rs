//! The switch models that have a name, and the check that a routing cannot deadlock on them.

use netloom_model::deadlock::AnyChannel;
use netloom_model::fault::Fault;
use netloom_model::{Bound, Call, Deadlock, Kind, Network, Outcome, Param, Progress, Registry, Routing, Row, deadlock};

use super::hops::{Hops, Taking};
use super::queued::{Queued, Settings};
use crate::codes;

/// A switch model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Switch {
    CutThrough(Settings),
}

type Build = fn(&Bound) -> Outcome<Switch>;

const fn count(name: &'static str, max: i64, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Int { min: 1, max }, default, help)
}

const fn delay(name: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Int { min: 0, max: 1 << 16 }, "0", help)
}

/// Switch models.
pub static SWITCHES: Registry<Build> = Registry {
    kind: "switches",
    what: "switch model",
    rows: &[Row {
        name: "input-queued",
        aliases: &["iq"],
        summary: "one FIFO of packets per input and channel, virtual cut-through, a random winner per output",
        params: &[
            count("channels", 64, "4", "virtual channels of a link"),
            count("buffer_packets", 1 << 12, "4", "packets that the FIFO of a channel holds"),
            count("injection_packets", 1 << 12, "8", "the same for the link from an endpoint"),
            count("packet_phits", 1 << 12, "16", "phits of a packet; a link of an endpoint moves one per cycle"),
            delay("credit_delay", "cycles from the end of a packet's leaving to the credit for its place"),
            delay("link_delay", "cycles on a link between switches, beyond the one through its switch"),
        ],
        example: "input-queued(channels=2)",
        restrictions: "",
        source: "Navaridas 2009, section 4.1",
        build: |bound| {
            Ok(Switch::CutThrough(Settings {
                channels: bound.size("channels"),
                buffer_packets: bound.size("buffer_packets"),
                injection_packets: bound.size("injection_packets"),
                packet_phits: bound.size("packet_phits"),
                credit_delay: bound.size("credit_delay"),
                link_delay: bound.size("link_delay"),
                taking: Taking::Drawn,
                seed: 1,
            }))
        },
    }],
};

impl Switch {
    /// From a call such as `input-queued(channels=2)`.
    ///
    /// # Errors
    /// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
    pub fn of(call: &Call) -> Outcome<Switch> {
        let (row, bound) = SWITCHES.bind(call)?;
        (row.build)(&bound)
    }

    /// Virtual channels of a link.
    pub fn channels(&self) -> u32 {
        match self {
            Switch::CutThrough(settings) => settings.channels,
        }
    }

    /// Units (phits, flits) of a packet: cycles that it takes an endpoint's link.
    pub fn units(&self) -> u32 {
        match self {
            Switch::CutThrough(settings) => settings.packet_phits,
        }
    }

    /// The engine for a network, with the given choice among next hops and seed.
    pub fn engine<'a>(&self, network: &'a Network, hops: Hops<'a>, taking: Taking, seed: u64) -> Queued<'a> {
        match *self {
            Switch::CutThrough(settings) => Queued::new(network, hops, Settings { taking, seed, ..settings }),
        }
    }
}

/// Products of destinations and links up to which the dependencies of channels are followed.
const PROVED: u64 = 1 << 31;

/// The classes into which the channels of each link are divided: 1, so that a packet may use any, if no use of the
/// channels can deadlock; else as many as the routing names. `None` in place of the proof: the network is too large for
/// it, and the routing's own classes are used as they are.
///
/// # Errors
/// `NL-E019` for fewer channels than classes, or a cycle among the channels, which it names; as [`deadlock`].
pub fn classes(network: &Network, routing: &dyn Routing, channels: u32, progress: &Progress) -> Outcome<(u8, bool)> {
    let named = routing.virtual_channels();
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
        let link = |&(link, channel): &(u32, u8)| {
            let name = |switch: u32| network.switch_name(switch);
            let (tail, head) = (network.tails()[link as usize], network.heads()[link as usize]);
            format!("{} to {} (channel {channel})", name(tail), name(head))
        };
        let names: Vec<String> = cycle.iter().take(8).map(link).collect();
        let more = if cycle.len() > 8 { format!(" and {} more", cycle.len() - 8) } else { String::new() };
        let sentence = format!("packets could wait for each other forever on the links {}{more}", names.join(", "));
        let hint = "use the routing with its own virtual channels (vc), or another one";
        return Err(Fault::say(&codes::UNSAFE, place(), sentence).hint(hint).into());
    }
    if u32::from(named) > channels {
        let sentence = format!("needs {named} virtual channels, the switch has {channels}");
        let hint = format!("give the switch channels={named} or more");
        return Err(Fault::say(&codes::UNSAFE, place(), sentence).hint(hint).into());
    }
    Ok((named, proved))
}
