//! Input-queued switches with virtual cut-through (Navaridas 2009, section 4.1).
//!
//! ```text
//!   link in ──► FIFO per channel ──► crossbar ──► link out ──► FIFO of the next switch
//!                 (packets)        one input per output,
//!                                  drawn at random
//! ```
//!
//! A cycle is the time of one phit through one switch, crossbar and link together. A packet's head moves one switch per
//! cycle; the packet keeps its input, its output and its place in the FIFO until its tail has left. A head takes an output only
//! while the next FIFO has room for the whole packet; credits tell so, out of band.

mod decide;
mod state;
mod stuck;
#[cfg(test)]
mod tests;

use netloom_model::draws::Draws;
use netloom_model::stream::mix;
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
    /// Packets that the FIFO of a channel holds.
    pub buffer_packets: u32,
    /// The same for channels of an injection link.
    pub injection_packets: u32,
    pub packet_phits: u32,
    /// Cycles from the tail's leaving to the credit's arrival.
    pub credit_delay: u32,
    /// Cycles on the wire of a link, beyond the one through its switch.
    pub link_delay: u32,
    pub taking: Taking,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// A head reaches the FIFO of a slot.
    Arrive { slot: u32, packet: u32 },
    /// The tail of the head packet of `slot` has left by `link`.
    Leave { slot: u32, link: u32 },
    /// A credit returns to the tail of the slot's link.
    Credit { slot: u32 },
    /// The tail of a packet has left its endpoint.
    Injected { endpoint: u32 },
}

/// What is active in a cycle: a switch, or the switches' number plus an endpoint.
struct Active {
    now: Vec<u32>,
    /// Of the next cycle.
    again: Vec<u32>,
    marked: Vec<bool>,
}

impl Active {
    #[inline]
    fn mark(&mut self, who: u32) {
        if !std::mem::replace(&mut self.marked[who as usize], true) {
            self.now.push(who);
        }
    }
}

/// The engine.
pub struct Queued<'a> {
    network: &'a Network,
    hops: Hops<'a>,
    settings: Settings,
    now: u64,
    events: Wheel<Event>,
    due: Vec<Event>,
    active: Active,
    packets: Packets,
    slots: Slots,
    /// First cycle in which each link is free.
    free: Vec<u64>,
    /// Cycles that a packet takes each class of links, and those of injection and ejection last.
    cycles: Vec<u32>,
    link_units: Vec<u64>,
    requests: decide::Requests,
    /// Packets offered, per endpoint.
    offered: Vec<u64>,
}

