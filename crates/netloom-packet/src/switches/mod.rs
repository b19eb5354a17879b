//! The switch models that have a name.

mod rows;

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{Call, Network, Outcome, Routing};

use crate::cycle::engine::Engine;
use crate::cycle::flits::{FlitSettings, Flits, ugal};
use crate::cycle::lone::Lone;
use crate::cycle::queued::{Queued, Settings};
use crate::cycle::wires::{Clock, Wires};
use crate::event::{Open, OutputSettings};
use crate::routes::channels::Plan;
use crate::routes::hops::Hops;
use crate::routes::taking::Taking;

pub use rows::SWITCHES;
use rows::{CHANNELS, MOST_CHANNELS, PER_CLASS};

/// A switch model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Switch {
    Input(Input),
    Output(OutputSettings),
}

/// Switches that are asked cycle by cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    CutThrough(CutThrough),
    Wormhole(Wormhole),
    /// Output-queued ones, in cycles of a phit.
    Buffered(OutputSettings),
}

/// Parameters of switches with virtual cut-through; what is `None` depends on the network and on how it is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutThrough {
    settings: Settings,
    channels: Option<u32>,
    link_delay: Option<u32>,
}

/// Parameters of switches with wormhole flow control; what is `None` depends on the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wormhole {
    channels: u32,
    buffer_flits: u16,
    packet_flits: u16,
    link_latency: Option<u32>,
    global_latency: Option<u32>,
    credit_delay: u32,
    /// As the dragonfly of BookSim2.
    dragonfly: Option<bool>,
    ugal: bool,
}

impl Wormhole {
    fn is_dragonfly(&self, network: &Network) -> bool {
        self.dragonfly.unwrap_or_else(|| network.structure().family == "dragonfly")
    }

    /// Cycles on links of a class, if somebody gave them.
    fn given(&self, class: &str) -> Option<u32> {
        let global = self.global_latency.filter(|_| class == "global");
        global.or(self.link_latency)
    }

    /// The same as BookSim2 has them.
    fn own(&self, network: &Network, class: &str) -> u32 {
        let by_example = match (self.is_dragonfly(network), class) {
            (false, _) => 1,
            (true, "global") => 100,
            (true, _) => 10,
        };
        let given =
            if class == "global" && self.is_dragonfly(network) { self.global_latency } else { self.given(class) };
        given.unwrap_or(by_example)
    }

    fn settings(&self, network: &Network, taking: Taking, seed: u64) -> FlitSettings {
        let dragonfly = self.is_dragonfly(network);
        FlitSettings {
            channels: self.channels,
            buffer_flits: self.buffer_flits,
            packet_flits: self.packet_flits,
            credit_delay: self.credit_delay,
            speedup: if dragonfly { 2 } else { 1 },
            hold: !dragonfly,
            narrow: dragonfly,
            ugal: self.ugal,
            taking,
            seed,
        }
    }
}

impl Switch {
    /// From a call such as `input-queued(channels=2)`.
    ///
    /// # Errors
    /// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
    pub fn of(call: &Call) -> Outcome<Switch> {
        let (row, bound) = SWITCHES.bind(call)?;
        (row.build)(&bound)
    }

    /// As sources without ranks see it.
    pub fn in_cycles(self) -> Input {
        match self {
            Switch::Input(input) => input,
            Switch::Output(settings) => Input::Buffered(settings),
        }
    }
}

/// True if links of a class are not as fast as those of the endpoints.
fn differs(network: &Network, class: usize) -> bool {
    let ratio = network.classes()[class].bandwidth_bytes_per_s / network.endpoint_class().bandwidth_bytes_per_s;
    (ratio - 1.0).abs() > 1e-12
}

