//! Packets under way and the source queues of the endpoints.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use netloom_model::Outcome;

use super::engine::{Offer, Origin};
use crate::routes::hops::Hops;
use crate::routes::taking::{Legs, Taking};

/// A packet under way: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct CyclePacket {
    /// Of the routing.
    pub place: u64,
    /// Randomness for its path that is not used yet.
    pub word: u64,
    pub born: u64,
    /// With flits, where it goes after its detour.
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

/// All packets under way, in places that are used again, and those that wait at the endpoints: an offered one is kept as its
/// offer, one that an [`Origin`] makes is a count.
pub struct Packets {
    all: Vec<CyclePacket>,
    unused: Vec<u32>,
    offers: Vec<VecDeque<(Offer, u64)>>,
    origin: Option<Box<dyn Origin>>,
    /// Per endpoint: packets that wait, and those that do not any more.
    waiting: Vec<u32>,
    gone: Vec<u64>,
    /// All that wait.
    outside: u64,
}

impl Packets {
    pub fn new(endpoints: u32) -> Packets {
        Packets {
            all: Vec::new(),
            unused: Vec::new(),
            offers: vec![VecDeque::new(); endpoints as usize],
            origin: None,
            waiting: vec![0; endpoints as usize],
            gone: vec![0; endpoints as usize],
            outside: 0,
        }
    }

    pub fn len(&self) -> u64 {
        (self.all.len() - self.unused.len()) as u64 + self.outside
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Who makes the packets that are [`Packets::born`].
    pub fn draw_from(&mut self, origin: Box<dyn Origin>) {
        self.origin = Some(origin);
    }

    /// A packet at the end of its endpoint's queue.
    pub fn offer(&mut self, offer: Offer, born: u64) {
        self.offers[offer.from as usize].push_back((offer, born));
        self.born(offer.from);
    }

    /// One that the origin makes when it leaves the queue.
    pub fn born(&mut self, endpoint: u32) {
        self.waiting[endpoint as usize] += 1;
        self.outside += 1;
    }

    /// Takes the first packet of an endpoint's queue into the network, at the switch `source`; `None` if nobody waits.
    ///
    /// # Errors
    /// As [`Hops::start`].
    pub fn take(&mut self, endpoint: u32, source: u32, hops: &mut Hops<'_>, drawn: Drawn) -> Outcome<Option<u32>> {
        let at = endpoint as usize;
        let made = self.origin.as_mut().map(|origin| origin.next(endpoint));
        let Some((Offer { from, to, tag, units }, born)) = made.or_else(|| self.offers[at].pop_front()) else {
            return Ok(None);
        };
        self.waiting[at] -= 1;
        self.outside -= 1;
        let mut word = drawn.taking.word(drawn.seed, (from, to), &mut self.gone[at]);
        let destination = hops.destination(to);
        let place = hops.start(source, destination, &mut word)?;
        let (next, tail, hops, class, leg) = (0, 0, 0, 0, Legs::DIRECT as u8);
        let packet = CyclePacket { place, word, born, next, tail, destination, from, to, tag, units, hops, class, leg };
        Ok(Some(match self.unused.pop() {
            Some(number) => {
                self.all[number as usize] = packet;
                number
            }
            None => {
                self.all.push(packet);
                self.all.len() as u32 - 1
            }
        }))
    }

    /// Packets that wait at an endpoint.
    #[inline]
    pub fn waits(&self, endpoint: u32) -> u32 {
        self.waiting[endpoint as usize]
    }

    /// Length of each source queue.
    pub fn waiting(&self) -> impl Iterator<Item = u32> {
        self.waiting.iter().copied()
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
