//! The solver against progressive filling in exact fractions, and the condition that defines max-min fairness.

use netloom_model::Stream;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use proptest::prelude::*;

use crate::max_min::{MaxMin, Use};

fn fraction(numerator: u32, denominator: u32) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

#[derive(Clone, Debug)]
struct Wanted {
    /// (resource, coefficient in quarters)
    uses: Vec<(u32, u32)>,
    /// Weight in sevenths.
    weight: u32,
    cap: Option<u32>,
}

/// Progressive filling, one level at a time over all flows, exact.
fn exact(capacity: &[u32], flows: &[Option<Wanted>]) -> Vec<Option<BigRational>> {
    let mut rates: Vec<Option<BigRational>> = vec![None; flows.len()];
    loop {
        let mut least: Option<BigRational> = None;
        let mut offer = |level: BigRational| {
            if least.as_ref().is_none_or(|l| level < *l) {
                least = Some(level);
            }
        };
        let level_of = |r: usize| {
            let (mut left, mut weight) = (fraction(capacity[r], 1), BigRational::zero());
            for (flow, rate) in flows.iter().zip(&rates) {
                let Some(flow) = flow else { continue };
                for (_, quarters) in flow.uses.iter().filter(|u| u.0 as usize == r) {
                    match rate {
                        Some(rate) => left -= fraction(*quarters, 4) * rate,
                        None => weight += fraction(*quarters, 4) * fraction(flow.weight, 7),
                    }
                }
            }
            (!weight.is_zero()).then(|| left / weight)
        };
        let levels: Vec<_> = (0..capacity.len()).map(level_of).collect();
        levels.iter().flatten().for_each(|l| offer(l.clone()));
        for (flow, _) in flows.iter().zip(&rates).filter(|(f, r)| f.is_some() && r.is_none()) {
            if let Some(Wanted { cap: Some(cap), weight, .. }) = flow {
                offer(fraction(*cap, 1) / fraction(*weight, 7));
            }
        }
        let Some(least) = least else { return rates };
        let full: Vec<usize> = (0..capacity.len()).filter(|&r| levels[r].as_ref() == Some(&least)).collect();
        for (at, flow) in flows.iter().enumerate() {
            let Some(flow) = flow else { continue };
            if rates[at].is_some() {
                continue;
            }
            let level = |cap: u32| fraction(cap, 1) / fraction(flow.weight, 7);
            let capped = flow.cap.is_some_and(|cap| level(cap) == least);
            if capped || flow.uses.iter().any(|u| full.contains(&(u.0 as usize))) {
                rates[at] = Some(&least * fraction(flow.weight, 7));
            }
        }
    }
}

fn start(solver: &mut MaxMin, flow: &Wanted) -> u32 {
    let uses = flow.uses.iter().map(|&(resource, quarters)| Use { resource, coefficient: f64::from(quarters) / 4.0 });
    solver.add(&uses.collect::<Vec<_>>(), f64::from(flow.weight) / 7.0, flow.cap.map_or(f64::INFINITY, f64::from))
}

