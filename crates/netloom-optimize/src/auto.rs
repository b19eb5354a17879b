//! The default: the exact construction where one applies, else the strongest search; the best of both.

use netloom_model::Outcome;

use crate::anneal::{self, Cooling, RESTARTS, SWAPS, best_of};
use crate::grid;
use crate::problem::Budget;
use crate::registry::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::Found;

pub const ROW: OptimiserRow = OptimiserRow {
    name: "auto",
    aliases: &["default"],
    summary: "The best of the grid method where it applies, guided annealing from the start, and a refinement of a start that is already good.",
    params: &[SWAPS, SEED, RESTARTS],
    example: "auto(swaps=100000)",
    restrictions: "",
    source: "a composition of grid and guided",
    build: Optimiser { run },
};

/// First temperature when a good mapping is refined, relative to that of a search.
const POLISH: f64 = 0.25;

fn run(run: &Run<'_>) -> Outcome<Found> {
    let swaps = anneal::swaps(run);
    let start = &run.prepared.slot_of_rank;
    let polish = Cooling::guided(POLISH);
    let Some(boxed) = grid::find(run, grid::TRIES) else {
        return Ok(search(run, start, &polish, swaps));
    };
    if boxed.value <= run.bound || run.progress.stopped() {
        return Ok(boxed);
    }
    let polished = anneal::search(run, &boxed.slot_of_rank, &polish, swaps / 2, Budget::Swaps);
    let searched = anneal::search(run, start, &Cooling::guided(1.0), swaps - swaps / 2, run.budget);
    Ok(best_of(vec![boxed, polished, searched]))
}

/// A search; and a start that it cannot beat, because a hot search destroys the order of the start, is refined instead.
fn search(run: &Run<'_>, start: &[u32], polish: &Cooling, swaps: u64) -> Found {
    let hot = Cooling::guided(1.0);
    if run.budget == Budget::UntilStopped {
        // The refinement comes first, while there is time.
        let polished = anneal::search(run, start, polish, swaps / 8, Budget::Swaps);
        return best_of(vec![polished, anneal::search(run, start, &hot, swaps, run.budget)]);
    }
    let searched = anneal::search(run, start, &hot, swaps, run.budget);
    if searched.slot_of_rank != start || searched.value <= run.bound || run.progress.stopped() {
        return searched;
    }
    best_of(vec![searched, anneal::search(run, start, polish, swaps / 2, run.budget)])
}