impl<'a> Queued<'a> {
    /// O(links · channels) memory.
    pub fn new(network: &'a Network, hops: Hops<'a>, settings: Settings) -> Queued<'a> {
        let clock = network.endpoint_class().bandwidth_bytes_per_s;
        let took = |bandwidth: f64| {
            let cycles = f64::from(settings.packet_phits) * clock / bandwidth;
            // Rounded up, but for rounding of the division itself.
            (cycles * (1.0 - 1e-12)).ceil().max(1.0) as u32
        };
        let mut cycles: Vec<u32> = network.classes().iter().map(|c| took(c.bandwidth_bytes_per_s)).collect();
        cycles.push(settings.packet_phits);
        let slowest = cycles.iter().copied().max().unwrap_or(1);
        let span = u64::from(slowest) + u64::from(settings.credit_delay.max(settings.link_delay)) + 2;
        let places = (network.switches() + network.endpoints()) as usize;
        Queued {
            network,
            hops,
            now: 0,
            events: Wheel::new(span),
            due: Vec::new(),
            active: Active { now: Vec::new(), again: Vec::new(), marked: vec![false; places] },
            packets: Packets::new(network.endpoints()),
            slots: Slots::new(network, &settings),
            free: vec![0; network.links() as usize],
            cycles,
            link_units: vec![0; network.links() as usize],
            requests: decide::Requests::new(network),
            offered: vec![0; network.endpoints() as usize],
            settings,
        }
    }

    /// Cycles that a packet takes `link`.
    #[inline]
    fn cycles(&self, link: u32) -> u64 {
        let class = self.network.class_of().get(link as usize).map_or(self.cycles.len() - 1, |c| usize::from(*c));
        self.cycles[class].into()
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

    /// The switch or endpoint that fills a buffer.
    #[inline]
    fn filler(&self, slot: u32) -> u32 {
        let link = slot / self.settings.channels;
        match self.network.tails().get(link as usize) {
            Some(&tail) => tail,
            None => self.network.switches() + link - self.network.switch_links(),
        }
    }

    #[inline]
    fn draws(&self, who: u32) -> Draws {
        Draws::from_key(self.settings.seed ^ mix(self.now << 32 ^ u64::from(who)))
    }

    fn handle(&mut self, event: Event, arrivals: &mut Vec<Arrival>) {
        match event {
            Event::Arrive { slot, packet } => {
                if self.slots.push(slot, packet) == 1 {
                    self.new_head(slot);
                }
            }
            Event::Leave { slot, link } => {
                let packet = self.slots.pop(slot);
                let ejection = self.network.switch_links() + self.network.endpoints();
                if link >= ejection {
                    let p = self.packets.remove(packet);
                    arrivals.push(Arrival {
                        from: p.from,
                        to: p.to,
                        tag: p.tag,
                        units: self.settings.packet_phits,
                        born: p.born,
                        at: self.now,
                        hops: p.hops.into(),
                    });
                }
                match self.settings.credit_delay {
                    0 => self.credit(slot),
                    delay => self.events.put(self.now + u64::from(delay), Event::Credit { slot }),
                }
                if self.slots.len(slot) > 0 {
                    self.new_head(slot);
                }
                self.active.mark(self.switch_of(slot));
            }
            Event::Credit { slot } => self.credit(slot),
            Event::Injected { endpoint } => self.active.mark(self.network.switches() + endpoint),
        }
    }

    #[inline]
    fn credit(&mut self, slot: u32) {
        self.slots.return_credit(slot);
        self.active.mark(self.filler(slot));
    }

    /// The packet at the front of `slot` asks for its next hop.
    fn new_head(&mut self, slot: u32) {
        let packet = self.slots.front(slot);
        let Packet { place, destination, .. } = self.packets[packet];
        let row = self.hops.row(place, destination);
        if self.settings.taking != Taking::Adaptive {
            self.packets[packet].next = self.hops.draw(row, &mut self.packets[packet].word);
        }
        let switch = self.switch_of(slot);
        self.slots.wait(switch, slot, row);
        self.active.mark(switch);
    }
}

impl Engine for Queued<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn offer(&mut self, offer: Offer) -> Outcome<()> {
        let count = &mut self.offered[offer.from as usize];
        let mut draw = match self.settings.taking {
            Taking::Hashed { seed } => word(seed, offer.from, offer.to.into()),
            _ => word(self.settings.seed, offer.from, *count),
        };
        *count += 1;
        let destination = self.hops.destination(offer.to);
        let source = self.network.endpoint_switch()[offer.from as usize];
        let place = self.hops.start(source, destination, &mut draw)?;
        self.packets.offer(Packet {
            place,
            destination,
            word: draw,
            born: self.now,
            from: offer.from,
            to: offer.to,
            tag: offer.tag,
            hops: 0,
            next: None,
        });
        self.active.mark(self.network.switches() + offer.from);
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
        self.hops.fault()?;
        arrivals[first..].sort_unstable_by_key(|arrival| arrival.to);
        let mut active = std::mem::take(&mut self.active.now);
        active.iter().for_each(|who| self.active.marked[*who as usize] = false);
        let switches = self.network.switches();
        for who in active.drain(..) {
            if who < switches {
                self.decide(who);
            } else {
                self.inject(who - switches);
            }
        }
        self.active.now = active;
        let mut again = std::mem::take(&mut self.active.again);
        again.drain(..).for_each(|who| self.active.mark(who));
        self.active.again = again;
        self.now += 1;
        self.events.advance();
        if self.active.now.is_empty() && self.events.is_empty() && !self.packets.is_empty() {
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
