//! The solver as the executor drives it: at every instant some flows leave, then some arrive, then all rates are read.
//! Links have the same bandwidth, so that many of them are the narrowest at once.

use netloom_model::Stream;

use crate::max_min::{MaxMin, Use};

#[derive(Clone, Debug)]
pub struct Asked {
    pub uses: Vec<Use>,
    pub weight: f64,
    pub cap: f64,
    /// How often it counts.
    pub times: f64,
}

/// Progressive filling by its definition: all levels rise together, and a flow that meets a full resource or its cap
/// stops. It shares nothing with the solver, keeps no state, and recomputes all sums at each level.
pub fn filled(capacity: &[f64], flows: &[Asked]) -> Vec<f64> {
    let mut level: Vec<Option<f64>> = vec![None; flows.len()];
    loop {
        let (mut left, mut open) = (capacity.to_vec(), vec![0.0; capacity.len()]);
        for (flow, level) in flows.iter().zip(&level) {
            for of in &flow.uses {
                match level {
                    Some(level) => left[of.resource as usize] -= of.coefficient * flow.weight * level,
                    None => open[of.resource as usize] += of.coefficient * flow.weight,
                }
            }
        }
        let at = |of: &Use| left[of.resource as usize] / open[of.resource as usize];
        let reach = |flow: &Asked| flow.uses.iter().map(at).fold(flow.cap / flow.weight, f64::min);
        let unheld = flows.iter().zip(&level).filter(|(_, level)| level.is_none());
        let least = unheld.map(|(flow, _)| reach(flow)).fold(f64::INFINITY, f64::min);
        if least == f64::INFINITY {
            return flows.iter().zip(&level).map(|(flow, level)| level.unwrap_or(least) * flow.weight).collect();
        }
        for (flow, level) in flows.iter().zip(&mut level).filter(|(_, level)| level.is_none()) {
            if reach(flow) <= least * (1.0 + 1e-13) {
                *level = Some(least);
            }
        }
    }
}

/// Parameters of a run of instants.
#[derive(Clone, Copy, Debug)]
struct Kind {
    resources: u32,
    bandwidths: u32,
    /// Bandwidth of every fifth link, if different from the others.
    thin: f64,
    /// Most links of a flow.
    hops: u32,
    weights: bool,
    caps: bool,
    /// Coefficient on the reverse route, 0 for none.
    back: f64,
    /// Most flows that arrive, and that leave, in one instant.
    batch: u32,
    /// Approximate number of flows.
    crowd: u32,
    /// True if rates are not read at every instant.
    skips: bool,
    /// True if weights change.
    bundles: bool,
    /// True if resources are never filled together.
    only_relaxes: bool,
}

fn asked(kind: Kind, draw: &mut Stream) -> Asked {
    let mut links: Vec<u32> = (0..kind.resources).collect();
    draw.shuffle(&mut links);
    let hops = 1 + draw.below(kind.hops.min(kind.resources)) as usize;
    let mut uses: Vec<Use> = links[..hops].iter().map(|&resource| Use { resource, coefficient: 1.0 }).collect();
    if kind.back > 0.0 {
        let back = links[hops..].iter().take(hops);
        uses.extend(back.map(|&resource| Use { resource, coefficient: kind.back }));
        // A cable shared by both directions.
        if draw.below(3) == 0 {
            uses[0].coefficient += kind.back;
        }
    }
    let weight = if kind.weights { 1.0 / (1.0 + f64::from(draw.below(3))) } else { 1.0 };
    let caps = [f64::INFINITY, 1.0, 0.5, 0.25];
    let cap = if kind.caps { caps[draw.below(4) as usize] } else { f64::INFINITY };
    Asked { uses, weight, cap, times: 1.0 }
}

