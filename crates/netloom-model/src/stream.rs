//! Seeded random streams that never change: PCG64 raw output with our own bounded sampler.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A named stream of random numbers. The same `(seed, name)` gives the same numbers on every machine.
///
/// Streams of different names are independent, so adding a consumer never shifts another one's draws.
#[derive(Clone, Debug)]
pub struct Stream(Pcg64);

impl Stream {
    /// `seed` from the study; `name` says what the numbers are for (`"random_shortcut"`, `"two-opt"`, ...).
    pub fn new(seed: u64, name: &str) -> Self {
        // FNV-1a of the name picks the PCG stream; the seed picks the state.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let mut bytes = [0u8; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[16..24].copy_from_slice(&hash.to_le_bytes());
        let mut rng = Pcg64::from_seed(bytes);
        // Neighbouring seeds start with correlated states; a few steps separate them.
        for _ in 0..4 {
            rng.next_u64();
        }
        Stream(rng)
    }

    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..bound`, unbiased (Lemire's multiply-and-reject). `bound` must be at least 1.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        let threshold = bound.wrapping_neg() % bound.max(1);
        loop {
            let wide = (self.0.next_u64() >> 32) * u64::from(bound);
            if wide as u32 >= threshold {
                return (wide >> 32) as u32;
            }
        }
    }

    /// Uniform in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Fisher-Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): one well-mixed word per key, for draws that belong
/// to an item rather than to a sequence.
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
