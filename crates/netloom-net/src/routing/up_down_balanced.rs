//! Up*/down* routing as forwarding tables hold it: at every switch one next link by destination endpoint, ties decided by
//! counting.

use netloom_model::{Forwarding, Network, Outcome, Step, Way};

use super::distances::FAR;
use super::ranks::Ranks;
use super::rule::Rule;

/// From a switch above the destination the shortest way down, from others the shortest way up to such a switch. What comes
/// next depends on the switch alone, not on whether packets have climbed, so that any connected network has tables.
pub struct Balanced {
    ranks: Ranks,
    /// Endpoint by endpoint, the next link of every switch.
    links: Vec<u32>,
}

impl Balanced {
    /// Endpoint by endpoint, in the order of their numbers, every switch takes of its equal links the one that the fewest
    /// endpoints before have, of those the lowest. O(endpoints · links), 4 · endpoints · switches bytes.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^26 pairs of switch and endpoint.
    pub fn new(network: &Network, ranks: Ranks) -> Outcome<Balanced> {
        let n = network.switches();
        if network.endpoints() > 0 {
            Forwarding::require_size(network, network.endpoints().into())?;
        }
        let mut used = vec![0u32; network.switch_links() as usize];
        let mut links = Vec::with_capacity(n as usize * network.endpoints() as usize);
        for &end in network.endpoint_switch() {
            let hops = Hops::new(network, &ranks, end);
            for at in 0..n {
                let link = hops.next(network, &ranks, at).min_by_key(|link| used[*link as usize]);
                link.iter().for_each(|link| used[*link as usize] += 1);
                links.push(link.unwrap_or(Forwarding::NONE));
            }
        }
        Ok(Balanced { ranks, links })
    }
}

/// Hops to one destination from every switch, and by descending links alone.
struct Hops {
    all: Vec<u32>,
    down: Vec<u32>,
}

impl Hops {
    /// O(links).
    fn new(network: &Network, ranks: &Ranks, destination: u32) -> Hops {
        let down = ranks.to(network, destination).down.clone();
        let mut all = down.clone();
        for &at in ranks.top_first() {
            if all[at as usize] == FAR {
                let above = network.neighbours(at).iter().filter(|u| ranks.up(at, **u));
                all[at as usize] = above.map(|u| all[*u as usize].saturating_add(1)).min().unwrap_or(FAR);
            }
        }
        Hops { all, down }
    }

    /// Links from `at` that are equally good.
    fn next<'a>(&'a self, network: &'a Network, ranks: &'a Ranks, at: u32) -> impl Iterator<Item = u32> + 'a {
        let climbs = self.down[at as usize] == FAR;
        let from = if climbs { &self.all } else { &self.down };
        let hops = from[at as usize];
        let nearer = move |link: &u32| {
            let head = network.heads()[*link as usize];
            hops != FAR && ranks.up(at, head) == climbs && from[head as usize].saturating_add(1) == hops
        };
        network.out_links(at).filter(nearer)
    }
}

impl Rule for Balanced {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let n = network.switches();
        let endpoint = destination.checked_sub(n);
        let switch = endpoint.map_or(destination, |endpoint| network.endpoint_switch()[endpoint as usize]);
        // Packets to a switch are routed as those to its first endpoint.
        let endpoint = endpoint.or_else(|| network.endpoints_of(switch).first().copied());
        let of = |endpoint: u32| endpoint as usize * n as usize..(endpoint as usize + 1) * n as usize;
        let links = endpoint.map(|endpoint| &self.links[of(endpoint)]);
        Box::new(BalancedWay { rule: self, network, hops: Hops::new(network, &self.ranks, switch), links })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    /// Links up first, then links down.
    fn is_ordered(&self) -> bool {
        true
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    fn by_endpoint(&self) -> bool {
        true
    }
}

/// A place is a switch.
struct BalancedWay<'a> {
    rule: &'a Balanced,
    network: &'a Network,
    hops: Hops,
    /// Of the destination endpoint; a switch without one has the lowest links.
    links: Option<&'a [u32]>,
}

impl Way for BalancedWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.hops.all[source as usize] != FAR).then_some(u64::from(source)));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let link = match self.links {
            Some(links) => links.get(place as usize).copied().filter(|link| *link != Forwarding::NONE),
            None => self.hops.next(self.network, &self.rule.ranks, place as u32).next(),
        };
        let head = |link: u32| self.network.heads()[link as usize].into();
        out.extend(link.map(|link| Step { link, channel: 0, place: head(link) }));
    }
    fn remaining(&self, place: u64) -> u32 {
        self.hops.all[place as usize]
    }
}
