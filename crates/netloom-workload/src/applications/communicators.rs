//! The same collective in communicators of equal size, one after another in the numbers of the ranks: in all of them at the
//! same time, or in the first one alone.

use netloom_model::{Bound, Collective, Kind, Outcome, Param, Programs};

use super::legal::{Legal, MOST_RANKS};
use super::row::{Application, ApplicationRow, STEPS, TEMPLATE, size};
use super::weave::{Grid, Setup};
use crate::patterns::whole_bytes;

/// In the order of [`Collective::ALL`].
const NAMES: &[&str] = &[
    "broadcast",
    "reduce",
    "allreduce",
    "allgather",
    "gather",
    "scatter",
    "reduce-scatter",
    "alltoall",
    "barrier",
    "scan",
    "exscan",
];

pub(crate) const COMMUNICATORS: ApplicationRow = ApplicationRow {
    name: "communicators",
    aliases: &[],
    summary: "One collective in communicators of equal size: in all at the same time, or in the first one alone.",
    params: &[
        Param::required("collective", Kind::Choice(NAMES), "what each communicator calls"),
        Param::required(
            "each",
            Kind::Int { min: 1, max: MOST_RANKS as i64 },
            "ranks of a communicator: rank r is in communicator r div each",
        ),
        Param::optional("running", Kind::Choice(&["all", "one"]), "all", "all communicators, or the first one alone"),
        size("bytes", "\"1 KiB\"", "size of the collective, in its own meaning"),
        STEPS,
    ],
    example: "communicators(alltoall,4)",
    restrictions: "a multiple of each, up to 1048576",
    source: "Swartvagher 2023 §4.1.1",
    build: Application { legal, make, ..TEMPLATE.build },
};

fn each(bound: &Bound) -> u32 {
    bound.int("each") as u32
}

fn legal(bound: &Bound) -> Legal {
    Legal::Multiples { of: each(bound), most: MOST_RANKS }
}

/// O(ranks).
fn make(setup: &Setup) -> Outcome<Programs> {
    let bound = setup.bound;
    let bytes = whole_bytes(bound, "bytes")?;
    let (each, alone) = (each(bound), bound.text("running") == "one");
    let named = |collective: &&Collective| collective.name() == bound.text("collective");
    let collective = *Collective::ALL.iter().find(named).unwrap_or(&Collective::Barrier);
    let mut calls = setup.calls();
    let call = calls.each(collective, bytes, 0, Grid::Lines { stride: 1, extent: each })?;
    setup.weave(calls, 0.0, |rank, body| {
        if !alone || rank < each {
            body.repeat(setup.iterations, |body| body.call(call));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_collectives() {
        assert!(Collective::ALL.iter().map(|collective| collective.name()).eq(NAMES.iter().copied()));
    }
}
