//! Simulated annealing, plain and guided.
//!
//! Plain annealing exchanges a random rank with the holder of a random slot, which at low temperature is almost always
//! refused. The guided method proposes moves that can help: it takes a rank, one of its partners, and moves the rank to a slot
//! near that partner. At the same number of evaluations it ends lower on every case of Cui 2024 (docs/concepts/optimisers.md).
//! Metropolis' rule with a geometric temperature; the scale comes from the problem, so that hops and bytes need no tuning.

use netloom_model::{Fault, Kind, Outcome, Param, Stream};

use crate::chance::{LUCK, exp, ln, thresholds};
use crate::codes;
use crate::each::each;
use crate::objective::EXPENSIVE;
use crate::prepared::Prepared;
use crate::problem::Budget;
use crate::row::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::{Found, Walk};

/// Temperatures at the start and the end, in standard deviations of the change that a random exchange makes. Found by trial on the cases of Cui
/// 2024 (ring with 17 matchings, 1024 switches, 512 ranks): hotter wastes moves, colder freezes early.
const HOT: f64 = 0.25;
const COLD: f64 = 0.06;
/// Share of the proposals that are guided.
const GUIDE: f64 = 0.9;
/// Random moves whose changes give the scale; [`FEW`] where each takes long.
const SAMPLE: u32 = 2048;
const FEW: u32 = 64;

/// Moves if the user gives none: enough that twice as many gain about half a per cent on Cui 2024's cases.
pub const SWAPS: Param = Param::optional(
    "swaps",
    Kind::Int { min: 0, max: 1 << 40 },
    "",
    "moves that are tried; if absent 40,000 per rank, within 1 to 40 million (a 32nd of that for link objectives, 1,000 for time)",
);
pub const RESTARTS: Param = Param::optional(
    "restarts",
    Kind::Int { min: 1, max: 4096 },
    "1",
    "independent searches with that many moves each, of which the best counts; they use all cores",
)
.keyword_only();
const TEMPERATURE: Kind = Kind::Float { min: 0.0, max: 1e18 };
const T_START: Param =
    Param::optional("t_start", TEMPERATURE, "", "first temperature; if absent a quarter of the spread of random moves")
        .keyword_only();
const T_END: Param =
    Param::optional("t_end", TEMPERATURE, "", "last temperature; if absent 0.06 of the spread of random moves")
        .keyword_only();
const PATIENCE: Param = Param::optional(
    "patience",
    Kind::Int { min: 1, max: 1 << 40 },
    "",
    "moves in a row without a lower value after which a search ends; if absent it makes all its moves",
)
.keyword_only();

pub const PLAIN: OptimiserRow = OptimiserRow {
    name: "anneal",
    aliases: &["simulated-annealing", "sa"],
    summary: "Simulated annealing with exchanges of random ranks and slots, geometric cooling.",
    params: &[SWAPS, SEED, T_START, T_END, RESTARTS, PATIENCE],
    example: "anneal(swaps=100000)",
    restrictions: "",
    source: "Kirkpatrick, Gelatt and Vecchi 1983",
    build: Optimiser { run: |run| restarts(run, 0.0), leads: false },
};

pub const GUIDED: OptimiserRow = OptimiserRow {
    name: "guided",
    aliases: &["guided-anneal"],
    summary: "Simulated annealing whose moves bring a rank near one of its partners.",
    params: &[SWAPS, SEED, T_START, T_END, RESTARTS, PATIENCE],
    example: "guided(swaps=100000)",
    restrictions: "",
    source: "Kirkpatrick, Gelatt and Vecchi 1983, with proposals from the guest graph and the slots near a switch",
    build: Optimiser { run: |run| restarts(run, GUIDE), leads: false },
};

/// Moves of one search.
pub fn swaps(run: &Run<'_>) -> u64 {
    let default = default_swaps(run.prepared.ranks(), run.objective.relative_cost());
    run.args.int_or_none("swaps").map_or(default, |s| s as u64)
}

/// Moves of one search if nobody says.
pub fn default_swaps(ranks: u32, relative_cost: u64) -> u64 {
    (40_000 * u64::from(ranks)).clamp(1_000_000, 40_000_000) / relative_cost
}

