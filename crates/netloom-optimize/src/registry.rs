//! The list of optimisers. Objectives have theirs in [`crate::objective`].

use netloom_model::Registry;

use crate::row::Optimiser;
use crate::{anneal, auto, bisection, enumeration, gather, grid, two_opt};

/// Every optimiser.
pub static OPTIMISERS: Registry<Optimiser> = Registry {
    kind: "optimisers",
    what: "optimiser",
    rows: &[
        auto::ROW,
        anneal::GUIDED,
        anneal::PLAIN,
        two_opt::ROW,
        grid::ROW,
        gather::ROW,
        bisection::ROW,
        bisection::GEOMETRIC,
        enumeration::ROW,
    ],
    common: &[],
};
