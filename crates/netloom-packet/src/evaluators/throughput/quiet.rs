//! The latency of packets that meet no other.

use std::collections::{BTreeMap, HashMap};

use netloom_model::{Family, Network, Outcome};

use crate::{Destinations, Engine, Hops, Input, Lone, Offer, Taking};

/// Packets of a sample.
const QUIET: u64 = 4096;
/// Routes, from a switch to a destination, up to which the mean is computed and not sampled.
const ROUTES: usize = 1 << 16;
/// States of all routes together, up to which the same holds.
const STATES: usize = 1 << 20;
/// Links of a route, beyond which it is taken for one that never ends.
const LONGEST: usize = 1 << 12;

/// Who sends where, over what.
pub struct Asked<'a> {
    pub network: &'a Network,
    pub endpoint_of_rank: &'a [u32],
    pub destinations: &'a Destinations,
    pub switch: Input,
    pub taking: Taking,
    pub seed: u64,
}

/// Mean latency in cycles, and whether it is exact: over all pairs by their shares and over all paths by theirs. Else it is the
/// mean of a sample: on large networks, for packets that take detours or hash their paths, and for switches on which packets
/// hold themselves up. `None` without packets. O(routes · hops · states), or O(packets · hops).
///
/// # Errors
/// As the routing.
pub fn zero_load(asked: &Asked<'_>, mut hops: Hops<'_>) -> Outcome<Option<(f64, bool)>> {
    let senders: Vec<u32> =
        (0..asked.endpoint_of_rank.len() as u32).filter(|rank| asked.destinations.sends(*rank)).collect();
    if senders.is_empty() {
        return Ok(None);
    }
    let lone = asked.switch.lone(asked.network, asked.taking).filter(|_| hops.escape().is_none());
    if let Some(lone) = lone
        && let Some(routes) = routes(asked, &senders, &hops)
        && let Some(mean) = mean(asked, &lone, &routes, &mut hops)?
    {
        return Ok(Some((mean, true)));
    }
    Ok(sample(asked, &senders, hops)?.map(|mean| (mean, false)))
}

/// The share of packets from each switch to each destination; `None` if there are too many.
fn routes(asked: &Asked<'_>, senders: &[u32], hops: &Hops<'_>) -> Option<BTreeMap<(u32, u32), f64>> {
    if senders.len().saturating_mul(asked.endpoint_of_rank.len()) > STATES {
        return None;
    }
    let mut of_endpoint = HashMap::new();
    let endpoint = |rank: u32| asked.endpoint_of_rank[rank as usize];
    senders.iter().for_each(|rank| *of_endpoint.entry(endpoint(*rank)).or_insert(0u32) += 1);
    let sources = of_endpoint.len() as f64;
    let mut routes: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for &rank in senders {
        let from = endpoint(rank);
        let at = asked.network.endpoint_switch()[from as usize];
        let each = 1.0 / sources / f64::from(of_endpoint[&from]);
        asked.destinations.shares(rank, &mut |to, share| {
            *routes.entry((at, hops.destination(endpoint(to)))).or_insert(0.0) += each * share;
        });
        if routes.len() > ROUTES {
            return None;
        }
    }
    Some(routes)
}

/// The mean over routes and paths; `None` if there are too many states.
fn mean(
    asked: &Asked<'_>,
    lone: &Lone<'_>,
    routes: &BTreeMap<(u32, u32), f64>,
    hops: &mut Hops<'_>,
) -> Outcome<Option<f64>> {
    let (mut sum, mut states) = (0.0, 0usize);
    for (&(switch, destination), share) in routes {
        // A share of packets by their place, and by when their head and tail are there.
        let mut at: BTreeMap<(u64, u64, u64), f64> = BTreeMap::new();
        let (head, tail) = lone.injected();
        let starts = hops.starts(switch, destination)?;
        let each = 1.0 / starts.len() as f64;
        starts.into_iter().for_each(|start| *at.entry((start, head, tail)).or_insert(0.0) += each);
        for _ in 0..LONGEST {
            let mut next: BTreeMap<(u64, u64, u64), f64> = BTreeMap::new();
            for ((place, head, tail), part) in at {
                states += 1;
                let row = hops.row(place, destination);
                if hops.choices(row).is_empty() {
                    sum += share * part * lone.arrived(head, tail);
                }
                for (choice, of_choice) in hops.shares(row, asked.taking.looks()) {
                    let (head, tail) = lone.crossed(choice.link, head, tail);
                    *next.entry((choice.place, head, tail)).or_insert(0.0) += part * of_choice;
                }
            }
            hops.fault()?;
            at = next;
            if at.is_empty() {
                break;
            }
        }
        if !at.is_empty() || states > STATES {
            return Ok(None);
        }
    }
    Ok(Some(sum))
}

/// Packets of each source one after another, so that none meets another: the mean latency of a few thousand.
fn sample(asked: &Asked<'_>, senders: &[u32], hops: Hops<'_>) -> Outcome<Option<f64>> {
    let Asked { network, endpoint_of_rank, destinations, switch, taking, seed } = *asked;
    let family = Family::new(seed, "zero load");
    let mut engine = switch.engine(network, hops, (taking, seed), None);
    let (mut arrivals, mut sum, mut number) = (Vec::new(), 0, 0u64);
    for index in 0..QUIET {
        let mut draws = family.of(index);
        // Every source as often as any other; of many sources a sample.
        let rank = match senders.len() as u64 {
            few if few <= QUIET => senders[(index % few) as usize],
            many => senders[draws.below(many as u32) as usize],
        };
        let (from, to) =
            (endpoint_of_rank[rank as usize], endpoint_of_rank[destinations.draw(rank, &mut draws) as usize]);
        engine.offer(Offer { from, to, tag: 0, units: switch.units() })?;
        while !engine.idle() {
            let quiet = engine.quiet_until();
            engine.skip(quiet);
            engine.cycle(&mut arrivals)?;
        }
        for arrival in arrivals.drain(..) {
            sum += arrival.at - arrival.born;
            number += 1;
        }
    }
    Ok((number > 0).then(|| sum as f64 / number as f64))
}
