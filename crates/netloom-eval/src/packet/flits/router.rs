//! One step of a switch: channels, the switch, the crossbar.

use netloom_model::fault::Fault;
use netloom_model::{Faults, Network};

use super::allocate;
use super::state::{self, Stage};
use super::{Event, Flits, Settings};
use crate::codes;
use crate::packet::Taking;

/// No link.
pub const NONE: u32 = u32::MAX;

/// An input of a switch: a switch link or an injection link.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Number among the inputs of its switch.
    pub number: u32,
    /// Round-robin pointers: among outputs, and among channels that ask for the same output.
    pub pointer: u32,
    pub channel: u32,
    /// Link that a packet holds from here.
    pub held: u32,
    /// First cycle in which a credit may leave.
    pub credit: u64,
}

/// An output of a switch: a switch link or an ejection link.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    pub number: u32,
    /// Round-robin pointer among inputs.
    pub pointer: u32,
    pub held: bool,
    /// First cycle in which a flit may leave.
    pub free: u64,
}

/// Slots at work in each switch, and its ports by link.
pub struct Routers {
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    /// Ports of each switch.
    pub ins: Vec<u32>,
    pub outs: Vec<u32>,
    /// Per switch: slots that ask for a channel, for the switch, or hold it.
    pub asking: Vec<Vec<u32>>,
    pub ready: Vec<Vec<u32>>,
    pub holding: Vec<Vec<u32>>,
    active: Vec<u32>,
    marked: Vec<bool>,
    moved: bool,
    scratch: allocate::Scratch,
}

impl Routers {
    pub fn new(network: &Network, settings: &Settings) -> Routers {
        let n = network.switches() as usize;
        let (s, e) = (network.switch_links(), network.endpoints());
        let (mut ins, mut outs) = (vec![0; n], vec![0; n]);
        let next = |count: &mut u32| {
            *count += 1;
            *count - 1
        };
        let input = |number| Input { number, pointer: 0, channel: 0, held: NONE, credit: 0 };
        let output = |number| Output { number, pointer: 0, held: false, free: 0 };
        let mut inputs: Vec<Input> = Vec::new();
        let mut outputs: Vec<Output> = Vec::new();
        for link in 0..s as usize {
            inputs.push(input(next(&mut ins[network.heads()[link] as usize])));
            outputs.push(output(next(&mut outs[network.tails()[link] as usize])));
        }
        for endpoint in 0..e as usize {
            inputs.push(input(next(&mut ins[network.endpoint_switch()[endpoint] as usize])));
            outputs.push(output(0));
        }
        for endpoint in 0..e as usize {
            outputs.push(output(next(&mut outs[network.endpoint_switch()[endpoint] as usize])));
        }
        let slots = network.links() as usize * settings.channels as usize;
        Routers {
            inputs,
            outputs,
            ins,
            outs,
            asking: vec![Vec::new(); n],
            ready: vec![Vec::new(); n],
            holding: vec![Vec::new(); n],
            active: Vec::new(),
            marked: vec![false; n],
            moved: false,
            scratch: allocate::Scratch::new(network.links() as usize, slots),
        }
    }

    /// True if a flit moved or a channel was given in the last cycle.
    pub fn moved(&self) -> bool {
        self.moved
    }

    #[inline]
    fn mark(&mut self, switch: u32) {
        if !std::mem::replace(&mut self.marked[switch as usize], true) {
            self.active.push(switch);
        }
    }
}