fn restarts(run: &Run<'_>, guide: f64) -> Outcome<Found> {
    let (t_start, t_end) = (run.args.float("t_start"), run.args.float("t_end"));
    if run.args.is_given("t_start") && run.args.is_given("t_end") && t_end > t_start {
        return Err(Fault::new(
            &codes::TEMPERATURES,
            format!("{}.t_end", run.args.owner),
            format!("<= t_start = {t_start}"),
            t_end,
        )
        .hint("leave both out to have them chosen")
        .into());
    }
    let given = |name: &str, value: f64| run.args.is_given(name).then_some(value);
    let patience = run.args.int_or_none("patience").map_or(u64::MAX, |moves| moves as u64);
    let (start, end) = (given("t_start", t_start), given("t_end", t_end));
    let cooling = Cooling { guide, start, end, heat: 1.0, patience };
    Ok(search(run, &run.prepared.slot_of_rank, &cooling, swaps(run), run.budget))
}

/// How a search cools.
#[derive(Clone, Copy)]
pub struct Cooling {
    pub guide: f64,
    pub start: Option<f64>,
    pub end: Option<f64>,
    /// Factor on the first temperature; below 1 to refine a mapping that is already good.
    pub heat: f64,
    /// Moves in a row without a lower value after which it ends.
    pub patience: u64,
}

impl Cooling {
    pub fn guided(heat: f64) -> Cooling {
        Cooling { guide: GUIDE, start: None, end: None, heat, patience: u64::MAX }
    }
}

