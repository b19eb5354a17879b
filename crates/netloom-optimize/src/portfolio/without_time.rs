//! The objective `auto` where there is no clock.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Call, Outcome};

use super::inputs::{PATH_SITES, one_path};
use crate::asked::{Asked, Search};
use crate::objective::{HOP_BYTES, MAX_LINK_LOAD};
use crate::problem::{Problem, Solution};

/// What decides where time cannot: the largest load of a link if paths are given and few enough, else hop-bytes.
///
/// # Errors
/// Those of the searches.
pub(crate) fn without_time(asked: &Asked<'_>, inner: Search) -> Outcome<Solution> {
    let few = asked.problem.most_sites() <= PATH_SITES;
    if let Some(routing) = one_path(asked.problem).filter(|_| few) {
        let problem = &Problem { routing: Some(routing), ..*asked.problem };
        match inner(&Asked { problem, objective: &Call::bare(MAX_LINK_LOAD.name), ..*asked }) {
            Err(faults) if faults.0.iter().all(|f| f.code == TOO_LARGE.code) => {}
            found => return found,
        }
    }
    let problem = &Problem { routing: None, ..*asked.problem };
    inner(&Asked { problem, objective: &Call::bare(HOP_BYTES.name), ..*asked })
}