impl Flits<'_> {
    /// A flit comes to a buffer.
    pub(super) fn receive(&mut self, slot: u32, flit: u32) {
        self.slots.push(slot, flit);
        let s = &self.slots.all[slot as usize];
        let (stage, alone) = (s.stage, s.len == 1);
        let switch = self.switch_of(slot);
        match stage {
            Stage::Idle => self.route(switch, slot),
            // A buffer that runs empty lets go of what it holds: the flit asks again.
            Stage::Channel if alone => self.routers.ready[switch as usize].push(slot),
            _ => return,
        }
        self.routers.mark(switch);
    }

    /// The head at the front of `slot` chooses its next link.
    fn route(&mut self, switch: u32, slot: u32) {
        let number = state::packet(self.slots.front(slot));
        let packet = *self.packets.get(number);
        let choice = match self.settings.taking {
            Taking::Adaptive => self.freest(packet.place, packet.destination, slot),
            _ => {
                let p = self.packets.get(number);
                self.hops.next(packet.place, packet.destination, &mut p.word).map(|c| (c.link, c.class, c.place))
            }
        };
        let (link, class, place) = choice.unwrap_or((self.network.ejection_link(packet.to), 0, 0));
        let s = &mut self.slots.all[slot as usize];
        (s.link, s.class, s.place, s.stage) = (link, class, place, Stage::Routed);
        self.routers.asking[switch as usize].push(slot);
    }

    /// The next hop with most credits, ties at random.
    fn freest(&mut self, place: u64, destination: u32, slot: u32) -> Option<(u32, u8, u64)> {
        let row = self.hops.row(place, destination);
        let key = self.settings.seed ^ netloom_model::stream::mix(self.now << 32 ^ u64::from(slot));
        let mut draws = netloom_model::Draws::from_key(key);
        let (mut best, mut most, mut equals) = (None, 0, 0);
        for choice in self.hops.choices(row) {
            let slots = self.channels(choice.link, choice.class);
            let room: u32 = slots.map(|to| u32::from(self.slots.credits[to as usize])).sum();
            if best.is_some() && room < most {
                continue;
            }
            equals = if best.is_none() || room > most { 1 } else { equals + 1 };
            if equals == 1 || draws.below(equals) == 0 {
                best = Some((choice.link, choice.class, choice.place));
            }
            most = room;
        }
        best
    }

    /// Slots of a class on a link; a packet leaves the network by any channel.
    #[inline]
    pub(super) fn channels(&self, link: u32, class: u8) -> std::ops::Range<u32> {
        let (v, classes, class) = (self.settings.channels, u32::from(self.hops.classes()), u32::from(class));
        if link >= self.first_ejection() {
            return link * v..(link + 1) * v;
        }
        link * v + class * v / classes..link * v + (class + 1) * v / classes
    }

    /// One step of all switches at work.
    pub(super) fn step(&mut self, step: u32) {
        if step == 0 {
            self.routers.moved = false;
        }
        let mut active = std::mem::take(&mut self.routers.active);
        for &switch in &active {
            self.allocate(switch, step);
        }
        active.retain(|&switch| {
            let at = switch as usize;
            let work = !self.routers.asking[at].is_empty()
                || !self.routers.ready[at].is_empty()
                || !self.routers.holding[at].is_empty();
            self.routers.marked[at] = work;
            work
        });
        self.routers.active = active;
    }

    fn allocate(&mut self, switch: u32, step: u32) {
        let at = switch as usize;
        let mut scratch = std::mem::take(&mut self.routers.scratch);
        let mut asking = std::mem::take(&mut self.routers.asking[at]);
        let mut ready = std::mem::take(&mut self.routers.ready[at]);
        let mut holding = std::mem::take(&mut self.routers.holding[at]);
        // All decisions on the state before the step.
        self.give_channels(switch, &asking, &mut scratch);
        scratch.held.clear();
        for &slot in &holding {
            let to = self.slots.all[slot as usize].to;
            scratch.held.push((slot, self.slots.credits[to as usize] > 0));
        }
        self.give_switch(switch, &ready, &mut scratch);
        // Then what follows from them.
        ready.retain(|slot| !scratch.won(*slot));
        holding.clear();
        (self.routers.ready[at], self.routers.holding[at]) = (ready, holding);
        let granted = std::mem::take(&mut scratch.channels);
        for &(slot, to) in &granted {
            self.take_channel(switch, slot, to);
        }
        asking.retain(|slot| self.slots.all[*slot as usize].stage == Stage::Routed);
        self.routers.asking[at] = asking;
        let held = std::mem::take(&mut scratch.held);
        for &(slot, may) in &held {
            if may {
                self.pass(switch, slot, step, true);
            } else {
                self.let_go(slot);
                self.routers.ready[at].push(slot);
            }
        }
        let winners = std::mem::take(&mut scratch.winners);
        for &slot in &winners {
            self.pass(switch, slot, step, false);
        }
        scratch.clear(granted, held, winners);
        self.routers.scratch = scratch;
    }

    fn take_channel(&mut self, switch: u32, slot: u32, to: u32) {
        let s = &mut self.slots.all[slot as usize];
        (s.stage, s.to) = (Stage::Channel, to);
        let v = self.settings.channels;
        let (output, input) = (&self.routers.outputs[(to / v) as usize], &self.routers.inputs[(slot / v) as usize]);
        s.pointer = (output.number * v + to % v + 1) % (self.routers.outs[switch as usize] * v);
        self.slots.pointer[to as usize] = (input.number * v + slot % v + 1) % (self.routers.ins[switch as usize] * v);
        self.slots.taken[to as usize] = true;
        self.routers.ready[switch as usize].push(slot);
        self.routers.moved = true;
    }

    /// Ends the hold of the slot's input and output.
    fn let_go(&mut self, slot: u32) {
        let link = self.slots.all[slot as usize].link;
        self.routers.inputs[(slot / self.settings.channels) as usize].held = NONE;
        self.routers.outputs[link as usize].held = false;
    }

    /// The front flit of `slot` goes through the switch.
    fn pass(&mut self, switch: u32, slot: u32, step: u32, holds: bool) {
        let v = self.settings.channels;
        let flit = self.slots.pop(slot);
        let state::Slot { len, link, to, place, .. } = self.slots.all[slot as usize];
        let tail = state::is_tail(flit);
        self.routers.moved = true;
        self.slots.credits[to as usize] -= 1;
        self.link_units[link as usize] += 1;
        // The crossbar takes the next step; a link takes one flit per cycle.
        let output = &mut self.routers.outputs[link as usize];
        let leaves = output.free.max(self.now + u64::from(step + 1 == self.preset.speedup));
        output.free = leaves + 1;
        let arrives = leaves + u64::from(self.latency[link as usize]) + 1;
        if link >= self.first_ejection() {
            self.events.put(arrives, Event::Sink { slot: to, flit });
        } else {
            self.events.put(arrives, Event::Flit { slot: to, flit });
            if state::is_head(flit) {
                let packet = self.packets.get(state::packet(flit));
                packet.place = place;
                packet.hops += 1;
            }
        }
        self.return_credit(slot);
        if tail {
            self.slots.taken[to as usize] = false;
        }
        if holds && (tail || len == 0) {
            self.let_go(slot);
        }
        let at = switch as usize;
        match (tail, len) {
            (true, 0) => self.slots.all[slot as usize].stage = Stage::Idle,
            (true, _) => self.route(switch, slot),
            (false, 0) => {}
            (false, _) if self.preset.hold => {
                self.routers.inputs[(slot / v) as usize].held = link;
                self.routers.outputs[link as usize].held = true;
                self.routers.holding[at].push(slot);
            }
            (false, _) => self.routers.ready[at].push(slot),
        }
    }

    /// One credit per input and cycle goes back.
    fn return_credit(&mut self, slot: u32) {
        let link = slot / self.settings.channels;
        let input = &mut self.routers.inputs[link as usize];
        let leaves = input.credit.max(self.now);
        input.credit = leaves + 1;
        // Endpoints use a credit when it arrives.
        let delay = if link < self.network.switch_links() { self.settings.credit_delay } else { 0 };
        let at = leaves + u64::from(self.latency[link as usize]) + 1 + u64::from(delay);
        self.events.put(at, Event::Credit { slot });
    }

    /// Every packet waits, and nothing is on its way.
    pub(super) fn stuck(&self) -> Faults {
        let sentence = format!(
            "at cycle {} no packet can move: {} packets wait for each other, the first at switch {}",
            self.now,
            self.packets.len(),
            self.routers.active.first().map_or_else(String::new, |switch| self.network.switch_name(*switch))
        );
        let hint = "use a routing without cycles among its channels, and as many channels as it names";
        Fault::say(&codes::STALLED, self.network.label(), sentence).hint(hint).into()
    }
}
