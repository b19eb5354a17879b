//! The endpoint bisection of an extended generalised fat tree in closed form.

use netloom_model::network::TreeShape;

/// Switch cables between halves of the endpoints, and the size of the tree that they belong to.
pub struct EndpointHalves {
    pub lower: u64,
    pub upper: u64,
    pub endpoints: u64,
    pub cables: u64,
}

/// Bounds on the switch cables between halves of the endpoints; `None` beyond 2^62.
///
/// A subtree of level l has E endpoints and U cables to the level above; the tree has N of them, so C = N·U cables
/// there. With even numbers the bisection is min C/2 over the levels: for the thin tree k'^(n-1)·k/2 (Navaridas 2009).
///
/// *Not more.* Put N/2 subtrees of that level on one side, all else on the other: C/2 cables are cut. Where N is odd,
/// one subtree is divided in the same way below, at any level, its upper switches on the side that is cheaper; the sum
/// is an upper bound (`upper`). It is found from the leaves to the top, since a subtree is divided into x and E-x only.
///
/// *Not less.* Give both sides weights that add up to the same flow a, the endpoints on the smaller side: each of them
/// sends 1, and the others receive a/(E_total - a) each. Within a subtree match what is inside and send the rest, at
/// most E, up, spread evenly over its U cables; every switch of the level above gets the same share of every child, so
/// this goes on up to the top, and each cable carries flow in one direction only: at most E/U. All flow crosses the cut,
/// so the cut has at least a·min(U/E) = a·min(C)/E_total cables. With equal halves that is min C/2, as above.
///
/// With `moved` endpoints cut from their switch a is `⌊E_total/2⌋ - moved`. O(levels).
pub fn halves(shape: &TreeShape, moved: u64) -> Option<EndpointHalves> {
    let top = shape.down.len().checked_sub(1)?;
    let mut up = Vec::with_capacity(top + 1);
    let mut size = Vec::with_capacity(top + 1);
    let (mut width, mut endpoints) = (1u64, 1u64);
    for level in 0..=top {
        endpoints = endpoints.checked_mul(u64::from(shape.down[level]))?;
        let above = width.checked_mul(u64::from(shape.up[level]))?;
        up.push(if level == top { 0 } else { above.checked_mul(u64::from(shape.parallel[level]))? });
        size.push(endpoints);
        width = above;
    }
    let levels: Option<Vec<u64>> = (0..top).map(|l| (endpoints / size[l]).checked_mul(up[l])).collect();
    let levels = levels?;
    let cables = levels.iter().try_fold(0u64, |sum, c| sum.checked_add(*c)).filter(|c| *c < 1 << 62)?;
    let thinnest = levels.iter().min().copied().unwrap_or(0);
    let flow = u128::from((endpoints / 2).saturating_sub(moved));
    let lower = u64::try_from((flow * u128::from(thinnest)).div_ceil(u128::from(endpoints))).ok()?;
    let upper =
        found(shape, &up, &size, moved, endpoints / 2).min(found(shape, &up, &size, moved, endpoints.div_ceil(2)));
    Some(EndpointHalves { lower, upper, endpoints, cables })
}

/// Cables of the cut that has `x` endpoints of the tree on the first side, without those of the `moved` endpoints.
fn found(shape: &TreeShape, up: &[u64], size: &[u64], moved: u64, x: u64) -> u64 {
    const NO: u64 = u64::MAX;
    // All of a subtree on one side and everything above it on the other.
    let mut whole = 0;
    // x modulo E on the side that the top of the subtree is not on, and the rest of E there.
    let (mut rest, mut other) = (0u64, 0u64);
    let mut below = 0;
    for level in 0..shape.down.len() {
        let r = x % size[level];
        let (mut a, mut b) = if level == 0 {
            let split = |part: u64| if part == moved || part == 0 { 0 } else { NO };
            (split(r), split(size[0] - r))
        } else {
            let (children, divided) = (r / size[level - 1], u64::from(below > 0));
            let more = u64::from(shape.down[level]) - children - divided;
            (children.saturating_mul(whole).saturating_add(rest), more.saturating_mul(whole).saturating_add(other))
        };
        whole = if level == 0 { up[0] } else { up[level].min(whole.saturating_mul(u64::from(shape.down[level]))) };
        if level + 1 == shape.down.len() {
            return if r == 0 { 0 } else { a.min(b) };
        }
        (a, b) = (a.min(b.saturating_add(up[level])), b.min(a.saturating_add(up[level])));
        (rest, other) = if r == 0 { (0, 0) } else { (a, b) };
        below = r;
    }
    NO
}
