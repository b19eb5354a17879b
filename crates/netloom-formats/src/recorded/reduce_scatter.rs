//! Reduce-scatter with a count per rank, which a schedule of equal blocks cannot express: as messages.
//!
//! Sources: Thakur, Rabenseifner & Gropp, IJHPCA 2005; thresholds of MPICH's generic selection; SMPI's choice as
//! observed with SimGrid 3.32.

use super::body::Body;
use super::peer_bytes::PeerBytes;

/// From this total of bytes on, MPICH uses pairwise exchange.
const MPICH_LONG_BYTES: u64 = 512 << 10;
/// Above this total of elements of any size, SMPI does.
const SMPI_LONG_ELEMENTS: u64 = 512 << 10;

/// Prefix sums of the bytes of blocks.
struct Blocks {
    /// Bytes before every block, and the total.
    before: Vec<u64>,
}

impl Blocks {
    fn new(counts: impl Iterator<Item = u64>) -> Blocks {
        let mut before = vec![0u64];
        before.extend(counts.scan(0u64, |sum, bytes| {
            *sum = sum.saturating_add(bytes);
            Some(*sum)
        }));
        Blocks { before }
    }

    fn len(&self) -> u32 {
        self.before.len() as u32 - 1
    }

    fn total(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// Bytes of blocks `first..end`, as far as they exist.
    fn of(&self, first: u32, end: u32) -> u64 {
        let at = |i: u32| self.before[i.min(self.len()) as usize];
        at(end).saturating_sub(at(first))
    }
}

impl Body {
    /// Sends as MPICH does: halving below a total of 512 KiB, pairwise from there on. O(ranks).
    pub fn reduce_scatter(&mut self, counts: &[u64]) {
        let blocks = Blocks::new(counts.iter().copied());
        match blocks.total() < MPICH_LONG_BYTES {
            true => self.halving(counts, &blocks),
            false => self.pairwise(counts),
        }
    }

    /// Sends as SMPI does: doubling, which MPICH keeps for operations that do not commute, up to 524,288 elements. O(ranks).
    pub fn smpi_reduce_scatter(&mut self, counts: &[u64], elements: u64) {
        match elements > SMPI_LONG_ELEMENTS {
            true => self.pairwise(counts),
            false => self.doubling(&Blocks::new(counts.iter().copied())),
        }
    }

    /// In step k this rank sends rank r + k its block.
    fn pairwise(&mut self, counts: &[u64]) {
        let (ranks, me) = (counts.len() as u32, self.me as usize);
        for step in 1..ranks {
            let (to, from) = self.at_distance(step, ranks);
            let sent = PeerBytes { peer: to, bytes: counts[to as usize] };
            self.swap(sent, PeerBytes { peer: from, bytes: counts[me] });
        }
    }

    /// PeerBytes of the remaining blocks goes to r xor p/2, then p/4, ...; of `2 · extra` ranks beyond a power of two the
    /// even ones send everything to their right neighbour, which sends them their block at the end. Empty messages are
    /// not sent.
    fn halving(&mut self, counts: &[u64], blocks: &Blocks) {
        let ranks = counts.len() as u32;
        if blocks.total() == 0 {
            return;
        }
        let power = 1u32 << ranks.ilog2();
        let extra = ranks - power;
        let (me, total) = (self.me, blocks.total());
        let gives = me < 2 * extra && me.is_multiple_of(2);
        if gives {
            self.send_in_burst(me + 1, total);
        } else {
            if me < 2 * extra {
                self.receive_in_burst(me - 1, total);
            }
            // Numbers among the remaining ranks; each of the first represents two blocks.
            let real = |left: u32| if left < extra { 2 * left + 1 } else { left + extra };
            let end = |left: u32| if left < extra { 2 * left } else { left + extra };
            let left = if me < 2 * extra { me / 2 } else { me - extra };
            let (mut first, mut mask) = (0, power / 2);
            while mask > 0 {
                let (low, high) =
                    (blocks.of(end(first), end(first + mask)), blocks.of(end(first + mask), end(first + 2 * mask)));
                let (sent, received) = if left & mask == 0 { (high, low) } else { (low, high) };
                let peer = real(left ^ mask);
                let before = self.ops.len();
                if received > 0 {
                    self.start_receive_in_burst(peer, received);
                }
                if sent > 0 {
                    self.start_send_in_burst(peer, sent);
                }
                self.wait_last((self.ops.len() - before) as u32);
                first += left & mask;
                mask /= 2;
            }
        }
        if me < 2 * extra {
            let (even, odd) = (me & !1, me | 1);
            let bytes = counts[even as usize];
            match gives {
                _ if bytes == 0 => {}
                true => self.receive_in_burst(odd, bytes),
                false => self.send_in_burst(even, bytes),
            }
        }
    }

    /// With r xor 1, r xor 2, ... everything is exchanged except the blocks that the own group no longer needs. A
    /// partner that does not exist is replaced: ranks of the group whose partner exists forward what they received,
    /// halving the distance.
    fn doubling(&mut self, blocks: &Blocks) {
        let (ranks, me) = (u64::from(blocks.len()), u64::from(self.me));
        let all_but = |group: u64, mask: u64| blocks.total() - blocks.of(group as u32, (group + mask) as u32);
        let mut mask = 1u64;
        while mask < ranks {
            let (mine, other) = (me & !(mask - 1), (me ^ mask) & !(mask - 1));
            let received = all_but(other, mask);
            if me ^ mask < ranks {
                let peer = (me ^ mask) as u32;
                let sent = PeerBytes { peer, bytes: all_but(mine, mask) };
                self.swap(sent, PeerBytes { peer, bytes: received });
            }
            if other + mask > ranks {
                self.pass_on(mask, ranks.saturating_sub(mine + mask), received);
            }
            mask *= 2;
        }
    }

    /// The first `complete` ranks of a group of `mask` have `bytes` that the others need.
    fn pass_on(&mut self, mask: u64, complete: u64, bytes: u64) {
        let me = u64::from(self.me);
        let mut half = mask / 2;
        while half > 0 {
            let (root, peer) = (me & !(2 * half - 1), me ^ half);
            let has = |rank: u64| rank < root + complete;
            let to = peer as u32;
            if peer > me && has(me) && !has(peer) {
                self.send_in_burst(to, bytes);
            } else if peer < me && has(peer) && !has(me) {
                self.receive_in_burst(to, bytes);
            }
            half /= 2;
        }
    }
}
