//! The default: the exact construction where one applies, else the strongest search; the best of both.

use netloom_model::Outcome;

use crate::anneal::{self, Cooling, RESTARTS, SWAPS, best_of};
use crate::grid;
use crate::problem::Budget;
use crate::registry::{OptimiserRow, Run, SEED};
use crate::walk::Found;

pub const ROW: OptimiserRow = OptimiserRow {
    name: "auto",
    aliases: &["default"],
    summary: "The grid method where it applies, then guided annealing from the start and from what the grid gave; the best.",
    params: &[SWAPS, SEED, RESTARTS],
    example: "auto(swaps=100000)",
    restrictions: "",
    source: "a composition of grid and guided",
    run,
};

/// First temperature when a grid mapping is polished, in first temperatures of a search.
const POLISH: f64 = 0.25;

fn run(run: &Run<'_>) -> Outcome<Found> {
    let swaps = anneal::swaps(run);
    let start = &run.prepared.slot_of_rank;
    let Some(boxed) = grid::find(run, grid::TRIES) else {
        return Ok(anneal::search(run, start, &Cooling::guided(1.0), swaps, run.budget));
    };
    if boxed.value <= run.bound || run.progress.stopped() {
        return Ok(boxed);
    }
    let polish = Cooling::guided(POLISH);
    let polished = anneal::search(run, &boxed.slot_of_rank, &polish, swaps / 2, Budget::Swaps);
    let searched = anneal::search(run, start, &Cooling::guided(1.0), swaps - swaps / 2, run.budget);
    Ok(best_of(vec![boxed, polished, searched]))
}
