//! The ranks and the machine halved together, again and again (dual recursive bisection, Pellegrini and Roman 1996).
//!
//! The machine is halved along its own structure: between groups, along the longest axis of a grid, where few links join
//! switches, between nodes. The ranks are halved by what they send (`bisection`), or by where they are in a grid
//! (`geometric`).

mod machine;
mod nodes;
mod parts;
#[cfg(test)]
mod tests;

use netloom_model::mixed_radix::next_order;
use netloom_model::{Fault, Kind, Outcome, Param};

use crate::codes;
use crate::each::each;
use crate::problem::TracePoint;
use crate::row::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::Found;
use nodes::ByNodes;
use parts::{AsGiven, ByCoordinates, ByTraffic, Parts, Split};

pub const ROW: OptimiserRow = OptimiserRow {
    name: "bisection",
    aliases: &["multilevel"],
    summary: "Halves the ranks, so that few bytes cross, and the machine, again and again; then pairs of parts exchange ranks.",
    params: &[
        Param::optional(
            "tries",
            Kind::Int { min: 1, max: 4096 },
            "2",
            "mappings that are made, of which the best counts; they use all cores",
        ),
        Param::optional(
            "spread",
            Kind::Bool,
            "false",
            "where there are more places than ranks: true gives each half its share of the ranks, false keeps them together",
        ),
        Param::optional(
            "nodes",
            Kind::Bool,
            "false",
            "true: ranks that share a node at the start stay together, and the node they get is chosen",
        ),
        SEED,
    ],
    example: "bisection(tries=4)",
    restrictions: "",
    source: "dual recursive bisection of Pellegrini and Roman 1996; cuts after Karypis and Kumar 1998 and Fiduccia and Mattheyses 1982",
    build: Optimiser { run: by_traffic, leads: false },
};

pub const GEOMETRIC: OptimiserRow = OptimiserRow {
    name: "geometric",
    aliases: &["coordinate-bisection"],
    summary: "Halves the grid of the ranks along its longest extent, and the machine, again and again.",
    params: &[Param::optional(
        "tries",
        Kind::Int { min: 1, max: 4096 },
        "24",
        "orders of the axes that are tried: which of equal extents is halved first",
    )],
    example: "geometric(tries=6)",
    restrictions: "a stencil pattern",
    source: "Deveci 2014",
    build: Optimiser { run: by_coordinates, leads: false },
};

/// The start is improved too, unless it is worse than this many times the best of the others: exchanges between parts, from a
/// poor start as long as a cut, do not catch up with it.
const NEAR: f64 = 1.5;

/// O(tries × edges log edges × log ranks).
fn by_traffic(run: &Run<'_>) -> Outcome<Found> {
    let seeds: Vec<u64> = (0..run.args.int("tries").max(1) as u64).map(|i| run.seed().wrapping_add(i)).collect();
    let (nodes, spread) = (run.args.bool("nodes"), run.args.bool("spread"));
    if nodes && spread {
        let place = format!("{}.spread", run.args.owner);
        let fault = Fault::new(&netloom_model::fault::codes::BAD_VALUE, place, "false with nodes=true", spread);
        return Err(fault.hint("the ranks of a node stay together: leave one of both out").into());
    }
    // The start is improved too.
    run.progress.set_total(seeds.len() as u64 + u64::from(!nodes));
    if nodes {
        let made: Vec<Vec<u32>> = seeds.into_iter().filter_map(|seed| arranged(run, seed)).collect();
        return Ok(best(run, rated(run, &made)));
    }
    let cut = |seed: u64| made(run, seed, &mut ByTraffic::new(seed, run.prepared.slots(), spread), !spread);
    let cuts: Vec<Vec<u32>> = each(seeds, 1, cut);
    let mut found = rated(run, &cuts);
    let least = found.iter().map(|one| one.value).min().unwrap_or(u64::MAX);
    if run.objective.value() as f64 <= NEAR * least as f64 {
        let kept = made(run, run.seed(), &mut AsGiven, !spread);
        found.extend(rated(run, &[kept]));
    }
    Ok(best(run, found))
}

/// Slot of every rank: halves, and then exchanges between parts, which would draw spread ranks together.
fn made(run: &Run<'_>, seed: u64, split: &mut dyn Split, exchange: bool) -> Vec<u32> {
    let mut parts = Parts::new(run.prepared, seed);
    parts.halve(split, run.progress);
    if exchange {
        parts.exchange(run.progress);
    }
    run.progress.add(1);
    parts.slot_of_rank()
}

/// Slot of every rank, those of a node at the start on one node again; none where nodes of unequal size do not fit.
fn arranged(run: &Run<'_>, seed: u64) -> Option<Vec<u32>> {
    let mut split = ByNodes::new(seed, run.prepared.slots());
    let slots = made(run, seed, &mut split, false);
    split.whole().then_some(slots)
}

/// O(tries × ranks log² ranks).
fn by_coordinates(run: &Run<'_>) -> Outcome<Found> {
    let ranks = u64::from(run.prepared.ranks());
    let grid = run.prepared.problem.traffic.grid.as_ref().map(|(dims, _)| dims);
    let Some(dims) = grid.filter(|dims| dims.iter().map(|d| u64::from(*d)).product::<u64>() == ranks) else {
        let sentence = "the traffic does not come from a grid of ranks";
        return Err(Fault::say(&codes::NO_GRID, run.prepared.problem.network.label(), sentence)
            .hint("use bisection, which needs no grid")
            .into());
    };
    let mut order: Vec<usize> = (0..dims.len()).collect();
    let mut orders = vec![order.clone()];
    while (orders.len() as i64) < run.args.int("tries") && next_order(&mut order) {
        orders.push(order.clone());
    }
    run.progress.set_total(orders.len() as u64);
    let one = |order: Vec<usize>| {
        let mut parts = Parts::new(run.prepared, 0);
        parts.halve(&mut ByCoordinates { dims: dims.clone(), order }, run.progress);
        run.progress.add(1);
        parts.slot_of_rank()
    };
    let made: Vec<Vec<u32>> = each(orders, 1, one);
    Ok(best(run, rated(run, &made)))
}

/// Mappings with their values; fewer once the caller wants an end.
fn rated(run: &Run<'_>, made: &[Vec<u32>]) -> Vec<Found> {
    made.iter().take_while(|_| !run.progress.stopped()).map(|slots| run.walk_from(slots).finish()).collect()
}

/// The best of several, the first of equals; the start if none is better.
fn best(run: &Run<'_>, made: Vec<Found>) -> Found {
    let start = run.walk().finish();
    let tried = made.len() as u64;
    let found = made.into_iter().reduce(|best, next| if next.value < best.value { next } else { best });
    match found.filter(|found| found.value < start.value) {
        Some(best) => {
            let end = TracePoint { evaluations: tried, value: best.value };
            Found { evaluations: tried, accepted: 1, trace: vec![start.trace[0], end], ..best }
        }
        None => start,
    }
}