/// The best of several independent walks from one state, in parallel; the arguments say how many. Of equals the first.
pub fn search(run: &Run<'_>, from: &[u32], cooling: &Cooling, swaps: u64, budget: Budget) -> Found {
    let restarts = run.args.int("restarts").max(1) as u64;
    if budget == Budget::Swaps {
        run.progress.set_total(swaps.saturating_mul(restarts));
    }
    // Walks are created before they are distributed: an objective is copied by one thread.
    let walks: Vec<(u64, Walk<'_>)> = (0..restarts).map(|i| (i, run.walk_from(from))).collect();
    let one = |(i, mut walk): (u64, Walk<'_>)| {
        let name = if i == 0 { "anneal".into() } else { format!("anneal restart {i}") };
        let mut stream = Stream::new(run.seed(), &name);
        match budget {
            Budget::Swaps => anneal(&mut walk, &mut stream, cooling, swaps),
            Budget::UntilStopped => {
                // Longer and longer searches from the best so far: at any moment at least a quarter of the time went
                // into one complete cooling.
                let mut round = (swaps / 8).max(walk.block());
                while !walk.over()
                    && walk.still() < cooling.patience
                    && walk.places.slots() > 1
                    && walk.places.ranks() > 0
                {
                    anneal(&mut walk, &mut stream, cooling, round);
                    walk.return_to_best();
                    round = round.saturating_mul(2);
                }
            }
        }
        walk.finish()
    };
    let found: Vec<Found> = each(walks, 1, one);
    best_of(found)
}

/// The best of several searches, with the evaluations of all.
pub fn best_of(found: Vec<Found>) -> Found {
    let (evaluations, accepted) = found.iter().fold((0, 0), |s, f| (s.0 + f.evaluations, s.1 + f.accepted));
    let best = found.into_iter().reduce(|a, b| if b.value < a.value { b } else { a });
    match best {
        Some(best) => Found { evaluations, accepted, ..best },
        None => Found { slot_of_rank: Vec::new(), value: 0, evaluations: 0, accepted: 0, trace: Vec::new() },
    }
}

/// One cooling of `swaps` moves, the last tenth of them at temperature zero, where only ties and gains are made.
fn anneal(walk: &mut Walk<'_>, stream: &mut Stream, cooling: &Cooling, swaps: u64) {
    if walk.places.slots() < 2 || walk.places.ranks() == 0 || walk.over() {
        return;
    }
    let unit = walk.objective.unit();
    // A descent needs no scale, which costs a sample.
    let descent = cooling.start == Some(0.0) && cooling.end == Some(0.0);
    let scale = if descent { 0.0 } else { scale(walk, stream) };
    let heat = cooling.heat * walk.objective.heat();
    let start = cooling.start.map_or(HOT * heat * scale, |t| t / unit);
    let end = cooling.end.map_or(COLD * scale, |t| t / unit).min(start);
    let warm = swaps - swaps / 10;
    let at_once = walk.block();
    let blocks = warm.div_ceil(at_once).max(1);
    // An end of zero means temperature zero from the second block on: zero has no logarithm.
    let ratio = if end > 0.0 { exp((ln(end / start) / blocks as f64).max(-700.0)) } else { 0.0 };
    let table = thresholds();
    let guide = (cooling.guide * 256.0) as u64;
    let prepared = walk.prepared;
    let mut temperature = start;
    let mut done = 0;
    while done < swaps && !walk.over() && walk.still() < cooling.patience {
        // One temperature for a block.
        let block = at_once.min(swaps - done);
        for _ in 0..block {
            let proposal = propose(walk, prepared, stream.next_u64(), stream.next_u64(), guide);
            let Some((a, b, luck)) = proposal else { continue };
            let most = temperature * table[luck];
            let change = walk.delta(a, b, most);
            if change <= most {
                walk.swap(a, b, change);
            }
        }
        done += block;
        temperature = if done < warm { temperature * ratio } else { 0.0 };
        walk.progress.add(block);
    }
}

/// A rank, the holder of the slot that it might take, and the random number that decides whether a worse value is accepted.
#[inline(always)]
fn propose(walk: &Walk<'_>, prepared: &Prepared<'_>, x: u64, y: u64, guide: u64) -> Option<(u32, u32, usize)> {
    let luck = (x >> 52) as usize & (LUCK - 1);
    let a = scaled(x, walk.places.ranks());
    let row = prepared.guest.row(a);
    let slot = if (x >> 40) & 255 < guide && !row.is_empty() {
        let partner = prepared.guest.neighbours[row.start + scaled(y, row.len() as u32) as usize];
        let near = prepared.near(walk.places.slot(partner));
        near[scaled(y >> 32, near.len() as u32) as usize]
    } else {
        scaled(y, walk.places.slots())
    };
    let b = walk.places.rank_at(slot);
    (a != b).then_some((a, b, luck))
}

/// Maps the lower 32 bits to `0..bound`; the bias of at most bound / 2^32 does not matter in a proposal.
#[inline(always)]
fn scaled(bits: u64, bound: u32) -> u32 {
    (((bits & 0xffff_ffff) * u64::from(bound)) >> 32) as u32
}

/// Standard deviation of the change that a random exchange makes: its mean shows only how good the start is.
fn scale(walk: &mut Walk<'_>, stream: &mut Stream) -> f64 {
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let sample = if walk.objective.relative_cost() < EXPENSIVE { SAMPLE } else { FEW };
    for _ in 0..sample {
        let proposal = propose(walk, walk.prepared, stream.next_u64(), stream.next_u64(), 0);
        if let Some((a, b, _)) = proposal {
            let change = walk.delta(a, b, f64::INFINITY);
            if !change.is_finite() {
                break; // Only if the caller wants an end, or the move could not be scored.
            }
            sum += change;
            squares += change * change;
            count += 1.0;
        }
    }
    let variance = if count > 0.0 { (squares - sum * sum / count) / count } else { 0.0 };
    if variance > 0.0 { variance.sqrt() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use crate::contract::{Case, random_traffic};

    #[test]
    fn patience_ends_a_descent_that_gains_nothing() {
        let case = Case::nodes_on_ring(8, 8, random_traffic(64, 300, 3));
        let run =
            |more: &str| case.run(false, &format!("guided(swaps=200000,t_start=0,t_end=0{more})"), "hops").unwrap();
        let (whole, short) = (run(""), run(",patience=5000"));
        // The same moves up to there; after the last gain that many more, to the end of a block.
        assert!(short.evaluations >= 5000 && short.evaluations < whole.evaluations, "{}", short.evaluations);
        assert!(short.value >= whole.value && short.value < short.start_value, "{}", short.value);
        assert_eq!(run(",patience=1000000").mapping, whole.mapping);
    }
}
