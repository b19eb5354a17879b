//! LU: a wavefront through planes of a cube, cut into columns for a grid of ranks. Ranks number the grid along its longer
//! axis: north and south are `rank ∓ 1`, west and east `rank ∓ extent`.

use netloom_model::{Bound, Collective, Outcome, Programs};

use super::class::{Class, class_of};
use super::legal::Legal;
use super::row::{Application, ApplicationRow, TEMPLATE};
use super::weave::{Body, Everywhere, Passed, Setup};

pub(crate) const LU: ApplicationRow = ApplicationRow {
    name: "lu",
    aliases: &["npb:lu"],
    summary: "Wavefronts: per plane small messages from north and west on to south and east, and back; then faces.",
    example: "lu(class=A)",
    restrictions: "a number with two factors of which neither exceeds twice the other, and at least 3 points of the cube \
                   per rank and axis",
    build: Application { iterations: |bound| class_of(bound).of([50, 300, 250, 250, 250]), legal, make },
    ..TEMPLATE
};

/// Least extent of a rank's part.
const LEAST: u32 = 3;
/// Bytes of the five numbers at a point.
const POINT: u64 = 40;
/// Tags by where the message comes from.
const SOUTH: u32 = 1;
const NORTH: u32 = 2;
const EAST: u32 = 3;
const WEST: u32 = 4;
/// Shares of a step's work. The benchmark counts a step as a whole; forward sweep, backward sweep and right-hand side
/// take about a third each, half of a sweep being the Jacobians that need no message.
const SWEEP: f64 = 1.0 / 3.0;
const RIGHT_HAND_SIDE: f64 = 1.0 / 3.0;

fn extent(class: Class) -> u32 {
    class.of([12, 33, 64, 102, 162])
}

/// Ranks along the longer and the shorter axis: the factors nearest to each other.
pub(crate) fn grid(ranks: u32) -> (u32, u32) {
    let shorter = (1..=ranks.isqrt()).rev().find(|y| ranks.is_multiple_of(*y)).unwrap_or(1);
    (ranks / shorter, shorter)
}

fn legal(bound: &Bound) -> Legal {
    let most = extent(class_of(bound)) / LEAST;
    let near = |ranks: &u32| {
        let (longer, shorter) = grid(*ranks);
        2 * shorter >= longer && longer <= most
    };
    Legal::List((1..=most * most).filter(near).collect())
}

/// One rank's part.
struct Part {
    north: Option<u32>,
    south: Option<u32>,
    west: Option<u32>,
    east: Option<u32>,
    nx: u32,
    ny: u32,
}

impl Part {
    fn new(n: u32, ranks: u32, rank: u32) -> Part {
        let (longer, shorter) = grid(ranks);
        let (row, column) = (rank % longer, rank / longer);
        Part {
            north: (row > 0).then(|| rank - 1),
            south: (row + 1 < longer).then(|| rank + 1),
            west: (column > 0).then(|| rank - longer),
            east: (column + 1 < shorter).then(|| rank + longer),
            nx: n / longer + u32::from(row < n % longer),
            ny: n / shorter + u32::from(column < n % shorter),
        }
    }

    /// Bytes of a plane's edge to north and south, and to west and east: without the points on the cube's surface.
    fn edges(&self) -> (u64, u64) {
        let inner = |n: u32, low: Option<u32>, high: Option<u32>| {
            POINT * u64::from(n - u32::from(low.is_none()) - u32::from(high.is_none()))
        };
        (inner(self.ny, self.west, self.east), inner(self.nx, self.north, self.south))
    }

    /// A plane of the forward sweep.
    fn lower(&self, body: &mut Body, work: f64) {
        let (vertical, horizontal) = self.edges();
        body.work(work / 2.0);
        receive(body, self.north, NORTH, vertical);
        receive(body, self.west, WEST, horizontal);
        body.work(work / 2.0);
        send(body, self.south, NORTH, vertical);
        send(body, self.east, WEST, horizontal);
    }

