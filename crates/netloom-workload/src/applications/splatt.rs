//! SPLATT's decomposition of a sparse tensor of three modes into factors: for every mode, ranks that hold the same rows of
//! its factor send their parts of the rows to the owners, who send the new rows back, and all sum up small matrices.

use netloom_model::{Collective, Kind, Outcome, Param, Programs};

use super::legal::{Legal, MOST_RANKS, cut, given_grid};
use super::row::{Application, ApplicationRow, STEPS, TEMPLATE};
use super::weave::{Grid, Setup};

const MODES: usize = 3;
/// Bytes of a number.
const REAL: u64 = 8;
/// The tensor `nell-1` of the collection FROSTT (Smith et al. 2017): rows of each mode.
const NELL_1: &str = "2902330,2143368,25495389";
const NELL_1_NONZEROS: &str = "143599552";

pub(crate) const SPLATT: ApplicationRow = ApplicationRow {
    name: "splatt",
    aliases: &["cpd"],
    summary: "Factors of a sparse tensor: alltoalls of rows in the layers of a grid of ranks, small allreduces of all.",
    params: &[
        Param::optional(
            "grid",
            Kind::Ints { min: 1, max: MOST_RANKS as i64, least: MODES, most: MODES },
            "",
            "ranks along each mode, last one fastest; else primes cut the mode with the longest pieces",
        ),
        STEPS,
        Param::optional(
            "modes",
            Kind::Ints { min: 1, max: 1 << 40, least: MODES, most: MODES },
            NELL_1,
            "rows of each mode's factor",
        )
        .keyword_only(),
        Param::optional("nonzeros", Kind::Int { min: 1, max: 1 << 50 }, NELL_1_NONZEROS, "numbers in the tensor")
            .keyword_only(),
        Param::optional("columns", Kind::Int { min: 1, max: 1 << 16 }, "10", "columns of the factors").keyword_only(),
    ],
    example: "splatt",
    restrictions: "the product of the grid; without a grid any number up to 1048576",
    source: "Swartvagher 2023 §4.2 (nell-1 on 1,024 ranks: 8 communicators of 256, 64 of 16); Smith and Karypis 2016 \
             (medium-grained decomposition); FROSTT, Smith et al. 2017 (the tensor); columns are not given there",
    build: Application { legal: Legal::of_grid, make, ..TEMPLATE.build },
};

/// The program's alltoallv has counts that depend on the nonzeros. Here every rank has equally many, no two in one row, up
/// to all rows of its layer, and rows are owned evenly: the most that even shares give. O(ranks).
fn make(setup: &Setup) -> Outcome<Programs> {
    let bound = setup.bound;
    let modes = bound.ints("modes");
    let rows: [u64; MODES] = std::array::from_fn(|mode| modes[mode] as u64);
    let grid = given_grid(bound).unwrap_or_else(|| cut(rows, setup.ranks).to_vec());
    let ranks = u64::from(setup.ranks);
    let held = (bound.int("nonzeros") as u64).div_ceil(ranks);
    let columns = bound.int("columns") as u64;

    let mut calls = setup.calls();
    let mut stride = setup.ranks;
    let mut updates = Vec::with_capacity(MODES);
    for (extent, rows) in grid.iter().zip(rows) {
        stride /= extent;
        let layer = ranks / u64::from(*extent);
        let touched = rows.div_ceil(u64::from(*extent)).min(held);
        let each = touched.div_ceil(layer) * columns * REAL;
        updates.push(calls.each(Collective::Alltoall, each, 0, Grid::Layers { stride, extent: *extent })?);
    }
    let products = calls.world(Collective::Allreduce, columns * columns * REAL)?;
    let norms = calls.world(Collective::Allreduce, columns * REAL)?;
    let fit = calls.world(Collective::Allreduce, REAL)?;
    setup.weave(calls, 0.0, |_, body| {
        body.repeat(setup.iterations, |body| {
            for update in &updates {
                body.call(*update);
                body.call(norms);
                body.call(*update);
                body.call(products);
            }
            body.call(fit);
        });
    })
}
