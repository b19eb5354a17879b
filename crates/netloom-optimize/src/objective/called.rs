//! Objectives by a call: what it needs, what it makes.

use netloom_model::{Bound, Call, Outcome};

use super::guarded::Guarded;
use super::paths::SharedPaths;
use super::registry::OBJECTIVES;
use super::row::{Clocked, Followed, Goal, ObjectiveRow};
use super::score::Objective;
use crate::prepared::Prepared;

/// True if this objective is simulated time, so that [`Problem::clock`](crate::Problem::clock) must be there; false for an
/// unknown one.
pub fn needs_clock(objective: &Call) -> bool {
    OBJECTIVES.find(&objective.name).is_ok_and(|row| row.needs.clock == Clocked::Always)
}

/// True if this objective is simulated time whenever [`Problem::clock`](crate::Problem::clock) is given.
pub fn takes_clock(objective: &Call) -> bool {
    OBJECTIVES.find(&objective.name).is_ok_and(|row| row.needs.clock != Clocked::Never)
}

/// True if this objective follows messages on several paths, where a routing has them.
pub fn takes_split(objective: &Call) -> bool {
    follows(objective, |goal| goal.needs.paths == Followed::Shares)
}

/// True if this objective looks at links, so that [`Problem::routing`](crate::Problem::routing) must be there; false for an
/// unknown one, which [`optimise`](crate::optimise) refuses.
pub fn needs_routing(objective: &Call) -> bool {
    follows(objective, |goal| goal.needs.routing())
}

/// True of an objective, or of what it keeps.
pub(crate) fn follows(objective: &Call, is: impl Fn(&Goal) -> bool) -> bool {
    OBJECTIVES.bind(objective).is_ok_and(|(row, args)| is(row) || kept(&args).is_some_and(|kept| is(kept)))
}

/// What a call asks to keep.
fn kept(args: &Bound) -> Option<&'static ObjectiveRow> {
    OBJECTIVES.rows.iter().find(|row| args.is_given("keep") && row.name == args.text("keep"))
}

/// The objective on the start of `prepared`, whose guest was weighed as `goal` says, with what it keeps.
///
/// # Errors
/// `NL-O004`, `NL-O005`, `NL-O008`, `NL-O009`, `NL-A009`, and those of the routing and the clock.
pub(crate) fn on_start<'p>(
    goal: &Goal,
    prepared: &'p Prepared<'p>,
    args: &Bound,
    paths: &SharedPaths,
) -> Outcome<Box<dyn Objective + 'p>> {
    let places = prepared.places();
    let made = (goal.make)(prepared, args, &places, paths)?;
    let Some(kept) = kept(args) else { return Ok(made) };
    let guard = (kept.make)(prepared, args, &places, paths)?;
    Ok(Box::new(Guarded::new(made, guard, args.float("slack"), &places)))
}
