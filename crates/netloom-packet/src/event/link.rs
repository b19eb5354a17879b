//! Links: what they are made of, and which of their lanes have packets.

/// A directed link: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Link {
    pub ps_per_byte: f64,
    /// Among the part's speeds.
    pub speed: u16,
    /// With the switch at its head, if it ends at one.
    pub latency_ps: f64,
    /// Its lanes: so many from the first.
    pub first_lane: u32,
    pub lanes: u16,
    /// The lane that was served last.
    pub served: u16,
    /// Packets in the queues of its lanes.
    pub queued: u32,
    /// Bit `i`: lane `i` may have some; those from [`LAST_BIT`] on share a bit.
    pub filled: u64,
    /// When it is free; an event looks for the next packet then.
    pub busy_until: u64,
    pub woken: bool,
    /// False if packets cross it side by side.
    pub shared: bool,
    /// The part of the machine at its head.
    pub to_part: u16,
    /// In the network.
    pub number: u32,
    pub bytes: u64,
}

const _: () = assert!(size_of::<Link>() == 64);

const LAST_BIT: u16 = 63;

impl Link {
    /// A lane has packets.
    #[inline]
    pub fn fill(&mut self, lane: u32) {
        self.filled |= 1 << (lane - self.first_lane).min(LAST_BIT.into());
    }

    /// A lane has none.
    #[inline]
    pub fn empty(&mut self, at: u16) {
        if at < LAST_BIT || self.queued == 0 {
            self.filled &= !(1 << at.min(LAST_BIT));
        }
    }

    /// The lanes that may have packets, in the order in which they are served.
    #[inline]
    pub fn in_turn(&self) -> impl Iterator<Item = u16> + use<> {
        let Link { filled, served, lanes, .. } = *self;
        (served + 1..lanes).chain(0..=served).filter(move |at| filled >> (*at).min(LAST_BIT) & 1 == 1)
    }
}
