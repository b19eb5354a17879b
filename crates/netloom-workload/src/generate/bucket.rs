//! Rings along the axes of a grid of ranks, one axis after the other (bucket algorithm: Jain & Sabharwal, "Optimal bucket
//! algorithms for large MPI collectives on torus interconnects", ICS 2010; with mixed-radix levels in place of axes this is
//! BlueConnect's decomposition).

use netloom_model::{Bound, Fault, Outcome};

use crate::codes;
use crate::collectives::Job;
use crate::plan::{Builder, Plan};

/// Extents of the grid: as given, else the two factors of `ranks` nearest to each other.
pub(crate) fn dims(ranks: u32, bound: &Bound) -> Vec<u64> {
    let given: Vec<u64> = bound.ints("dims").iter().map(|d| *d as u64).collect();
    if !given.is_empty() {
        return given;
    }
    let side = (1..=ranks.isqrt()).rev().find(|a| ranks.is_multiple_of(*a)).unwrap_or(1);
    vec![u64::from(side), u64::from(ranks / side)]
}

/// Allgather on the row-major grid, last axis first: a rank passes on, to the next of its ring, the bundle of `width`
/// blocks that it has of each rank along the finished axes.
///
/// # Errors
/// `NL-C004` if the grid has another number of points than there are ranks.
pub(crate) fn allgather(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let (ranks, dims) = (job.ranks, dims(job.ranks, bound));
    let points = dims.iter().fold(1u64, |product, d| product.saturating_mul(*d));
    if points != job.p() {
        let expected = format!("{points}, the points of the grid");
        return Err(Fault::new(&codes::RESTRICTED, format!("ranks of {}", bound.owner), expected, ranks).into());
    }
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
