//! Two halves of the switches and their refinement by moves.

use netloom_model::{Network, Progress};

const NONE: u32 = u32::MAX;

/// A partition into halves that differ by at most one switch, refined by Fiduccia-Mattheyses passes whose moves come
/// in pairs, one from each side, so that the sizes never change.
pub struct Halves<'a> {
    network: &'a Network,
    side: Vec<bool>,
    cut: u64,
    buckets: [Buckets; 2],
    gain: Vec<i32>,
}

impl<'a> Halves<'a> {
    /// The first `ceil(n/2)` switches of `order` against the rest. O(links).
    pub fn new(network: &'a Network, order: &[u32]) -> Halves<'a> {
        let n = network.switches() as usize;
        let mut side = vec![true; n];
        for &s in &order[..n.div_ceil(2)] {
            side[s as usize] = false;
        }
        let ends = network.tails().iter().zip(network.heads());
        let cut = ends.filter(|(a, b)| side[**a as usize] && !side[**b as usize]).count() as u64;
        let degree = (0..network.switches()).map(|s| network.degree(s)).max().unwrap_or(0);
        let buckets = [Buckets::new(n, degree), Buckets::new(n, degree)];
        Halves { network, side, cut, buckets, gain: vec![0; n] }
    }

    /// The half of each switch.
    pub fn side(&self) -> &[bool] {
        &self.side
    }

    /// Cables between the halves.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Passes until one brings nothing. O(links) each; ten or so.
    pub fn refine(&mut self, progress: &Progress) {
        while !progress.stopped() && self.pass() {}
    }

    /// Moves pairs of best gain, each switch at most once, and keeps the best prefix. True if the cut got smaller.
    fn pass(&mut self) -> bool {
        self.fill();
        let n = self.network.switches() as usize;
        // A pass that has not improved for this long will not: the later moves undo the halves as a whole.
        let patience = (n / 16).max(64);
        let before = self.cut;
        let (mut best, mut kept) = (self.cut, 0);
        let mut moved = Vec::new();
        while let Some(a) = self.buckets[0].pop_best() {
            self.shift(a, &mut moved);
            let Some(b) = self.buckets[1].pop_best() else { break };
            self.shift(b, &mut moved);
            if self.cut < best {
                (best, kept) = (self.cut, moved.len());
            }
            if moved.len() - kept > 2 * patience {
                break;
            }
        }
        for &v in &moved[kept..] {
            self.side[v as usize] = !self.side[v as usize];
        }
        self.cut = best;
        best < before
    }

    /// All switches free, gains computed.
    fn fill(&mut self) {
        self.buckets.iter_mut().for_each(Buckets::clear);
        for v in 0..self.network.switches() {
            let side = self.side[v as usize];
            let across = self.network.neighbours(v).iter().filter(|u| self.side[**u as usize] != side).count() as i32;
            self.gain[v as usize] = 2 * across - self.network.degree(v) as i32;
            self.buckets[usize::from(side)].insert(v, self.gain[v as usize]);
        }
    }

    fn shift(&mut self, v: u32, moved: &mut Vec<u32>) {
        let from = self.side[v as usize];
        self.side[v as usize] = !from;
        self.cut = self.cut.wrapping_add_signed(-i64::from(self.gain[v as usize]));
        moved.push(v);
        for &u in self.network.neighbours(v) {
            let u_side = self.side[u as usize];
            let change = if u_side == from { 2 } else { -2 };
            self.gain[u as usize] += change;
            self.buckets[usize::from(u_side)].update(u, self.gain[u as usize]);
        }
    }
}

/// Switches by gain: doubly linked lists, one per gain.
struct Buckets {
    heads: Vec<u32>,
    next: Vec<u32>,
    back: Vec<u32>,
    /// Bucket of each switch, [`NONE`] if it is not here.
    bucket: Vec<u32>,
    offset: i32,
    best: usize,
}

impl Buckets {
    fn new(n: usize, degree: u32) -> Buckets {
        Buckets {
            heads: vec![NONE; 2 * degree as usize + 1],
            next: vec![NONE; n],
            back: vec![NONE; n],
            bucket: vec![NONE; n],
            offset: degree as i32,
            best: 0,
        }
    }

    fn clear(&mut self) {
        self.heads.fill(NONE);
        self.bucket.fill(NONE);
        self.best = 0;
    }

    fn insert(&mut self, v: u32, gain: i32) {
        let at = (gain + self.offset) as usize;
        let head = std::mem::replace(&mut self.heads[at], v);
        self.next[v as usize] = head;
        self.back[v as usize] = NONE;
        self.bucket[v as usize] = at as u32;
        if head != NONE {
            self.back[head as usize] = v;
        }
        self.best = self.best.max(at);
    }

    fn remove(&mut self, v: u32) {
        let at = std::mem::replace(&mut self.bucket[v as usize], NONE);
        let (back, next) = (self.back[v as usize], self.next[v as usize]);
        match back {
            NONE => self.heads[at as usize] = next,
            back => self.next[back as usize] = next,
        }
        if next != NONE {
            self.back[next as usize] = back;
        }
    }

    /// Does nothing for a switch that has moved.
    fn update(&mut self, v: u32, gain: i32) {
        if self.bucket[v as usize] != NONE {
            self.remove(v);
            self.insert(v, gain);
        }
    }

    fn pop_best(&mut self) -> Option<u32> {
        while self.heads[self.best] == NONE {
            self.best = self.best.checked_sub(1)?;
        }
        let v = self.heads[self.best];
        self.remove(v);
        Some(v)
    }
}

#[cfg(test)]
impl Halves<'_> {
    /// The cut counted from scratch, and the switches on the first side.
    pub fn recount(&self) -> (u64, u32) {
        let ends = self.network.tails().iter().zip(self.network.heads());
        let cut = ends.filter(|(a, b)| self.side[**a as usize] && !self.side[**b as usize]).count() as u64;
        (cut, self.side.iter().filter(|s| !**s).count() as u32)
    }
}
