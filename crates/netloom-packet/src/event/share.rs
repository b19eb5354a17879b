//! A share of the bytes of long messages, where a part of a run stands for the whole.

/// So many bytes for each `of_bytes` of a message longer than a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub bytes: u64,
    /// At least 1.
    pub of_bytes: u64,
}

impl Share {
    /// The bytes that move of a message; all of one that is a packet or less.
    pub fn of(self, moved: u64, packet_bytes: u64) -> u64 {
        if moved <= packet_bytes {
            return moved;
        }
        // At most `moved`, as `bytes` is at most `of_bytes`.
        (u128::from(moved) * u128::from(self.bytes)).div_ceil(u128::from(self.of_bytes).max(1)) as u64
    }
}
