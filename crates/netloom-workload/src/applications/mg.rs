//! MG: multigrid V-cycles on a periodic cube, cut among a grid of ranks that gives its first axis the fewest. On coarse
//! levels there are fewer points than ranks: some ranks are idle, and on the upward pass their neighbours feed them
//! again.

use netloom_model::{Collective, Outcome, Programs};

use super::class::{Class, class_of};
use super::legal::{Legal, powers};
use super::row::{Application, ApplicationRow, TEMPLATE};
use super::weave::{Body, Everywhere, Setup};

pub(crate) const MG: ApplicationRow = ApplicationRow {
    name: "mg",
    aliases: &["npb:mg"],
    summary: "Multigrid: faces with the six neighbours on every level, from 8 bytes to a plane of the cube.",
    example: "mg(class=A)",
    restrictions: "a power of two up to 131072 (class S: 32768), so that every rank has a point of the finest level",
    build: Application {
        iterations: |bound| class_of(bound).of([4, 4, 4, 20, 20]),
        legal: |bound| Legal::List(powers(1 << (3 * levels(class_of(bound))))),
        make,
    },
    ..TEMPLATE
};

/// Bytes of a number.
const REAL: u64 = 8;
/// Operations per point of the level that is written, as `mg.f` counts them at each routine; per coarse point for
/// restriction and interpolation. Together they give 57 of the 58 that the benchmark counts per point of the finest
/// level; the work is scaled so that the sum equals its count.
const SMOOTH: f64 = 16.0;
const RESIDUAL: f64 = 15.0;
const RESTRICT: f64 = 24.0;
const INTERPOLATE: f64 = 20.0;
const COUNTED: f64 = 58.0;

/// Number of the finest level, which has 2^levels points an axis; the coarsest is 1.
fn levels(class: Class) -> u32 {
    class.of([5, 7, 8, 8, 9])
}

/// One rank's part of one level.
#[derive(Clone, Debug)]
struct Level {
    /// Extent of each axis with both ghost layers; 2: nothing.
    n: [u64; 3],
    /// Neighbours below and above on each axis.
    near: [[u32; 2]; 3],
    /// Whether the rank feeds its neighbours on an axis when the grid is refined to this level, or is fed.
    gives: [bool; 3],
    takes: [bool; 3],
}

impl Level {
    fn rests(&self) -> bool {
        self.n.contains(&2)
    }

    fn points(&self) -> f64 {
        self.n.iter().map(|n| (n - 2) as f64).product()
    }
}

/// Extents of the grid of ranks.
fn grid(ranks: u32) -> [u32; 3] {
    let all = ranks.ilog2();
    let x = all / 3;
    let y = (all - x) / 2;
    [1 << x, 1 << y, 1 << (all - x - y)]
}

/// The levels of a rank; entry 0 is unused.
fn parts(finest: u32, ranks: u32, rank: u32) -> Vec<Level> {
    let extents = grid(ranks);
    let at = [rank % extents[0], rank / extents[0] % extents[1], rank / extents[0] / extents[1]];
    let strides = [1, extents[0], extents[0] * extents[1]];
    let idle = Level { n: [2; 3], near: [[rank; 2]; 3], gives: [false; 3], takes: [false; 3] };
    let mut made = vec![idle; finest as usize + 1];
    // How far the next rank is that may have points.
    let mut distance = [1u32; 3];
    for k in (1..=finest as usize).rev() {
        for axis in 0..3 {
            let extent = u64::from(extents[axis]);
            let held = |i: u32| {
                let i = u64::from(i);
                2 + ((i + 1) << k) / extent - (i << k) / extent
            };
            let (mine, next) = (held(at[axis]), held(at[axis] + distance[axis]));
            if mine == 2 || next == 2 {
                distance[axis] *= 2;
            }
            if k < finest as usize {
                made[k + 1].gives[axis] = next == 2 && mine == 3;
                made[k + 1].takes[axis] = next == 3 && mine == 2;
            }
            let (here, d) = (at[axis], distance[axis] % extents[axis]);
            let there = [(here + extents[axis] - d) % extents[axis], (here + d) % extents[axis]];
            made[k].n[axis] = mine;
            made[k].near[axis] = there.map(|t| rank - here * strides[axis] + t * strides[axis]);
        }
    }
    made
}

/// Tag of a message along an axis, downwards or upwards.
fn tag(axis: usize, up: bool) -> u32 {
    100 * (if up { 3 } else { 1 } + 10 * (axis as u32 + 1))
}

/// Posts the receives of an axis: what moves down comes from above.
fn ready(body: &mut Body, level: &Level, axis: usize, down_bytes: u64, up_bytes: u64) {
    body.start_receive(level.near[axis][1], tag(axis, false), down_bytes);
    body.start_receive(level.near[axis][0], tag(axis, true), up_bytes);
}

/// Sends along an axis, upwards first.
fn give(body: &mut Body, level: &Level, axis: usize, down_bytes: u64, up_bytes: u64) {
    body.send(level.near[axis][1], tag(axis, true), up_bytes);
    body.send(level.near[axis][0], tag(axis, false), down_bytes);
}

