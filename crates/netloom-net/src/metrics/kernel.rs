//! Breadth-first search from 512 sources at once: one bit per source, one cache line per switch.
//!
//! A row holds the sources that have reached a switch so far. One level is `next[v] = reach[v] | OR reach[u]` over the
//! neighbours `u` of `v`: multi-source search (Then et al., "The More the Merrier: Efficient Multi-Source Graph
//! Traversal", VLDB 2014) in the bit-matrix form known from the order/degree problem. Three things keep the levels
//! cheap: the first ones move single bits; later ones visit only tiles of eight rows adjacent to a tile that changed;
//! the last ones stop reading neighbours as soon as a row is full.

use super::graph::{Graph, TILE};
use super::simd::Simd;

/// Sources per block.
pub const WIDTH: usize = 512;
const WORDS: usize = WIDTH / 64;

/// One bit per source of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct ReachRow(pub [u64; WORDS]);

impl ReachRow {
    pub const EMPTY: ReachRow = ReachRow([0; WORDS]);

    /// The first `count` bits.
    fn first(count: usize) -> ReachRow {
        let mut row = ReachRow::EMPTY;
        for (i, word) in row.0.iter_mut().enumerate() {
            *word = match count.saturating_sub(i * 64) {
                0 => 0,
                bits @ 1..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
        }
        row
    }

    /// Written as a fold, which becomes vector instructions where `==` becomes a call.
    #[inline(always)]
    fn differs(&self, other: &ReachRow) -> bool {
        let mut difference = 0;
        for i in 0..WORDS {
            difference |= self.0[i] ^ other.0[i];
        }
        difference != 0
    }

    #[inline(always)]
    fn join(&self, other: &ReachRow) -> ReachRow {
        let mut out = *self;
        for i in 0..WORDS {
            out.0[i] |= other.0[i];
        }
        out
    }
}

/// The action for each (source, row) pair when its distance is found. `visit` is inlined into every instruction-set
/// version of the kernel.
pub trait Sink: Send {
    /// The sources in `new` (possibly none) reach row `v` first at this level; `pops` counts the bits of each word.
    fn visit(&mut self, v: usize, level: u32, new: &ReachRow, pops: &[u64; WORDS]);
    /// Source `bit` reaches row `v` first at this level.
    fn single(&mut self, v: usize, level: u32, bit: usize);
    /// `count` pairs were found at this level, at least one.
    fn end_level(&mut self, level: u32, count: u64);
}

/// Buffers of one worker, kept between blocks: 128 bytes per row.
pub struct Scratch {
    reach: Vec<ReachRow>,
    next: Vec<ReachRow>,
    pairs: Vec<(u32, u16)>,
    new_pairs: Vec<(u32, u16)>,
    tiles: Tiles,
}

/// Tiles that changed at the last level, and those to visit at the next one.
pub struct Tiles {
    changed: Vec<u32>,
    visit: Vec<u32>,
    stamp: Vec<u32>,
    now: u32,
}

impl Scratch {
    pub fn new(graph: &Graph) -> Scratch {
        let rows = graph.rows();
        let tiles = Tiles { changed: Vec::new(), visit: Vec::new(), stamp: vec![0; graph.tiles()], now: 0 };
        Scratch {
            reach: vec![ReachRow::EMPTY; rows],
            next: vec![ReachRow::EMPTY; rows],
            pairs: Vec::new(),
            new_pairs: Vec::new(),
            tiles,
        }
    }
}

impl Tiles {
    /// A stamp that no tile carries.
    fn fresh(&mut self) -> u32 {
        if self.now == u32::MAX {
            self.stamp.fill(0);
            self.now = 0;
        }
        self.now += 1;
        self.now
    }

    /// Sets `changed` to the tiles of `pairs`.
    fn changed_by(&mut self, pairs: &[(u32, u16)]) {
        let now = self.fresh();
        self.changed.clear();
        for &(v, _) in pairs {
            let tile = v as usize / TILE;
            if self.stamp[tile] != now {
                self.stamp[tile] = now;
                self.changed.push(tile as u32);
            }
        }
    }

