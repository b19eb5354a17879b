//! Ranks as the points of a row-major grid, last axis fastest: shared by the patterns on grids.

use netloom_model::{Bound, Kind, Outcome, Param};

use super::params::wrong_ranks;

pub(crate) const DIMS: Param =
    Param::required("dims", Kind::Ints { min: 1, max: 1 << 24, least: 1, most: usize::MAX }, "extent of each axis")
        .variadic();
pub(super) const PERIODIC: Param =
    Param::optional("periodic", Kind::Bools, "true", "whether the axes close; one value for all or one for each")
        .keyword_only();
pub(super) const RESTRICTION: &str = "as many ranks as the grid has points";

/// Product of the extents, saturating.
pub(crate) fn points(bound: &Bound) -> u64 {
    bound.ints("dims").iter().fold(1u64, |product, d| product.saturating_mul(*d as u64))
}

/// The extents of a grid of `ranks` points.
///
/// # Errors
/// `NL-P001` another number of ranks.
pub(super) fn extents(ranks: u32, bound: &Bound) -> Outcome<Vec<u32>> {
    if points(bound) != u64::from(ranks) {
        let expected = format!("{}, the points of the grid", points(bound));
        return Err(wrong_ranks(bound, &expected, ranks).into());
    }
    Ok(bound.ints("dims").iter().map(|d| *d as u32).collect())
}

/// Whether each axis closes.
///
/// # Errors
/// `NL-A007` neither one value nor one for each axis.
pub(super) fn closed(axes: usize, bound: &Bound) -> Outcome<Vec<bool>> {
    let periodic = bound.bools("periodic");
    match periodic.len() {
        1 => Ok(vec![periodic[0]; axes]),
        given if given == axes => Ok(periodic),
        _ => Err(bound.fault("periodic", format!("one value, or {axes}")).into()),
    }
}

/// The neighbours of position `at` on an axis, up first: none where the axis ends, one where two that close are the same.
#[inline]
pub(super) fn beside(at: u32, extent: u32, closes: bool) -> [Option<u32>; 2] {
    let up = if at + 1 < extent { Some(at + 1) } else { closes.then_some(0) };
    let down = if at > 0 { Some(at - 1) } else { closes.then_some(extent - 1) };
    [up.filter(|x| *x != at), down.filter(|x| *x != at && Some(*x) != up)]
}
