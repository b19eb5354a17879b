//! The machine in parts: which part has which switch, endpoint and link.

use std::sync::Arc;

use netloom_model::{Network, Node};

/// Parts of a machine; a link belongs to the part of its tail. Links of a part are numbered in the order of the network's.
#[derive(Clone, Debug)]
pub struct Layout {
    parts: u16,
    /// Per link; empty if there is one part.
    part: Vec<u16>,
    local: Arc<[u32]>,
    /// The part at the head of each link; empty as above.
    head: Vec<u16>,
}

impl Layout {
    /// `parts` of about as many switches each. O(links).
    pub fn new(network: &Network, node: Option<&Node>, parts: u16) -> Layout {
        if parts <= 1 {
            return Layout { parts: 1, part: Vec::new(), local: Arc::default(), head: Vec::new() };
        }
        let of_switch = divide(network, parts);
        let at = |endpoint: u32| of_switch[network.endpoint_switch()[endpoint as usize] as usize];
        // A node with several NICs is where its first one is.
        let of_endpoint = |endpoint: u32| at(node.map_or(endpoint, |node| endpoint - endpoint % node.nics()));
        let switch = |which: &[u32]| which.iter().map(|s| of_switch[*s as usize]).collect::<Vec<u16>>();
        let (mut part, mut head) = (switch(network.tails()), switch(network.heads()));
        let endpoints = 0..network.endpoints();
        part.extend(endpoints.clone().map(of_endpoint));
        head.extend(endpoints.clone().map(at));
        part.extend(endpoints.clone().map(at));
        head.extend(endpoints.clone().map(of_endpoint));
        if let Some(node) = node {
            let inner = endpoints.step_by(node.nics() as usize);
            let inner = inner.flat_map(|first| std::iter::repeat_n(of_endpoint(first), node.links_per_node() as usize));
            part.extend(inner.clone());
            head.extend(inner);
        }
        let mut next = vec![0u32; usize::from(parts)];
        let number = |part: &u16| {
            next[usize::from(*part)] += 1;
            next[usize::from(*part)] - 1
        };
        let local = part.iter().map(number).collect();
        Layout { parts, part, local, head }
    }

    pub fn parts(&self) -> u16 {
        self.parts
    }

    /// The part of a link, and its number there.
    #[inline]
    pub fn of(&self, link: u32) -> (u16, u32) {
        match self.part.get(link as usize) {
            Some(part) => (*part, self.local[link as usize]),
            None => (0, link),
        }
    }

    /// The part at the head of a link.
    pub fn head(&self, link: u32) -> u16 {
        self.head.get(link as usize).copied().unwrap_or(0)
    }

    /// Numbers of all links in their parts; empty if there is one.
    pub fn local(&self) -> &Arc<[u32]> {
        &self.local
    }
}

/// The part of every switch: equal pieces of an order of the switches, that of their numbers or breadth first, whichever cuts
/// fewer links.
fn divide(network: &Network, parts: u16) -> Vec<u16> {
    let switches = network.switches();
    let pieces = |order: &[u32]| {
        let mut part = vec![0; switches as usize];
        for (place, switch) in order.iter().enumerate() {
            part[*switch as usize] = (place as u64 * u64::from(parts) / u64::from(switches)) as u16;
        }
        part
    };
    let cut = |part: &Vec<u16>| {
        let ends = network.tails().iter().zip(network.heads());
        ends.filter(|(a, b)| part[**a as usize] != part[**b as usize]).count()
    };
    let numbers: Vec<u32> = (0..switches).collect();
    [pieces(&numbers), pieces(&breadth_first(network))].into_iter().min_by_key(cut).unwrap_or_default()
}

/// All switches, each after a neighbour where it has one.
fn breadth_first(network: &Network) -> Vec<u32> {
    let mut seen = vec![false; network.switches() as usize];
    let mut order = Vec::with_capacity(seen.len());
    for start in 0..network.switches() {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        let mut at = order.len();
        order.push(start);
        while let Some(&switch) = order.get(at) {
            at += 1;
            for &next in network.neighbours(switch) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    order.push(next);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Call;

    #[test]
    fn every_link_has_one_place_and_pieces_are_equal() {
        for text in ["torus(6,5)", "fat_tree(radix=4,levels=3)", "dragonfly(a=4,p=2,h=1,g=5)"] {
            let network = netloom_net::build(&Call::parse(text).unwrap()).unwrap();
            for parts in [2u16, 3, 7] {
                let layout = Layout::new(&network, None, parts);
                let mut places: Vec<(u16, u32)> = (0..network.links()).map(|link| layout.of(link)).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len() as u32, network.links());
                let of = divide(&network, parts);
                let sizes: Vec<usize> = (0..parts).map(|part| of.iter().filter(|p| **p == part).count()).collect();
                assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            }
        }
    }

    #[test]
    fn a_torus_is_cut_into_slabs() {
        let network = netloom_net::build(&Call::parse("torus(8,4,4)").unwrap()).unwrap();
        let of = divide(&network, 2);
        let cut = |(a, b): (&u32, &u32)| of[*a as usize] != of[*b as usize];
        assert_eq!(network.tails().iter().zip(network.heads()).filter(|e| cut(*e)).count(), 2 * 2 * 16);
    }
}
