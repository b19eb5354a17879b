//! Colour refinement: the coarsest classes of ranks, pairs and resources such that members of a class meet the same.

use std::collections::HashMap;

use netloom_model::stream::mix;

use super::pairs::{Pairs, hashed};
use super::partition::Partition;

/// Tell what a rank sends from what it receives.
const SENDS: u64 = 0x9e37_79b9_7f4a_7c15;
const RECEIVES: u64 = 0xd1b5_4a32_d192_ed03;

/// The use of a resource by a pair.
#[derive(Clone, Copy, Debug)]
pub struct PairUse {
    pub resource: u32,
    pub coefficient: f64,
    /// Hash of the coefficient.
    key: u64,
}

impl PairUse {
    pub fn new(resource: u32, coefficient: f64) -> PairUse {
        PairUse { resource, coefficient, key: hashed(&[coefficient.to_bits()]) }
    }
}

/// Pairs with their routes.
pub struct Routed {
    pub pairs: Pairs,
    /// Hash of what tells the route of a pair from others, its resources apart.
    pub route: Vec<u64>,
    /// Uses of pair `i` are `uses[first[i]..first[i + 1]]`.
    pub first: Vec<u32>,
    pub uses: Vec<PairUse>,
    /// Of each resource.
    pub capacity: Vec<f64>,
}

impl Routed {
    pub fn uses(&self, pair: usize) -> &[PairUse] {
        &self.uses[self.first[pair] as usize..self.first[pair + 1] as usize]
    }
}

/// Class of each rank, pair and resource, numbered by their first members.
#[derive(Debug)]
pub struct Classes {
    pub ranks: Vec<u32>,
    pub pairs: Vec<u32>,
    pub resources: Vec<u32>,
}

/// `None` once there are more than `most` classes of ranks, or after so many visits of uses. Weights are hashes of 64 bits:
/// different ones are told apart but for one case in 2^64 / classes^2. O((pairs · path) · log pairs) visits at most: all parts
/// of a class that splits are told to their neighbours but the largest.
pub fn refine(ranks: u32, of: &Routed, most: usize, mut visits: u64) -> Option<Classes> {
    let graph = Graph::of(ranks, of);
    let mut partition = Partition::of(&graph.colours());
    // At first all are news to their neighbours.
    let mut news: Vec<u32> = (0..graph.vertices()).collect();
    let (mut weight, mut touched) = (vec![0u64; news.len()], Vec::new());
    let is_rank = |vertex: u32| vertex < ranks;
    while !news.is_empty() {
        for &vertex in &news {
            let own = mix(u64::from(partition.class[vertex as usize]));
            visits = visits.checked_sub(graph.visit(vertex, |neighbour, key| {
                let sum = &mut weight[neighbour as usize];
                if *sum == 0 {
                    touched.push(neighbour);
                }
                // A sum of 0 would say that there is no neighbour.
                *sum = sum.wrapping_add(mix(own ^ key)).max(1);
            }))?;
        }
        news.clear();
        partition.split(&touched, &weight, &mut news);
        touched.drain(..).for_each(|vertex| weight[vertex as usize] = 0);
        if partition.classes(is_rank) > most {
            return None;
        }
    }
    let colours: Vec<u64> = partition.class.iter().map(|class| u64::from(*class)).collect();
    let (of_ranks, rest) = colours.split_at(ranks as usize);
    let (of_resources, of_pairs) = rest.split_at(of.capacity.len());
    Some(Classes { ranks: numbered(of_ranks), pairs: numbered(of_pairs), resources: numbered(of_resources) })
}

/// Ranks, then resources, then pairs, as vertices; a pair has an edge to its two ranks and to each resource that it uses.
struct Graph<'a> {
    of: &'a Routed,
    ranks: u32,
    /// Of rank or resource `v`: edges `edges[first[v]..first[v + 1]]`, each a pair and the number of the edge's key.
    first: Vec<u32>,
    edges: Vec<(u32, u32)>,
    keys: Vec<u64>,
}

impl Graph<'_> {
    fn of(ranks: u32, of: &Routed) -> Graph<'_> {
        let mut first = vec![0; ranks as usize + of.capacity.len() + 1];
        let graph = Graph { of, ranks, first: Vec::new(), edges: Vec::new(), keys: Vec::new() };
        graph.each_of_pairs(|vertex, _, _| first[vertex as usize + 1] += 1);
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let (mut next, mut edges) = (first.clone(), vec![(0, 0); first[first.len() - 1] as usize]);
        let (mut numbers, mut keys) = (HashMap::new(), Vec::new());
        graph.each_of_pairs(|vertex, pair, key| {
            let number = *numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() as u32 - 1
            });
            let at = &mut next[vertex as usize];
            edges[*at as usize] = (pair, number);
            *at += 1;
        });
        Graph { first, edges, keys, ..graph }
    }

    fn vertices(&self) -> u32 {
        self.first_pair() + self.of.pairs.len() as u32
    }

    fn first_pair(&self) -> u32 {
        self.ranks + self.of.capacity.len() as u32
    }

    /// What tells vertices apart before any neighbour does.
    fn colours(&self) -> Vec<u64> {
        let of = self.of;
        let ranks = (0..self.ranks).map(|_| hashed(&[0]));
        let resources = of.capacity.iter().map(|capacity| hashed(&[1, capacity.to_bits()]));
        let pairs = of.pairs.what.iter().zip(&of.route).map(|(what, route)| hashed(&[2, *what, *route]));
        ranks.chain(resources).chain(pairs).collect()
    }

    /// Rank or resource, pair, and key of each edge, pair by pair.
    fn each_of_pairs(&self, mut visit: impl FnMut(u32, u32, u64)) {
        for pair in 0..self.of.pairs.len() as u32 {
            self.visit_pair(pair, |vertex, key| visit(vertex, self.first_pair() + pair, key));
        }
    }

    fn visit_pair(&self, pair: u32, mut visit: impl FnMut(u32, u64)) {
        let pairs = &self.of.pairs;
        visit(pairs.src[pair as usize], SENDS);
        visit(pairs.dst[pair as usize], RECEIVES);
        self.of.uses(pair as usize).iter().for_each(|used| visit(self.ranks + used.resource, used.key));
    }

    /// Each neighbour of a vertex with the key of the edge; how many.
    fn visit(&self, vertex: u32, mut visit: impl FnMut(u32, u64)) -> u64 {
        if let Some(pair) = vertex.checked_sub(self.first_pair()) {
            self.visit_pair(pair, visit);
            return 2 + self.of.uses(pair as usize).len() as u64;
        }
        let own = self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize;
        self.edges[own.clone()].iter().for_each(|(pair, key)| visit(*pair, self.keys[*key as usize]));
        own.len() as u64
    }
}

/// Numbers of colours, in the order of their first members.
fn numbered(colours: &[u64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..colours.len() as u32).collect();
    order.sort_by_key(|at| colours[*at as usize]);
    let mut firsts: Vec<(u32, u32)> = Vec::new();
    let mut group = vec![0u32; colours.len()];
    for (at, &member) in order.iter().enumerate() {
        if at == 0 || colours[order[at - 1] as usize] != colours[member as usize] {
            firsts.push((member, firsts.len() as u32));
        }
        group[member as usize] = firsts.len() as u32 - 1;
    }
    firsts.sort_unstable();
    let mut number = vec![0u32; firsts.len()];
    (0..).zip(&firsts).for_each(|(new, (_, old))| number[*old as usize] = new);
    group.iter().map(|group| number[*group as usize]).collect()
}
