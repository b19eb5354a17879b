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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_a_packet_is_shortened_and_never_to_nothing() {
        let share = Share { bytes: 7 * 64, of_bytes: 64_000 };
        assert_eq!([0, 1, 64].map(|moved| share.of(moved, 64)), [0, 1, 64]);
        assert_eq!(
            [65, 64_000, 128_000, u64::MAX].map(|moved| share.of(moved, 64)),
            [1, 448, 896, u64::MAX / 1000 * 7 + 5]
        );
    }
}
