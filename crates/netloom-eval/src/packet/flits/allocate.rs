//! Two separable allocators, input first, with round-robin arbiters.

use super::Flits;
use super::router::NONE;

/// A slot asks for its output.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Links.
    pub input: u32,
    pub output: u32,
    pub slot: u32,
}

/// What the allocators of one switch decide in one step, and memory for it.
#[derive(Default)]
pub struct Scratch {
    /// Per slot of a link's channels: the slot that leads for it; per link as output: the request that leads.
    leader: Vec<u32>,
    first: Vec<u32>,
    asks: Vec<Ask>,
    touched: Vec<u32>,
    /// Slots and the channels that they get.
    pub channels: Vec<(u32, u32)>,
    /// Slots that hold the switch, and whether they have a credit.
    pub held: Vec<(u32, bool)>,
    /// Slots that get the switch.
    pub winners: Vec<u32>,
}

impl Scratch {
    pub fn new(links: usize, slots: usize) -> Scratch {
        Scratch { leader: vec![NONE; slots], first: vec![NONE; links], ..Scratch::default() }
    }

    /// True if a slot gets the switch.
    pub fn won(&self, slot: u32) -> bool {
        self.winners.contains(&slot)
    }

    /// Takes the lists back.
    pub fn clear(&mut self, channels: Vec<(u32, u32)>, held: Vec<(u32, bool)>, winners: Vec<u32>) {
        (self.channels, self.held, self.winners) = (channels, held, winners);
        self.channels.clear();
        self.held.clear();
        self.winners.clear();
    }
}

/// Places from a pointer to a number, round a ring of `size`.
#[inline]
fn after(number: u32, pointer: u32, size: u32) -> u32 {
    if number >= pointer { number - pointer } else { number + size - pointer }
}

impl Flits<'_> {
    /// Heads ask for one free channel each; every channel takes one of those that ask.
    pub(super) fn give_channels(&self, switch: u32, asking: &[u32], scratch: &mut Scratch) {
        let v = self.settings.channels;
        let (ins, outs) = (self.routers.ins[switch as usize] * v, self.routers.outs[switch as usize] * v);
        for &slot in asking {
            let s = &self.slots.all[slot as usize];
            let output = self.routers.outputs[s.link as usize].number;
            let free = self.channels(s.link, s.class).filter(|to| !self.slots.taken[*to as usize]);
            let Some(to) = free.min_by_key(|to| after(output * v + to % v, s.pointer, outs)) else { continue };
            let from = |slot: u32| {
                let number = self.routers.inputs[(slot / v) as usize].number * v + slot % v;
                after(number, self.slots.pointer[to as usize], ins)
            };
            let leader = &mut scratch.leader[to as usize];
            if *leader == NONE {
                scratch.touched.push(to);
                *leader = slot;
            } else if from(slot) < from(*leader) {
                *leader = slot;
            }
        }
        for to in scratch.touched.drain(..) {
            let slot = std::mem::replace(&mut scratch.leader[to as usize], NONE);
            scratch.channels.push((slot, to));
        }
    }

    /// Flits with a channel and a credit ask for the switch: an input takes one output, an output one input.
    pub(super) fn give_switch(&mut self, switch: u32, ready: &[u32], scratch: &mut Scratch) {
        let v = self.settings.channels;
        let (ins, outs) = (self.routers.ins[switch as usize], self.routers.outs[switch as usize]);
        let routers = &self.routers;
        scratch.asks.clear();
        for &slot in ready {
            let s = &self.slots.all[slot as usize];
            let input = &routers.inputs[(slot / v) as usize];
            let output = &routers.outputs[s.link as usize];
            if self.slots.credits[s.to as usize] == 0 || input.held != NONE || output.held {
                continue;
            }
            // Channels of an input that ask for the same output take turns; then the input takes one output.
            let key = |slot: u32, link: u32| {
                let turn = after(slot % v, input.channel, v);
                (after(routers.outputs[link as usize].number, input.pointer, outs), turn)
            };
            let link = slot / v;
            let at = scratch.first[link as usize];
            if at == NONE {
                scratch.first[link as usize] = scratch.asks.len() as u32;
                scratch.asks.push(Ask { input: link, output: s.link, slot });
                continue;
            }
            let best = &mut scratch.asks[at as usize];
            if key(slot, s.link) < key(best.slot, best.output) {
                (best.output, best.slot) = (s.link, slot);
            }
        }
        for request in &scratch.asks {
            scratch.first[request.input as usize] = NONE;
        }
        for (number, request) in scratch.asks.iter().enumerate() {
            let output = &routers.outputs[request.output as usize];
            let from = |input: u32| after(routers.inputs[input as usize].number, output.pointer, ins);
            let leader = &mut scratch.first[request.output as usize];
            if *leader == NONE {
                scratch.touched.push(request.output);
                *leader = number as u32;
            } else if from(request.input) < from(scratch.asks[*leader as usize].input) {
                *leader = number as u32;
            }
        }
        for link in scratch.touched.drain(..) {
            let number = std::mem::replace(&mut scratch.first[link as usize], NONE);
            let Ask { input, output, slot } = scratch.asks[number as usize];
            scratch.winners.push(slot);
            let (from, to) = (self.routers.inputs[input as usize].number, self.routers.outputs[output as usize].number);
            let i = &mut self.routers.inputs[input as usize];
            (i.pointer, i.channel) = ((to + 1) % outs, (slot % v + 1) % v);
            self.routers.outputs[output as usize].pointer = (from + 1) % ins;
        }
    }
}
