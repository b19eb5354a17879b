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
mod detour;
mod engine;
mod state;
mod stuck;
#[cfg(test)]
mod tests;

use netloom_model::Network;
use netloom_model::draws::Draws;
use netloom_model::stream::mix;

use super::engine::Delivered;
use super::packets::{CyclePacket, Packets};
use super::wheel::Wheel;
use super::wires::Wires;
use crate::observe::watch::Watch;
use crate::routes::escape::{ENTER, MOVE_ON};
use crate::routes::hops::Hops;
use crate::routes::known::Choice;
use crate::routes::taking::Taking;
use state::{Fifos, Head, MIXED, Outputs, Waiting};

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
    pub taking: Taking,
    /// An adaptive packet keeps the output that it chose on arrival at the front of its FIFO.
    pub once: bool,
    pub seed: u64,
}

impl Settings {
    /// Cycles that a packet takes a link of this bandwidth.
    pub(crate) fn cycles(&self, network: &Network, bandwidth: f64) -> u32 {
        let cycles = f64::from(self.packet_phits) * network.endpoint_class().bandwidth_bytes_per_s / bandwidth;
        // Rounded up, but for rounding of the division itself.
        (cycles * (1.0 - 1e-12)).ceil().max(1.0) as u32
    }
}

#[derive(Clone, Copy, Debug)]
enum PhitEvent {
    /// A head reaches the FIFO of a slot.
    Arrive { slot: u32, packet: u32 },
    /// The tail of the head packet of `slot` has left by `link`, which it holds, or left when its own time was over.
    Leave { slot: u32, link: u32, holds: bool },
    /// A link is free before the tail of its packet has come.
    Free { link: u32 },
    /// A credit returns to the tail of the slot's link.
    Credit { slot: u32 },
    /// The tail of a packet has left its endpoint.
    Injected { endpoint: u32 },
    /// The tail of a packet has reached its endpoint.
    There { packet: u32 },
}

/// Events whose rows are read together.
const AHEAD: usize = 16;

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
    events: Wheel<PhitEvent>,
    due: Vec<PhitEvent>,
    active: Active,
    packets: Packets,
    fifos: Fifos,
    outputs: Outputs,
    waiting: Waiting,
    /// True if no switch has more outputs than a word has bits.
    narrow: bool,
    /// Outputs and class of each row of next hops, 0 where not asked for yet.
    masks: Vec<(u64, u8)>,
    /// Cycles that a packet takes each class of links, and those of injection and ejection last.
    cycles: Vec<u32>,
    wires: Wires,
    /// Credits come back over the wires too.
    returns: bool,
    link_units: Vec<u64>,
    requests: decide::Requests,
    watch: Option<Box<Watch>>,
}