/// Runs `instants` and returns the first failure.
fn play(kind: Kind, seed: u64, instants: u32) -> Result<(), String> {
    let mut draw = Stream::new(seed, "churn");
    let mut capacity: Vec<f64> = (0..kind.resources).map(|_| f64::from(1 + draw.below(kind.bandwidths))).collect();
    capacity.iter_mut().step_by(5).for_each(|thin| *thin *= kind.thin);
    let solver = MaxMin::new(capacity.iter().copied());
    let mut solver = if kind.only_relaxes { solver.only_relaxing() } else { solver };
    let mut there: Vec<(u32, Asked)> = Vec::new();
    // The rates reported by the solver, which is all that the executor knows.
    let mut told: Vec<f64> = Vec::new();
    let mut story = format!("{kind:?} seed {seed} capacity {capacity:?}\n");
    for instant in 0..instants {
        let many = there.len() as u32 > kind.crowd;
        let leave = if many { kind.batch } else { draw.below(kind.batch + 1) };
        let come = if many { 0 } else { draw.below(kind.batch + 1) };
        for _ in 0..leave.min(there.len() as u32) {
            let (id, _) = there.swap_remove(draw.below(there.len() as u32) as usize);
            story += &format!("{instant}: - {id}\n");
            solver.remove(id);
        }
        for _ in 0..come {
            let flow = asked(kind, &mut draw);
            let id = solver.add(&flow.uses, flow.weight, flow.cap);
            let uses: Vec<(u32, f64)> = flow.uses.iter().map(|of| (of.resource, of.coefficient)).collect();
            story += &format!("{instant}: + {id} {uses:?} {} {}\n", flow.weight, flow.cap);
            there.push((id, flow));
        }
        // Some count for more or fewer than before.
        for (id, flow) in &mut there {
            if !kind.bundles || draw.below(4) > 0 {
                continue;
            }
            let times = f64::from(1 + draw.below(3)) / flow.times;
            (flow.weight, flow.cap, flow.times) = (flow.weight * times, flow.cap * times, flow.times * times);
            story += &format!("{instant}: x {id} {}\n", flow.weight);
            solver.reweigh(*id, flow.weight);
            if let Some(told) = told.get_mut(*id as usize) {
                *told *= times;
            }
        }
        // A flow may leave before rates are read.
        if kind.skips && draw.below(2) == 0 {
            continue;
        }
        solver.solve(|id, rate| {
            told.resize(told.len().max(id as usize + 1), f64::NAN);
            told[id as usize] = rate;
        });
        let flows: Vec<Asked> = there.iter().map(|(_, flow)| flow.clone()).collect();
        for ((id, _), wanted) in there.iter().zip(filled(&capacity, &flows)) {
            let (told, rate) = (told[*id as usize], solver.rate(*id));
            let near = |a: f64| (a - wanted).abs() <= 1e-11 * wanted;
            if !near(told) || !near(rate) {
                return Err(format!("{story}flow {id}: told {told}, has {rate}, should have {wanted}"));
            }
        }
    }
    Ok(())
}

#[test]
fn rates_hold_while_flows_come_and_go() {
    let mut worst: Option<String> = None;
    for (number, back) in [0.0, 0.05, 1.0].into_iter().enumerate() {
        for (case, only_relaxes) in (0..400u32).flat_map(|case| [(case, true), (case, false)]) {
            let kind = Kind {
                resources: 2 + case % 11,
                bandwidths: 1 + u32::from(case % 5 == 4),
                thin: if case % 6 == 3 { 1e-9 } else { 1.0 },
                hops: 1 + case % 4,
                weights: case % 3 == 1,
                caps: case % 7 == 2,
                back,
                batch: 1 + case / 100,
                crowd: 3 + case % 13,
                skips: case % 8 == 5,
                bundles: case % 4 == 1 || case % 9 == 0,
                only_relaxes,
            };
            if let Err(story) = play(kind, u64::from(case) + 1000 * number as u64, 120)
                && worst.as_ref().is_none_or(|w| story.len() < w.len())
            {
                worst = Some(story);
            }
        }
    }
    assert!(worst.is_none(), "{}", worst.unwrap_or_default());
}

/// Nine shares of a ninth add up to more than 1 in doubles, on a link that holds none of these flows: it is full, yet
/// bounds nothing.
#[test]
fn a_sum_above_the_capacity_by_rounding_is_kept() {
    let mut solver = MaxMin::new([1.0, 1.0, 0.5]);
    let plain = |resource| Use { resource, coefficient: 1.0 };
    for _ in 0..9 {
        solver.add(&[plain(0), plain(1)], 1.0, f64::INFINITY);
    }
    solver.solve(|_, _| ());
    let tenth = solver.add(&[plain(1), plain(2)], 1.0, f64::INFINITY);
    solver.solve(|_, _| ());
    assert!((solver.rate(tenth) - 0.1).abs() < 1e-15, "{}", solver.rate(tenth));
}

/// A flow that leaves a nearly full link with a single other flow on it leaves the rate of that flow in the sum.
#[test]
fn who_stays_alone_still_counts() {
    let mut solver = MaxMin::new([1.0 - 1e-7, 1.0, 1e-8, 0.75]);
    let plain = |resource| Use { resource, coefficient: 1.0 };
    let stays = solver.add(&[plain(0), plain(1)], 1.0, f64::INFINITY);
    let leaves = solver.add(&[plain(1), plain(2)], 1.0, f64::INFINITY);
    solver.solve(|_, _| ());
    solver.remove(leaves);
    let comes = solver.add(&[plain(1), plain(3)], 1.0, f64::INFINITY);
    solver.solve(|_, _| ());
    assert_eq!((solver.rate(stays), solver.rate(comes)), (0.5, 0.5));
}
