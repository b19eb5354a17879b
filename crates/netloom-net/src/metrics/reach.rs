//! Ordered pairs by distance, for switches and for endpoints, without storing distances.

use rayon::prelude::*;

use netloom_model::fault::{Fault, Outcome};
use netloom_model::{Network, Progress, memory};

use super::codes;
use super::graph::Graph;
use super::kernel::{ReachRow, Scratch, Sink, WIDTH, block};
use super::simd::Simd;
use super::symmetry::orbit_sizes;

/// Pairs by distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Ordered pairs of switches at each distance; index 0 counts every switch with itself.
    pub switch_pairs: Vec<u64>,
    /// Ordered pairs of endpoints by hops between their switches; index 0 counts every endpoint with itself.
    pub endpoint_pairs: Vec<u64>,
    /// True if fewer sources than switches represented all.
    pub by_symmetry: bool,
}

/// Pairs by distance in a connected network, by bit-parallel search from every switch: O(switches · links / 512) row
/// operations per level, 136 bytes per switch and thread.
///
/// With `use_symmetry`, the search starts from one switch of each set of equivalent ones: all of them where the
/// structure says that the network is vertex-transitive, else those that an automorphism takes to each other, guessed
/// from the numbering and proved on the graph, which costs O(links) per dimension and next to nothing where there is
/// none.
///
/// # Errors
/// `NL-N001` if disconnected, `NL-N011` if `progress` was stopped.
pub fn reach(network: &Network, use_symmetry: bool, progress: &Progress) -> Outcome<Reach> {
    reach_with(network, use_symmetry, Simd::best(), progress)
}

/// [`reach`] on a given instruction set.
pub(super) fn reach_with(network: &Network, use_symmetry: bool, simd: Simd, progress: &Progress) -> Outcome<Reach> {
    network.require_connected()?;
    let threads = (rayon::current_num_threads() as u64).min(u64::from(network.switches()).div_ceil(512));
    let bytes = u64::from(network.switches()) * (136 * threads + 40) + u64::from(network.switch_links()) * 24;
    memory::require(bytes, network.label(), "the search for distances")?;
    let weights: Vec<u32> = (0..network.switches()).map(|s| network.endpoints_of(s).len() as u32).collect();
    let uniform = weights.iter().all(|w| *w == weights[0]);
    let graph = Graph::of(network);
    let sizes = if !use_symmetry {
        vec![1; weights.len()]
    } else if uniform && network.structure().transitive {
        one_for_all(weights.len())
    } else {
        orbit_sizes(&graph, &weights)
    };
    let graph = graph.localised();
    let sources = Sources::new(&graph, &sizes, &weights);
    let blocks = sources.blocks();
    let searched: usize = blocks.iter().map(Vec::len).sum();
    progress.set_total(searched as u64);
    let counts = if uniform {
        let pairs = run(&graph, simd, &blocks, progress, || Count { sources: &sources, pairs: Vec::new() }).pairs;
        let each = weights.first().map_or(0, |w| u64::from(*w));
        Pairs { endpoints: pairs.iter().map(|p| p * each * each).collect(), switches: pairs }
    } else {
        run(&graph, simd, &blocks, progress, || Weighted { sources: &sources, level: 0, pairs: Pairs::default() }).pairs
    };
    if progress.stopped() {
        return Err(Fault::say(&codes::INTERRUPTED, network.label(), "the search was stopped").into());
    }
    let mut endpoint_pairs = counts.endpoints;
    // Without endpoints far away, the farthest pair of endpoints is nearer than that of switches.
    while endpoint_pairs.len() > 1 && endpoint_pairs.last() == Some(&0) {
        endpoint_pairs.pop();
    }
    Ok(Reach { switch_pairs: counts.switches, endpoint_pairs, by_symmetry: searched < weights.len() })
}

/// The first switch represents all.
fn one_for_all(switches: usize) -> Vec<u32> {
    let mut sizes = vec![0; switches];
    if let Some(first) = sizes.first_mut() {
        *first = switches as u32;
    }
    sizes
}

/// What the rows of a graph represent.
struct Sources {
    /// Switches that a row represents as a source, itself included; 0 if another row represents it.
    sizes: Vec<u32>,
    /// Endpoints on a row.
    weights: Vec<u32>,
}

impl Sources {
    /// The sources of the search, from the values of the switches.
    fn new(graph: &Graph, sizes: &[u32], weights: &[u32]) -> Sources {
        let rows = |of: &[u32]| (0..graph.rows()).map(|r| of[graph.switch(r) as usize]).collect();
        Sources { sizes: rows(sizes), weights: rows(weights) }
    }

