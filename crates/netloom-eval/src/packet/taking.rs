//! Which of several ways a packet takes.

use netloom_model::stream::mix;

/// How a packet takes one of several next hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// One path drawn by the shares of the routing, whatever the state of the network.
    Drawn,
    /// As drawn, but every packet of a pair of endpoints draws the same.
    Hashed { seed: u64 },
    /// The one with most room behind it, ties at random.
    Adaptive,
    /// As drawn, by way of a random switch first (Valiant 1982).
    Detour,
    /// As adaptive, by way of the random switch of `detours` that promises least, or directly if that promises no more
    /// (UGAL-local, Singh 2005): bytes in the first buffer times links.
    Hybrid { detours: u8, direct: bool },
}

impl Taking {
    /// The word by which a packet draws its path: new for every packet of a source, or one for a pair. Counts the packet.
    #[inline]
    pub fn word(self, seed: u64, (from, to): (u32, u32), made: &mut u64) -> u64 {
        let (seed, number) = match self {
            Taking::Hashed { seed } => (seed, to.into()),
            _ => (seed, *made),
        };
        *made += 1;
        mix(mix(seed ^ u64::from(from).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(number))
    }

    /// True if packets may go by way of another switch first; such packets need channels of their own until they are there.
    pub fn detours(self) -> bool {
        matches!(self, Taking::Detour | Taking::Hybrid { .. })
    }

    /// Parts into which the channels of a link are divided for it.
    #[inline]
    pub fn phases(self) -> u32 {
        1 + u32::from(self.detours())
    }

    /// True if a packet looks at buffers at every switch.
    #[inline]
    pub fn looks(self) -> bool {
        matches!(self, Taking::Adaptive | Taking::Hybrid { .. })
    }
}
