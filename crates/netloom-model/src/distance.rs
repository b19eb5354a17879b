//! All-pairs hop distances: one byte each, or of a product of two graphs the sum of those in both.

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

/// Distances of a product of two graphs: switch `s` has coordinates `s / n` and `s % n`, with `n` switches of the inner graph,
/// and a path takes its hops in either, one after the other. Two small matrices in place of a large one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HopProduct {
    outer: HopMatrix,
    inner: HopMatrix,
}

/// Most switches of either graph of a product: coordinates are halves of a word.
const SIDE: u32 = 1 << 16;

impl HopProduct {
    /// `None` if a sum of distances is not below [`UNREACHED`], or a graph is empty or has more than 2^16 switches.
    pub fn new(outer: HopMatrix, inner: HopMatrix) -> Option<HopProduct> {
        let most = |matrix: &HopMatrix| matrix.hops.iter().max().map(|most| u32::from(*most));
        let fits = most(&outer)? + most(&inner)? < UNREACHED.into();
        let sides = outer.switches.max(inner.switches) <= SIDE;
        (fits && sides && outer.switches.checked_mul(inner.switches).is_some()).then_some(HopProduct { outer, inner })
    }
}

/// Distances between switches, asked for by rows.
pub trait HopRows: Sync {
    /// The distances from one switch.
    type Row<'a>: Copy
    where
        Self: 'a;

    fn switches(&self) -> u32;

    fn row_of(&self, from: u32) -> Self::Row<'_>;

    /// What a row knows a switch by.
    fn key(&self, switch: u32) -> u32;

    fn at(row: Self::Row<'_>, key: u32) -> u8;

    #[inline]
    fn between(&self, from: u32, to: u32) -> u8 {
        Self::at(self.row_of(from), self.key(to))
    }
}

impl HopRows for HopMatrix {
    type Row<'a> = &'a [u8];

    fn switches(&self) -> u32 {
        self.switches
    }
    #[inline]
    fn row_of(&self, from: u32) -> &[u8] {
        self.row(from)
    }
    #[inline]
    fn key(&self, switch: u32) -> u32 {
        switch
    }
    #[inline]
    fn at(row: &[u8], key: u32) -> u8 {
        row[key as usize]
    }
}

impl HopRows for HopProduct {
    type Row<'a> = (&'a [u8], &'a [u8]);

    fn switches(&self) -> u32 {
        self.outer.switches * self.inner.switches
    }
    #[inline]
    fn row_of(&self, from: u32) -> (&[u8], &[u8]) {
        let n = self.inner.switches;
        (self.outer.row(from / n), self.inner.row(from % n))
    }
    #[inline]
    fn key(&self, switch: u32) -> u32 {
        let n = self.inner.switches;
        ((switch / n) << 16) | (switch % n)
    }
    #[inline]
    fn at((outer, inner): (&[u8], &[u8]), key: u32) -> u8 {
        outer[(key >> 16) as usize] + inner[(key & 0xffff) as usize]
    }
}

/// The distances of a network in the form that takes least memory.
#[derive(Clone, Debug)]
pub enum HopCounts {
    Matrix(Arc<HopMatrix>),
    Product(Arc<HopProduct>),
}

impl HopCounts {
    #[inline]
    pub fn between(&self, from: u32, to: u32) -> u8 {
        match self {
            HopCounts::Matrix(matrix) => matrix.between(from, to),
            HopCounts::Product(product) => product.between(from, to),
        }
    }
}

/// Largest matrix that is kept, bytes: 8,192 switches.
const KEPT: u64 = 1 << 26;

/// How the distances of a network are computed.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub matrix: fn(&Network, &Progress) -> Outcome<HopMatrix>,
    /// The same without a search, of networks that are a product.
    pub product: fn(&Network) -> Option<HopProduct>,
}

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

    /// Distances of `network`, which must be the same at every call: a matrix, unless that is too large to be kept and the
    /// network is a product.
    ///
    /// # Errors
    /// As [`Distances::get`].
    pub fn counts(&self, network: &Network, progress: &Progress) -> Outcome<HopCounts> {
        let large = u64::from(network.switches()).pow(2) > KEPT;
        match large.then(|| (self.measure.product)(network)).flatten() {
            Some(product) => Ok(HopCounts::Product(Arc::new(product))),
            None => self.get(network, progress).map(HopCounts::Matrix),
        }
    }

    /// Distances of `network`, which must be the same at every call.
    ///
    /// # Errors
    /// Those of the measure, and a stop requested through `progress`.
    pub fn get(&self, network: &Network, progress: &Progress) -> Outcome<Arc<HopMatrix>> {
        if let Some(kept) = self.kept.get() {
            return Ok(Arc::clone(kept));
        }
        let made = Arc::new((self.measure.matrix)(network, progress)?);
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
        let matrix = |network: &Network, _: &Progress| {
            MEASURED.fetch_add(1, Ordering::Relaxed);
            Ok(HopMatrix { switches: network.switches(), hops: vec![0, 1, 1, 0] })
        };
        let distances = Distances::new(Measure { matrix, product: |_| None });
        for _ in 0..3 {
            assert_eq!(distances.get(&network, &Progress::new()).unwrap().get(0, 1), 1);
        }
        assert_eq!(MEASURED.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_product_adds_the_distances_of_both_coordinates() {
        let line = |n: u32| {
            let hops = (0..n).flat_map(|a| (0..n).map(move |b| a.abs_diff(b) as u8)).collect();
            HopMatrix::from_rows(n, hops).unwrap()
        };
        let mesh = HopProduct::new(line(3), line(4)).unwrap();
        assert_eq!(mesh.switches(), 12);
        for (a, b) in (0..12u32).flat_map(|a| (0..12u32).map(move |b| (a, b))) {
            let expected = (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4);
            assert_eq!(u32::from(mesh.between(a, b)), expected, "{a} to {b}");
        }
        // 127 + 127 hops fit a byte, 127 + 128 are the mark of a pair without a path.
        assert!(HopProduct::new(line(128), line(128)).is_some());
        assert!(HopProduct::new(line(128), line(129)).is_none());
        assert!(HopProduct::new(line(2), HopMatrix::from_rows(0, Vec::new()).unwrap()).is_none());
    }
}