    /// A plane of the backward sweep.
    fn upper(&self, body: &mut Body, work: f64) {
        let (vertical, horizontal) = self.edges();
        body.work(work / 2.0);
        receive(body, self.south, SOUTH, vertical);
        receive(body, self.east, EAST, horizontal);
        body.work(work / 2.0);
        send(body, self.north, SOUTH, vertical);
        send(body, self.west, EAST, horizontal);
    }

    /// Two layers of faces, of all `nz` planes: south and north, or east and west.
    fn faces(&self, body: &mut Body, nz: u32, axis: usize) {
        let (low, high, tags, n) = match axis {
            0 => (self.north, self.south, (NORTH, SOUTH), self.ny),
            _ => (self.west, self.east, (WEST, EAST), self.nx),
        };
        let bytes = 2 * POINT * u64::from(n) * u64::from(nz);
        let with = |peer: Option<u32>| peer.map(|peer| Passed { peer, bytes });
        body.pass(tags.0, with(low), with(high));
        body.pass(tags.1, with(high), with(low));
    }

    /// The right-hand side: one axis after the other, the third within the rank.
    fn right_hand_side(&self, body: &mut Body, nz: u32, work: f64) {
        self.faces(body, nz, 0);
        body.work(work / 3.0);
        self.faces(body, nz, 1);
        body.work(work * 2.0 / 3.0);
    }

    /// A time step; `norm` where its last one compares norms.
    fn step(&self, body: &mut Body, nz: u32, work: f64, norm: Option<Everywhere>) {
        let planes = nz - 2;
        let plane = SWEEP * work / f64::from(planes);
        body.repeat(planes, |body| self.lower(body, plane));
        body.repeat(planes, |body| self.upper(body, plane));
        body.call(norm);
        self.right_hand_side(body, nz, RIGHT_HAND_SIDE * work);
        body.call(norm);
    }
}

fn receive(body: &mut Body, peer: Option<u32>, tag: u32, bytes: u64) {
    if let Some(peer) = peer {
        body.receive(peer, tag, bytes);
    }
}

fn send(body: &mut Body, peer: Option<u32>, tag: u32, bytes: u64) {
    if let Some(peer) = peer {
        body.send(peer, tag, bytes);
    }
}

/// Operations of a time step (`lu.f`, main program).
fn per_step(n: f64) -> f64 {
    1984.77 * n * n * n - 10_923.3 * n * n + 27_770.9 * n - 144_010.0
}

/// The whole program computes the forcing term, makes one step to warm up, and restarts; what it computes from the
/// surface integral after the clock has stopped (at most three small messages a rank) is left out.
fn make(setup: &Setup) -> Outcome<Programs> {
    let n = extent(setup.class);
    let counted = per_step(n.into());

    let mut calls = setup.calls();
    let norm = calls.world(Collective::Allreduce, POINT)?;
    let barrier = if setup.whole { calls.world(Collective::Barrier, 0)? } else { None };
    let slowest = if setup.whole { calls.world(Collective::Allreduce, 8)? } else { None };

    setup.weave(calls, counted * f64::from(setup.iterations), |rank, body| {
        let part = Part::new(n, setup.ranks, rank);
        let work = counted * f64::from(part.nx) * f64::from(part.ny) / f64::from(n).powi(2);
        let begin = |body: &mut Body| {
            part.right_hand_side(body, n, RIGHT_HAND_SIDE * work);
            body.call(norm);
            body.call(barrier);
        };
        if setup.whole {
            part.right_hand_side(body, n, RIGHT_HAND_SIDE * work);
            begin(body);
            part.step(body, n, work, None);
            body.call(slowest);
            begin(body);
        }
        body.repeat(setup.iterations - 1, |body| part.step(body, n, work, None));
        part.step(body, n, work, norm);
        body.call(slowest);
    })
}
