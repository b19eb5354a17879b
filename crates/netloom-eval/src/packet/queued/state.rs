//! Packets and buffers in flat arrays.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use netloom_model::Network;

use crate::packet::hops::Choice;

use super::Settings;

/// A packet under way: one cache line.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// Of the routing.
    pub place: u64,
    /// Randomness for its path that is not used yet.
    pub word: u64,
    pub born: u64,
    /// The next hop that it has drawn; `None` at its last switch, and for packets that choose when they go.
    pub next: Option<Choice>,
    /// As the routing takes it.
    pub destination: u32,
    pub from: u32,
    pub to: u32,
    pub tag: u32,
    pub hops: u16,
}

/// All packets, in places that are used again, and the source queues of the endpoints.
pub struct Packets {
    all: Vec<Packet>,
    unused: Vec<u32>,
    sources: Vec<VecDeque<u32>>,
}

impl Packets {
    pub fn new(endpoints: u32) -> Packets {
        Packets { all: Vec::new(), unused: Vec::new(), sources: vec![VecDeque::new(); endpoints as usize] }
    }

    pub fn len(&self) -> u64 {
        (self.all.len() - self.unused.len()) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A new packet at the end of its endpoint's queue.
    pub fn offer(&mut self, packet: Packet) {
        let number = match self.unused.pop() {
            Some(number) => {
                self.all[number as usize] = packet;
                number
            }
            None => {
                self.all.push(packet);
                self.all.len() as u32 - 1
            }
        };
        self.sources[packet.from as usize].push_back(number);
    }

    /// The source queue of an endpoint.
    #[inline]
    pub fn source(&mut self, endpoint: u32) -> &mut VecDeque<u32> {
        &mut self.sources[endpoint as usize]
    }

    pub fn remove(&mut self, number: u32) -> Packet {
        self.unused.push(number);
        self.all[number as usize]
    }
}

impl Index<u32> for Packets {
    type Output = Packet;
    #[inline]
    fn index(&self, number: u32) -> &Packet {
        &self.all[number as usize]
    }
}

impl IndexMut<u32> for Packets {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut Packet {
        &mut self.all[number as usize]
    }
}

/// One FIFO.
#[derive(Clone, Copy, Debug, Default)]
struct Fifo {
    head: u16,
    len: u16,
    /// Free places, as the other end of the link knows it.
    room: u16,
}

/// The FIFOs of all channels of switch links and injection links: slot = link · channels + channel. And, per switch, the
/// slots whose head waits for an output.
pub struct Slots {
    fifos: Vec<Fifo>,
    packets: Vec<u32>,
    /// Places per FIFO in `packets`, a power of two.
    stride: usize,
    /// Row of next hops of each head that waits.
    rows: Vec<u32>,
    waiting: Vec<u32>,
    /// First place of each switch in `waiting`.
    base: Vec<u32>,
    waits: Vec<u32>,
}

impl Slots {
    pub fn new(network: &Network, settings: &Settings) -> Slots {
        let (links, v) = (network.switch_links() as usize, settings.channels as usize);
        let all = links + network.endpoints() as usize;
        let stride = settings.buffer_packets.max(settings.injection_packets).next_power_of_two() as usize;
        let fifo = |room: u32| Fifo { head: 0, len: 0, room: room as u16 };
        let mut fifos = vec![fifo(settings.buffer_packets); links * v];
        fifos.resize(all * v, fifo(settings.injection_packets));
        let mut inputs = vec![0u32; network.switches() as usize + 1];
        let switches = network.heads().iter().chain(network.endpoint_switch());
        switches.for_each(|s| inputs[*s as usize + 1] += settings.channels);
        (1..inputs.len()).for_each(|s| inputs[s] += inputs[s - 1]);
        Slots {
            fifos,
            packets: vec![0; all * v * stride],
            stride,
            rows: vec![0; all * v],
            waiting: vec![0; all * v],
            base: inputs,
            waits: vec![0; network.switches() as usize],
        }
    }

    #[inline]
    fn at(&self, slot: u32, place: u16) -> usize {
        slot as usize * self.stride + usize::from(place) % self.stride
    }

    /// The number of packets after it.
    #[inline]
    pub fn push(&mut self, slot: u32, packet: u32) -> u16 {
        let Fifo { head, len, .. } = self.fifos[slot as usize];
        let at = self.at(slot, head.wrapping_add(len));
        self.packets[at] = packet;
        self.fifos[slot as usize].len = len + 1;
        len + 1
    }

    #[inline]
    pub fn pop(&mut self, slot: u32) -> u32 {
        let packet = self.front(slot);
        let fifo = &mut self.fifos[slot as usize];
        fifo.head = fifo.head.wrapping_add(1);
        fifo.len -= 1;
        packet
    }

    #[inline]
    pub fn front(&self, slot: u32) -> u32 {
        self.packets[self.at(slot, self.fifos[slot as usize].head)]
    }

    #[inline]
    pub fn len(&self, slot: u32) -> u16 {
        self.fifos[slot as usize].len
    }

    #[inline]
    pub fn room(&self, slot: u32) -> u16 {
        self.fifos[slot as usize].room
    }

    #[inline]
    pub fn take_credit(&mut self, slot: u32) {
        self.fifos[slot as usize].room -= 1;
    }

    #[inline]
    pub fn return_credit(&mut self, slot: u32) {
        self.fifos[slot as usize].room += 1;
    }

    /// The head of `slot` waits at `switch`.
    #[inline]
    pub fn wait(&mut self, switch: u32, slot: u32, row: u32) {
        self.rows[slot as usize] = row;
        let waits = &mut self.waits[switch as usize];
        self.waiting[(self.base[switch as usize] + *waits) as usize] = slot;
        *waits += 1;
    }

    /// The head at place `at` of the switch's list waits no more; the last one takes its place.
    #[inline]
    pub fn go(&mut self, switch: u32, at: u32) {
        let base = self.base[switch as usize];
        let waits = &mut self.waits[switch as usize];
        *waits -= 1;
        self.waiting[(base + at) as usize] = self.waiting[(base + *waits) as usize];
    }

    #[inline]
    pub fn waits(&self, switch: u32) -> u32 {
        self.waits[switch as usize]
    }

    #[inline]
    pub fn waiting(&self, switch: u32, at: u32) -> u32 {
        self.waiting[(self.base[switch as usize] + at) as usize]
    }

    #[inline]
    pub fn row(&self, slot: u32) -> u32 {
        self.rows[slot as usize]
    }
}