impl<'a> Queued<'a> {
    /// `returns`: credits take as long over the wires as packets, else no time. O(links · channels) memory.
    pub fn new(
        network: &'a Network,
        hops: Hops<'a>,
        settings: Settings,
        (wires, returns): (Wires, bool),
    ) -> Queued<'a> {
        let took = |bandwidth: f64| settings.cycles(network, bandwidth);
        let mut cycles: Vec<u32> = network.classes().iter().map(|c| took(c.bandwidth_bytes_per_s)).collect();
        cycles.push(settings.packet_phits);
        let slowest = cycles.iter().copied().max().unwrap_or(1);
        let span = u64::from(slowest) + u64::from(settings.credit_delay) + u64::from(wires.longest()) + 2;
        let places = (network.switches() + network.endpoints()) as usize;
        Queued {
            network,
            now: 0,
            events: Wheel::new(span),
            due: Vec::new(),
            active: Active { now: Vec::new(), again: Vec::new(), marked: vec![false; places] },
            packets: Packets::new(network.endpoints()),
            fifos: Fifos::new(network, &settings),
            outputs: Outputs::new(
                network,
                &settings,
                hops.parts(settings.channels),
                hops.escape().map_or(MOVE_ON, |_| ENTER),
            ),
            waiting: Waiting::new(network, settings.channels),
            narrow: (0..network.switches()).all(|s| network.degree(s) as usize + network.endpoints_of(s).len() <= 64),
            masks: Vec::new(),
            cycles,
            wires,
            returns,
            link_units: vec![0; network.links() as usize],
            requests: decide::Requests::new(network),
            watch: None,
            settings,
            hops,
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

    /// The switch that a link between switches or an ejection link leaves.
    fn tail_of(&self, link: u32) -> u32 {
        let endpoint = link.wrapping_sub(self.network.ejection_link(0));
        let tail = self.network.tails().get(link as usize).copied();
        tail.unwrap_or_else(|| self.network.endpoint_switch()[endpoint as usize])
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

    /// Reads the rows that the next events need, round by round: a core waits for several misses together.
    #[inline]
    fn touch(&self, events: &[PhitEvent]) {
        let mut seen = 0;
        for event in events {
            seen ^= match *event {
                PhitEvent::Arrive { slot, packet } => self.fifos.len(slot) ^ self.packets[packet].destination,
                PhitEvent::Free { .. } | PhitEvent::There { .. } => 0,
                PhitEvent::Leave { slot, .. } | PhitEvent::Credit { slot } => {
                    self.fifos.len(slot) ^ u32::from(self.outputs.room(slot))
                }
                PhitEvent::Injected { .. } => 0,
            };
        }
        // Packets that are first in their buffers then.
        let mut heads = [None; AHEAD];
        for (event, head) in events.iter().zip(&mut heads) {
            *head = match *event {
                PhitEvent::Arrive { slot, packet } if self.fifos.len(slot) == 0 => Some(packet),
                PhitEvent::Leave { slot, .. } => self.fifos.second(slot),
                _ => None,
            };
        }
        let mut seen = u64::from(seen);
        let packets = || heads.iter().flatten().map(|head| &self.packets[*head]);
        seen ^= packets().fold(0, |seen, packet| seen ^ packet.place);
        seen ^= packets().fold(0, |seen, packet| seen ^ self.hops.peek(packet.place, packet.destination));
        seen ^= packets().fold(0, |seen, packet| seen ^ self.hops.peek_row(packet.place, packet.destination));
        std::hint::black_box(seen);
    }

    #[inline]
    fn draws(&self, who: u32) -> Draws {
        Draws::from_key(self.settings.seed ^ mix(self.now << 32 ^ u64::from(who)))
    }

    /// Row of a head at its last switch; from [`Queued::DRAWN`] on, the link that a head has drawn.
    const EJECT: u32 = u32::MAX;
    const DRAWN: u32 = 1 << 31;

    fn handle(&mut self, event: PhitEvent, arrivals: &mut Vec<Delivered>) {
        match event {
            PhitEvent::Arrive { slot, packet } => {
                if let Some(watch) = &mut self.watch {
                    watch.enter(slot / self.settings.channels, self.now, 1);
                }
                if self.fifos.push(slot, packet) == 1 {
                    self.new_head(slot, packet);
                }
            }
            PhitEvent::Free { link } => {
                let switch = self.tail_of(link);
                self.outputs.end(switch, link, self.outputs.bit(self.network, switch, link));
                if self.waiting.any(switch) {
                    self.active.mark(switch);
                }
            }
            PhitEvent::Leave { slot, link, holds } => {
                let (packet, left) = self.fifos.pop(slot);
                if let Some(watch) = &mut self.watch {
                    watch.leave(slot / self.settings.channels, self.now, 1);
                }
                let switch = self.switch_of(slot);
                if holds {
                    self.outputs.end(switch, link, self.outputs.bit(self.network, switch, link));
                }
                if link >= self.network.switch_links() {
                    match self.wires.ejection {
                        0 => self.arrived(packet, arrivals),
                        delay => self.events.put(self.now + u64::from(delay), PhitEvent::There { packet }),
                    }
                }
                match self.credit_delay(slot) {
                    0 => self.credit(slot),
                    delay => self.events.put(self.now + delay, PhitEvent::Credit { slot }),
                }
                if left > 0 {
                    self.new_head(slot, self.fifos.front(slot));
                } else if self.waiting.any(switch) {
                    self.active.mark(switch);
                }
            }
            PhitEvent::Credit { slot } => self.credit(slot),
            PhitEvent::There { packet } => self.arrived(packet, arrivals),
            PhitEvent::Injected { endpoint } => {
                if let Some(watch) = &mut self.watch {
                    watch.ready_source(endpoint, self.now);
                }
                self.outputs.set_moving(self.network.injection_link(endpoint), false);
                self.active.mark(self.network.switches() + endpoint);
            }
        }
    }

    /// Cycles from a tail's leaving a buffer to the credit's arrival.
    #[inline]
    fn credit_delay(&self, slot: u32) -> u64 {
        let link = slot / self.settings.channels;
        let wire = if self.returns { self.wires.into_buffer(self.network, link) } else { 0 };
        u64::from(self.settings.credit_delay) + u64::from(wire)
    }

    fn arrived(&mut self, packet: u32, arrivals: &mut Vec<Delivered>) {
        let CyclePacket { from, to, tag, born, hops, .. } = self.packets.remove(packet);
        let units = self.settings.packet_phits;
        arrivals.push(Delivered { from, to, tag, units, born, at: self.now, hops: hops.into() });
    }

    /// A place is free in the FIFO of `slot`. Who fills it is woken if it had none.
    #[inline]
    fn credit(&mut self, slot: u32) {
        if self.outputs.give(self.network, slot) {
            let filler = self.filler(slot);
            if filler >= self.network.switches() || self.waiting.any(filler) {
                self.active.mark(filler);
            }
        }
    }

    /// The packet at the front of `slot` asks for its next hop.
    fn new_head(&mut self, slot: u32, packet: u32) {
        let switch = self.switch_of(slot);
        if self.settings.taking.detours() {
            self.choose_way(switch, slot, packet);
        }
        let CyclePacket { place, destination, to, leg, tail, .. } = self.packets[packet];
        let shift = self.hops.legs().first[usize::from(leg)];
        let drawn = |outputs: &Outputs, network: &Network, next: Option<Choice>| Head {
            outputs: next.map_or(0, |choice| outputs.bit(network, switch, choice.link)),
            after: next.map_or(0, |choice| choice.place),
            tail,
            packet,
            slot,
            row: next.map_or(Queued::EJECT, |choice| Queued::DRAWN + choice.link),
            class: next.map_or(MIXED, |choice| choice.class + shift),
            shift,
        };
        let mut head = if self.settings.taking.looks() && self.settings.once {
            let row = self.hops.row(place, destination);
            let chosen = self.roomiest(row, switch, slot, shift);
            drawn(&self.outputs, self.network, chosen)
        } else if self.settings.taking.looks() {
            let row = self.hops.row(place, destination);
            let (outputs, class) = self.mask(switch, row);
            let class = if class == MIXED { MIXED } else { class + shift };
            Head { outputs, after: 0, tail, packet, slot, row, class, shift }
        } else {
            let next = self.hops.next(place, destination, &mut self.packets[packet].word);
            drawn(&self.outputs, self.network, next)
        };
        if head.outputs == 0 {
            let link = self.network.ejection_link(to);
            let outputs = self.outputs.bit(self.network, switch, link);
            let row = Queued::EJECT;
            head = Head { outputs, after: link.into(), tail, packet, slot, row, class: MIXED, shift };
        }
        self.waiting.push(switch, head);
        if let Some(watch) = &mut self.watch {
            watch.ready(slot, self.now);
        }
        self.active.mark(switch);
    }

    /// Outputs that a row names, and their class.
    #[inline]
    fn mask(&mut self, switch: u32, row: u32) -> (u64, u8) {
        if let Some(&known) = self.masks.get(row as usize)
            && known.0 != 0
        {
            return known;
        }
        let choices = self.hops.choices(row);
        let Some(first) = choices.first() else { return (0, MIXED) };
        let class = if choices.iter().all(|choice| choice.class == first.class) { first.class } else { MIXED };
        let outputs = choices.iter().fold(0, |mask, c| mask | self.outputs.bit(self.network, switch, c.link));
        if self.masks.len() <= row as usize {
            self.masks.resize(row as usize + 1, (0, 0));
        }
        self.masks[row as usize] = (outputs, class);
        (outputs, class)
    }
}
