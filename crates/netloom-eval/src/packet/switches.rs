//! The switch models that have a name, and the check that a routing cannot deadlock on them.

use netloom_model::deadlock::AnyChannel;
use netloom_model::fault::Fault;
use netloom_model::{
    Bound, Call, Deadlock, Faults, Kind, Network, Outcome, Param, Progress, Registry, Routing, Row, deadlock,
};

use super::engine::{Arrival, Engine, Offer};
use super::flits::{self, Flits};
use super::hops::{Hops, Taking};
use super::queued::{self, Queued};
use crate::codes;

/// A switch model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Switch {
    CutThrough(queued::Settings),
    Flits(flits::Settings),
}

type Build = fn(&Bound) -> Outcome<Switch>;

const fn count(name: &'static str, max: i64, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Int { min: 1, max }, default, help)
}

const fn delay(name: &'static str, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Int { min: 0, max: 1 << 16 }, default, help)
}

/// Parameters of one model alone.
const CUT_THROUGH: [&str; 4] = ["buffer_packets", "injection_packets", "packet_phits", "link_delay"];
const BOOKSIM: [&str; 6] = ["buffer_flits", "packet_flits", "preset", "latency", "local_latency", "global_latency"];

fn build(bound: &Bound) -> Outcome<Switch> {
    let booksim = bound.text("model") == "booksim";
    let strange = if booksim { &CUT_THROUGH[..] } else { &BOOKSIM[..] };
    let given = strange.iter().filter(|name| bound.is_given(name));
    let wrong = |name: &&str| bound.fault(name, format!("no `{name}` with model={}", bound.text("model")));
    Faults(given.map(wrong).collect()).or(())?;
    let delay = bound.int_or_none("credit_delay");
    let size = |name: &str, default: u32| bound.int_or_none(name).map_or(default, |value| value as u32);
    Ok(if booksim {
        Switch::Flits(flits::Settings {
            channels: bound.size("channels"),
            buffer_flits: size("buffer_flits", 8),
            packet_flits: size("packet_flits", 1),
            credit_delay: delay.map_or(2, |delay| delay as u32),
            preset: bound.is_given("preset").then(|| match bound.text("preset") {
                "chip" => flits::Preset::CHIP,
                _ => flits::Preset::DRAGONFLY,
            }),
            latency: size("latency", 1),
            local_latency: size("local_latency", 10),
            global_latency: size("global_latency", 100),
            taking: Taking::Drawn,
            seed: 1,
        })
    } else {
        Switch::CutThrough(queued::Settings {
            channels: bound.size("channels"),
            buffer_packets: size("buffer_packets", 4),
            injection_packets: size("injection_packets", 8),
            packet_phits: size("packet_phits", 16),
            credit_delay: delay.map_or(0, |delay| delay as u32),
            link_delay: size("link_delay", 0),
            taking: Taking::Drawn,
            seed: 1,
        })
    })
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
            Param::optional(
                "model",
                Kind::Choice(&["cut-through", "booksim"]),
                "cut-through",
                "packet by packet with virtual cut-through, or flit by flit as BookSim 2",
            ),
            count("channels", 64, "4", "virtual channels of a link"),
            count(
                "buffer_packets",
                1 << 12,
                "",
                "cut-through: packets that the FIFO of a channel holds; 4 if not given",
            ),
            count(
                "injection_packets",
                1 << 12,
                "",
                "cut-through: the same for the link from an endpoint; 8 if not given",
            ),
            count(
                "packet_phits",
                1 << 12,
                "",
                "cut-through: phits of a packet; a link of an endpoint moves one per cycle; 16 if not given",
            ),
            delay("credit_delay", "", "cycles until a credit that came back may be used; cut-through 0, booksim 2"),
            delay(
                "link_delay",
                "",
                "cut-through: cycles on a link between switches, beyond the one through its switch",
            ),
            count("buffer_flits", 1 << 14, "", "booksim: flits that the buffer of a channel holds; 8 if not given"),
            count("packet_flits", 1 << 12, "", "booksim: flits of a packet; 1 if not given"),
            Param::optional(
                "preset",
                Kind::Choice(&["chip", "dragonfly"]),
                "",
                "booksim: its parameters for trees and tori, or those for dragonflies; if not given, by whether the network has groups",
            ),
            count(
                "latency",
                1 << 16,
                "",
                "booksim: latency of a link of an endpoint, and of any link without groups; 1 if not given",
            ),
            count("local_latency", 1 << 16, "", "booksim: latency of a link inside a group; 10 if not given"),
            count("global_latency", 1 << 16, "", "booksim: latency of a link between groups; 100 if not given"),
        ],
        example: "input-queued(channels=2)",
        restrictions: "",
        source: "Navaridas 2009, section 4.1; Jiang et al., ISPASS 2013 (BookSim 2)",
        build,
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
            Switch::Flits(settings) => settings.channels,
        }
    }

    /// Units (phits, flits) of a packet: cycles that it takes an endpoint's link.
    pub fn units(&self) -> u32 {
        match self {
            Switch::CutThrough(settings) => settings.packet_phits,
            Switch::Flits(settings) => settings.packet_flits,
        }
    }

    /// The engine for a network, with the given choice among next hops and seed.
    pub fn engine<'a>(&self, network: &'a Network, hops: Hops<'a>, taking: Taking, seed: u64) -> AnyEngine<'a> {
        match *self {
            Switch::CutThrough(settings) => {
                let settings = queued::Settings { taking, seed, ..settings };
                AnyEngine::Queued(Box::new(Queued::new(network, hops, settings)))
            }
            Switch::Flits(settings) => {
                AnyEngine::Flits(Box::new(Flits::new(network, hops, flits::Settings { taking, seed, ..settings })))
            }
        }
    }
}

/// One of the engines.
pub enum AnyEngine<'a> {
    Queued(Box<Queued<'a>>),
    Flits(Box<Flits<'a>>),
}

/// Calls the engine that it is.
macro_rules! each {
    ($any:expr, $engine:ident => $call:expr) => {
        match $any {
            AnyEngine::Queued($engine) => $call,
            AnyEngine::Flits($engine) => $call,
        }
    };
}

impl Engine for AnyEngine<'_> {
    fn now(&self) -> u64 {
        each!(self, engine => engine.now())
    }
    fn offer(&mut self, offer: Offer) -> Outcome<()> {
        each!(self, engine => engine.offer(offer))
    }
    fn cycle(&mut self, arrivals: &mut Vec<Arrival>) -> Outcome<()> {
        each!(self, engine => engine.cycle(arrivals))
    }
    fn idle(&self) -> bool {
        each!(self, engine => engine.idle())
    }
    fn skip(&mut self, to: u64) {
        each!(self, engine => engine.skip(to));
    }
    fn under_way(&self) -> u64 {
        each!(self, engine => engine.under_way())
    }
    fn link_units(&self) -> &[u64] {
        each!(self, engine => engine.link_units())
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