impl Input {
    /// # Errors
    /// `NL-A007` for what the model does not know: detours, or escapes; or detours on a network without groups, or with fewer
    /// than 3 channels.
    pub fn admit(&self, network: &Network, taking: Taking, escapes: bool) -> Outcome<()> {
        let refuse = |expected: &str, got: &str, hint: &str| {
            Err(Fault::new(&model::BAD_VALUE, "packet.variant", expected, got).hint(hint).into())
        };
        match self {
            Input::Wormhole(_) if taking.detours() => {
                let expected = "static-direct, hashed or sprayed with model=booksim";
                refuse(expected, "a variant with detours", "use model=cut-through, or output-queued")
            }
            Input::Wormhole(_) if escapes => {
                let expected = "a variant without an escape with model=booksim, whose switches have none";
                refuse(expected, "adaptive-escape", "use model=cut-through, or output-queued")
            }
            Input::CutThrough(own) if escapes && own.settings.once => {
                let expected = "choice=again with adaptive-escape: who has chosen a full channel cannot escape";
                Err(Fault::new(&model::BAD_VALUE, "input-queued.choice", expected, "once").into())
            }
            Input::Wormhole(_) if network.class_of().iter().any(|class| differs(network, usize::from(*class))) => {
                let sentence =
                    "is booksim, where every link moves a flit per cycle; links of this network differ in bandwidth";
                Err(Fault::say(&model::BAD_VALUE, "input-queued.model", sentence).hint("use model=cut-through").into())
            }
            Input::Wormhole(_) if taking == Taking::Adaptive => {
                let expected = "static-direct or hashed with model=booksim, which draws its paths";
                Err(Fault::new(&model::BAD_VALUE, "throughput.variant", expected, "adaptive-direct").into())
            }
            Input::Wormhole(w) if w.ugal && (network.structure().groups.is_none() || w.channels < ugal::CHANNELS) => {
                let expected = format!("groups of switches and {} channels or more", ugal::CHANNELS);
                let got = format!("{} with {} channels", network.label(), w.channels);
                Err(Fault::new(&model::BAD_VALUE, "input-queued.ugal", expected, got).into())
            }
            _ => Ok(()),
        }
    }

    /// True if buffers count packets, so that a bubble in a ring of escape channels is room for one.
    pub fn bubbles(&self) -> bool {
        !matches!(self, Input::Buffered(_))
    }

    /// Virtual channels of a link, at most.
    pub fn channels(&self) -> u32 {
        match self {
            Input::CutThrough(own) => own.settings.channels,
            Input::Wormhole(settings) => settings.channels,
            Input::Buffered(settings) => settings.channels.unwrap_or(u32::MAX),
        }
    }

