//! Input-queued switches flit by flit: wormhole in private channels, a pipeline of channel allocation, switch allocation
//! and crossbar, as BookSim 2 models them (Jiang et al., ISPASS 2013).
//!
//! ```text
//!   cycle   t            t + 1           t + 2              t + 3 + latency
//!           arrives,     allocation      crossbar, leaves   arrives in the next switch
//!           allocation   of the switch
//!           of a channel
//! ```
//!
//! A head asks for a channel of its next link, a flit with a channel and a credit asks for the switch. Both allocators are
//! separable, input first, with round-robin arbiters whose pointers move when a grant is accepted. Credits return over a
//! channel of the link's latency and wait `credit_delay` cycles more. A packet of several flits may hold its input and output until
//! its tail is through or it stalls.

mod allocate;
mod router;
mod source;
mod state;
#[cfg(test)]
mod tests;

use netloom_model::{Network, Outcome};

use super::engine::{Arrival, Engine, Offer};
use super::hops::{Hops, Taking, word};
use super::wheel::Wheel;
use state::{Packet, Packets, Slots};

/// Parameters of the switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Virtual channels of every link, at least the classes of the routing.
    pub channels: u32,
    /// Flits that the buffer of a channel holds.
    pub buffer_flits: u32,
    pub packet_flits: u32,
    /// Cycles that a switch needs to use a credit that has arrived.
    pub credit_delay: u32,
    /// `None`: by whether the network has groups.
    pub preset: Option<Preset>,
    /// Cycles of a link of an endpoint, inside a group, and between groups.
    pub latency: u32,
    pub local_latency: u32,
    pub global_latency: u32,
    pub taking: Taking,
    pub seed: u64,
}

/// What BookSim's configurations set differently for a kind of network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Steps of the switch per cycle of a link.
    pub speedup: u32,
    /// Whether a packet holds its input and output while its flits follow each other.
    pub hold: bool,
    /// Whether a packet enters by a random channel; else by one after the other.
    pub random_entry: bool,
}

impl Preset {
    pub const CHIP: Preset = Preset { speedup: 1, hold: true, random_entry: false };
    pub const DRAGONFLY: Preset = Preset { speedup: 2, hold: false, random_entry: true };
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// A flit reaches the buffer of a slot.
    Flit { slot: u32, flit: u32 },
    /// A flit reaches its endpoint over the channel of an ejection link.
    Sink { slot: u32, flit: u32 },
    /// A credit can be used at the tail of the slot's link.
    Credit { slot: u32 },
}

/// The engine.
pub struct Flits<'a> {
    network: &'a Network,
    hops: Hops<'a>,
    settings: Settings,
    preset: Preset,
    now: u64,
    events: Wheel<Event>,
    due: Vec<Event>,
    packets: Packets,
    slots: Slots,
    sources: source::Sources,
    routers: router::Routers,
    /// Latency of each link.
    latency: Vec<u32>,
    link_units: Vec<u64>,
}

impl<'a> Flits<'a> {
    /// O(links · channels · buffer) memory.
    pub fn new(network: &'a Network, hops: Hops<'a>, settings: Settings) -> Flits<'a> {
        let groups = network.structure().groups.as_deref();
        let latency = |link: u32| match (network.heads().get(link as usize), groups) {
            (Some(&head), Some(groups)) => {
                let tail = network.tails()[link as usize];
                let inside = groups[head as usize] == groups[tail as usize];
                if inside { settings.local_latency } else { settings.global_latency }
            }
            _ => settings.latency,
        };
        let latency: Vec<u32> = (0..network.links()).map(latency).collect();
        let preset = settings.preset.unwrap_or(if groups.is_some() { Preset::DRAGONFLY } else { Preset::CHIP });
        let longest = latency.iter().copied().max().unwrap_or(1);
        Flits {
            network,
            now: 0,
            events: Wheel::new(u64::from(longest + settings.credit_delay) + 8),
            due: Vec::new(),
            packets: Packets::default(),
            slots: Slots::new(network, &settings),
            sources: source::Sources::new(network),
            routers: router::Routers::new(network, &settings),
            latency,
            link_units: vec![0; network.links() as usize],
            settings,
            preset,
            hops,
        }
    }

    fn first_ejection(&self) -> u32 {
        self.network.switch_links() + self.network.endpoints()
    }

    /// The switch that a buffer is in.
    #[inline]
    fn switch_of(&self, slot: u32) -> u32 {
        let link = slot / self.settings.channels;
        match self.network.heads().get(link as usize) {
            Some(&head) => head,
            None => self.network.endpoint_switch()[(link - self.network.switch_links()) as usize],
        }
    }

    fn handle(&mut self, event: Event, arrivals: &mut Vec<Arrival>) {
        match event {
            Event::Flit { slot, flit } => self.receive(slot, flit),
            Event::Credit { slot } => self.slots.credits[slot as usize] += 1,
            Event::Sink { slot, flit } => {
                let link = slot / self.settings.channels;
                let back = u64::from(self.latency[link as usize]) + 1 + u64::from(self.settings.credit_delay);
                self.events.put(self.now + back, Event::Credit { slot });
                if state::is_tail(flit) {
                    let Packet { from, to, tag, born, hops, .. } = self.packets.remove(state::packet(flit));
                    let units = self.settings.packet_flits;
                    arrivals.push(Arrival { from, to, tag, units, born, at: self.now, hops: hops.into() });
                }
            }
        }
    }
}

impl Engine for Flits<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn offer(&mut self, offer: Offer) -> Outcome<()> {
        let count = self.sources.count(offer.from);
        let mut draw = match self.settings.taking {
            Taking::Hashed { seed } => word(seed, offer.from, offer.to.into()),
            _ => word(self.settings.seed, offer.from, count),
        };
        let destination = self.hops.destination(offer.to);
        let source = self.network.endpoint_switch()[offer.from as usize];
        let place = self.hops.start(source, destination, &mut draw)?;
        let Offer { from, to, tag, .. } = offer;
        let packet = Packet { place, word: draw, born: self.now, destination, from, to, tag, hops: 0 };
        let number = self.packets.add(packet);
        self.sources.push(offer.from, number);
        Ok(())
    }

    fn cycle(&mut self, arrivals: &mut Vec<Arrival>) -> Outcome<()> {
        let first = arrivals.len();
        let mut due = std::mem::take(&mut self.due);
        self.events.take(&mut due);
        for event in due.drain(..) {
            self.handle(event, arrivals);
        }
        self.due = due;
        arrivals[first..].sort_unstable_by_key(|arrival| arrival.to);
        self.inject();
        for step in 0..self.preset.speedup {
            self.step(step);
        }
        self.hops.fault()?;
        self.now += 1;
        self.events.advance();
        if self.events.is_empty() && !self.packets.is_empty() && self.sources.idle() && !self.routers.moved() {
            return Err(self.stuck());
        }
        Ok(())
    }

    fn idle(&self) -> bool {
        self.packets.is_empty() && self.events.is_empty()
    }

    fn skip(&mut self, to: u64) {
        if to > self.now {
            self.events.skip(to);
            self.now = to;
        }
    }

    fn under_way(&self) -> u64 {
        self.packets.len()
    }

    fn link_units(&self) -> &[u64] {
        &self.link_units
    }
}
