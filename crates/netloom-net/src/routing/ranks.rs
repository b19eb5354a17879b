//! A total order of the switches, by which every link leads up or down.

use std::sync::{Arc, OnceLock};

use netloom_model::Network;

use super::distances::{FAR, KEEP_LIMIT};
use super::recent::Recent;

/// Distances to one destination: by legal paths from a climbing packet, and by descending links alone.
pub struct LegalReach {
    pub legal: Vec<u32>,
    pub down: Vec<u32>,
}

/// A total order of the switches, top first; a link goes up if it leads to an earlier one.
pub struct Ranks {
    rank: Vec<u32>,
    by_rank: Vec<u32>,
    /// What is known by destination, for networks of up to [`KEEP_LIMIT`] switches.
    kept: Vec<OnceLock<LegalReach>>,
    /// The same of larger ones.
    recent: Recent<LegalReach>,
}

impl Ranks {
    /// Orders by `depth`, then number.
    pub fn new(depth: &[u32]) -> Ranks {
        let n = depth.len() as u32;
        let mut by_rank: Vec<u32> = (0..n).collect();
        by_rank.sort_by_key(|s| (depth[*s as usize], *s));
        let mut rank = vec![0; depth.len()];
        for (r, s) in by_rank.iter().enumerate() {
            rank[*s as usize] = r as u32;
        }
        let kept = if n <= KEEP_LIMIT { (0..n).map(|_| OnceLock::new()).collect() } else { Vec::new() };
        Ranks { rank, by_rank, kept, recent: Recent::default() }
    }

    pub fn top_first(&self) -> &[u32] {
        &self.by_rank
    }

    pub fn up(&self, from: u32, to: u32) -> bool {
        self.rank[to as usize] < self.rank[from as usize]
    }

    /// Breadth-first up from the destination, then from the top down. O(links).
    fn search(&self, network: &Network, destination: u32) -> LegalReach {
        let mut down = vec![FAR; self.rank.len()];
        down[destination as usize] = 0;
        let mut queue = vec![destination];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &u in network.neighbours(at) {
                if self.up(at, u) && down[u as usize] == FAR {
                    down[u as usize] = down[at as usize] + 1;
                    queue.push(u);
                }
            }
        }
        let mut legal = down.clone();
        for &v in &self.by_rank {
            for &u in network.neighbours(v) {
                if self.up(v, u) && legal[u as usize] != FAR {
                    legal[v as usize] = legal[v as usize].min(legal[u as usize] + 1);
                }
            }
        }
        LegalReach { legal, down }
    }

    /// True if not all answers are kept.
    pub fn is_searched(&self) -> bool {
        self.kept.is_empty()
    }

    /// O(1) if kept, else O(links).
    pub fn to(&self, network: &Network, destination: u32) -> Lookup<'_> {
        match self.kept.get(destination as usize) {
            Some(slot) => Lookup::Kept(slot.get_or_init(|| self.search(network, destination))),
            None => Lookup::Recent(self.recent.get(destination, || {
                let reach = self.search(network, destination);
                let length = reach.legal.len() + reach.down.len();
                (Arc::new(reach), length)
            })),
        }
    }
}

pub enum Lookup<'a> {
    Kept(&'a LegalReach),
    Recent(Arc<LegalReach>),
}

impl std::ops::Deref for Lookup<'_> {
    type Target = LegalReach;
    fn deref(&self) -> &LegalReach {
        match self {
            Lookup::Kept(reach) => reach,
            Lookup::Recent(reach) => reach,
        }
    }
}
