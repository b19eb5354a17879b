//! What a search is asked for.

use netloom_model::{Call, Outcome, Progress};

use crate::objective::SharedPaths;
use crate::problem::{Budget, Problem, Solution};

/// A problem, a method and an objective.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub problem: &'a Problem<'a>,
    pub method: &'a Call,
    pub objective: &'a Call,
    pub budget: Budget,
    pub progress: &'a Progress,
    /// Paths that searches over the same slots with the same routing share.
    pub paths: &'a SharedPaths,
}

/// A search by one method with one objective.
///
/// # Errors
/// Those of [`optimise`](crate::optimise).
pub(crate) type Search = fn(&Asked<'_>) -> Outcome<Solution>;
