//! The ranks and the machine halved together, again and again (dual recursive bisection, Pellegrini and Roman 1996).
//!
//! The machine is halved along its own structure: between groups, along the longest axis of a grid, where few links join
//! switches, between nodes; or where its links are few. The ranks are halved by what they send, by where they are in a grid
//! (`geometric`), or as they are given. Parts of the ranks matched with parts of the machine one to one are Chizu's way (Jain 2016).

mod links;
mod machine;
mod matching;
mod nodes;
mod parts;
mod recursion;
mod splits;
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
use parts::Parts;
use recursion::{After, Recursion};
use splits::{AsGiven, ByCoordinates, ByTraffic, Split};

const MACHINE: Param = Param::optional(
    "machine",
    Kind::Choice(&["structure", "links"]),
    "structure",
    "how the machine is cut: structure (between groups, along axes, between switches and nodes) or links (where links \
     between switches are few, by the cut that ranks take)",
)
.keyword_only();

const PARTS: Param = Param::optional(
    "parts",
    Kind::Int { min: 2, max: 64 },
    "2",
    "parts that each part is cut into, of ranks and machine alike, again and again",
)
.keyword_only();

const AFTER: [&str; 3] = ["exchange", "match", "nothing"];

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
        Param::optional(
            "ranks",
            Kind::Choice(&["traffic", "coordinates", "given"]),
            "traffic",
            "how the ranks are cut: traffic (few bytes across), coordinates (along the grid of a stencil pattern) or given (as they \
             are placed at the start)",
        )
        .keyword_only(),
        MACHINE,
        PARTS,
        Param::optional(
            "after",
            Kind::Choice(&AFTER),
            "",
            "exchange: pairs of parts exchange ranks in the end (default); match: ranks are cut without a look at the machine, then \
             their parts are matched with those of the machine, one to one; nothing: as they are cut (default with spread, nodes)",
        )
        .keyword_only(),
        SEED,
    ],
    example: "bisection(tries=4)",
    restrictions: "",
    source: "dual recursive bisection of Pellegrini and Roman 1996; cuts after Karypis and Kumar 1998 and Fiduccia and Mattheyses 1982; \
             parts matched one to one: Jain 2016, section 2.3 (Chizu)",
    build: Optimiser { run: by_traffic, leads: false },
};

pub const GEOMETRIC: OptimiserRow = OptimiserRow {
    name: "geometric",
    aliases: &["coordinate-bisection"],
    summary: "Halves the grid of the ranks along its longest extent, and the machine, again and again.",
    params: &[
        Param::optional(
            "tries",
            Kind::Int { min: 1, max: 4096 },
            "24",
            "orders of the axes that are tried: which of equal extents is halved first",
        ),
        MACHINE,
        PARTS,
        Param::optional("after", Kind::Choice(&AFTER), "nothing", "as that of bisection").keyword_only(),
        SEED,
    ],
    example: "geometric(tries=6)",
    restrictions: "a stencil pattern",
    source: "Deveci 2014",
    build: Optimiser { run: by_coordinates, leads: false },
};

/// The start is improved too, unless it is worse than this many times the best of the others: exchanges between parts, from a
/// poor start as long as a cut, do not catch up with it.
const NEAR: f64 = 1.5;

fn by_traffic(run: &Run<'_>) -> Outcome<Found> {
    let after = after(run)?;
    match run.args.text("ranks") {
        "coordinates" => along_axes(run, after),
        "given" => Ok(as_given(run, after)),
        _ => Ok(cut_by_traffic(run, after)),
    }
}

fn by_coordinates(run: &Run<'_>) -> Outcome<Found> {
    along_axes(run, after(run)?)
}

