//! Ordered pairs by distance, for switches and for endpoints, without storing distances.

use rayon::prelude::*;

use netloom_model::fault::{Fault, Outcome};
use netloom_model::{Network, Progress};

use super::codes;
use super::graph::Graph;
use super::kernel::{Row, Scratch, Sink, WIDTH, block};
use super::simd::Simd;

/// Pairs by distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Ordered pairs of switches at each distance; index 0 counts every switch with itself.
    pub switch_pairs: Vec<u64>,
    /// Ordered pairs of endpoints by hops between their switches; index 0 counts every endpoint with itself.
    pub endpoint_pairs: Vec<u64>,
    /// True if one source stood for all.
    pub by_symmetry: bool,
}

/// Pairs by distance in a connected network, by bit-parallel search from every switch: O(switches · links / 512) row
/// operations per level, 136 bytes per switch and thread. With `use_symmetry`, a network whose structure says that it
/// is vertex-transitive is searched from one switch only.
///
/// # Errors
/// `NL-N001` if disconnected, `NL-N011` if `progress` was stopped.
pub fn reach(network: &Network, use_symmetry: bool, progress: &Progress) -> Outcome<Reach> {
    reach_with(network, use_symmetry, Simd::best(), progress)
}

/// [`reach`] on a given instruction set.
pub(super) fn reach_with(network: &Network, use_symmetry: bool, simd: Simd, progress: &Progress) -> Outcome<Reach> {
    network.require_connected()?;
    let switches = network.switches();
    let weights: Vec<u32> = (0..switches).map(|s| network.endpoints_of(s).len() as u32).collect();
    let uniform = weights.iter().all(|w| *w == weights[0]);
    let by_symmetry = use_symmetry && uniform && network.structure().transitive && switches > 1;
    let graph = Graph::local(network);
    let row_weights: Vec<u32> = (0..graph.rows()).map(|r| weights[graph.switch(r) as usize]).collect();
    let blocks = if by_symmetry { vec![vec![0]] } else { blocks(&row_weights) };
    progress.set_total(blocks.iter().map(|b| b.len() as u64).sum());
    let counts = if uniform {
        let mut counts = run(&graph, simd, &blocks, progress, || Count { pairs: Vec::new() });
        let factor = if by_symmetry { u64::from(switches) } else { 1 };
        counts.pairs.iter_mut().for_each(|p| *p *= factor);
        let each = weights.first().map_or(0, |w| u64::from(*w));
        Pairs { endpoints: counts.pairs.iter().map(|p| p * each * each).collect(), switches: counts.pairs }
    } else {
        run(&graph, simd, &blocks, progress, || Weighted { weights: &row_weights, level: 0, pairs: Pairs::default() })
            .pairs
    };
    if progress.stopped() {
        return Err(Fault::say(&codes::INTERRUPTED, network.label(), "the search was stopped").into());
    }
    let mut endpoint_pairs = counts.endpoints;
    // Without endpoints far away, the farthest pair of endpoints is nearer than that of switches.
    while endpoint_pairs.len() > 1 && endpoint_pairs.last() == Some(&0) {
        endpoint_pairs.pop();
    }
    Ok(Reach { switch_pairs: counts.switches, endpoint_pairs, by_symmetry })
}

/// Rows in blocks of sources of one weight, neighbouring rows together.
fn blocks(weights: &[u32]) -> Vec<Vec<u32>> {
    let mut rows: Vec<u32> = (0..weights.len() as u32).collect();
    rows.sort_by_key(|&r| weights[r as usize]);
    rows.chunk_by(|a, b| weights[*a as usize] == weights[*b as usize])
        .flat_map(|same| same.chunks(WIDTH).map(<[u32]>::to_vec))
        .collect()
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
    fn end_block(&mut self, sources: &[u32]);
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

struct Count {
    pairs: Vec<u64>,
}

impl Sink for Count {
    #[inline(always)]
    fn visit(&mut self, _: usize, _: u32, _: &Row, _: &[u64; 8]) {}
    #[inline(always)]
    fn single(&mut self, _: usize, _: u32, _: usize) {}
    fn end_level(&mut self, level: u32, count: u64) {
        bump(&mut self.pairs, level, count);
    }
}

impl Merge for Count {
    fn end_block(&mut self, _: &[u32]) {}
    fn merge(self, other: Count) -> Count {
        Count { pairs: add(self.pairs, other.pairs) }
    }
}

#[derive(Default)]
struct Pairs {
    switches: Vec<u64>,
    endpoints: Vec<u64>,
}

/// Counts switches, and endpoints at the rows reached; the endpoints at the sources are the same for a whole block.
struct Weighted<'a> {
    weights: &'a [u32],
    level: u64,
    pairs: Pairs,
}

impl Sink for Weighted<'_> {
    #[inline(always)]
    fn visit(&mut self, v: usize, _: u32, _: &Row, pops: &[u64; 8]) {
        let mut found = 0;
        for pop in pops {
            found += pop;
        }
        self.level += found * u64::from(self.weights[v]);
    }
    #[inline(always)]
    fn single(&mut self, v: usize, _: u32, _: usize) {
        self.level += u64::from(self.weights[v]);
    }
    fn end_level(&mut self, level: u32, count: u64) {
        bump(&mut self.pairs.switches, level, count);
        bump(&mut self.pairs.endpoints, level, self.level);
        self.level = 0;
    }
}

impl Merge for Weighted<'_> {
    fn end_block(&mut self, sources: &[u32]) {
        let each = sources.first().map_or(0, |s| u64::from(self.weights[*s as usize]));
        self.pairs.endpoints.iter_mut().for_each(|p| *p *= each);
    }
    fn merge(self, other: Self) -> Self {
        let pairs = Pairs {
            switches: add(self.pairs.switches, other.pairs.switches),
            endpoints: add(self.pairs.endpoints, other.pairs.endpoints),
        };
        Weighted { weights: self.weights, level: 0, pairs }
    }
}
