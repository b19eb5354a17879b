//! Input-queued switches with wormhole flow control, flit by flit, as the `iq` router of BookSim2.
//!
//! ```text
//!   cycle    t                t+1                 t+2                    t+3+L
//!   ──► FIFO per channel ──► switch ──► crossbar, link of latency L ──► next FIFO
//!       a head gets a        (credit        (output queue)
//!       channel of its       needed)
//!       output
//! ```
//!
//! Both allocators are separable: each input picks one request, then each output one input, by round-robin pointers that
//! move with a grant. A packet keeps its output channel until its tail has passed the switch. A credit leaves with the flit
//! that frees the place. With an internal speedup the stages above take a part of a cycle each.

mod bids;
mod endpoint;
mod engine;
mod ports;
mod state;
mod step;
mod stuck;
#[cfg(test)]
mod tests;
pub(crate) mod ugal;

use netloom_model::stream::mix;
use netloom_model::{Draws, Network};

use super::engine::Delivered;
use super::packets::{CyclePacket, Packets};
use super::wheel::Wheel;
use super::wires::Wires;
use crate::observe::watch::Watch;
use crate::routes::hops::Hops;
use crate::routes::taking::Taking;
use bids::Bids;
use endpoint::Sender;
use ports::Ports;
use state::State;

/// Parameters of the switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlitSettings {
    /// Virtual channels of every link, 64 at most.
    pub channels: u32,
    /// Flits that the buffer of a channel holds.
    pub buffer_flits: u16,
    pub packet_flits: u16,
    /// Cycles from reading a credit to its use in a switch.
    pub credit_delay: u32,
    /// Internal steps per cycle.
    pub speedup: u32,
    /// Keep input and output of the switch for a packet while it has flits and credits.
    pub hold: bool,
    /// A class of the routing is one channel; packets enter by any channel at random and leave by that of their class.
    pub narrow: bool,
    /// Packets take detours on dragonflies; classes are the phases of their routes.
    pub ugal: bool,
    pub taking: Taking,
    pub seed: u64,
}

/// In place of a packet, for flits that are no heads.
const BODY: u32 = u32::MAX;

/// What is active in a cycle: a switch, or the switches' number plus an endpoint.
struct Marked {
    now: Vec<u32>,
    marked: Vec<bool>,
}

impl Marked {
    #[inline]
    fn mark(&mut self, who: u32) {
        if !std::mem::replace(&mut self.marked[who as usize], true) {
            self.now.push(who);
        }
    }
}

/// The engine.
pub struct Flits<'a> {
    network: &'a Network,
    hops: Hops<'a>,
    settings: FlitSettings,
    now: u64,
    ports: Ports,
    state: State,
    bids: Bids,
    packets: Packets,
    senders: Vec<Sender>,
    /// Channels of each class; one more for the way out of a switch.
    masks: Vec<u64>,
    active: Marked,
    /// Flits that reach a slot, as (slot, packet or [`BODY`]); credits that reach an output channel; tails that reach an
    /// endpoint.
    flits: Wheel<(u32, u32)>,
    credits: Wheel<u32>,
    tails: Wheel<u32>,
    due_flits: Vec<(u32, u32)>,
    due: Vec<u32>,
    /// Cycle of the last flit sent by each port, and of the last credit. Only with an internal speedup.
    last_flit: Vec<u64>,
    last_credit: Vec<u64>,
    link_units: Vec<u64>,
    watch: Option<Box<Watch>>,
}

