//! Filling all resources together, against progressive filling by its definition and against relaxation.

use netloom_model::Stream;

use crate::max_min::{MaxMin, Use};
use crate::max_min_churn_tests::{Asked, filled};

/// A flow over a few of the resources. Cables may be shared by both directions, at another bandwidth on the way back, and
/// acknowledgements take a part of it.
fn asked(draw: &mut Stream, resources: u32, kind: u32) -> Asked {
    let mut links: Vec<u32> = (0..resources).collect();
    draw.shuffle(&mut links);
    let hops = 1 + draw.below(6) as usize;
    let mut uses: Vec<Use> = links[..hops].iter().map(|&resource| Use { resource, coefficient: 1.0 }).collect();
    match kind % 4 {
        0 => {}
        // Half duplex.
        1 => uses.iter_mut().filter(|of| of.resource % 3 == 0).for_each(|of| of.coefficient = 0.4),
        // Cross traffic, on the same cable or on others.
        2 => {
            uses[0].coefficient += 0.05;
            uses.extend(links[hops..hops + 3].iter().map(|&resource| Use { resource, coefficient: 0.05 }));
        }
        // Many paths in small shares.
        _ => uses.extend(links[hops..].iter().take(12).map(|&resource| Use { resource, coefficient: 1.0 / 64.0 })),
    }
    let weight = if kind % 5 == 1 { 0.01 + draw.unit() } else { 1.0 };
    let cap = if kind % 3 == 2 && draw.below(2) == 0 { 0.01 + 0.1 * draw.unit() } else { f64::INFINITY };
    Asked { uses, weight, cap, times: 1.0 }
}

#[test]
fn hundreds_of_flows_have_the_rates_of_the_definition() {
    let mut draw = Stream::new(5, "hundreds");
    for kind in 0..60 {
        let resources = 20 + draw.below(60);
        let equal = kind % 2 == 0;
        let capacity: Vec<f64> = (0..resources).map(|_| if equal { 1.0 } else { 0.5 + draw.unit() }).collect();
        let mut solver = MaxMin::new(capacity.iter().copied());
        let mut there: Vec<(u32, Asked)> = Vec::new();
        for round in 0..6 {
            if round > 0 {
                for _ in 0..there.len() / 3 {
                    let (id, _) = there.swap_remove(draw.below(there.len() as u32) as usize);
                    solver.remove(id);
                }
            }
            for _ in 0..50 + draw.below(300) {
                let flow = asked(&mut draw, resources, kind);
                there.push((solver.add(&flow.uses, flow.weight, flow.cap), flow));
            }
            solver.solve(|_, _| ());
            // The same in any state, whether relaxation was quick or not.
            let mut anew = solver.clone();
            anew.fill_all();
            let flows: Vec<Asked> = there.iter().map(|(_, flow)| flow.clone()).collect();
            for ((id, _), wanted) in there.iter().zip(filled(&capacity, &flows)) {
                for rate in [solver.rate(*id), anew.rate(*id)] {
                    assert!((rate - wanted).abs() <= 1e-11 * wanted, "kind {kind} round {round}: {rate} for {wanted}");
                }
            }
            // Only rounding is left to report, and relaxation can go on from there.
            anew.solve(|id, rate| assert!((rate - solver.rate(id)).abs() <= 1e-11 * rate));
            if round % 2 == 1 {
                solver = anew;
            }
        }
    }
}

/// The routes of all pairs on a torus of two dimensions, half of the bytes along each dimension first.
fn all_pairs(side: u32) -> Vec<Vec<Use>> {
    let link = |x: u32, y: u32, direction: u32| (y * side + x) * 4 + direction;
    let steps = |from: u32, to: u32| {
        let ahead = (to + side - from) % side;
        if 2 * ahead <= side { (0, ahead) } else { (1, side - ahead) }
    };
    let next = |at: u32, back: u32| (at + if back == 0 { 1 } else { side - 1 }) % side;
    let route = |from: u32, to: u32| {
        let mut uses: Vec<Use> = Vec::new();
        for order in [[0, 1], [1, 0]] {
            let mut at = [from % side, from / side];
            for axis in order {
                let (back, hops) = steps(at[axis], [to % side, to / side][axis]);
                for _ in 0..hops {
                    let resource = link(at[0], at[1], 2 * axis as u32 + back);
                    match uses.iter_mut().find(|of| of.resource == resource) {
                        Some(of) => of.coefficient += 0.5,
                        None => uses.push(Use { resource, coefficient: 0.5 }),
                    }
                    at[axis] = next(at[axis], back);
                }
            }
        }
        uses
    };
    let ranks = 0..side * side;
    ranks
        .clone()
        .flat_map(|a| ranks.clone().filter(move |&b| a != b).map(move |b| (a, b)))
        .map(|(a, b)| route(a, b))
        .collect()
}

/// An all-to-all of which a part ends at a time: each solve costs no more than some passes over all entries.
#[test]
fn a_solve_costs_few_passes_over_all_entries() {
    let routes = all_pairs(8);
    let resources = || vec![1.0; 8 * 8 * 4];
    let (mut both, mut relaxing) = (MaxMin::new(resources()), MaxMin::new(resources()).only_relaxing());
    let mut there: Vec<(u32, usize)> = Vec::new();
    for (at, uses) in routes.iter().enumerate() {
        let ids = [&mut both, &mut relaxing].map(|solver| solver.add(uses, 1.0, f64::INFINITY));
        assert_eq!(ids[0], ids[1]);
        there.push((ids[0], at));
    }
    let mut draw = Stream::new(8, "ends");
    let mut passes = 0;
    while !there.is_empty() {
        both.solve(|_, _| ());
        relaxing.solve(|_, _| ());
        passes += there.iter().map(|&(_, at)| routes[at].len()).sum::<usize>() as u64;
        for &(id, _) in &there {
            let (rate, wanted) = (both.rate(id), relaxing.rate(id));
            assert!((rate - wanted).abs() <= 1e-11 * wanted, "{rate} for {wanted}");
        }
        there.retain(|&(id, _)| {
            let ends = draw.below(3) == 0;
            if ends {
                both.remove(id);
                relaxing.remove(id);
            }
            !ends
        });
    }
    assert!(both.work.entries <= 4 * passes, "{:?}, {passes} entries", both.work);
    assert!(relaxing.work.entries > 20 * passes, "{:?}, {passes} entries", relaxing.work);
}
