//! Packets under way and the source queues of the endpoints.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use netloom_model::Outcome;

use super::engine::Offer;
use crate::routes::hops::Hops;
use crate::routes::taking::{Legs, Taking};

/// A packet under way: one cache line.
#[derive(Clone, Copy, Debug)]
pub struct CyclePacket {
    /// Of the routing.
    pub place: u64,
    /// Randomness for its path that is not used yet.
    pub word: u64,
    pub born: u64,
    /// Place after the next hop that it has drawn.
    pub next: u64,
    /// The last phit cannot leave its buffer before this cycle: it has not come.
    pub tail: u64,
    /// As the routing takes it; on a detour that of its middle.
    pub destination: u32,
    pub from: u32,
    pub to: u32,
    pub tag: u32,
    /// Phits or flits.
    pub units: u32,
    pub hops: u16,
    /// Channel class of the last switch link that it was given.
    pub class: u8,
    /// Of its detour: [`crate::routes::taking::Legs`].
    pub leg: u8,
}

const _: () = assert!(size_of::<CyclePacket>() == 64);

/// How packets draw their paths.
#[derive(Clone, Copy)]
pub struct Drawn {
    pub taking: Taking,
    pub seed: u64,
}

/// All packets, in places that are used again, and the source queues of the endpoints.
pub struct Packets {
    all: Vec<CyclePacket>,
    unused: Vec<u32>,
    sources: Vec<VecDeque<u32>>,
    /// Packets offered, per endpoint.
    offered: Vec<u64>,
}

impl Packets {
    pub fn new(endpoints: u32) -> Packets {
        Packets {
            all: Vec::new(),
            unused: Vec::new(),
            sources: vec![VecDeque::new(); endpoints as usize],
            offered: vec![0; endpoints as usize],
        }
    }

    pub fn len(&self) -> u64 {
        (self.all.len() - self.unused.len()) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A packet that is born at the switch `source` of its endpoint, at the end of that endpoint's queue.
    ///
    /// # Errors
    /// As [`Hops::start`].
    pub fn offer(&mut self, offer: Offer, born: u64, source: u32, hops: &mut Hops<'_>, drawn: Drawn) -> Outcome<()> {
        let Offer { from, to, tag, units } = offer;
        let mut word = drawn.taking.word(drawn.seed, (from, to), &mut self.offered[from as usize]);
        let destination = hops.destination(to);
        let place = hops.start(source, destination, &mut word)?;
        let (next, tail, hops, class, leg) = (0, 0, 0, 0, Legs::DIRECT as u8);
        self.put(CyclePacket { place, word, born, next, tail, destination, from, to, tag, units, hops, class, leg });
        Ok(())
    }

    fn put(&mut self, packet: CyclePacket) {
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

    /// Length of each source queue.
    pub fn waiting(&self) -> impl Iterator<Item = u32> {
        self.sources.iter().map(|queue| queue.len() as u32)
    }

    pub fn remove(&mut self, number: u32) -> CyclePacket {
        self.unused.push(number);
        self.all[number as usize]
    }
}

impl Index<u32> for Packets {
    type Output = CyclePacket;
    #[inline]
    fn index(&self, number: u32) -> &CyclePacket {
        &self.all[number as usize]
    }
}

impl IndexMut<u32> for Packets {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut CyclePacket {
        &mut self.all[number as usize]
    }
}
