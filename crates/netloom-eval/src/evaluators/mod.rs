//! Every evaluator that has a name: one file each, and one line in each of the two lists below.

use netloom_model::{Evaluator, Outcome, param};

mod contentions;
mod hops;
mod loads;
#[cfg(test)]
mod tests;
pub mod time;

static ROWS: &[&Evaluator] = &[&hops::ROW, &contentions::ROW, &loads::ROW, &time::ROW];

/// All of them, in the order of the docs: from distances alone to simulated time.
pub fn evaluators() -> &'static [&'static Evaluator] {
    ROWS
}

/// # Errors
/// `NL-A002` for an unknown name.
pub fn evaluator(name: &str) -> Outcome<&'static Evaluator> {
    param::find("evaluator", name, ROWS, |row| row.names()).copied()
}
