//! Rings along the axes of a grid of ranks, one axis after the other (bucket algorithm: Jain & Sabharwal, "Optimal bucket
//! algorithms for large MPI collectives on torus interconnects", ICS 2010; with mixed-radix levels in place of axes this is
//! BlueConnect's decomposition).

use netloom_model::{Bound, Fault, Outcome};

use super::torus;
use crate::codes;
use crate::collectives::{Job, check_rows};
use crate::plan::{Builder, Plan};

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
/// `NL-C004` if the grid has another number of points than there are ranks.
fn check_points(job: &Job, bound: &Bound, dims: &[u64]) -> Outcome<()> {
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
/// `NL-C004` as [`allgather`]; `NL-A009` if the blocks of all messages are too many to list.
pub(crate) fn all_ports(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let dims = dims(job.ranks, bound);
    check_points(job, bound, &dims)?;
    check_parts(job, bound, &dims)?;
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
    check_parts(job, bound, &dims)?;
    Ok(torus::swinging(&dims))
}

/// Every part of every block is sent `p - 1` times.
fn check_parts(job: &Job, bound: &Bound, dims: &[u64]) -> Outcome<()> {
    let parts = 2 * torus::axes(dims).len() as u128;
    check_rows(&bound.owner, job, parts * u128::from(job.ranks) * u128::from(job.ranks - 1))
}

/// Allgather on the row-major grid, last axis first: a rank passes on, to the next of its ring, the bundle of `width`
/// blocks that it has of each rank along the finished axes.
///
/// # Errors
/// `NL-C004` if the grid has another number of points than there are ranks.
pub(crate) fn allgather(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let (ranks, dims) = (job.ranks, dims(job.ranks, bound));
    check_points(job, bound, &dims)?;
    let mut builder = Builder::new(ranks, ranks);
    let (mut step, mut width) = (0, 1u32);
    for extent in dims.into_iter().rev().map(|d| d as u32) {
        let span = width * extent;
        for t in 0..extent - 1 {
            for r in 0..ranks {
                let (base, at) = (r - r % span, r % span / width);
                let next = base + (at + 1) % extent * width + r % width;
                let bundle = base + (at + extent - t) % extent * width;
                builder.send_run(step, r, next, bundle, width, false);
            }
            step += 1;
        }
        width = span;
    }
    Ok(builder.finish(step))
}