fn wanted(resources: u32) -> impl Strategy<Value = Wanted> {
    let uses = proptest::collection::btree_map(0..resources, prop_oneof![8 => Just(4u32), 1 => 1u32..9], 1..5);
    (uses, prop_oneof![3 => Just(7u32), 2 => 1u32..30], proptest::option::weighted(0.2, 1u32..40))
        .prop_map(|(uses, weight, cap)| Wanted { uses: uses.into_iter().collect(), weight, cap })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Arrivals and departures in any order leave exactly what filling from scratch gives, and so does filling all
    /// resources together.
    #[test]
    fn updates_are_what_exact_filling_gives(
        capacity in prop_oneof![
            proptest::collection::vec(1u32..50, 2..9),
            // Several narrowest links at once.
            (1u32..50, 2usize..9).prop_map(|(capacity, links)| vec![capacity; links]),
        ],
        changes in proptest::collection::vec((any::<u32>(), wanted(8), 0u8..4), 1..30),
        only_relaxes in any::<bool>(),
    ) {
        let solver = MaxMin::new(capacity.iter().map(|&c| f64::from(c)));
        let mut solver = if only_relaxes { solver.only_relaxing() } else { solver };
        let mut flows: Vec<Option<Wanted>> = Vec::new();
        let mut ids = Vec::new();
        for (pick, mut flow, kind) in changes {
            let there: Vec<usize> = (0..flows.len()).filter(|&i| flows[i].is_some()).collect();
            if kind == 0 && !there.is_empty() {
                let at = there[pick as usize % there.len()];
                solver.remove(ids[at]);
                flows[at] = None;
            } else {
                flow.uses.retain(|u| (u.0 as usize) < capacity.len());
                if flow.uses.is_empty() {
                    continue;
                }
                ids.push(start(&mut solver, &flow));
                flows.push(Some(flow));
            }
            if kind == 3 {
                continue; // Several changes, one solve.
            }
            solver.solve(|_, _| ());
            let mut anew = solver.clone();
            anew.fill_all();
            for (at, rate) in exact(&capacity, &flows).into_iter().enumerate() {
                let Some(rate) = rate.and_then(|rate| rate.to_f64()) else { continue };
                for got in [solver.rate(ids[at]), anew.rate(ids[at])] {
                    prop_assert!((got - rate).abs() <= 1e-12 * rate, "flow {}: {} for {}", at, got, rate);
                }
            }
        }
    }
}

/// The definition of max-min fairness, on sizes beyond exact fractions: no resource is over its capacity, and every
/// flow has a saturated resource on which it has the highest level.
#[test]
fn every_flow_has_a_bottleneck() {
    let mut draw = Stream::new(3, "bottleneck");
    let capacity: Vec<f64> = (0..60).map(|_| 1.0 + draw.unit()).collect();
    let mut solver = MaxMin::new(capacity.iter().copied());
    let mut flows: Vec<(u32, Vec<u32>, f64)> = Vec::new();
    for round in 0..600 {
        for _ in 0..1 + draw.below(5) {
            if !flows.is_empty() && draw.below(5) < 2 {
                let gone = flows.swap_remove(draw.below(flows.len() as u32) as usize);
                solver.remove(gone.0);
            } else {
                let mut links: Vec<u32> = (0..60).collect();
                draw.shuffle(&mut links);
                links.truncate(1 + draw.below(6) as usize);
                let weight = if round % 2 == 0 { 1.0 } else { 0.01 + draw.unit() };
                let uses: Vec<Use> = links.iter().map(|&resource| Use { resource, coefficient: 1.0 }).collect();
                flows.push((solver.add(&uses, weight, f64::INFINITY), links, weight));
            }
        }
        solver.solve(|_, _| ());
        let (mut used, mut highest) = (vec![0.0; 60], vec![0.0f64; 60]);
        for (id, links, weight) in &flows {
            for &l in links {
                used[l as usize] += solver.rate(*id);
                highest[l as usize] = highest[l as usize].max(solver.rate(*id) / weight);
            }
        }
        for l in 0..60 {
            assert!(used[l] <= capacity[l] * (1.0 + 1e-12), "link {l} carries {} of {}", used[l], capacity[l]);
        }
        for (id, links, weight) in &flows {
            let level = solver.rate(*id) / weight;
            let limited = |l: usize| used[l] >= capacity[l] * (1.0 - 1e-11) && highest[l] <= level * (1.0 + 1e-11);
            assert!(links.iter().any(|&l| limited(l as usize)), "round {round}: a flow without bottleneck");
        }
    }
}

/// Flows that share only wide links with others cost no filling, whether they arrive or leave.
#[test]
fn lone_flows_fill_nothing() {
    let mut solver = MaxMin::new((0..101).map(|link| if link < 100 { 1.0 } else { 1000.0 }));
    let plain = |resource| Use { resource, coefficient: 1.0 };
    for _ in 0..3 {
        let flows: Vec<u32> = (0..100).map(|own| solver.add(&[plain(own), plain(100)], 1.0, f64::INFINITY)).collect();
        let mut changes = 0;
        solver.solve(|_, rate| changes += u32::from(rate == 1.0));
        assert_eq!(changes, 100);
        flows.into_iter().for_each(|flow| solver.remove(flow));
    }
    assert_eq!((solver.work.fillings, solver.work.entries), (0, 0));
}
