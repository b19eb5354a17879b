//! Shortest paths whose ties are decided by counting, as minhop of OpenSM decides them.

use netloom_model::{Forwarding, Network, Outcome, Step, Way};

use super::distances::{Distances, FAR, Row};
use super::minimal::Chooser;
use super::rule::Rule;

/// The next links of every switch by destination endpoint.
pub struct Balanced {
    distances: Distances,
    /// Endpoint by endpoint, the next link of every switch.
    links: Vec<u32>,
}

impl Balanced {
    /// Endpoint by endpoint, in the order of their numbers, every switch takes of its shortest next links the one that the
    /// fewest endpoints before have, of equal ones the lowest. O(endpoints · links), 4 · endpoints · switches bytes.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^26 pairs of switch and endpoint.
    pub fn new(network: &Network, distances: Distances) -> Outcome<Balanced> {
        let n = network.switches();
        if network.endpoints() > 0 {
            Forwarding::require_size(network, network.endpoints().into())?;
        }
        let mut used = vec![0u32; network.switch_links() as usize];
        let mut links = Vec::with_capacity(n as usize * network.endpoints() as usize);
        for &end in network.endpoint_switch() {
            let row = distances.to(network, end);
            for at in 0..n {
                let link = nearer(network, &row, at).min_by_key(|link| used[*link as usize]);
                link.iter().for_each(|link| used[*link as usize] += 1);
                links.push(link.unwrap_or(Forwarding::NONE));
            }
        }
        Ok(Balanced { distances, links })
    }
}

/// Links from `at` on shortest paths.
fn nearer<'a>(network: &'a Network, row: &'a Row<'_>, at: u32) -> impl Iterator<Item = u32> + 'a {
    let distance = row.get(at);
    let is_nearer = move |link: &u32| distance != FAR && row.get(network.heads()[*link as usize]) + 1 == distance;
    network.out_links(at).filter(is_nearer)
}

impl Rule for Balanced {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let n = network.switches();
        let endpoint = destination.checked_sub(n);
        let switch = endpoint.map_or(destination, |endpoint| network.endpoint_switch()[endpoint as usize]);
        // Packets to a switch are routed as those to its first endpoint.
        let endpoint = endpoint.or_else(|| network.endpoints_of(switch).first().copied());
        let of = |endpoint: u32| endpoint as usize * n as usize..(endpoint as usize + 1) * n as usize;
        Box::new(BalancedWay {
            network,
            row: self.distances.to(network, switch),
            switch,
            links: endpoint.map(|endpoint| &self.links[of(endpoint)]),
        })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
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
    network: &'a Network,
    row: Row<'a>,
    switch: u32,
    /// Of the destination endpoint; a switch without one has the lowest links.
    links: Option<&'a [u32]>,
}

impl Way for BalancedWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.row.get(source) != FAR).then_some(u64::from(source)));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let link = match self.links {
            Some(links) => links.get(place as usize).copied().filter(|link| *link != Forwarding::NONE),
            None => Chooser::First.next(self.network, &self.row, place as u32, self.switch),
        };
        let head = |link: u32| self.network.heads()[link as usize].into();
        out.extend(link.map(|link| Step { link, channel: 0, place: head(link) }));
    }
    fn remaining(&self, place: u64) -> u32 {
        self.row.get(place as u32)
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