    /// Sets `visit` to a superset of the tiles where a bit can change at the next level, given `changed`, which is
    /// part of it.
    fn plan(&mut self, graph: &Graph) {
        self.visit.clear();
        let all = self.stamp.len();
        let Some(beside) = graph.tile_graph().filter(|_| self.changed.len() * 2 < all) else {
            self.visit.extend(0..all as u32);
            return;
        };
        let now = self.fresh();
        for &tile in &self.changed {
            for &other in beside.of(tile) {
                if self.stamp[other as usize] != now {
                    self.stamp[other as usize] = now;
                    self.visit.push(other);
                }
            }
        }
    }
}

/// Rows stop early once fewer than one pair in this many is left.
const FILLING_SHARE: u64 = 8;

/// Runs one block: `sources` (at most [`WIDTH`] row numbers, each once) to every row. Returns false if some row is
/// not reached by every source. O(rows + links) row operations per level at worst.
pub fn block<S: Sink>(graph: &Graph, simd: Simd, sources: &[u32], scratch: &mut Scratch, sink: &mut S) -> bool {
    let total = sources.len() as u64 * graph.rows() as u64;
    let (mut level, mut remaining) = first_levels(graph, sources, scratch, sink);
    if remaining == 0 {
        return true;
    }
    let full = ReachRow::first(sources.len());
    let Scratch { reach, next, tiles, .. } = scratch;
    if tiles.changed.is_empty() {
        return false;
    }
    next.copy_from_slice(reach);
    loop {
        level += 1;
        let filling = remaining * FILLING_SHARE < total;
        let found = simd.dense(Level { graph, reach, next, tiles, full: &full, level }, filling, sink);
        if found == 0 {
            return false;
        }
        sink.end_level(level, found);
        remaining -= found;
        if remaining == 0 {
            return true;
        }
        tiles.plan(graph);
        std::mem::swap(reach, next);
    }
}

/// Single bits: every new pair is pushed to the neighbours of its row, as long as there are fewer new pairs than rows
/// that a level over whole rows would visit. Returns the level reached and the pairs left; `tiles` is planned for the
/// next level, with nothing changed if there is no further pair.
fn first_levels<S: Sink>(graph: &Graph, sources: &[u32], scratch: &mut Scratch, sink: &mut S) -> (u32, u64) {
    let Scratch { reach, pairs, new_pairs, tiles, .. } = scratch;
    reach.fill(ReachRow::EMPTY);
    pairs.clear();
    for (bit, &v) in sources.iter().enumerate() {
        reach[v as usize].0[bit / 64] |= 1 << (bit % 64);
        pairs.push((v, bit as u16));
        sink.single(v as usize, 0, bit);
    }
    sink.end_level(0, sources.len() as u64);
    let mut remaining = sources.len() as u64 * (graph.rows() as u64 - 1);
    let mut level = 0;
    loop {
        tiles.changed_by(pairs);
        tiles.plan(graph);
        if remaining == 0 || pairs.is_empty() || pairs.len() > tiles.visit.len() * TILE {
            return (level, remaining);
        }
        level += 1;
        new_pairs.clear();
        for &(v, bit) in pairs.iter() {
            let (word, mask) = (bit as usize / 64, 1u64 << (bit % 64));
            for &u in graph.neighbours(v as usize) {
                let slot = &mut reach[u as usize].0[word];
                if *slot & mask == 0 {
                    *slot |= mask;
                    new_pairs.push((u, bit));
                    sink.single(u as usize, level, bit as usize);
                }
            }
        }
        if !new_pairs.is_empty() {
            sink.end_level(level, new_pairs.len() as u64);
        }
        remaining -= new_pairs.len() as u64;
        std::mem::swap(pairs, new_pairs);
    }
}

/// One level over whole rows. On entry `next` differs from `reach` at most in the tiles of `tiles.changed`, which are
/// all in `tiles.visit`; on return the same holds with the two exchanged.
pub struct Level<'a> {
    graph: &'a Graph,
    reach: &'a [ReachRow],
    next: &'a mut [ReachRow],
    tiles: &'a mut Tiles,
    full: &'a ReachRow,
    level: u32,
}

/// Portable text of one level; [`Simd`] compiles it once per instruction set. Returns the number of new pairs.
#[inline(always)]
pub fn dense<S: Sink, const FILLING: bool>(work: Level<'_>, sink: &mut S) -> u64 {
    let Level { graph, reach, next, tiles, full, level } = work;
    let mut lanes = [0u64; WORDS];
    tiles.changed.clear();
    for &tile in &tiles.visit {
        let start = tile as usize * TILE;
        let end = (start + TILE).min(reach.len());
        let mut touched = 0;
        for v in start..end {
            let own = &reach[v];
            if !own.differs(full) {
                next[v] = *full;
                continue;
            }
            let joined = pull::<FILLING>(reach, graph.neighbours(v), own, full);
            next[v] = joined;
            let mut new = ReachRow::EMPTY;
            let mut pops = [0u64; WORDS];
            for i in 0..WORDS {
                new.0[i] = joined.0[i] & !own.0[i];
                touched |= new.0[i];
                pops[i] = u64::from(new.0[i].count_ones());
                lanes[i] += pops[i];
            }
            sink.visit(v, level, &new, &pops);
        }
        if touched != 0 {
            tiles.changed.push(tile);
        }
    }
    lanes.iter().sum()
}

/// `own` merged with the rows of its neighbours; with `FILLING`, stops as soon as the row equals `full`.
#[inline(always)]
fn pull<const FILLING: bool>(reach: &[ReachRow], heads: &[u32], own: &ReachRow, full: &ReachRow) -> ReachRow {
    let mut row = *own;
    let mut rest = heads;
    // Three at a time: one ternary-logic instruction joins two rows, and the loop is bound by instructions.
    while let [a, b, c, more @ ..] = rest {
        row = row.join(&reach[*a as usize]).join(&reach[*b as usize]).join(&reach[*c as usize]);
        if FILLING && !row.differs(full) {
            return row;
        }
        rest = more;
    }
    for &u in rest {
        row = row.join(&reach[u as usize]);
    }
    row
}
