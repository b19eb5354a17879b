//! The saturation, by bisection.

use netloom_model::Outcome;

use crate::Point;

/// Share of the offered load that a network below saturation accepts, and how closely the saturation is found, absolute and
/// as a share of it; below `NONE` nothing is accepted.
const ACCEPTS: f64 = 0.98;
const CLOSE: f64 = 0.01;
const RELATIVE: f64 = 0.05;
const NONE: f64 = 1e-4;

/// True if what was born arrived, but for 2 %.
pub(super) fn accepts(point: &Point) -> bool {
    point.accepted >= ACCEPTS * point.born
}

/// Between the greatest load that is accepted and the least that is not, by halving. `taken`: true if a load is accepted; it
/// gets the number of loads that are tried from this one on, at most about.
///
/// # Errors
/// Those of `taken`.
pub(super) fn saturate(
    asked: &[f64],
    points: &[Point],
    taken: &mut dyn FnMut(f64, u64) -> Outcome<bool>,
) -> Outcome<f64> {
    let known = || asked.iter().zip(points);
    let bad = known().filter(|(_, p)| !accepts(p)).map(|(load, _)| *load).fold(f64::INFINITY, f64::min);
    let mut low = known().filter(|(load, p)| accepts(p) && **load < bad).map(|(load, _)| *load).fold(0.0, f64::max);
    let mut high = bad;
    if high.is_infinite() {
        if low >= 1.0 || taken(1.0, 1 + steps(low, 1.0))? {
            return Ok(1.0);
        }
        high = 1.0;
    }
    while !is_close(low, high) {
        let middle = (low + high) / 2.0;
        if taken(middle, steps(low, high))? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn is_close(low: f64, high: f64) -> bool {
    high - low <= CLOSE.min(RELATIVE * high) || high <= NONE
}

/// Halvings until two loads are close, if no load near zero is accepted.
fn steps(low: f64, high: f64) -> u64 {
    ((high - low) / CLOSE.min(RELATIVE * high)).log2().ceil().max(0.0) as u64
}

/// Cycles of a search between the loads that are farthest apart, zero and one included.
pub(super) fn longest(asked: &[f64], cycles: impl Fn(f64) -> u64) -> u64 {
    let mut loads = [&[0.0, 1.0], asked].concat();
    loads.sort_by(f64::total_cmp);
    loads.windows(2).map(|pair| steps(pair[0], pair[1]) * cycles((pair[0] + pair[1]) / 2.0)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_that_the_search_makes() {
        for (least, asked) in [(0.43, vec![0.4, 0.5]), (0.55, vec![0.2]), (0.97, vec![0.1, 0.9])] {
            let accepted = |load: f64| load < least;
            let point =
                |load: &f64| Point { born: 1.0, accepted: f64::from(u8::from(accepted(*load))), ..Point::default() };
            let points: Vec<Point> = asked.iter().map(point).collect();
            let mut said = Vec::new();
            let found = saturate(&asked, &points, &mut |load, steps| {
                said.push(steps);
                Ok(accepted(load))
            });
            assert!((found.unwrap() - least).abs() <= 0.01);
            assert_eq!(said.first().copied(), Some(said.len() as u64), "{said:?}");
            assert_eq!(said.last(), Some(&1));
        }
        assert_eq!(longest(&[0.5], |_| 10), 60);
    }
}
