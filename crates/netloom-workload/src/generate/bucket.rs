//! Rings along the axes of a grid of ranks, one axis after the other (bucket algorithm: Jain & Sabharwal, "Optimal bucket
//! algorithms for large MPI collectives on torus interconnects", ICS 2010; with mixed-radix levels in place of axes this is
//! BlueConnect's decomposition).

use netloom_model::schedule::MOST_AXES;
use netloom_model::{Bound, Fault, Outcome};

use super::torus;
use crate::codes;
use crate::collectives::Job;
use crate::plan::Plan;

/// Extents of the grid: as given, else the two factors of `ranks` nearest to each other.
pub(crate) fn dims(ranks: u32, bound: &Bound) -> Vec<u64> {
    given(bound).unwrap_or_else(|| nearest(ranks))
}

/// Extents as given, else two even factors of an even number of ranks, nearest to each other, else one axis.
pub(crate) fn even_dims(ranks: u32, bound: &Bound) -> Vec<u64> {
    let halves = || nearest(ranks / 4).into_iter().map(|d| 2 * d).collect();
    given(bound).unwrap_or_else(|| if ranks.is_multiple_of(4) { halves() } else { vec![u64::from(ranks)] })
}

fn given(bound: &Bound) -> Option<Vec<u64>> {
    let given: Vec<u64> = bound.ints("dims").iter().map(|d| *d as u64).collect();
    (!given.is_empty()).then_some(given)
}

fn nearest(ranks: u32) -> Vec<u64> {
    let side = (1..=ranks.isqrt()).rev().find(|a| ranks.is_multiple_of(*a)).unwrap_or(1);
    vec![u64::from(side), u64::from(ranks / side)]
}

/// # Errors
/// `NL-C004` if the grid has another number of points than there are ranks, or too many axes.
fn check_points(job: &Job, bound: &Bound, dims: &[u64]) -> Outcome<()> {
    if torus::axes(dims).len() > MOST_AXES {
        let place = format!("dims of {}", bound.owner);
        let expected = format!("at most {MOST_AXES} axes of two coordinates or more");
        return Err(Fault::new(&codes::RESTRICTED, place, expected, torus::axes(dims).len()).into());
    }
    let points = dims.iter().fold(1u64, |product, d| product.saturating_mul(*d));
    if points == job.p() {
        return Ok(());
    }
    let expected = format!("{points}, the points of the grid");
    Err(Fault::new(&codes::RESTRICTED, format!("ranks of {}", bound.owner), expected, job.ranks).into())
}

/// The allgather through all ports of the grid, ring by ring.
///
/// # Errors
/// `NL-C004` as [`allgather`].
pub(crate) fn all_ports(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let dims = dims(job.ranks, bound);
    check_points(job, bound, &dims)?;
    Ok(torus::bucket(&dims))
}

/// The allgather through all ports of the grid with Swing's partners.
///
/// # Errors
/// As [`all_ports`]; `NL-C004` also for an axis with an odd number of coordinates.
pub(crate) fn swing_all_ports(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let dims = even_dims(job.ranks, bound);
    check_points(job, bound, &dims)?;
    if let Some(odd) = dims.iter().find(|d| **d > 1 && **d % 2 == 1) {
        let place = format!("dims of {}", bound.owner);
        return Err(Fault::new(&codes::RESTRICTED, place, "even extents (or 1)", odd).into());
    }
    Ok(torus::swinging(&dims))
}

/// Allgather on the row-major grid, last axis first: a rank passes on, to the next of its ring, the bundle of `width`
/// blocks that it has of each rank along the finished axes.
///
/// # Errors
/// `NL-C004` if the grid has another number of points than there are ranks.
pub(crate) fn allgather(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let dims = dims(job.ranks, bound);
    check_points(job, bound, &dims)?;
    Ok(torus::one_port(&dims))
}