/// What follows the cuts, unless the arguments contradict each other.
fn after(run: &Run<'_>) -> Outcome<After> {
    let args = &run.args;
    let (ranks, after) = (args.text("ranks"), args.text("after"));
    let own = ["spread", "nodes"].into_iter().find(|name| args.bool(name));
    let fault = |name: &str, expected: String, got: &str, hint: &str| {
        let place = format!("{}.{name}", args.owner);
        Err(Fault::new(&netloom_model::fault::codes::BAD_VALUE, place, expected, got).hint(hint).into())
    };
    match (own, after) {
        _ if args.bool("nodes") && args.bool("spread") => {
            let hint = "the ranks of a node stay together: leave one of both out";
            fault("spread", "false with nodes=true".into(), "true", hint)
        }
        (Some(own), _) if ranks != "traffic" => {
            let hint = format!("only ranks cut by traffic know {own}: leave one of both out");
            fault(own, format!("false with ranks={ranks}"), "true", &hint)
        }
        (Some(own), "exchange") => {
            let hint = format!("exchanges of single ranks would undo {own}: leave one of both out");
            fault("after", format!("match or nothing with {own}=true"), "exchange", &hint)
        }
        (_, "nothing") if ranks == "given" => {
            let hint = "the ranks would stay where they are: take exchange or match";
            fault("after", "exchange or match with ranks=given".into(), "nothing", hint)
        }
        (_, "match") => Ok(After::Match),
        (Some(_), _) | (_, "nothing") => Ok(After::Nothing),
        _ => Ok(After::Exchange),
    }
}

fn how(run: &Run<'_>, seed: u64, after: After) -> Recursion {
    Recursion { seed, links: run.args.text("machine") == "links", pieces: run.args.size("parts"), after }
}

fn seeds(run: &Run<'_>) -> Vec<u64> {
    (0..run.args.int("tries").max(1) as u64).map(|i| run.seed().wrapping_add(i)).collect()
}

/// O(tries × edges log edges × log ranks).
fn cut_by_traffic(run: &Run<'_>, after: After) -> Found {
    let (seeds, nodes, spread) = (seeds(run), run.args.bool("nodes"), run.args.bool("spread"));
    // The start is improved too.
    run.progress.set_total(seeds.len() as u64 + u64::from(!nodes));
    if nodes {
        let made: Vec<Vec<u32>> = seeds.into_iter().filter_map(|seed| arranged(run, how(run, seed, after))).collect();
        return best(run, rated(run, &made));
    }
    let cut = |seed: u64| made(run, how(run, seed, after), &mut ByTraffic::new(seed, run.prepared.slots(), spread));
    let cuts: Vec<Vec<u32>> = each(seeds, 1, cut);
    let mut found = rated(run, &cuts);
    let least = found.iter().map(|one| one.value).min().unwrap_or(u64::MAX);
    if run.objective.value() as f64 <= NEAR * least as f64 {
        let kept = made(run, how(run, run.seed(), after), &mut AsGiven);
        found.extend(rated(run, &[kept]));
    }
    best(run, found)
}

/// O(tries × edges log edges × log ranks): tries differ where switches are cut by their links.
fn as_given(run: &Run<'_>, after: After) -> Found {
    let seeds = seeds(run);
    run.progress.set_total(seeds.len() as u64);
    let made: Vec<Vec<u32>> = each(seeds, 1, |seed| made(run, how(run, seed, after), &mut AsGiven));
    best(run, rated(run, &made))
}

/// Slot of every rank.
fn made(run: &Run<'_>, how: Recursion, split: &mut dyn Split) -> Vec<u32> {
    let mut parts = Parts::new(run.prepared, how);
    parts.cut(split, run.progress);
    run.progress.add(1);
    parts.slot_of_rank()
}

/// Slot of every rank, those of a node at the start on one node again; none where nodes of unequal size do not fit.
fn arranged(run: &Run<'_>, how: Recursion) -> Option<Vec<u32>> {
    let mut split = ByNodes::new(how.seed, run.prepared.slots());
    let slots = made(run, how, &mut split);
    split.whole().then_some(slots)
}

/// O(tries × ranks log² ranks).
fn along_axes(run: &Run<'_>, after: After) -> Outcome<Found> {
    let ranks = u64::from(run.prepared.ranks());
    let grid = run.prepared.problem.traffic.grid.as_ref().map(|(dims, _)| dims);
    let Some(dims) = grid.filter(|dims| dims.iter().map(|d| u64::from(*d)).product::<u64>() == ranks) else {
        let sentence = "the traffic does not come from a grid of ranks";
        let hint = "use bisection(ranks=traffic), which needs no grid";
        return Err(Fault::say(&codes::NO_GRID, run.prepared.problem.network.label(), sentence).hint(hint).into());
    };
    let mut order: Vec<usize> = (0..dims.len()).collect();
    let mut orders = vec![order.clone()];
    while (orders.len() as i64) < run.args.int("tries") && next_order(&mut order) {
        orders.push(order.clone());
    }
    run.progress.set_total(orders.len() as u64);
    let one = |order| made(run, how(run, run.seed(), after), &mut ByCoordinates { dims: dims.clone(), order });
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