    /// Sources in blocks of one size and weight, neighbouring rows together.
    fn blocks(&self) -> Vec<Vec<u32>> {
        let kind = |r: &u32| (self.sizes[*r as usize], self.weights[*r as usize]);
        let mut rows: Vec<u32> = (0..self.sizes.len() as u32).filter(|r| self.sizes[*r as usize] > 0).collect();
        rows.sort_by_key(kind);
        rows.chunk_by(|a, b| kind(a) == kind(b)).flat_map(|same| same.chunks(WIDTH).map(<[u32]>::to_vec)).collect()
    }

    /// (Switches that each source of a block represents, endpoints on each of these.)
    fn of_block(&self, block: &[u32]) -> (u64, u64) {
        let of = |values: &[u32]| block.first().map_or(0, |r| u64::from(values[*r as usize]));
        (of(&self.sizes), of(&self.weights))
    }
}

/// Runs every block on its own worker and merges what they count: integers, so the order does not matter.
fn run<S: Merge>(
    graph: &Graph,
    simd: Simd,
    blocks: &[Vec<u32>],
    progress: &Progress,
    sink: impl Fn() -> S + Sync,
) -> S {
    blocks
        .par_iter()
        .map_init(
            || Scratch::new(graph),
            |scratch, sources| {
                let mut counted = sink();
                if !progress.stopped() {
                    block(graph, simd, sources, scratch, &mut counted);
                    counted.end_block(sources);
                    progress.add(sources.len() as u64);
                }
                counted
            },
        )
        .reduce(&sink, Merge::merge)
}

trait Merge: Sink {
    fn end_block(&mut self, block: &[u32]);
    fn merge(self, other: Self) -> Self;
}

/// `a[i] + b[i]` over the longer of the two.
fn add(mut a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    if a.len() < b.len() {
        return add(b, a);
    }
    a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
    a
}

fn bump(pairs: &mut Vec<u64>, level: u32, count: u64) {
    if pairs.len() <= level as usize {
        pairs.resize(level as usize + 1, 0);
    }
    pairs[level as usize] += count;
}

fn scale(pairs: &mut [u64], factor: u64) {
    pairs.iter_mut().for_each(|p| *p *= factor);
}

struct Count<'a> {
    sources: &'a Sources,
    pairs: Vec<u64>,
}

impl Sink for Count<'_> {
    #[inline(always)]
    fn visit(&mut self, _: usize, _: u32, _: &ReachRow, _: &[u64; 8]) {}
    #[inline(always)]
    fn single(&mut self, _: usize, _: u32, _: usize) {}
    fn end_level(&mut self, level: u32, count: u64) {
        bump(&mut self.pairs, level, count);
    }
}

impl Merge for Count<'_> {
    fn end_block(&mut self, block: &[u32]) {
        scale(&mut self.pairs, self.sources.of_block(block).0);
    }
    fn merge(self, other: Self) -> Self {
        Count { sources: self.sources, pairs: add(self.pairs, other.pairs) }
    }
}

#[derive(Default)]
struct Pairs {
    switches: Vec<u64>,
    endpoints: Vec<u64>,
}

/// Counts switches, and endpoints at the rows reached; the endpoints at the sources are the same for a whole block.
struct Weighted<'a> {
    sources: &'a Sources,
    level: u64,
    pairs: Pairs,
}

impl Sink for Weighted<'_> {
    #[inline(always)]
    fn visit(&mut self, v: usize, _: u32, _: &ReachRow, pops: &[u64; 8]) {
        let mut found = 0;
        for pop in pops {
            found += pop;
        }
        self.level += found * u64::from(self.sources.weights[v]);
    }
    #[inline(always)]
    fn single(&mut self, v: usize, _: u32, _: usize) {
        self.level += u64::from(self.sources.weights[v]);
    }
    fn end_level(&mut self, level: u32, count: u64) {
        bump(&mut self.pairs.switches, level, count);
        bump(&mut self.pairs.endpoints, level, self.level);
        self.level = 0;
    }
}

impl Merge for Weighted<'_> {
    fn end_block(&mut self, block: &[u32]) {
        let (size, weight) = self.sources.of_block(block);
        scale(&mut self.pairs.switches, size);
        scale(&mut self.pairs.endpoints, size * weight);
    }
    fn merge(self, other: Self) -> Self {
        let pairs = Pairs {
            switches: add(self.pairs.switches, other.pairs.switches),
            endpoints: add(self.pairs.endpoints, other.pairs.endpoints),
        };
        Weighted { sources: self.sources, level: 0, pairs }
    }
}
