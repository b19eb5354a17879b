//! The load at which the busiest link is full.

use netloom_model::{Network, Outcome, Progress, Routing, Sends};

use crate::{Destinations, Input};
use netloom_loads::loads::{Job, Model, Settings, Solution, Variant};

/// Pairs of ranks up to which the loads of links are computed.
const PAIRS: u64 = 1 << 20;
/// Most bytes that stand for the load of an endpoint, and of all of them.
const EACH: u64 = 1 << 40;
const ALL: u64 = 1 << 60;

/// What each rank sends, so that all endpoints that send have the same rate.
struct Rates<'a> {
    destinations: &'a Destinations,
    ranks: u32,
    /// Per rank; 0 for one that sends nothing.
    bytes: Vec<u64>,
}

impl Rates<'_> {
    /// Destinations of a rank, itself included, with their bytes.
    fn visit(&self, rank: u32, visit: &mut dyn FnMut(u32, u64)) {
        let all = self.bytes[rank as usize];
        match self.destinations {
            Destinations::Uniform { ranks, itself } => {
                let each = all / u64::from(if *itself { *ranks } else { ranks - 1 });
                (0..*ranks).filter(|to| *itself || *to != rank).for_each(|to| visit(to, each));
            }
            Destinations::Outside { host_of_rank } => {
                let own = host_of_rank[rank as usize];
                let others = || (0u32..).zip(host_of_rank).filter(|(_, host)| **host != own);
                let each = all / (others().count() as u64).max(1);
                others().for_each(|(to, _)| visit(to, each));
            }
            Destinations::Table { starts, to, weights } => {
                let row = starts[rank as usize] as usize..starts[rank as usize + 1] as usize;
                let sum: u128 = weights[row.clone()].iter().map(|weight| u128::from(*weight)).sum();
                for at in row.filter(|_| sum > 0) {
                    visit(to[at], (u128::from(all) * u128::from(weights[at]) / sum) as u64);
                }
            }
        }
    }
}

impl Sends for Rates<'_> {
    fn label(&self) -> &'static str {
        "rates"
    }
    fn ranks(&self) -> u32 {
        self.ranks
    }
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        self.visit(rank, &mut |to, bytes| {
            if to != rank && bytes > 0 {
                visit(to, 1, bytes);
            }
        });
    }
}

/// Greatest load at which no link is asked for more than it moves, if packets take the routing's paths in the routing's
/// shares; 1 at most. `None` for too many pairs, or without sources. O(pairs · hops).
///
/// # Errors
/// As the model of link loads.
pub(super) fn ideal(
    network: &Network,
    routing: &dyn Routing,
    endpoint_of_rank: &[u32],
    destinations: &Destinations,
    switch: Input,
) -> Outcome<Option<f64>> {
    let ranks = endpoint_of_rank.len() as u32;
    let pairs = match destinations {
        Destinations::Uniform { .. } | Destinations::Outside { .. } => u64::from(ranks) * u64::from(ranks),
        Destinations::Table { to, .. } => to.len() as u64,
    };
    let mut senders = vec![0u64; network.endpoints() as usize];
    let sending = |rank: &u32| destinations.sends(*rank);
    (0..ranks).filter(sending).for_each(|rank| senders[endpoint_of_rank[rank as usize] as usize] += 1);
    let busy = senders.iter().filter(|count| **count > 0).count() as u64;
    if pairs > PAIRS || busy == 0 {
        return Ok(None);
    }
    let all = EACH.min(ALL / busy);
    let part = |rank: u32| if sending(&rank) { all / senders[endpoint_of_rank[rank as usize] as usize] } else { 0 };
    let rates = Rates { destinations, ranks, bytes: (0..ranks).map(part).collect() };
    let mut ejected = vec![0u64; network.endpoints() as usize];
    for rank in 0..ranks {
        rates.visit(rank, &mut |to, bytes| ejected[endpoint_of_rank[to as usize] as usize] += bytes);
    }
    let job = Job { name: "rates", sends: &rates, endpoint_of_rank, routing, variant: Variant::DIRECT };
    let progress = Progress::new();
    let model = Model::new(network, vec![job], Settings::default(), &progress)?;
    let loads = model.distribute(&Solution::default(), &progress)?;
    let load = loads.by_job.first().map_or(&[][..], |load| load);
    let unit = model.unit();
    let inside = (0..).zip(load).map(|(link, load)| unit.bytes(*load) / switch.moves(network, link));
    let most = inside.chain(ejected.into_iter().map(|bytes| bytes as f64)).fold(0.0, f64::max);
    Ok(Some((all as f64 / most).min(1.0)))
}
