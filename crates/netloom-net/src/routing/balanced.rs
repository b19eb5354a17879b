//! Equal links told apart by counting, as minhop of OpenSM does: at every switch one next link by destination endpoint.

use netloom_model::{Forwarding, Network, Outcome, Step, Way};

use super::distances::{DistanceRow, Distances, FAR};
use super::rule::{Rule, end_of};

/// Which links lead on as well as any other.
pub trait Leads: Send + Sync {
    type To<'a>: Toward
    where
        Self: 'a;
    /// The answer of [`Rule::is_ordered`].
    const ORDERED: bool;

    /// The answer of [`Rule::is_searched`].
    fn is_searched(&self) -> bool;
    /// Towards a switch. O(links).
    fn to<'a>(&'a self, network: &'a Network, switch: u32) -> Self::To<'a>;
}

/// The ways to one switch.
pub trait Toward {
    /// Hops from a switch; [`FAR`] if no path leads on.
    fn hops(&self, at: u32) -> u32;
    /// Links from `at` that are equally good, the lowest first.
    fn next<'b>(&'b self, network: &'b Network, at: u32) -> impl Iterator<Item = u32> + 'b;
}

/// The next links of every switch by destination endpoint.
pub struct Balanced<L> {
    leads: L,
    /// Endpoint by endpoint, the next link of every switch.
    links: Vec<u32>,
}

impl<L: Leads> Balanced<L> {
    /// Endpoint by endpoint, in the order of their numbers, every switch takes of its equal links the one that the fewest
    /// endpoints before have, of those the lowest. O(endpoints · links), 4 · endpoints · switches bytes.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^26 pairs of switch and endpoint.
    pub fn new(network: &Network, leads: L) -> Outcome<Balanced<L>> {
        let n = network.switches();
        if network.endpoints() > 0 {
            Forwarding::require_size(network, network.endpoints().into())?;
        }
        let mut used = vec![0u32; network.switch_links() as usize];
        let mut links = Vec::with_capacity(n as usize * network.endpoints() as usize);
        for &end in network.endpoint_switch() {
            let toward = leads.to(network, end);
            for at in 0..n {
                let link = toward.next(network, at).min_by_key(|link| used[*link as usize]);
                link.iter().for_each(|link| used[*link as usize] += 1);
                links.push(link.unwrap_or(Forwarding::NONE));
            }
        }
        Ok(Balanced { leads, links })
    }
}

impl<L: Leads> Rule for Balanced<L> {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let n = network.switches();
        let (switch, endpoint) = end_of(network, destination, true);
        let of = |endpoint: u32| endpoint as usize * n as usize..(endpoint as usize + 1) * n as usize;
        let links = endpoint.map(|endpoint| &self.links[of(endpoint)]);
        Box::new(BalancedWay { network, toward: self.leads.to(network, switch), links })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_ordered(&self) -> bool {
        L::ORDERED
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    fn is_searched(&self) -> bool {
        self.leads.is_searched()
    }
    fn by_endpoint(&self) -> bool {
        true
    }
}

/// A place is a switch.
struct BalancedWay<'a, T> {
    network: &'a Network,
    toward: T,
    /// The links towards the destination endpoint; a switch without one has the lowest links.
    links: Option<&'a [u32]>,
}

impl<T: Toward> Way for BalancedWay<'_, T> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.toward.hops(source) != FAR).then_some(u64::from(source)));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let link = match self.links {
            Some(links) => links.get(place as usize).copied().filter(|link| *link != Forwarding::NONE),
            None => self.toward.next(self.network, place as u32).next(),
        };
        let head = |link: u32| self.network.heads()[link as usize].into();
        out.extend(link.map(|link| Step { link, channel: 0, place: head(link) }));
    }
    fn remaining(&self, place: u64) -> u32 {
        self.toward.hops(place as u32)
    }
}

/// Shortest paths.
impl Leads for Distances {
    type To<'a> = DistanceRow<'a>;
    const ORDERED: bool = false;

    fn is_searched(&self) -> bool {
        Distances::is_searched(self)
    }

    fn to<'a>(&'a self, _: &'a Network, switch: u32) -> DistanceRow<'a> {
        Distances::to(self, switch)
    }
}

impl Toward for DistanceRow<'_> {
    fn hops(&self, at: u32) -> u32 {
        self.get(at)
    }
    fn next<'b>(&'b self, network: &'b Network, at: u32) -> impl Iterator<Item = u32> + 'b {
        let distance = self.get(at);
        let is_nearer = move |link: &u32| distance != FAR && self.get(network.heads()[*link as usize]) + 1 == distance;
        network.out_links(at).filter(is_nearer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use netloom_model::{Call, Forwarding, Network, Progress};

    use crate::routing::{build, forwarding};

    fn tables(network: &Arc<Network>, call: &str) -> Forwarding {
        let routing = build(network, &Call::parse(call).unwrap()).unwrap();
        forwarding(network, &*routing, &Progress::new()).unwrap()
    }

    /// Destinations on other switches by each link of `switch`.
    fn used(network: &Network, tables: &Forwarding, switch: u32) -> Vec<usize> {
        let all = || (0..network.endpoints()).filter(|e| network.endpoint_switch()[*e as usize] != switch);
        let by = |link: u32| all().filter(|e| tables.towards(*e)[switch as usize] == link).count();
        network.out_links(switch).map(by).collect()
    }

    #[test]
    fn destinations_are_spread_over_equal_links() {
        // Four leaves of four endpoints, two spines, two cables between each leaf and spine.
        let call = Call::parse("xgft(m=[4,4],w=[1,2],parallel=[1,2])").unwrap();
        let network = Arc::new(crate::build(&call).unwrap());
        let (even, lowest) = (tables(&network, "single-minimal(tie=balanced)"), tables(&network, "single-minimal"));
        let leaves: Vec<u32> = (0..network.switches()).filter(|s| !network.endpoints_of(*s).is_empty()).collect();
        assert_eq!(leaves.len(), 4);
        for leaf in leaves {
            assert_eq!(used(&network, &even, leaf), [3, 3, 3, 3]);
            assert_eq!(used(&network, &lowest, leaf), [12, 0, 0, 0]);
        }
        // A torus has endpoints with one shortest link and others with several.
        let torus = Arc::new(crate::build(&Call::parse("torus(4,4,p=2)").unwrap()).unwrap());
        let even = tables(&torus, "single-minimal(tie=balanced)");
        let most = |tables: &Forwarding| (0..16).flat_map(|s| used(&torus, tables, s)).max();
        assert!(most(&even) < most(&tables(&torus, "single-minimal")), "{:?}", used(&torus, &even, 0));
    }

    #[test]
    fn too_many_pairs_are_refused_before_memory_is_taken() {
        let network = Arc::new(crate::build(&Call::parse("torus(128,128)").unwrap()).unwrap());
        let faults = build(&network, &Call::parse("single-minimal(tie=balanced)").unwrap()).err().unwrap();
        assert_eq!(faults.0[0].code, "NL-A009");
    }
}
