//! Sides of the switches such that the endpoints are in equal halves: all of them, or a search with a bound.

use netloom_model::fault::Fault;
use netloom_model::{Network, Outcome, Progress};

use super::Interval;
use crate::metrics::bisection::{most_loaded, refined, structured_orders};
use crate::metrics::codes;

/// Switches for which all choices of sides are tried: 2^19 choices.
const FEW: u32 = 20;
/// Switches looked at by the exchanges of one start.
const LOOKS: u64 = 1 << 28;

/// Switch cables between the halves, weighted by a cost per link.
pub struct Halving {
    pub between: Interval,
    pub method: String,
}

/// The fewest endpoints that have to be cut from their switch, and a choice of switches that needs no more.
pub struct Moved {
    pub moved: u64,
    /// How many switches of each number of endpoints are on the first side.
    pub take: Vec<(u64, u64)>,
}

/// Bounded subset sums. O(different weights · endpoints).
pub fn moved(weights: &[u64]) -> Moved {
    let total: u64 = weights.iter().sum();
    let mut kinds: Vec<(u64, u64)> = Vec::new();
    let mut sorted: Vec<u64> = weights.iter().copied().filter(|w| *w > 0).collect();
    sorted.sort_unstable();
    for w in sorted {
        match kinds.last_mut() {
            Some(last) if last.0 == w => last.1 += 1,
            _ => kinds.push((w, 1)),
        }
    }
    let size = total as usize + 1;
    let mut reached = vec![false; size];
    reached[0] = true;
    // Switches of a kind that the sum uses; u32::MAX where it is not reached.
    let mut used: Vec<Vec<u32>> = Vec::with_capacity(kinds.len());
    for &(w, count) in &kinds {
        let mut row = vec![u32::MAX; size];
        for sum in 0..size {
            if reached[sum] {
                row[sum] = 0;
            } else if sum >= w as usize && row[sum - w as usize] < count as u32 {
                row[sum] = row[sum - w as usize] + 1;
            }
        }
        reached = row.iter().map(|u| *u != u32::MAX).collect();
        used.push(row);
    }
    let best = (0..=total).filter(|s| reached[*s as usize]).min_by_key(|s| off(*s, total)).unwrap_or(0);
    let mut sum = best;
    let mut take = Vec::with_capacity(kinds.len());
    for (&(w, _), row) in kinds.iter().zip(&used).rev() {
        let n = u64::from(row[sum as usize]);
        take.push((w, n));
        sum -= n * w;
    }
    Moved { moved: off(best, total), take }
}

/// Endpoints that have to be cut from their switch where one side has `held` of `total`.
fn off(held: u64, total: u64) -> u64 {
    held.abs_diff(total / 2).min(held.abs_diff(total.div_ceil(2)))
}

fn is_half(weights: &[u64], side: &[bool], moved: u64) -> bool {
    let held = weights.iter().zip(side).filter(|(_, side)| **side).map(|(weight, _)| weight).sum();
    off(held, weights.iter().sum()) == moved
}

/// Where switches without endpoints start: all on one side, or the first half of them on the other.
#[derive(Clone, Copy, PartialEq)]
enum Without {
    There,
    EndpointHalves,
}

/// See [`super::endpoint_bisection`]. O(2^switches) for few switches, else O(switches · links).
///
/// # Errors
/// `NL-N011` if `progress` was stopped.
pub fn halving(network: &Network, weights: &[u64], cost: &[f64], progress: &Progress) -> Outcome<Halving> {
    let found = moved(weights);
    if network.switches() <= FEW {
        let least = all(network, weights, cost, found.moved);
        let between = Interval { lower: least, upper: least, exact: true };
        return Ok(Halving { between, method: "all choices of sides for the switches".into() });
    }
    let mut upper = f64::INFINITY;
    for (_, order) in structured_orders(network) {
        if progress.stopped() {
            break;
        }
        for without in [Without::There, Without::EndpointHalves] {
            upper = upper.min(exchanged(network, weights, cost, &start(weights, &found, &order, without)));
        }
        // Halves of the switches: where they are halves of the endpoints too, they need no better start.
        let side = refined(network, &order, progress);
        if is_half(weights, &side, found.moved) {
            upper = upper.min(exchanged(network, weights, cost, &side));
        }
    }
    let total: u64 = weights.iter().sum();
    let half = (total / 2 - found.moved) as f64;
    let load = most_loaded(network, weights, cost, progress).filter(|most| *most > 0.0);
    if progress.stopped() {
        let text = "the search for a cut was stopped";
        return Err(Fault::say(&codes::INTERRUPTED, network.label(), text).into());
    }
    let whole = cost.iter().all(|c| *c == 1.0);
    let bound = load.map_or(0.0, |most| half * (total as f64 - half) / most * (1.0 - 1e-9));
    let lower = if whole { (bound - 1e-6).ceil() } else { bound }.clamp(0.0, upper);
    let method = "cut: exchanges of switches; lower bound: congestion of uniform traffic between endpoints".into();
    Ok(Halving { between: Interval { lower, upper, exact: lower == upper }, method })
}

