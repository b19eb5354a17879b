//! Colour refinement: the coarsest classes of ranks, pairs and resources such that members of a class meet the same.

use netloom_model::stream::mix;

use super::pairs::{Pairs, hashed};

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

/// `None` once there are more than `most` classes of ranks, or after so many visits of uses. Colours are hashes of 64
/// bits: different ones are told apart but for one case in 2^64 / classes^2. O(visits).
pub fn refine(ranks: u32, of: &Routed, most: usize, mut visits: u64) -> Option<Classes> {
    let pairs = &of.pairs;
    let mut rank = vec![0u64; ranks as usize];
    let mut pair: Vec<u64> = (0..pairs.len()).map(|at| hashed(&[pairs.what[at], of.route[at]])).collect();
    let mut resource: Vec<u64> = of.capacity.iter().map(|capacity| hashed(&[capacity.to_bits()])).collect();
    let mut counts = (0, 0, 0);
    loop {
        let cost = (of.uses.len() + pairs.len() + ranks as usize + resource.len()) as u64;
        visits = visits.checked_sub(cost)?;
        let mut on_resource = vec![0u64; resource.len()];
        let mut of_rank = vec![0u64; ranks as usize];
        for (at, own) in pair.iter_mut().enumerate() {
            let (src, dst) = (pairs.src[at] as usize, pairs.dst[at] as usize);
            let there = of
                .uses(at)
                .iter()
                .fold(0u64, |sum, used| sum.wrapping_add(mix(resource[used.resource as usize] ^ used.key)));
            *own = hashed(&[*own, rank[src], rank[dst], there]);
            of_rank[src] = of_rank[src].wrapping_add(mix(*own ^ SENDS));
            of_rank[dst] = of_rank[dst].wrapping_add(mix(*own ^ RECEIVES));
            for used in of.uses(at) {
                let sum = &mut on_resource[used.resource as usize];
                *sum = sum.wrapping_add(mix(*own ^ used.key));
            }
        }
        rank.iter_mut().zip(&of_rank).for_each(|(colour, sum)| *colour = hashed(&[*colour, *sum]));
        resource.iter_mut().zip(&on_resource).for_each(|(colour, sum)| *colour = hashed(&[*colour, *sum]));
        let found = (distinct(&rank), distinct(&resource));
        if found.0 > most {
            return None;
        }
        // Pairs are many: they are counted only where nothing else changes.
        let pairs_found = if found == (counts.0, counts.1) { distinct(&pair) } else { 0 };
        if pairs_found > 0 && pairs_found == counts.2 {
            return Some(Classes { ranks: numbered(&rank), pairs: numbered(&pair), resources: numbered(&resource) });
        }
        counts = (found.0, found.1, pairs_found);
    }
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
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
