//! Messages of a collective with a count for each member.

/// A message's other rank, by its number in the communicator, and its bytes.
#[derive(Clone, Copy)]
pub struct PeerBytes {
    pub peer: u32,
    pub bytes: u64,
}

/// Bytes of every rank, with its number.
pub fn by_rank(counts: &[u64]) -> impl Iterator<Item = PeerBytes> {
    counts.iter().enumerate().map(|(rank, &bytes)| PeerBytes { peer: rank as u32, bytes })
}
