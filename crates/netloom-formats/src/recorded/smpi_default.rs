//! Default collectives of SMPI's replay (`smpi/coll-selector:default`), message by message: mostly every message at
//! once, for any size. SimGrid calls these choices naive; they are here so that a trace takes the same time as in SMPI.
//!
//! Source: observed with SimGrid 3.32, action by action (`tests/peers/test_replay.py` repeats it); its selector of
//! alltoall has the thresholds of Open MPI 4's fixed decisions.

use netloom_model::Collective;

use super::body::Body;
use super::peer_bytes::PeerBytes;

/// The alltoall algorithm for a number of ranks and bytes per pair.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Alltoall {
    Linear,
    Bruck,
    Pairwise,
}

use Alltoall::{Bruck, Linear, Pairwise};

/// Ranks below; then bytes below and the algorithm up to there, the last without a limit.
type AlltoallRow = (u32, &'static [(u64, Alltoall)]);

const NO_LIMIT: u64 = u64::MAX;

/// Open MPI's linear algorithm with synchronisation and the one for two processes are the plain linear one in SMPI.
const ALLTOALL: &[AlltoallRow] = &[
    (2, &[(NO_LIMIT, Linear)]),
    (3, TWO_RANKS),
    (8, &[(512 << 10, Linear), (1 << 20, Pairwise), (NO_LIMIT, Linear)]),
    (16, &[(NO_LIMIT, Linear)]),
    (32, &[(4, Linear), (512, Bruck), (NO_LIMIT, Linear)]),
    (64, &[(512, Bruck), (NO_LIMIT, Linear)]),
    (256, &[(1024, Bruck), (256 << 10, Linear), (NO_LIMIT, Pairwise)]),
    (512, &[(1024, Bruck), (32 << 10, Linear), (NO_LIMIT, Pairwise)]),
    (1024, &[(512, Bruck), (256 << 10, Linear), (NO_LIMIT, Pairwise)]),
    (2048, &[(512, Bruck), (NO_LIMIT, Linear)]),
    (4096, &[(1024, Bruck), (NO_LIMIT, Linear)]),
    (u32::MAX, &[(2048, Bruck), (NO_LIMIT, Linear)]),
];

const TWO_RANKS: &[(u64, Alltoall)] = &[
    (2, Pairwise),
    (4, Linear),
    (16, Pairwise),
    (64, Linear),
    (256, Pairwise),
    (4096, Linear),
    (32 << 10, Pairwise),
    (1 << 20, Linear),
    (NO_LIMIT, Pairwise),
];

fn alltoall(ranks: u32, bytes: u64) -> Alltoall {
    let row = ALLTOALL.iter().find(|row| ranks < row.0);
    row.and_then(|row| row.1.iter().find(|choice| bytes < choice.0)).map_or(Linear, |choice| choice.1)
}

impl Body {
    /// The messages of this rank. `bytes` as [`Collective::size_meaning`] says. O(ranks), a broadcast O(log ranks).
    pub fn smpi_default(&mut self, collective: Collective, bytes: u64, root: u32, ranks: u32) {
        let alike = || (0..ranks).map(move |peer| PeerBytes { peer, bytes });
        match collective {
            Collective::Broadcast => self.tree(bytes, root, ranks),
            // Nothing is combined on intermediate ranks: a reduction is a gather of whole vectors.
            Collective::Gather | Collective::Reduce => self.gather_at(bytes, alike(), root),
            Collective::Allreduce => {
                self.gather_at(bytes, alike(), 0);
                self.tree(bytes, 0, ranks);
            }
            Collective::Scatter => self.scatter_from(bytes, alike(), root),
            Collective::ReduceScatter => {
                let total = bytes.saturating_mul(ranks.into());
                self.gather_at(total, (0..ranks).map(|peer| PeerBytes { peer, bytes: total }), 0);
                self.scatter_from(bytes, alike(), 0);
            }
            Collective::Allgather => self.burst(alike(), alike()),
            // Every rank receives from all lower ranks, not only from its neighbour.
            Collective::Scan | Collective::Exscan => {
                let me = self.me;
                self.burst(alike().filter(move |to| to.peer < me), alike().filter(move |to| to.peer > me));
            }
            Collective::Barrier if self.me == 0 => {
                self.burst(alike(), []);
                self.burst([], alike());
            }
            Collective::Barrier => {
                self.send_in_burst(0, 0);
                self.receive_in_burst(0, 0);
            }
            Collective::Alltoall => match alltoall(ranks, bytes) {
                Linear => self.burst(alike(), alike()),
                Bruck => self.bruck(bytes, ranks),
                Pairwise => self.pairs(bytes, ranks),
            },
        }
    }

    /// Binomial tree: from the parent, then to the children, the one with the largest subtree first.
    fn tree(&mut self, bytes: u64, root: u32, ranks: u32) {
        let (ranks, root) = (u64::from(ranks), u64::from(root));
        let me = (u64::from(self.me) + ranks - root) % ranks;
        let real = |relative: u64| ((relative + root) % ranks) as u32;
        let mut reach = if me == 0 { ranks.next_power_of_two() } else { 1 << me.trailing_zeros() };
        if me != 0 {
            self.receive_in_burst(real(me - reach), bytes);
        }
        while reach > 1 {
            reach /= 2;
            if me + reach < ranks {
                self.send_in_burst(real(me + reach), bytes);
            }
        }
    }

    /// In phase `i` the blocks whose distance has bit `i` move by 2^i ranks, together.
    fn bruck(&mut self, bytes: u64, ranks: u32) {
        let mut distance = 1;
        while distance < ranks {
            // Of each 2 · 2^i consecutive distances, the second half.
            let whole = ranks / 2 / distance * distance;
            let blocks = whole + (ranks - 2 * whole).saturating_sub(distance);
            let together = bytes.saturating_mul(blocks.into());
            let (to, from) = self.at_distance(distance, ranks);
            self.swap(PeerBytes { peer: to, bytes: together }, PeerBytes { peer: from, bytes: together });
            distance = distance.saturating_mul(2);
        }
    }

    /// One partner after the other. SMPI aborts if the number of ranks is not a power of two; then the ring order is
    /// used.
    fn pairs(&mut self, bytes: u64, ranks: u32) {
        for step in 1..ranks {
            let (to, from) = match ranks.is_power_of_two() {
                true => (self.me ^ step, self.me ^ step),
                false => self.at_distance(step, ranks),
            };
            self.swap(PeerBytes { peer: to, bytes }, PeerBytes { peer: from, bytes });
        }
    }

    /// The ranks `distance` above and below this one on the ring.
    pub fn at_distance(&self, distance: u32, ranks: u32) -> (u32, u32) {
        let (me, ranks, distance) = (u64::from(self.me), u64::from(ranks), u64::from(distance));
        (((me + distance) % ranks) as u32, ((me + ranks - distance) % ranks) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_choice_for_every_size() {
        assert!(ALLTOALL.windows(2).all(|rows| rows[0].0 < rows[1].0));
        for (_, choices) in ALLTOALL {
            assert!(choices.windows(2).all(|pair| pair[0].0 < pair[1].0) && choices[choices.len() - 1].0 == NO_LIMIT);
        }
        let found = |ranks, bytes| alltoall(ranks, bytes);
        assert_eq!([found(16, 3), found(16, 4), found(16, 511), found(16, 512)], [Linear, Bruck, Bruck, Linear]);
        assert_eq!([found(2, 1), found(7, 1 << 19), found(64, 1 << 18)], [Pairwise; 3]);
        assert_eq!([found(1, 1), found(1 << 20, NO_LIMIT)], [Linear; 2]);
    }
}
