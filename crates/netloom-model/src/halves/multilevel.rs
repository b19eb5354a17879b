//! A cut of few bytes into two sides of given sizes: matched along heavy edges until few vertices are left (Karypis and Kumar
//! 1998), cut there in several ways, and refined on the way back.

use super::graph::{Graph, Sides};
use super::refine::{Aim, grown, refine};
use crate::Stream;

/// Vertices that are cut as they are.
const FEW: u32 = 40;
/// Cuts that are tried there, but for that in order.
const GROWN: u32 = 5;
/// Times that a cut is refined from few vertices up.
const CYCLES: u32 = 2;
/// Another cut that costs less than so many times the best one is refined too.
const PROMISING: i64 = 2;
/// Vertices grow to this share of the whole at most.
const SHARE: u64 = 24;
/// A matching that leaves more than this share of the vertices ends the coarsening; more than the second one, and vertices
/// with the same heaviest neighbour are matched too.
const STUCK: f64 = 0.9;
const SLOW: f64 = 0.6;

/// True for the far side. O(edges log edges), times a constant of some ten.
pub fn cut(graph: &Graph, aim: Aim, stream: &mut Stream) -> Vec<bool> {
    let mut best = cycle(graph, aim, None, stream);
    // Matching mixes busy vertices with idle ones; where the busy ones form a core, the cut is around it.
    let mut core = around_core(graph, aim);
    if core.cost < PROMISING * best.cost {
        refine(graph, &mut core, aim);
        if aim.rate(&core) < aim.rate(&best) {
            best = core;
        }
    }
    for _ in 0..CYCLES {
        let next = cycle(graph, aim, Some(&best.far), stream);
        if aim.rate(&next) < aim.rate(&best) {
            best = next;
        }
    }
    best.far
}

/// The vertices with most bytes of their own on the near side.
fn around_core(graph: &Graph, aim: Aim) -> Sides {
    let strength = |v: u32| graph.row(v).map(|(_, w)| w).sum::<i64>();
    let mut order: Vec<(i64, u32)> = (0..graph.vertices()).map(|v| (-strength(v), v)).collect();
    order.sort_unstable();
    let mut far = vec![true; order.len()];
    let mut near_size = 0;
    for (_, v) in order {
        let size = u64::from(graph.sizes[v as usize]);
        if near_size + size <= aim.near {
            near_size += size;
            far[v as usize] = false;
        }
    }
    Sides::new(graph, far)
}

/// Down to few vertices and back. A cut that is known is refined: then nothing is matched across it (Walshaw 2004).
fn cycle(graph: &Graph, aim: Aim, known: Option<&[bool]>, stream: &mut Stream) -> Sides {
    let mut levels: Vec<(Graph, Vec<u32>)> = Vec::new();
    let mut far: Option<Vec<bool>> = known.map(<[bool]>::to_vec);
    let most = (graph.size() / SHARE).max(2);
    loop {
        let finest = levels.last().map_or(graph, |(coarse, _)| coarse);
        if finest.vertices() <= FEW {
            break;
        }
        let parents = matched(finest, most, far.as_deref(), stream);
        let count = parents.iter().max().map_or(0, |p| p + 1);
        if f64::from(count) > STUCK * f64::from(finest.vertices()) {
            break;
        }
        if let Some(fine) = &mut far {
            let mut coarse = vec![false; count as usize];
            parents.iter().zip(fine.iter()).for_each(|(parent, far)| coarse[*parent as usize] = *far);
            *fine = coarse;
        }
        levels.push((contracted(finest, &parents, count), parents));
    }
    let coarsest = levels.last().map_or(graph, |(coarse, _)| coarse);
    let mut sides = match far {
        Some(far) => Sides::new(coarsest, far),
        None => first_cut(coarsest, loose(coarsest, aim), stream),
    };
    refine(coarsest, &mut sides, loose(coarsest, aim));
    while let Some((_, parents)) = levels.pop() {
        let finer = levels.last().map_or(graph, |(coarse, _)| coarse);
        let far = parents.iter().map(|p| sides.far[*p as usize]).collect();
        sides = Sides::new(finer, far);
        refine(finer, &mut sides, loose(finer, aim));
    }
    sides
}

/// Half a vertex more or less is all that can be asked.
fn loose(graph: &Graph, aim: Aim) -> Aim {
    let largest = graph.sizes.iter().max().map_or(1, |s| u64::from(*s));
    Aim { slack: aim.slack.max(largest / 2), ..aim }
}

/// The best of several cuts, each refined.
fn first_cut(graph: &Graph, aim: Aim, stream: &mut Stream) -> Sides {
    let mut size = 0;
    let in_order = graph.sizes.iter().map(|s| {
        size += u64::from(*s);
        size > aim.near
    });
    let mut best = Sides::new(graph, in_order.collect());
    refine(graph, &mut best, aim);
    for _ in 0..GROWN.min(graph.vertices()) {
        let mut sides = grown(graph, stream.below(graph.vertices()), aim);
        refine(graph, &mut sides, aim);
        if aim.rate(&sides) < aim.rate(&best) {
            best = sides;
        }
    }
    best
}