/// Ghost layers from all neighbours (`comm3`): an axis after the other, each with the ghosts of those before.
fn ghosts(body: &mut Body, level: &Level) {
    if level.rests() {
        return;
    }
    let [x, y, z] = level.n;
    for (axis, area) in [(y - 2) * (z - 2), x * (z - 2), x * y].into_iter().enumerate() {
        let bytes = REAL * area;
        ready(body, level, axis, bytes, bytes);
        give(body, level, axis, bytes, bytes);
        // An axis with one rank sends to itself: two requests more.
        let requests = if level.near[axis][0] == body.rank { 4 } else { 2 };
        (1..=requests).rev().for_each(|back| body.wait(back));
    }
}

/// Ranks that rested get their part of the interpolation (`comm3_ex`): two layers from below, one from above.
fn refill(body: &mut Body, level: &Level) {
    let [x, y, z] = level.n;
    for (axis, area) in [y * z, x * z, x * y].into_iter().enumerate() {
        if level.takes[axis] {
            ready(body, level, axis, REAL * area, 2 * REAL * area);
            body.wait(2);
            body.wait(1);
        }
        if level.gives[axis] {
            give(body, level, axis, REAL * area, 2 * REAL * area);
        }
    }
}

/// The routines of a rank.
struct Cycle<'a> {
    levels: &'a [Level],
    /// The benchmark's operations per operation of ours.
    scale: f64,
    alone: bool,
}

impl Cycle<'_> {
    fn finest(&self) -> usize {
        self.levels.len() - 1
    }

    /// Writes level `k`, then exchanges its ghost layers.
    fn routine(&self, body: &mut Body, k: usize, cost: f64) {
        body.work(cost * self.levels[k].points() * self.scale);
        if !self.alone {
            ghosts(body, &self.levels[k]);
        }
    }

    fn residual(&self, body: &mut Body) {
        self.routine(body, self.finest(), RESIDUAL);
    }

    /// A V-cycle and the residual after it.
    fn run(&self, body: &mut Body) {
        for k in (1..self.finest()).rev() {
            self.routine(body, k, RESTRICT);
        }
        self.routine(body, 1, SMOOTH);
        for k in 2..=self.finest() {
            body.work(INTERPOLATE * self.levels[k - 1].points() * self.scale);
            if !self.alone {
                refill(body, &self.levels[k]);
            }
            self.routine(body, k, RESIDUAL);
            self.routine(body, k, SMOOTH);
        }
        self.residual(body);
    }
}

/// Operations of `iterations` V-cycles and residuals and the residual before them, for all ranks, in our counting.
fn operations(finest: u32, iterations: f64) -> f64 {
    let points = |k: u32| 8f64.powi(k as i32);
    let up = (2..=finest).map(|k| (RESTRICT + INTERPOLATE) * points(k - 1) + (RESIDUAL + SMOOTH) * points(k));
    let cycle = up.sum::<f64>() + SMOOTH * points(1) + RESIDUAL * points(finest);
    iterations * cycle + RESIDUAL * points(finest)
}

/// The collectives outside of the V-cycles.
struct Sums {
    norm: Option<Everywhere>,
    charge: Option<Everywhere>,
    barrier: Option<Everywhere>,
    slowest: Option<Everywhere>,
}

/// Ten largest and ten smallest random numbers are sought, of each the value and then its place (`zran3`).
fn charges(body: &mut Body, cycle: &Cycle, sums: &Sums) {
    body.call(sums.barrier);
    body.repeat(20, |body| {
        body.call(sums.norm);
        body.call(sums.charge);
    });
    body.call(sums.barrier);
    cycle.routine(body, cycle.finest(), 0.0);
}

/// Largest and mean residual (`norm2u3`).
fn norms(body: &mut Body, sums: &Sums) {
    body.call(sums.norm);
    body.call(sums.norm);
}

fn make(setup: &Setup) -> Outcome<Programs> {
    let finest = levels(setup.class);
    let iterations = f64::from(setup.iterations);
    let counted = COUNTED * iterations * 8f64.powi(finest as i32);
    let scale = counted / operations(finest, iterations);

    let mut calls = setup.calls();
    let norm = calls.world(Collective::Allreduce, REAL)?;
    let mut sums = Sums { norm, charge: None, barrier: None, slowest: None };
    if setup.whole {
        sums.charge = calls.world(Collective::Allreduce, 16)?;
        sums.barrier = calls.world(Collective::Barrier, 0)?;
        sums.slowest = calls.world(Collective::Reduce, REAL)?;
    }
    setup.weave(calls, counted, |rank, body| {
        let levels = parts(finest, setup.ranks, rank);
        let cycle = Cycle { levels: &levels, scale, alone: setup.ranks == 1 };
        if setup.whole {
            charges(body, &cycle, &sums);
            norms(body, &sums);
            cycle.residual(body);
            norms(body, &sums);
            cycle.run(body);
            charges(body, &cycle, &sums);
            body.call(sums.barrier);
        }
        cycle.residual(body);
        norms(body, &sums);
        body.repeat(setup.iterations, |body| cycle.run(body));
        norms(body, &sums);
        body.call(sums.slowest);
    })
}
