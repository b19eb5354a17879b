//! Two-opt: exchange two ranks, keep what is better.
//!
//! Seed 000 §3.3.2 exchanges two random ranks and keeps the exchange if the sum falls. Seed 003 §III reverses the rank
//! list between two random positions and keeps what is not slower (its text says otherwise; errata E3-01). Both stop
//! early by their own rule: refusing equal moves freezes the search on plateaus.

use netloom_model::{Kind, Outcome, Param, Stream};

use crate::problem::Budget;
use crate::registry::{OptimiserRow, Run, SEED};
use crate::walk::{Found, Walk};

pub const ROW: OptimiserRow = OptimiserRow {
    name: "two-opt",
    aliases: &["twoopt"],
    summary: "Exchanges two random ranks, or reverses the rank list between two random positions, and keeps what is better.",
    params: &[
        Param::optional("swaps", Kind::Int { min: 0, max: 1 << 40 }, "200000", "moves that are tried"),
        Param::optional(
            "accept",
            Kind::Choice(&["strict", "ties"]),
            "strict",
            "strict: only what is better (seed 000); ties: also what is equal (seed 003)",
        ),
        Param::optional(
            "move",
            Kind::Choice(&["swap", "reversal"]),
            "swap",
            "swap: two ranks (seed 000); reversal: the rank list between two positions (seed 003)",
        ),
        SEED,
    ],
    example: "two-opt(swaps=200000)",
    restrictions: "",
    source: "Croes 1958; seed 000 §3.3.2; seed 003 §III with errata E3-01, E3-02",
    run,
};

/// Moves between looks at the stop flag.
const BLOCK: u64 = 1024;

fn run(run: &Run<'_>) -> Outcome<Found> {
    let mut walk = run.walk();
    let mut stream = Stream::new(run.seed(), "two-opt");
    let swaps = match run.budget {
        Budget::Swaps => run.args.int("swaps") as u64,
        Budget::UntilStopped => u64::MAX,
    };
    let (ties, reversal) = (run.args.text("accept") == "ties", run.args.text("move") == "reversal");
    run.progress.set_total(if swaps == u64::MAX { 0 } else { swaps });
    let (ranks, slots) = (walk.places.ranks(), walk.places.slots());
    let room = if reversal { ranks } else { slots };
    let mut done = 0;
    while done < swaps && ranks > 0 && room > 1 && !walk.over() {
        let block = BLOCK.min(swaps - done);
        for _ in 0..block {
            if reversal {
                let (i, j) = two_positions(&mut stream, ranks);
                reverse(&mut walk, i, j, ties);
            } else {
                let a = stream.below(ranks);
                let mut slot = stream.below(slots - 1);
                slot += u32::from(slot >= walk.places.slot(a));
                let b = walk.places.rank_at(slot);
                let delta = walk.delta(a, b);
                if delta < 0.0 || (ties && delta == 0.0) {
                    walk.swap(a, b);
                }
            }
        }
        done += block;
        run.progress.add(block);
    }
    Ok(walk.finish())
}

/// Two different positions, ascending.
fn two_positions(stream: &mut Stream, ranks: u32) -> (u32, u32) {
    let i = stream.below(ranks);
    let mut j = stream.below(ranks - 1);
    j += u32::from(j >= i);
    (i.min(j), i.max(j))
}

/// Reverses the ranks at positions `i..=j`, and turns them back if that was no gain. O((j - i) × degree).
fn reverse(walk: &mut Walk<'_>, i: u32, j: u32, ties: bool) {
    walk.try_moves((0..(j - i).div_ceil(2)).map(|k| (i + k, j - k)), |change| change < 0.0 || (ties && change == 0.0));
}