/// The smallest cut of all choices of sides that need no more than `moved` endpoints cut, one switch per step.
fn all(network: &Network, weights: &[u64], cost: &[f64], moved: u64) -> f64 {
    let n = network.switches();
    let total: u64 = weights.iter().sum();
    let mut side = vec![false; n as usize];
    let (mut held, mut cut, mut best) = (0u64, 0.0f64, f64::INFINITY);
    for step in 0u64..1 << n.saturating_sub(1) {
        if step > 0 {
            // Gray code: the switch that changes sides is the number of trailing zeros; the last one never does.
            let v = step.trailing_zeros();
            cut -= gain(network, cost, &side, v);
            let to = &mut side[v as usize];
            *to = !*to;
            held = if *to { held + weights[v as usize] } else { held - weights[v as usize] };
        }
        if off(held, total) == moved {
            best = best.min(cut);
        }
    }
    best
}

/// What the cut loses if `v` changes sides.
fn gain(network: &Network, cost: &[f64], side: &[bool], v: u32) -> f64 {
    let ends = network.out_links(v).zip(network.neighbours(v));
    ends.map(|(link, u)| if side[*u as usize] == side[v as usize] { -cost[link as usize] } else { cost[link as usize] })
        .sum()
}

/// Sides that need as few cut endpoints as possible: of each kind the first switches of the order.
fn start(weights: &[u64], found: &Moved, order: &[u32], without: Without) -> Vec<bool> {
    let mut left = found.take.clone();
    if without == Without::EndpointHalves {
        left.push((0, weights.iter().filter(|weight| **weight == 0).count() as u64 / 2));
    }
    let mut side = vec![false; weights.len()];
    for &v in order {
        if let Some(kind) = left.iter_mut().find(|kind| kind.0 == weights[v as usize] && kind.1 > 0) {
            kind.1 -= 1;
            side[v as usize] = true;
        }
    }
    side
}

/// The cut after the best exchanges of two switches with equally many endpoints, and moves of switches without any.
fn exchanged(network: &Network, weights: &[u64], cost: &[f64], side: &[bool]) -> f64 {
    let n = network.switches();
    let mut side = side.to_vec();
    let mut kinds: Vec<u64> = weights.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let mut gains: Vec<f64> = (0..n).map(|v| gain(network, cost, &side, v)).collect();
    let steps = LOOKS / (u64::from(n) * kinds.len() as u64).max(1);
    for _ in 0..steps {
        let best = |kind: u64, of: bool| {
            let candidates = (0..n).filter(|v| weights[*v as usize] == kind && side[*v as usize] == of);
            candidates.max_by(|a, b| gains[*a as usize].total_cmp(&gains[*b as usize]))
        };
        let mut change: Option<(f64, Vec<u32>)> = None;
        for &kind in &kinds {
            let pair = [best(kind, false), best(kind, true)];
            let offers = match pair {
                [a, b] if kind == 0 => [a, b].into_iter().flatten().map(|v| (gains[v as usize], vec![v])).collect(),
                [Some(a), Some(b)] => {
                    vec![(gains[a as usize] + gains[b as usize] - twice(network, cost, a, b), vec![a, b])]
                }
                _ => Vec::new(),
            };
            for offer in offers {
                if offer.0 > 1e-9 * offer.0.abs().max(1e-9) && change.as_ref().is_none_or(|c| offer.0 > c.0) {
                    change = Some(offer);
                }
            }
        }
        let Some((_, switches)) = change else { break };
        for v in switches {
            side[v as usize] = !side[v as usize];
            gains[v as usize] = gain(network, cost, &side, v);
            for &u in network.neighbours(v) {
                gains[u as usize] = gain(network, cost, &side, u);
            }
        }
    }
    let ends = network.tails().iter().zip(network.heads()).zip(cost);
    ends.filter(|((a, b), _)| side[**a as usize] && !side[**b as usize]).map(|(_, c)| c).sum()
}

/// Twice the cost of the cables that join the two: they stay in the cut if both change sides.
fn twice(network: &Network, cost: &[f64], a: u32, b: u32) -> f64 {
    let ends = network.out_links(a).zip(network.neighbours(a));
    2.0 * ends.filter(|(_, u)| **u == b).map(|(link, _)| cost[link as usize]).sum::<f64>()
}
