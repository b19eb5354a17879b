//! What is due at a time.

use netloom_model::Time;

/// What is due at a time, in order of request: the earliest is the greatest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wake {
    pub time: Time,
    pub number: u64,
    pub due: Due,
}

impl Wake {
    /// No time is negative, so that times are in the order of their bits.
    #[inline]
    fn place(&self) -> u128 {
        u128::from(self.time.as_s().to_bits()) << 64 | u128::from(self.number)
    }
}

impl Ord for Wake {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.place().cmp(&self.place())
    }
}
impl PartialOrd for Wake {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Eq for Wake {}
impl PartialEq for Wake {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Due {
    /// A rank continues.
    Rank(u32),
    /// The rank lets a message go: it waits for its turn at the endpoint.
    Turn(u32),
    /// Software has done its part of a message: its transfer starts.
    Message(u32),
    /// The gap of a message on its connection is over: its transfer starts.
    Gap(u32),
    /// The endpoint has received a message.
    Arrival(u32),
    /// An endpoint has sent the first of the flows that wait for it.
    Stream(u32),
}
