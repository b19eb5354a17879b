//! Two-opt: exchange two ranks, keep improvements.
//!
//! Cui 2024 §3.3.2 exchanges two random ranks and keeps the exchange if the sum falls. Cui and Koibuchi §III reverses the rank
//! list between two random positions and keeps the new order if it is not slower (the text of the paper differs;
//! erratum E3-01). Both stop early by their own rule: refusing equal moves freezes the search on plateaus.

use netloom_model::{Fault, Kind, Outcome, Param, Stream};

use crate::level_moves::LevelMoves;
use crate::places::Exchange;
use crate::problem::Budget;
use crate::row::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::Found;

pub const ROW: OptimiserRow = OptimiserRow {
    name: "two-opt",
    aliases: &["twoopt"],
    summary: "Exchanges two random ranks, reverses the rank list between two random positions, or changes levels of the numbering, and keeps improvements.",
    params: &[
        Param::optional(
            "swaps",
            Kind::Int { min: 0, max: 1 << 40 },
            "200000",
            "moves that are tried; 1,000 for the objective time if not given",
        ),
        Param::optional(
            "accept",
            Kind::Choice(&["strict", "ties"]),
            "strict",
            "strict: only improvements (Cui 2024); ties: also equal values (Cui and Koibuchi)",
        ),
        Param::optional(
            "move",
            Kind::Choice(&["swap", "reversal", "levels"]),
            "swap",
            "swap: two ranks (Cui 2024); reversal: the rank list between two positions (Cui and Koibuchi); levels: two levels of the numbering inside a unit (a group, switch, node, socket, ...), or two units",
        ),
        Param::optional(
            "pairs",
            Kind::Int { min: 1, max: 1024 },
            "1",
            "exchanges of different ranks in one move; half the ranks at most (Cui and Koibuchi: more than one)",
        ),
        SEED,
    ],
    example: "two-opt(swaps=200000)",
    restrictions: "",
    source: "Croes 1958; Cui 2024 §3.3.2; Cui and Koibuchi §III with errata E3-01, E3-02",
    build: Optimiser { run, leads: false },
};

fn run(run: &Run<'_>) -> Outcome<Found> {
    let mut walk = run.walk();
    let mut stream = Stream::new(run.seed(), "two-opt");
    let swaps = match run.budget {
        Budget::Swaps => run.args.int("swaps") as u64,
        Budget::UntilStopped => u64::MAX,
    };
    let pairs = run.args.int("pairs") as u32;
    let (ties, reversal) = (run.args.text("accept") == "ties", run.args.text("move") == "reversal");
    let levels = (run.args.text("move") == "levels").then(|| LevelMoves::new(run.prepared));
    if (reversal || levels.is_some()) && pairs > 1 {
        let place = format!("{}.pairs", run.args.owner);
        let expected = format!("1 with move={}", run.args.text("move"));
        let fault = Fault::new(&netloom_model::fault::codes::BAD_VALUE, place, expected, pairs);
        return Err(fault.hint("such a move exchanges as many pairs as it is long: leave pairs out").into());
    }
    if levels.as_ref().is_some_and(|levels| !levels.any()) {
        return Ok(walk.finish());
    }
    run.progress.set_total(if swaps == u64::MAX { 0 } else { swaps });
    let (ranks, slots) = (walk.places.ranks(), walk.places.slots());
    let room = if reversal { ranks } else { slots };
    let better = |change: f64| change < 0.0 || (ties && change == 0.0);
    // Exchanges of a reversal: O((j - i) × degree) for sums of hops.
    let mut turned = Vec::new();
    let mut done = 0;
    while done < swaps && ranks > 0 && room > 1 && !walk.over() {
        let block = walk.block().min(swaps - done);
        for _ in 0..block {
            if let Some(levels) = &levels {
                levels.draw(&walk.places, &mut stream, &mut turned)?;
                walk.try_moves(&turned, 0.0, better);
            } else if reversal {
                let (i, j) = two_positions(&mut stream, ranks);
                turned.clear();
                turned.extend((0..(j - i).div_ceil(2)).map(|k| Exchange { a: i + k, b: j - k }));
                walk.try_moves(&turned, 0.0, better);
            } else if pairs > 1 {
                draw_pairs(&mut stream, ranks, slots, pairs.min(ranks / 2), &mut turned);
                walk.try_moves(&turned, 0.0, better);
            } else {
                let a = stream.below(ranks);
                let mut slot = stream.below(slots - 1);
                slot += u32::from(slot >= walk.places.slot(a));
                let b = walk.places.rank_at(slot);
                let change = walk.delta(a, b, 0.0);
                if better(change) {
                    walk.swap(a, b, change);
                }
            }
        }
        done += block;
        run.progress.add(block);
    }
    Ok(walk.finish())
}

/// Exchanges of a rank with another or with an empty slot, in which no rank and no slot is twice. O(pairs²).
fn draw_pairs(stream: &mut Stream, ranks: u32, slots: u32, pairs: u32, exchanges: &mut Vec<Exchange>) {
    exchanges.clear();
    while exchanges.len() < pairs as usize {
        let a = stream.below(ranks);
        let mut b = stream.below(slots - 1);
        b += u32::from(b >= a);
        let used = |one: u32| exchanges.iter().any(|exchange| one == exchange.a || one == exchange.b);
        if !used(a) && !used(b) {
            exchanges.push(Exchange { a, b });
        }
    }
}

/// Two different positions, ascending.
fn two_positions(stream: &mut Stream, ranks: u32) -> (u32, u32) {
    let i = stream.below(ranks);
    let mut j = stream.below(ranks - 1);
    j += u32::from(j >= i);
    (i.min(j), i.max(j))
}
