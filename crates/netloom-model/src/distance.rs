//! All-pairs hop distances, one byte each.

use std::sync::{Arc, OnceLock};

use crate::fault::Outcome;
use crate::network::Network;
use crate::progress::Progress;

/// Marks a pair without a path.
pub const UNREACHED: u8 = u8::MAX;

/// Hop distance from every switch to every switch, row-major, one byte each; [`UNREACHED`] where there is no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HopMatrix {
    switches: u32,
    hops: Vec<u8>,
}

impl HopMatrix {
    /// `hops` is row-major, `switches`² long.
    pub fn from_rows(switches: u32, hops: Vec<u8>) -> Option<Self> {
        (hops.len() as u64 == u64::from(switches) * u64::from(switches)).then_some(HopMatrix { switches, hops })
    }
    pub fn switches(&self) -> u32 {
        self.switches
    }
    #[inline]
    pub fn get(&self, from: u32, to: u32) -> u8 {
        self.hops[from as usize * self.switches as usize + to as usize]
    }
    #[inline]
    pub fn row(&self, from: u32) -> &[u8] {
        let n = self.switches as usize;
        &self.hops[from as usize * n..(from as usize + 1) * n]
    }
    pub fn as_slice(&self) -> &[u8] {
        &self.hops
    }
    pub fn into_vec(self) -> Vec<u8> {
        self.hops
    }
}

/// Largest matrix that is kept, bytes: 8,192 switches.
const KEPT: u64 = 1 << 26;

/// Computes the distances of a network.
pub type Measure = fn(&Network, &Progress) -> Outcome<HopMatrix>;

/// The distances of one network, computed when first asked for, and kept if they are small.
#[derive(Debug)]
pub struct Distances {
    measure: Measure,
    kept: OnceLock<Arc<HopMatrix>>,
}

impl Distances {
    pub fn new(measure: Measure) -> Distances {
        Distances { measure, kept: OnceLock::new() }
    }

    /// Distances of `network`, which must be the same at every call.
    ///
    /// # Errors
    /// Those of the measure, and a stop requested through `progress`.
    pub fn get(&self, network: &Network, progress: &Progress) -> Outcome<Arc<HopMatrix>> {
        if let Some(kept) = self.kept.get() {
            return Ok(Arc::clone(kept));
        }
        let made = Arc::new((self.measure)(network, progress)?);
        if u64::from(made.switches()).pow(2) <= KEPT {
            return Ok(Arc::clone(self.kept.get_or_init(|| made)));
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::network::NetworkBuilder;

    static MEASURED: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn distances_are_measured_once() {
        let mut builder = NetworkBuilder::new("pair", 2);
        let class = builder.class("link", 1e9, 0.0);
        builder.cable(0, 1, class);
        let network = builder.build().unwrap();
        let distances = Distances::new(|network, _| {
            MEASURED.fetch_add(1, Ordering::Relaxed);
            Ok(HopMatrix { switches: network.switches(), hops: vec![0, 1, 1, 0] })
        });
        for _ in 0..3 {
            assert_eq!(distances.get(&network, &Progress::new()).unwrap().get(0, 1), 1);
        }
        assert_eq!(MEASURED.load(Ordering::Relaxed), 1);
    }
}
