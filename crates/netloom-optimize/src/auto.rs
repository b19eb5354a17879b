//! The default: the exact construction where one applies, else the strongest search; the best of both.

use netloom_model::Outcome;

use crate::anneal::{self, Cooling, RESTARTS, SWAPS, best_of};
use crate::problem::Budget;
use crate::row::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::Found;
use crate::{gather, grid};

pub const ROW: OptimiserRow = OptimiserRow {
    name: "auto",
    aliases: &["default"],
    summary: "The best of the grid method where it applies, guided annealing from the start, and a refinement of a start, or of what gather makes, that is already good.",
    params: &[SWAPS, SEED, RESTARTS],
    example: "auto(swaps=100000)",
    restrictions: "",
    source: "a composition of grid, gather and guided",
    build: Optimiser { run, leads: true },
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
    let groups = gathered(run);
    let polished = anneal::search(run, &boxed.slot_of_rank, &polish, swaps / 2, Budget::Swaps);
    let searched = anneal::search(run, start, &Cooling::guided(1.0), swaps - swaps / 2, run.budget);
    Ok(best_of([boxed, polished, searched].into_iter().chain(groups).collect()))
}

/// Groups of ranks, if there is something that they can share and they are better than the start.
fn gathered(run: &Run<'_>) -> Option<Found> {
    gather::applies(run.prepared).then(|| gather::better(run, None)).flatten()
}

/// A search; and a start, or groups of ranks, that it cannot beat, because a hot search destroys their order, are refined
/// instead.
fn search(run: &Run<'_>, start: &[u32], polish: &Cooling, swaps: u64) -> Found {
    let hot = Cooling::guided(1.0);
    let gathered = gathered(run);
    let polished = |swaps, budget| match &gathered {
        Some(groups) => gather::continued(run, anneal::search(run, &groups.slot_of_rank, polish, swaps, budget)),
        None => anneal::search(run, start, polish, swaps, budget),
    };
    if run.budget == Budget::UntilStopped {
        // The refinement comes first, while there is time.
        let first = polished(swaps / 8, Budget::Swaps);
        return best_of(vec![first, anneal::search(run, start, &hot, swaps, run.budget)]);
    }
    let searched = anneal::search(run, start, &hot, swaps, run.budget);
    let unbeaten = gathered.as_ref().map_or(searched.slot_of_rank == start, |groups| groups.value < searched.value);
    if !unbeaten || searched.value <= run.bound {
        return searched;
    }
    if run.progress.stopped() {
        return gathered.unwrap_or(searched);
    }
    best_of(vec![searched, polished(swaps / 2, run.budget)])
}
