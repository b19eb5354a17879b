//! Allgathers on a grid of ranks that use all `2k` ports of a `k`-dimensional torus at once: the block of a rank is cut into
//! `2k` parts, and every part goes its own way, along the axes in its own order and to its own side first. Ring by ring
//! (Jain & Sabharwal, "Optimal bucket algorithms for large MPI collectives on torus interconnects", ICS 2010; Sack & Gropp,
//! "Collective algorithms for multiported torus networks", ACM TOPC 2014) or with Swing's partners (NSDI 2024).

use netloom_model::schedule::{Partner, RankGrid, Turn};

use super::swing;
use crate::plan::{Plan, round, runs};

/// The action of all ranks in one step of one part: coordinate `a` of `axis` passes on the blocks at `a + sent`. Where
/// `alternating`, odd coordinates take the opposite side of everything.
pub(crate) struct Move {
    pub axis: usize,
    pub to: u64,
    pub sent: Vec<u64>,
    pub arrived: Vec<u64>,
    pub alternating: bool,
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

/// The allgather in one part: the last axis first, upwards. O(blocks moved).
pub(crate) fn one_port(dims: &[u64]) -> Plan {
    allgather(dims, &[axes(dims).iter().rev().flat_map(|x| ring(*x, dims[*x], true)).collect()])
}

/// Runs all programs at once; they have equally many moves. Block `c·p + v` is part `c` of rank `v`.
fn allgather(dims: &[u64], programs: &[Vec<Move>]) -> Plan {
    let ranks = dims.iter().product::<u64>() as u32;
    let steps = programs.first().map_or(0, Vec::len) as u32;
    let mut rounds = Vec::new();
    for (part, program) in (0u32..).zip(programs) {
        // Per axis the offsets of the blocks that are there.
        let mut held: Vec<Vec<u64>> = vec![vec![0]; dims.len()];
        for (step, m) in (0..).zip(program) {
            let mut lists = held.clone();
            lists[m.axis] = m.sent.clone();
            lists.iter_mut().for_each(|list| list.sort_unstable());
            let mut blocks = Vec::new();
            product(&lists, dims, 0, &mut blocks);
            let to = m.to * dims[m.axis + 1..].iter().product::<u64>();
            let partner = Partner::Grid(to as u32, grid(dims, m.alternating));
            rounds.push(round(step, partner, runs(part, &mut blocks), false));
            held[m.axis].extend(&m.arrived);
        }
    }
    rounds.sort_by_key(|round| round.step);
    Plan::cyclic(ranks, ranks * programs.len().max(1) as u32, steps, rounds)
}

/// Offsets of all points whose coordinates are in `lists`, below the digits `above`; ascending.
fn product(lists: &[Vec<u64>], dims: &[u64], above: u64, out: &mut Vec<u32>) {
    match (lists, dims) {
        ([list, lists @ ..], [extent, dims @ ..]) => {
            list.iter().for_each(|a| product(lists, dims, above * extent + a, out));
        }
        _ => out.push(above as u32),
    }
}

/// Axes of one coordinate are left out.
fn grid(dims: &[u64], mirrored: bool) -> RankGrid {
    let turn = if mirrored { Turn::Mirrored } else { Turn::Around };
    let axes: Vec<(u32, Turn)> = dims.iter().filter(|d| **d > 1).map(|d| (*d as u32, turn)).collect();
    RankGrid::new(&axes).expect("its axes were checked")
}
