//! FT: the three-dimensional Fourier transform. Every transform moves the whole array once (slabs) or twice (pencils).

use netloom_model::{Collective, Outcome, Programs};

use super::class::{Class, class_of};
use super::legal::{Legal, powers};
use super::row::{Application, ApplicationRow, TEMPLATE};
use super::weave::{Body, Everywhere, Grid, Setup};

pub(crate) const FT: ApplicationRow = ApplicationRow {
    name: "ft",
    aliases: &["npb:ft"],
    summary: "Fourier transform in three dimensions: an alltoall per transform, a small reduction per iteration.",
    example: "ft(class=A)",
    restrictions: "a power of two, at most the square of the grid's last extent (S 4096, W 1024)",
    build: Application {
        iterations: |bound| class_of(bound).of([6, 6, 6, 20, 20]),
        legal: |bound| Legal::List(powers(u64::from(grid(class_of(bound))[2]).pow(2))),
        make,
    },
    ..TEMPLATE
};

/// Bytes of a complex number.
const COMPLEX: u64 = 16;
/// Operations per grid point, of which those with the logarithm are the transform's: `ft.f`, main program.
const SETUP: f64 = 14.8157;
const FORWARD: f64 = 7.19641;
const EVOLVE: f64 = 5.23518;
const INVERSE: f64 = 7.21113;

fn grid(class: Class) -> [u32; 3] {
    class.of([[64, 64, 64], [128, 128, 32], [256, 256, 128], [512, 256, 256], [512, 512, 512]])
}

/// Transposition among ranks with the same z-slab, and among the others; slabs have the second alone.
struct Transposes {
    within: Option<Everywhere>,
    across: Option<Everywhere>,
}

fn make(setup: &Setup) -> Outcome<Programs> {
    let [nx, ny, nz] = grid(setup.class);
    let points = f64::from(nx) * f64::from(ny) * f64::from(nz);
    let share_bytes = COMPLEX * u64::from(nx) * u64::from(ny) * u64::from(nz) / u64::from(setup.ranks);
    let columns = if setup.ranks <= nz { 1 } else { nz };
    let rows = setup.ranks / columns;

    let mut calls = setup.calls();
    let bytes = |group: u32| share_bytes / u64::from(group);
    let transposes = Transposes {
        within: calls.each(Collective::Alltoall, bytes(columns), 0, Grid::Layers { stride: 1, extent: rows })?,
        across: calls.each(Collective::Alltoall, bytes(rows), 0, Grid::Lines { stride: 1, extent: rows })?,
    };
    let checksum = calls.world(Collective::Reduce, COMPLEX)?;
    let barrier = if setup.whole { calls.world(Collective::Barrier, 0)? } else { None };

    let logarithm = points.ln();
    let share = points / f64::from(setup.ranks);
    let axes = [nx, ny, nz].map(|n| f64::from(n).ln() * share);
    let iterations = f64::from(setup.iterations);
    let counted = points * (SETUP + FORWARD * logarithm + (EVOLVE + INVERSE * logarithm) * iterations);
    setup.weave(calls, counted, |_, body| {
        let start = |body: &mut Body| {
            body.work(SETUP * share);
            forward(body, &transposes, axes);
        };
        if setup.whole {
            start(body);
            body.call(barrier);
        }
        start(body);
        body.repeat(setup.iterations, |body| {
            body.work(EVOLVE * share);
            inverse(body, &transposes, axes);
            body.call(checksum);
        });
    })
}

fn forward(body: &mut Body, transposes: &Transposes, [x, y, z]: [f64; 3]) {
    body.work(FORWARD * x);
    body.call(transposes.within);
    body.work(FORWARD * y);
    body.call(transposes.across);
    body.work(FORWARD * z);
}

fn inverse(body: &mut Body, transposes: &Transposes, [x, y, z]: [f64; 3]) {
    body.work(INVERSE * z);
    body.call(transposes.across);
    body.work(INVERSE * y);
    body.call(transposes.within);
    body.work(INVERSE * x);
}
