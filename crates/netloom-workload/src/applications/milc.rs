//! MILC's `su3_rmd`, lattice quantum chromodynamics: in every step of its conjugate gradients a rank exchanges the faces
//! of its lattice with eight neighbours in four dimensions, and all sum up one number.

use netloom_model::{Bound, Collective, Fault, Kind, Outcome, Param, Programs};

use super::legal::{Legal, MOST_RANKS, cut, given_grid};
use super::row::{Application, ApplicationRow, STEPS, TEMPLATE, size};
use super::weave::{Body, Setup};
use crate::patterns::whole_bytes;

/// Space and time.
const AXES: usize = 4;
const EXTENTS: Kind = Kind::Ints { min: 1, max: MOST_RANKS as i64, least: AXES, most: AXES };

pub(crate) const MILC: ApplicationRow = ApplicationRow {
    name: "milc",
    aliases: &["su3_rmd"],
    summary: "Lattice QCD: faces with eight neighbours on a closed grid in four dimensions, an allreduce of one number.",
    params: &[
        Param::optional(
            "grid",
            EXTENTS,
            "",
            "ranks along each of four axes, last one fastest; else near to each other",
        ),
        STEPS,
        Param::optional("sites", EXTENTS, "4,4,8,8", "points of a rank's lattice along each axis").keyword_only(),
        size("site_bytes", "24", "bytes of a point of a face; 24: three complex numbers of single precision"),
        size("sum_bytes", "8", "bytes of the allreduce; 0 leaves it out"),
    ],
    example: "milc",
    restrictions: "the product of the grid; without a grid any number up to 1048576",
    source: "Jain 2016 §3.1.4 (4 × 4 × 8 × 8 points a rank, 8-byte sums; grid and bytes of a face are not given there)",
    build: Application { legal: Legal::of_grid, make, ..TEMPLATE.build },
};

/// O(ranks).
fn make(setup: &Setup) -> Outcome<Programs> {
    let bound = setup.bound;
    let grid = given_grid(bound).unwrap_or_else(|| cut([1; AXES], setup.ranks).to_vec());
    let sites = bound.ints("sites");
    let faces = faces(bound, &sites)?;
    let mut calls = setup.calls();
    let sum = match whole_bytes(bound, "sum_bytes")? {
        0 => None,
        bytes => calls.world(Collective::Allreduce, bytes)?,
    };
    setup.weave(calls, 0.0, |_, body| {
        body.repeat(setup.iterations, |body| {
            halo(body, &grid, &faces);
            body.call(sum);
        });
    })
}

/// Bytes of the face across each axis.
fn faces(bound: &Bound, sites: &[i64]) -> Outcome<Vec<u64>> {
    let bytes = whole_bytes(bound, "site_bytes")?;
    let volume = sites.iter().fold(u128::from(bytes), |product, s| product.saturating_mul(*s as u128));
    let too_large = || -> Fault { bound.fault("sites", "a lattice of at most 2^53 bytes on each rank") };
    if volume > 1 << 53 {
        return Err(too_large().into());
    }
    Ok(sites.iter().map(|s| (volume / *s as u128) as u64).collect())
}

/// Both faces along every axis that more than one rank shares: all receives, all sends, then the end of all.
fn halo(body: &mut Body, grid: &[u32], faces: &[u64]) {
    let mut partners = Vec::with_capacity(2 * grid.len());
    let mut stride = 1;
    for ((axis, &extent), &bytes) in (0..grid.len() as u32).zip(grid).zip(faces).rev() {
        if extent > 1 {
            let at = body.rank / stride % extent;
            let base = body.rank - at * stride;
            let [up, down] = [(at + 1) % extent, (at + extent - 1) % extent].map(|x| base + x * stride);
            partners.push((up, down, 2 * axis, bytes));
            partners.push((down, up, 2 * axis + 1, bytes));
        }
        stride *= extent;
    }
    for (_, from, tag, bytes) in &partners {
        body.start_receive(*from, *tag, *bytes);
    }
    for (to, _, tag, bytes) in &partners {
        body.start_send(*to, *tag, *bytes);
    }
    body.wait_all();
}