/// Coarse vertex of every vertex, numbered in the order of their first members. O(edges).
fn matched(graph: &Graph, most: u64, known: Option<&[bool]>, stream: &mut Stream) -> Vec<u32> {
    let count = graph.vertices();
    let mut partner: Vec<u32> = (0..count).collect();
    let mut order = partner.clone();
    stream.shuffle(&mut order);
    let size = |v: u32| u64::from(graph.sizes[v as usize]);
    let together = |v: u32, u: u32| known.is_none_or(|far| far[v as usize] == far[u as usize]);
    // An edge that is light compared with others of its ends belongs into the cut: rungs between chains, halved dimensions,
    // the links of a hub.
    let light: Vec<i64> = (0..count).map(|v| graph.row(v).map(|(_, w)| w).max().unwrap_or(0) / 2).collect();
    let mut left = count;
    for &v in &order {
        if partner[v as usize] != v {
            continue;
        }
        let heavy = |u: u32, w: i64| w > light[v as usize] && w > light[u as usize];
        let fits = |u: u32| partner[u as usize] == u && u != v && size(u) + size(v) <= most && together(u, v);
        let free = graph.row(v).filter(|(u, w)| heavy(*u, *w) && fits(*u));
        // The heaviest edge; of equal ones the smaller vertex.
        if let Some((u, _)) = free.max_by_key(|(u, w)| (*w, std::cmp::Reverse((size(*u), *u)))) {
            (partner[v as usize], partner[u as usize]) = (u, v);
            left -= 1;
        }
    }
    if f64::from(left) > SLOW * f64::from(count) {
        join_strangers(graph, most, together, &mut partner);
    }
    let mut parents = vec![u32::MAX; count as usize];
    let mut next = 0;
    for v in 0..count {
        if parents[v as usize] == u32::MAX {
            parents[v as usize] = next;
            parents[partner[v as usize] as usize] = next;
            next += 1;
        }
    }
    parents
}

/// Pairs of single vertices with the same heaviest neighbour, or none: leaves of a star, and places without a rank.
fn join_strangers(graph: &Graph, most: u64, together: impl Fn(u32, u32) -> bool, partner: &mut [u32]) {
    let heaviest = |v: u32| graph.row(v).max_by_key(|(u, w)| (*w, std::cmp::Reverse(*u))).map_or(u32::MAX, |(u, _)| u);
    let alone = (0..graph.vertices()).filter(|v| partner[*v as usize] == *v);
    let mut list: Vec<(u32, u32)> = alone.map(|v| (heaviest(v), v)).collect();
    list.sort_unstable();
    let mut at = 0;
    while let Some(&[(near, v), (other, u)]) = list.get(at..at + 2) {
        let size = u64::from(graph.sizes[v as usize]) + u64::from(graph.sizes[u as usize]);
        if near == other && size <= most && together(u, v) {
            (partner[v as usize], partner[u as usize]) = (u, v);
            at += 1;
        }
        at += 1;
    }
}

/// Each coarse vertex once, edges between the same two added up. O(edges).
pub fn contracted(graph: &Graph, parents: &[u32], count: u32) -> Graph {
    let (first, members) = members(parents, count);
    let mut coarse = Graph::default();
    // Where in `coarse.ends` the edge to a vertex is, if it is one of the present row.
    let mut at = vec![0usize; count as usize];
    for c in 0..count as usize {
        let own = members[first[c] as usize..first[c + 1] as usize].iter();
        let (size, lean) =
            own.clone().fold((0, 0), |(s, l), v| (s + graph.sizes[*v as usize], l + graph.leans[*v as usize]));
        coarse.push(size, lean);
        let begin = coarse.ends.len();
        for (u, weight) in own.flat_map(|v| graph.row(*v)) {
            let to = parents[u as usize];
            if to as usize == c {
                continue;
            }
            let known = at[to as usize];
            if known >= begin && coarse.ends.get(known) == Some(&to) {
                coarse.weights[known] += weight;
            } else {
                at[to as usize] = coarse.ends.len();
                coarse.edge(to, weight);
            }
        }
    }
    coarse
}

/// Vertices by parent, ascending, and where those of each parent begin.
fn members(parents: &[u32], count: u32) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; count as usize + 1];
    parents.iter().for_each(|parent| first[*parent as usize + 1] += 1);
    for c in 0..count as usize {
        first[c + 1] += first[c];
    }
    let (mut next, mut members) = (first.clone(), vec![0; parents.len()]);
    for (v, parent) in parents.iter().enumerate() {
        members[next[*parent as usize] as usize] = v as u32;
        next[*parent as usize] += 1;
    }
    (first, members)
}
