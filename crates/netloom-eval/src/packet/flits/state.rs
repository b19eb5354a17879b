//! Packets, buffers and channels in flat arrays.

use netloom_model::Network;

use super::Settings;

/// A packet under way.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// Of the routing, at the switch where its head is or will be next.
    pub place: u64,
    pub word: u64,
    pub born: u64,
    pub destination: u32,
    pub from: u32,
    pub to: u32,
    pub tag: u32,
    pub hops: u16,
}

/// Packets in places that are used again.
#[derive(Default)]
pub struct Packets {
    all: Vec<Packet>,
    unused: Vec<u32>,
}

impl Packets {
    pub fn len(&self) -> u64 {
        (self.all.len() - self.unused.len()) as u64
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn add(&mut self, packet: Packet) -> u32 {
        match self.unused.pop() {
            Some(number) => {
                self.all[number as usize] = packet;
                number
            }
            None => {
                self.all.push(packet);
                self.all.len() as u32 - 1
            }
        }
    }
    pub fn remove(&mut self, number: u32) -> Packet {
        self.unused.push(number);
        self.all[number as usize]
    }
    #[inline]
    pub fn get(&mut self, number: u32) -> &mut Packet {
        &mut self.all[number as usize]
    }
}

/// A flit: the number of its packet, and whether it is the first or the last of it.
pub const HEAD: u32 = 1 << 31;
pub const TAIL: u32 = 1 << 30;

#[inline]
pub fn packet(flit: u32) -> u32 {
    flit & !(HEAD | TAIL)
}
#[inline]
pub fn is_head(flit: u32) -> bool {
    flit & HEAD != 0
}
#[inline]
pub fn is_tail(flit: u32) -> bool {
    flit & TAIL != 0
}

/// What the packet at the front of a buffer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stage {
    /// There is none.
    #[default]
    Idle,
    /// Its next link and class; it asks for a channel.
    Routed,
    /// A channel.
    Channel,
}

/// One buffer, and the packet at its front.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    pub head: u16,
    pub len: u16,
    pub stage: Stage,
    pub class: u8,
    /// Next link; with a channel, `to` is the slot of that link and channel.
    pub link: u32,
    pub to: u32,
    /// Place after the link.
    pub place: u64,
    /// Round-robin pointer of its choice among outputs and channels.
    pub pointer: u32,
}

/// Buffers of all channels of switch links and injection links (slot = link · channels + channel), and what the tails of
/// links know of the other end: credits, and whether a packet has the channel. Ejection links have slots without buffers.
pub struct Slots {
    pub all: Vec<Slot>,
    ring: Vec<u32>,
    stride: usize,
    pub credits: Vec<u16>,
    pub taken: Vec<bool>,
    /// Round-robin pointer of each channel among the inputs and channels of its switch.
    pub pointer: Vec<u32>,
}

impl Slots {
    pub fn new(network: &Network, settings: &Settings) -> Slots {
        let v = settings.channels as usize;
        let buffers = (network.switch_links() + network.endpoints()) as usize * v;
        let all = network.links() as usize * v;
        let stride = settings.buffer_flits.next_power_of_two() as usize;
        Slots {
            all: vec![Slot::default(); buffers],
            ring: vec![0; buffers * stride],
            stride,
            credits: vec![settings.buffer_flits as u16; all],
            taken: vec![false; all],
            pointer: vec![0; all],
        }
    }

    #[inline]
    pub fn push(&mut self, slot: u32, flit: u32) {
        let Slot { head, len, .. } = self.all[slot as usize];
        let at = usize::from(head.wrapping_add(len)) & (self.stride - 1);
        self.ring[slot as usize * self.stride + at] = flit;
        self.all[slot as usize].len += 1;
    }

    #[inline]
    pub fn front(&self, slot: u32) -> u32 {
        let at = usize::from(self.all[slot as usize].head) & (self.stride - 1);
        self.ring[slot as usize * self.stride + at]
    }

    #[inline]
    pub fn pop(&mut self, slot: u32) -> u32 {
        let flit = self.front(slot);
        let s = &mut self.all[slot as usize];
        s.head = s.head.wrapping_add(1);
        s.len -= 1;
        flit
    }
}
