//! Which of several ways a packet takes.

use netloom_model::stream::mix;

/// 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// How a packet takes one of several next hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// One path drawn by the shares of the routing, whatever the state of the network.
    Drawn,
    /// As drawn, but every packet of a pair of endpoints draws the same.
    Hashed { seed: u64 },
    /// As drawn, but the packets of an endpoint take the paths in turn.
    Sprayed,
    /// The one with most room behind it, ties at random.
    Adaptive,
    /// As drawn, by way of a random switch first (Valiant 1982).
    Detour,
    /// As adaptive, by way of the random switch of `detours` that promises least, or directly if that promises no more
    /// (UGAL, Singh 2005).
    Hybrid { detours: u8, direct: bool, sees: Sees },
}

/// By what a packet chooses between its routing and detours, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// The first buffer, times links: UGAL-local.
    First,
    /// All buffers of the path: UGAL-global.
    Path,
    /// As the first, and what has gone directly looks again after its first hop, if that was inside its group: progressive
    /// adaptive routing (Jiang, Kim and Dally 2009).
    Again,
}

/// Classes of channels of packets that may take detours: where those of each leg begin, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legs {
    /// Of packets without a detour, on one, and after it.
    pub first: [u8; 3],
    pub total: u8,
}

impl Legs {
    pub const DIRECT: usize = 0;
    pub const OUT: usize = 1;
    pub const BACK: usize = 2;

    /// No detours.
    pub fn plain(classes: u8) -> Legs {
        Legs { first: [0; 3], total: classes }
    }

    /// Packets go on a detour before their first hop: those that take none are as those after one.
    pub fn early(classes: u8) -> Option<Legs> {
        Some(Legs { first: [classes, 0, classes], total: classes.checked_mul(2)? })
    }

    /// Packets go on a detour in the midst of their route, and use no class before `shift` from there on.
    pub fn late(classes: u8, shift: u8) -> Option<Legs> {
        let back = classes.checked_add(shift)?;
        Some(Legs { first: [0, shift, back], total: back.checked_add(classes)? })
    }
}

impl Taking {
    /// The word by which a packet draws its path: new for every packet of a source, or one for a pair. Counts the packet.
    #[inline]
    pub fn word(self, seed: u64, (from, to): (u32, u32), made: &mut u64) -> u64 {
        let number = std::mem::replace(made, *made + 1);
        let of = |seed: u64| mix(seed ^ u64::from(from).wrapping_mul(GOLDEN));
        match self {
            Taking::Hashed { seed } => mix(of(seed).wrapping_add(to.into())),
            // Multiples of the golden ratio: of any number of paths, each gets its share of any run of packets, to about one.
            Taking::Sprayed => of(seed).wrapping_add(number.wrapping_mul(GOLDEN)),
            _ => mix(of(seed).wrapping_add(number)),
        }
    }

    /// True if packets may go by way of another switch first; such packets need channels of their own until they are there.
    pub fn detours(self) -> bool {
        matches!(self, Taking::Detour | Taking::Hybrid { .. })
    }

    /// True if packets choose a detour after their first hop too.
    pub fn again(self) -> bool {
        matches!(self, Taking::Hybrid { sees: Sees::Again, .. })
    }

    /// True if a packet looks at buffers at every switch.
    #[inline]
    pub fn looks(self) -> bool {
        matches!(self, Taking::Adaptive | Taking::Hybrid { .. })
    }
}
