//! Allgathers on a grid of ranks that use all `2k` ports of a `k`-dimensional torus at once: the block of a rank is cut into
//! `2k` parts, and every part goes its own way, along the axes in its own order and to its own side first. Ring by ring
//! (Jain & Sabharwal, "Optimal bucket algorithms for large MPI collectives on torus interconnects", ICS 2010; Sack & Gropp,
//! "Collective algorithms for multiported torus networks", ACM TOPC 2014) or with Swing's partners (NSDI 2024).

use netloom_model::schedule::BlockRange;

use super::swing;
use crate::plan::{Builder, Plan};

/// The action of all ranks in one step of one part: coordinate `a` of `axis` passes on the blocks at `a + sent`. Where
/// `alternating`, odd coordinates take the opposite side of everything.
pub(crate) struct Move {
    pub axis: usize,
    pub to: u64,
    pub sent: Vec<u64>,
    pub arrived: Vec<u64>,
    pub alternating: bool,
}

impl Move {
    fn placed(&self, a: u64, offset: u64, extent: u64) -> u64 {
        (if self.alternating && a % 2 == 1 { a + extent - offset } else { a + offset }) % extent
    }

    /// Coordinates `a + offsets`, ascending.
    fn coordinates(&self, a: u64, offsets: &[u64], extent: u64) -> Vec<u64> {
        let mut out: Vec<u64> = offsets.iter().map(|o| self.placed(a, *o, extent)).collect();
        out.sort_unstable();
        out
    }
}

/// Axes with more than one coordinate.
pub(crate) fn axes(dims: &[u64]) -> Vec<usize> {
    (0..dims.len()).filter(|x| dims[*x] > 1).collect()
}

/// Around the ring of one axis: the last received block moves on, upwards or downwards.
fn ring(axis: usize, extent: u64, upwards: bool) -> impl Iterator<Item = Move> {
    let side = move |o: u64| if upwards { o % extent } else { (extent - o % extent) % extent };
    (0..extent - 1).map(move |t| Move {
        axis,
        to: side(1),
        sent: vec![side(extent - t)],
        arrived: vec![side(extent - t - 1)],
        alternating: false,
    })
}

/// Part `2i + j`: the axes in turn, beginning `i` axes before the last, upwards for `j = 0`. O(blocks moved).
pub(crate) fn bucket(dims: &[u64]) -> Plan {
    let axes = axes(dims);
    let part = |i: usize, upwards: bool| {
        let order = axes.iter().rev().cycle().skip(i).take(axes.len());
        order.flat_map(|x| ring(*x, dims[*x], upwards)).collect()
    };
    allgather(dims, &parts(axes.len(), part))
}

/// Part `2i + j`: Swing with the axes taking turns, the reduce-scatter beginning with axis `i`, on the other side for
/// `j = 1`; extents are even. O(blocks moved).
pub(crate) fn swinging(dims: &[u64]) -> Plan {
    let axes = axes(dims);
    let part = |i: usize, plain: bool| {
        let mut left: Vec<Vec<Move>> = axes.iter().map(|x| swing::moves(*x, dims[*x], !plain)).collect();
        let mut program = Vec::new();
        // Near partners first, as in the reduce-scatter; the allgather is that backwards.
        while left.iter().any(|moves| !moves.is_empty()) {
            for turn in 0..left.len() {
                let at = (i + turn) % left.len();
                program.extend(left[at].pop());
            }
        }
        program.reverse();
        program
    };
    allgather(dims, &parts(axes.len(), part))
}

fn parts(axes: usize, part: impl Fn(usize, bool) -> Vec<Move>) -> Vec<Vec<Move>> {
    (0..axes).flat_map(|i| [part(i, true), part(i, false)]).collect()
}

/// Runs all programs at once; they have equally many moves. Block `c·p + v` is part `c` of rank `v`.
fn allgather(dims: &[u64], programs: &[Vec<Move>]) -> Plan {
    let ranks = dims.iter().product::<u64>() as u32;
    let steps = programs.first().map_or(0, Vec::len) as u32;
    let mut builder = Builder::new(ranks, ranks * programs.len().max(1) as u32);
    for (part, program) in (0u64..).zip(programs) {
        // Per axis and coordinate, the coordinates whose blocks are there.
        let mut held: Vec<Vec<Vec<u64>>> = dims.iter().map(|d| (0..*d).map(|a| vec![a]).collect()).collect();
        for (step, m) in (0..).zip(program) {
            let extent = dims[m.axis];
            let all = |offsets| (0..extent).map(|a| m.coordinates(a, offsets, extent)).collect::<Vec<_>>();
            let (sent, arrived) = (all(&m.sent), all(&m.arrived));
            for rank in 0..ranks {
                let at = coordinates(rank, dims);
                let lists: Vec<&[u64]> = (0..dims.len())
                    .map(|x| if x == m.axis { &sent[at[x] as usize] } else { &held[x][at[x] as usize] }.as_slice())
                    .collect();
                let mut blocks = Vec::new();
                product(&lists, dims, part, &mut blocks);
                let mut partner = at.clone();
                partner[m.axis] = m.placed(at[m.axis], m.to, extent);
                let dst = partner.iter().zip(dims).fold(0, |number, (a, d)| number * d + a);
                builder.send(step, rank, dst as u32, &blocks, false);
            }
            for (have, more) in held[m.axis].iter_mut().zip(arrived) {
                have.extend(more);
                have.sort_unstable();
            }
        }
    }
    builder.finish(steps)
}

/// Row-major coordinates.
fn coordinates(rank: u32, dims: &[u64]) -> Vec<u64> {
    let mut left = u64::from(rank);
    let mut at: Vec<u64> = dims.iter().rev().map(|d| (left % d, left /= d).0).collect();
    at.reverse();
    at
}

/// Numbers of all points whose coordinates are in `lists`, below the digits `above`; ascending.
fn product(lists: &[&[u64]], dims: &[u64], above: u64, out: &mut Vec<BlockRange>) {
    match (lists, dims) {
        ([list, lists @ ..], [extent, dims @ ..]) => {
            list.iter().for_each(|a| product(lists, dims, above * extent + a, out));
        }
        _ => out.push(BlockRange { first: above as u32, count: 1 }),
    }
}