impl<'a> Flits<'a> {
    /// A flit is read a cycle after the latency of its link. O(ports · channels · buffer) memory.
    pub fn new(network: &'a Network, hops: Hops<'a>, settings: FlitSettings, wires: &Wires) -> Flits<'a> {
        let ports = Ports::new(network, wires);
        let (inner, all) = (ports.switch_ports(), ports.all());
        let span = 2 * ports.longest_delay() + u64::from(settings.credit_delay) + 4;
        let classes = if settings.ugal { ugal::CHANNELS } else { hops.legs().total.into() };
        let below = |n: u32| if n >= 64 { u64::MAX } else { (1u64 << n) - 1 };
        let mut masks: Vec<u64> = match settings.narrow && classes > 1 {
            true => (0..classes).map(|class| 1 << class).collect(),
            false => {
                let edge = |class: u32| class * settings.channels / classes;
                (0..classes).map(|class| below(edge(class + 1)) & !below(edge(class))).collect()
            }
        };
        masks.push(below(settings.channels));
        let places = (network.switches() + network.endpoints()) as usize;
        Flits {
            network,
            hops,
            now: 0,
            state: State::new(inner, all, settings.channels, settings.buffer_flits),
            bids: Bids::new(inner, settings.channels),
            packets: Packets::new(network.endpoints()),
            senders: vec![Sender::default(); network.endpoints() as usize],
            masks,
            active: Marked { now: Vec::new(), marked: vec![false; places] },
            flits: Wheel::new(span),
            credits: Wheel::new(span),
            tails: Wheel::new(span),
            due_flits: Vec::new(),
            due: Vec::new(),
            last_flit: vec![0; all as usize],
            last_credit: vec![0; all as usize],
            link_units: vec![0; network.links() as usize],
            watch: None,
            ports,
            settings,
        }
    }

    #[inline]
    fn draws(&self, who: u32) -> Draws {
        Draws::from_key(self.settings.seed ^ mix(self.now << 32 ^ u64::from(who)))
    }

    /// A flit is in its buffer.
    #[inline]
    fn arrive(&mut self, slot: u32, packet: u32) {
        let input = &mut self.state.inputs[slot as usize];
        input.flits += 1;
        let port = slot / self.state.channels;
        if let Some(watch) = &mut self.watch {
            watch.enter(self.ports.entering(port), self.now, 1);
            if input.flits == 1 {
                watch.ready(slot, self.now);
            }
        }
        if packet == BODY {
            if input.flits == 1 {
                self.state.ports[port as usize].ready |= 1 << (slot % self.state.channels);
                self.active.mark(self.ports.place(port));
            }
        } else if self.state.push(slot, packet) == 1 {
            self.new_head(slot);
            self.active.mark(self.ports.place(port));
        }
    }

    /// The packet at the front of `slot` asks for an output channel.
    #[inline]
    fn new_head(&mut self, slot: u32) {
        let number = self.state.front(slot);
        let packet = &mut self.packets[number];
        let input = &mut self.state.inputs[slot as usize];
        (input.left, input.head) = (packet.units as u16, true);
        let mut choice = self.hops.next(packet.place, packet.destination, &mut packet.word);
        if self.settings.ugal {
            choice = self.next_phase(slot, number, choice);
        }
        let (packet, input) = (&mut self.packets[number], &mut self.state.inputs[slot as usize]);
        match choice {
            Some(choice) => {
                packet.place = choice.place;
                packet.class = choice.class;
                packet.hops += 1;
                (input.out, input.class) = (self.ports.of_link(choice.link), choice.class);
            }
            None => {
                input.out = self.ports.of_endpoint(packet.to);
                input.class = if self.settings.narrow { packet.class } else { self.masks.len() as u8 - 1 };
            }
        }
        let channels = self.state.channels;
        self.state.ports[(slot / channels) as usize].heads |= 1 << (slot % channels);
    }

    /// A flit leaves its buffer, and its credit with it. True if the packet has another one there.
    #[inline]
    fn forward(&mut self, slot: u32, step: u32) -> bool {
        let channels = self.state.channels;
        let port = slot / channels;
        let number = self.state.front(slot);
        let input = &mut self.state.inputs[slot as usize];
        let (out, channel) = (input.out, u32::from(input.out_channel));
        let head = std::mem::take(&mut input.head);
        input.left -= 1;
        input.flits -= 1;
        let (tail, more) = (input.left == 0, input.flits > 0);
        let to = out * channels + channel;
        self.state.credits[to as usize] -= 1;
        self.link_units[self.ports.link(out) as usize] += 1;
        let sent = self.sent(out, step);
        let (peer, delay) = (self.ports.peer(out), self.ports.delay(out));
        let arrives = sent + delay;
        if let Some(watch) = &mut self.watch {
            // Where a cycle has one step, a head needs one more for its channel.
            let pause = u64::from(head && self.settings.speedup == 1);
            watch.flit(slot, (self.ports.entering(port), self.ports.link(out)), self.now, head, pause);
        }
        if peer < self.ports.switch_ports() {
            self.flits.put(arrives, (peer * channels + channel, if head { number } else { BODY }));
        } else {
            self.credits.put(arrives + delay + u64::from(self.settings.credit_delay), to);
            if tail {
                self.tails.put(arrives, number);
            }
        }
        self.credit(port, slot % channels);
        if !tail {
            return more;
        }
        self.state.ports[out as usize].free |= 1 << channel;
        if self.state.pop(slot) {
            self.new_head(slot);
        }
        false
    }

    /// Cycle in which a flit that has just won the switch leaves by `out`: after the crossbar, one per cycle.
    #[inline]
    fn sent(&mut self, out: u32, step: u32) -> u64 {
        if self.settings.speedup == 1 {
            return self.now + 1;
        }
        let ready = if step + 1 < self.settings.speedup { self.now } else { self.now + 1 };
        let last = &mut self.last_flit[out as usize];
        *last = ready.max(*last + 1);
        *last
    }

    /// The place of a flit is free again: tells who fills the buffer.
    #[inline]
    fn credit(&mut self, port: u32, channel: u32) {
        let mut sent = self.now;
        if self.settings.speedup > 1 {
            let last = &mut self.last_credit[port as usize];
            sent = sent.max(*last + 1);
            *last = sent;
        }
        let peer = self.ports.peer(port);
        // Endpoints use a credit as they read it.
        let after = if peer < self.ports.switch_ports() { self.settings.credit_delay } else { 0 };
        self.credits.put(sent + self.ports.delay(port) + u64::from(after), peer * self.state.channels + channel);
    }

    fn receive(&mut self, arrivals: &mut Vec<Delivered>) {
        let mut flits = std::mem::take(&mut self.due_flits);
        self.flits.take(&mut flits);
        for (slot, packet) in flits.drain(..) {
            self.arrive(slot, packet);
        }
        self.due_flits = flits;
        let mut due = std::mem::take(&mut self.due);
        self.credits.take(&mut due);
        for slot in due.drain(..) {
            self.state.credits[slot as usize] += 1;
            self.active.mark(self.ports.place(slot / self.state.channels));
        }
        self.tails.take(&mut due);
        let first = arrivals.len();
        for number in due.drain(..) {
            let CyclePacket { from, to, tag, units, born, hops, .. } = self.packets.remove(number);
            arrivals.push(Delivered { from, to, tag, units, born, at: self.now, hops: hops.into() });
        }
        arrivals[first..].sort_unstable_by_key(|arrival| arrival.to);
        self.due = due;
    }

    fn quiet(&self) -> bool {
        self.flits.is_empty() && self.credits.is_empty() && self.tails.is_empty() && self.active.now.is_empty()
    }
}