    /// Which model it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Input::CutThrough(_) => "input-queued",
            Input::Wormhole(_) => "booksim",
            Input::Buffered(_) => "output-queued",
        }
    }

    /// True if somebody gave it cycles for links between switches.
    pub fn has_own_latency(&self) -> bool {
        match self {
            Input::CutThrough(own) => own.link_delay.is_some(),
            Input::Wormhole(own) => own.link_latency.or(own.global_latency).is_some(),
            Input::Buffered(_) => false,
        }
    }

    /// Packets that the buffer of a channel holds.
    pub fn buffer(&self) -> u32 {
        match self {
            Input::CutThrough(own) => own.settings.buffer_packets,
            Input::Wormhole(settings) => u32::from(settings.buffer_flits / settings.packet_flits),
            Input::Buffered(settings) => settings.buffer_bytes / settings.packet_bytes,
        }
    }

    /// Units (phits, flits) of a packet: cycles that it takes an endpoint's link.
    pub fn units(&self) -> u32 {
        match self {
            Input::CutThrough(own) => own.settings.packet_phits,
            Input::Wormhole(settings) => settings.packet_flits.into(),
            Input::Buffered(settings) => settings.packet_bytes.div_ceil(PHIT_BYTES),
        }
    }

    /// Units that a link between switches moves per cycle, at most.
    pub fn moves(&self, network: &Network, link: u32) -> f64 {
        match self {
            Input::CutThrough(CutThrough { settings, .. }) => {
                let cycles = settings.cycles(network, network.class(link).bandwidth_bytes_per_s);
                f64::from(settings.packet_phits) / f64::from(cycles)
            }
            Input::Wormhole(_) => 1.0,
            Input::Buffered(_) => {
                let endpoints = network.endpoint_class().bandwidth_bytes_per_s;
                network.class(link).bandwidth_bytes_per_s / endpoints
            }
        }
    }

    /// The plan of channels for packets of a routing, and these switches with as many channels as it takes, if nobody said how
    /// many.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn planned<'a>(
        self,
        network: &'a Network,
        routings: (&'a dyn Routing, Option<&'a dyn Routing>),
        taking: Taking,
    ) -> Outcome<(Input, Plan<'a>)> {
        let plan = |channels: u32| Plan::new(network, routings, taking, (Some(channels), self.buffer()));
        match self {
            Input::CutThrough(own @ CutThrough { channels: None, .. }) if taking.detours() => {
                let plan = plan(MOST_CHANNELS)?;
                let channels = CHANNELS.max(PER_CLASS * u32::from(plan.classes())).min(MOST_CHANNELS);
                let settings = Settings { channels, ..own.settings };
                Ok((Input::CutThrough(CutThrough { settings, ..own }), plan))
            }
            _ => Ok((self, plan(self.channels())?)),
        }
    }

    /// How long packets take that meet no other, in curves; `None` where that is no sum over the links of a path: for packets
    /// that take detours, or keep a path by a hash, and for flits of which a buffer holds too few to take a whole packet.
    pub fn lone<'a>(&self, network: &'a Network, taking: Taking) -> Option<Lone<'a>> {
        if taking.detours() || matches!(taking, Taking::Hashed { .. }) {
            return None;
        }
        let wires = self.wires(network, None);
        match self {
            Input::CutThrough(own) => Some(Lone::CutThrough { network, settings: own.settings, wires }),
            Input::Wormhole(own) if own.ugal || own.buffer_flits < own.packet_flits => None,
            Input::Wormhole(own) => {
                let router = if own.is_dragonfly(network) { 1 } else { 2 };
                Some(Lone::Wormhole { network, router, flits: own.packet_flits.into(), wires })
            }
            Input::Buffered(settings) => {
                let phits = f64::from(self.units()) * f64::from(PHIT_BYTES);
                let cycle_ps = f64::from(PHIT_BYTES) / network.endpoint_class().bandwidth_bytes_per_s * 1e12;
                Some(Lone::Output { network, bytes: phits, cut_through: settings.cut_through, cycle_ps })
            }
        }
    }

    /// Cycles on the wires: with a clock those of the network's latencies, else those of the model.
    pub fn wires(&self, network: &Network, clock: Option<Clock>) -> Wires {
        match (self, clock) {
            (Input::CutThrough(own), Some(clock)) => Wires::of(network, clock, |_| own.link_delay),
            (Input::CutThrough(own), None) => Wires::named(network, |_| own.link_delay.unwrap_or(0)),
            (Input::Wormhole(own), Some(clock)) => Wires::of(network, clock, |class| own.given(class)),
            (Input::Wormhole(own), None) => Wires::named(network, |class| own.own(network, class)),
            (Input::Buffered(_), _) => Wires::named(network, |_| 0),
        }
    }

    /// The engine for a network, with the given choice among next hops and seed; with a `clock`, it counts the latencies of the
    /// network.
    pub fn engine<'a>(
        &self,
        network: &'a Network,
        hops: Hops<'a>,
        (taking, seed): (Taking, u64),
        clock: Option<Clock>,
    ) -> Box<dyn Engine + 'a> {
        let wires = self.wires(network, clock);
        match *self {
            Input::CutThrough(CutThrough { settings, .. }) => {
                let settings = Settings { taking, seed, ..settings };
                Box::new(Queued::new(network, hops, settings, (wires, clock.is_some())))
            }
            Input::Wormhole(wormhole) => {
                Box::new(Flits::new(network, hops, wormhole.settings(network, taking, seed), &wires))
            }
            Input::Buffered(settings) => {
                let packet_bytes = self.units() * PHIT_BYTES;
                let buffer_bytes = settings.buffer_bytes.max(packet_bytes);
                let settings = OutputSettings { packet_bytes, buffer_bytes, seed, ..settings };
                Box::new(Open::new(network, hops, taking, settings, PHIT_BYTES.into()))
            }
        }
    }
}

/// Bytes of a phit or flit (Navaridas 2009: 128 bits).
pub const PHIT_BYTES: u32 = 16;
