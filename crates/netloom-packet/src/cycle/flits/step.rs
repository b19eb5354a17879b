//! One switch, one internal step: channels allocated to heads, the switch to flits.

use super::Flits;
use super::bids::{Bids, NOBODY};
use super::state::NONE;

/// Distance upwards from `from` to `to` on a ring of `size`.
#[inline]
fn round(from: u32, to: u32, size: u32) -> u32 {
    if to >= from { to - from } else { to + size - from }
}

/// The lowest set bit at `from` or above, else the lowest of all.
#[inline]
fn first_bit(bits: u64, from: u8) -> u8 {
    let above = bits.checked_shr(from.into()).unwrap_or(0);
    if above == 0 { bits.trailing_zeros() as u8 } else { from + above.trailing_zeros() as u8 }
}

impl Flits<'_> {
    /// Internal step number `step` of a cycle. False if nothing changed, and so nothing will before something arrives.
    pub(super) fn step(&mut self, switch: u32, step: u32) -> bool {
        let mut bids = std::mem::take(&mut self.bids);
        for port in self.ports.of(switch) {
            let p = self.state.ports[port as usize];
            if p.heads != 0 {
                self.bid_heads(switch, port, p.heads, &mut bids);
            }
            if p.holder != NONE {
                let input = &self.state.inputs[(port * self.state.channels) as usize + usize::from(p.holder)];
                let out = (input.out * self.state.channels) as usize + usize::from(input.out_channel);
                bids.holds.push((port, self.state.credits[out] > 0));
            } else if p.ready != 0 {
                self.bid_flits(switch, port, p.ready, &mut bids);
            }
        }
        let changed = !(bids.asked.is_empty() && bids.holds.is_empty() && bids.wanted.is_empty());
        for &out in &bids.asked {
            let (_, slot) = std::mem::replace(&mut bids.heads[out as usize], NOBODY);
            self.give_channel(switch, slot, out);
        }
        for &(port, credit) in &bids.holds {
            self.reuse(port, credit, step);
        }
        for &out in &bids.wanted {
            let (_, slot) = std::mem::replace(&mut bids.flits[out as usize], NOBODY);
            self.give_switch(switch, slot, out, step);
        }
        bids.asked.clear();
        bids.holds.clear();
        bids.wanted.clear();
        self.bids = bids;
        changed
    }

    /// Each head asks for one free channel of its class, round robin; the output channel keeps the best bid.
    #[inline]
    fn bid_heads(&self, switch: u32, port: u32, mut heads: u64, bids: &mut Bids) {
        let channels = self.state.channels;
        let ports = self.ports.of(switch);
        let size = ports.len() as u32 * channels;
        while heads != 0 {
            let channel = heads.trailing_zeros();
            heads &= heads - 1;
            let slot = port * channels + channel;
            let input = &self.state.inputs[slot as usize];
            let free = self.state.ports[input.out as usize].free & self.masks[usize::from(input.class)];
            if free == 0 {
                continue;
            }
            let from = if input.from == input.out { input.from_channel } else { 0 };
            let out = input.out * channels + u32::from(first_bit(free, from));
            let distance = round(self.state.next_head[out as usize], slot - ports.start * channels, size);
            let best = &mut bids.heads[out as usize];
            if best.0 == u32::MAX {
                bids.asked.push(out);
            }
            if distance < best.0 {
                *best = (distance, slot);
            }
        }
    }

    /// Each input asks for one output, round robin over outputs, then over channels; the output keeps the best bid.
    #[inline]
    fn bid_flits(&self, switch: u32, port: u32, mut ready: u64, bids: &mut Bids) {
        let channels = self.state.channels;
        let ports = self.ports.of(switch);
        let size = ports.len() as u32;
        let p = &self.state.ports[port as usize];
        let mut best = (u32::MAX, 0, 0);
        while ready != 0 {
            let channel = ready.trailing_zeros();
            ready &= ready - 1;
            let slot = port * channels + channel;
            let input = &self.state.inputs[slot as usize];
            let out = &self.state.ports[input.out as usize];
            if out.held || self.state.credits[(input.out * channels) as usize + usize::from(input.out_channel)] == 0 {
                continue;
            }
            let far = round(p.next_output, input.out - ports.start, size);
            let key = far * channels + round(p.next_channel.into(), channel, channels);
            if key < best.0 {
                best = (key, slot, input.out);
            }
        }
        let (key, slot, out) = best;
        if key == u32::MAX {
            return;
        }
        let distance = round(self.state.ports[out as usize].next_input, port - ports.start, size);
        let best = &mut bids.flits[out as usize];
        if best.0 == u32::MAX {
            bids.wanted.push(out);
        }
        if distance < best.0 {
            *best = (distance, slot);
        }
    }

    fn give_channel(&mut self, switch: u32, slot: u32, out: u32) {
        let channels = self.state.channels;
        let (port, channel) = (slot / channels, slot % channels);
        let (out_port, out_channel) = (out / channels, out % channels);
        let input = &mut self.state.inputs[slot as usize];
        input.out_channel = out_channel as u8;
        (input.from, input.from_channel) = (out_port, out_channel as u8 + 1);
        let ports = self.ports.of(switch);
        let next = slot - ports.start * channels + 1;
        self.state.next_head[out as usize] = if next == ports.len() as u32 * channels { 0 } else { next };
        self.state.ports[out_port as usize].free &= !(1 << out_channel);
        let p = &mut self.state.ports[port as usize];
        p.heads &= !(1 << channel);
        p.ready |= 1 << channel;
    }

    fn give_switch(&mut self, switch: u32, slot: u32, out: u32, step: u32) {
        let channels = self.state.channels;
        let (port, channel) = (slot / channels, slot % channels);
        let ports = self.ports.of(switch);
        let size = ports.len() as u32;
        let after = |at: u32, size: u32| if at + 1 == size { 0 } else { at + 1 };
        self.state.ports[out as usize].next_input = after(port - ports.start, size);
        let p = &mut self.state.ports[port as usize];
        p.next_output = after(out - ports.start, size);
        p.next_channel = after(channel, channels) as u8;
        p.ready &= !(1 << channel);
        if self.forward(slot, step) {
            let p = &mut self.state.ports[port as usize];
            if self.settings.hold {
                p.holder = channel as u8;
                self.state.ports[out as usize].held = true;
            } else {
                p.ready |= 1 << channel;
            }
        }
    }

    /// The next flit of a packet that holds the switch, or the end of holding it.
    fn reuse(&mut self, port: u32, credit: bool, step: u32) {
        let channel = self.state.ports[port as usize].holder;
        let slot = port * self.state.channels + u32::from(channel);
        let out = self.state.inputs[slot as usize].out;
        if credit && self.forward(slot, step) {
            return;
        }
        self.state.ports[out as usize].held = false;
        let p = &mut self.state.ports[port as usize];
        p.holder = NONE;
        if !credit {
            p.ready |= 1 << channel;
        }
    }
}
