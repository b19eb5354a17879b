//! All-pairs hop distances, one byte each.

/// Marks a pair that no path joins.
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
