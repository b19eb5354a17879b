//! What no network of a given size and degree can beat.

/// Most switches that an undirected network of this degree and diameter can have: 1 + d Σ (d-1)^i for i < D. Saturates.
///
/// Source: Moore's bound, as in Miller and Širáň, "Moore graphs and beyond", Electronic Journal of Combinatorics DS14.
/// O(diameter) until it saturates.
pub fn moore_bound(degree: u32, diameter: u32) -> u64 {
    match degree {
        0 => return 1,
        1 => return if diameter == 0 { 1 } else { 2 },
        2 => return 1 + 2 * u64::from(diameter),
        _ => {}
    }
    let (mut total, mut sphere) = (1u64, u64::from(degree));
    for _ in 0..diameter {
        total = total.saturating_add(sphere);
        if total == u64::MAX {
            break;
        }
        sphere = sphere.saturating_mul(u64::from(degree) - 1);
    }
    total
}

/// Smallest diameter and ASPL that a connected network of this many switches and largest degree could have: every
/// switch sees as many switches near it as the degree allows. `None` if the degree cannot connect them, or if there
/// are fewer than two switches.
///
/// Source: Cerf, Cowan, Mullin and Stanton, "A lower bound on the average shortest path length in regular graphs",
/// Networks 4 (1974). O(diameter), O(1) for degree 2.
pub fn lower_bounds(switches: u32, degree: u32) -> Option<(u32, f64)> {
    let others = u64::from(switches).checked_sub(1).filter(|others| *others > 0)?;
    match degree {
        0 => return None,
        1 => return (others == 1).then_some((1, 1.0)),
        2 => {
            let full = others / 2;
            let rest = others % 2;
            let sum = full as f64 * (full as f64 + 1.0) + (rest * (full + 1)) as f64;
            return Some(((full + rest) as u32, sum / others as f64));
        }
        _ => {}
    }
    let (mut left, mut sphere, mut distance, mut sum) = (others, u64::from(degree), 0u32, 0u64);
    while left > 0 {
        distance += 1;
        let here = sphere.min(left);
        sum += here * u64::from(distance);
        left -= here;
        sphere = sphere.saturating_mul(u64::from(degree) - 1);
    }
    Some((distance, sum as f64 / others as f64))
}
