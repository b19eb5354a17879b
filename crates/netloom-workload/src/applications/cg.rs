//! CG: the smallest eigenvalue of a sparse matrix by conjugate gradients. Ranks form a grid of rows × columns, either
//! square or twice as wide; sums run along the rows, then vectors are transposed.

use netloom_model::{Collective, Outcome, Programs};

use super::class::class_of;
use super::legal::{Legal, RANK_LIMIT, powers};
use super::row::{Application, ApplicationRow, TEMPLATE};
use super::weave::{Body, Passed, Setup};

pub(crate) const CG: ApplicationRow = ApplicationRow {
    name: "cg",
    aliases: &["npb:cg"],
    summary: "Conjugate gradient: 8-byte sums and pieces of vectors between ranks of a row, and transposed vectors.",
    example: "cg(class=A)",
    restrictions: "a power of two up to 131072",
    build: Application {
        iterations: |bound| class_of(bound).of([15, 15, 15, 75, 75]),
        legal: |_| Legal::List(powers(RANK_LIMIT.into())),
        make,
    },
    ..TEMPLATE
};

/// Steps of the conjugate gradient method per iteration (`cgitmax`).
const STEPS: u32 = 25;
/// Bytes of a number.
const REAL: u64 = 8;

/// One rank's place in the grid, and its exchanges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Partners of the sums along the row, farthest first, with the tags 1, 2, ...
    pub partners: Vec<u32>,
    pub transposed: u32,
    /// Elements: of the piece that this rank sums up and sends on, of its other part, and of what comes transposed.
    pub own: u64,
    pub other: u64,
    pub arriving: u64,
}

/// Rows and columns of the grid of ranks.
fn grid(ranks: u32) -> (u32, u32) {
    let rows = 1 << (ranks.ilog2() / 2);
    (rows, ranks / rows)
}

/// Part `at` of `parts` of `n`: the first `n mod parts` are longer by one.
fn part(n: u64, parts: u32, at: u32) -> u64 {
    n / u64::from(parts) + u64::from(u64::from(at) < n % u64::from(parts))
}

pub(crate) fn place(n: u64, ranks: u32, rank: u32) -> Place {
    let (rows, columns) = grid(ranks);
    let (row, column) = (rank / columns, rank % columns);
    let length = part(n, rows, row);
    let partners = std::iter::successors(Some(columns), |span| Some(span / 2))
        .take_while(|span| *span > 1)
        .map(|span| row * columns + (column + span / 2) % span + column / span * span)
        .collect();
    if rows == columns {
        let transposed = rank % rows * rows + rank / rows;
        return Place { partners, transposed, own: length, other: length, arriving: part(n, columns, column) };
    }
    // Two neighbours share the transposed part of one row: the even one has the longer half.
    let half = |whole: u64| if rank.is_multiple_of(2) { whole.div_ceil(2) } else { whole / 2 };
    let pair = rank / 2;
    let transposed = 2 * (pair % rows * rows + pair / rows) + rank % 2;
    let own = half(length);
    Place { partners, transposed, own, other: length - own, arriving: half(part(n, columns / 2, column / 2)) }
}

/// The 8-byte sum (`numbers` of them at once): with every partner in turn.
fn sum(body: &mut Body, place: &Place, numbers: u64) {
    for (partner, tag) in place.partners.iter().zip(1..) {
        let both = Some(Passed { peer: *partner, bytes: numbers * REAL });
        body.pass(tag, both, both);
    }
}

/// Product with the matrix: local part, sum of the pieces along the row (nearest partner first), transposition.
fn product(body: &mut Body, place: &Place, work: f64) {
    body.work(work);
    for (at, partner) in place.partners.iter().enumerate().rev() {
        let nearest = at + 1 == place.partners.len();
        let sent = if nearest { place.other } else { place.own };
        let with = |numbers: u64| Some(Passed { peer: *partner, bytes: numbers * REAL });
        body.pass(at as u32 + 1, with(place.own), with(sent));
    }
    if !place.partners.is_empty() {
        let with = |numbers: u64| Some(Passed { peer: place.transposed, bytes: numbers * REAL });
        body.pass(1, with(place.arriving), with(place.own));
    }
}

/// Counted are 2·n·(3 + m + 25·(5 + m) + 3) operations an iteration, m = nonzer·(nonzer + 1): every rank does its share,
/// m for a product with the matrix, one for a product or an update of vectors.
fn make(setup: &Setup) -> Outcome<Programs> {
    let n = setup.class.of([1400u64, 7000, 14_000, 75_000, 150_000]);
    let nonzer = setup.class.of([7.0, 8.0, 11.0, 13.0, 15.0]);
    let matrix: f64 = nonzer * (nonzer + 1.0);
    let per_iteration = 2.0 * n as f64 * (3.0 + matrix + f64::from(STEPS) * (5.0 + matrix) + 3.0);
    let unit = 2.0 * n as f64 / f64::from(setup.ranks);

    let mut calls = setup.calls();
    let barrier = if setup.whole { calls.world(Collective::Barrier, 0)? } else { None };
    let slowest = if setup.whole { calls.world(Collective::Reduce, 8)? } else { None };

    let iteration = |body: &mut Body, place: &Place| {
        body.work(unit);
        sum(body, place, 1);
        body.repeat(STEPS, |body| {
            product(body, place, matrix * unit);
            body.work(unit);
            sum(body, place, 1);
            body.work(3.0 * unit);
            sum(body, place, 1);
            body.work(unit);
        });
        product(body, place, matrix * unit);
        body.work(2.0 * unit);
        sum(body, place, 1);
        body.work(2.0 * unit);
        sum(body, place, 2);
        body.work(unit);
    };
    setup.weave(calls, per_iteration * f64::from(setup.iterations), |rank, body| {
        let place = place(n, setup.ranks, rank);
        if setup.whole {
            iteration(body, &place);
            body.call(barrier);
        }
        body.repeat(setup.iterations, |body| iteration(body, &place));
        body.call(slowest);
    })
}
