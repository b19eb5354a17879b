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
    /// All in one part.
    pub fn whole() -> Layout {
        Layout { parts: 1, part: Vec::new(), local: Arc::default(), head: Vec::new() }
    }

    /// `of_switch`: the part of every switch, less than `parts`; `ends`: those of [`ends`]. O(links).
    pub fn new(of_switch: &[u16], parts: u16, ends: &[(u32, u32)]) -> Layout {
        if parts <= 1 {
            return Layout::whole();
        }
        let part: Vec<u16> = ends.iter().map(|(tail, _)| of_switch[*tail as usize]).collect();
        let head = ends.iter().map(|(_, head)| of_switch[*head as usize]).collect();
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

/// The switches with which both ends of every link go together: links of the network, then those inside nodes. A node with several
/// NICs is where its first one is.
pub fn ends(network: &Network, node: Option<&Node>) -> Vec<(u32, u32)> {
    let at = |endpoint: u32| network.endpoint_switch()[endpoint as usize];
    let home = |endpoint: u32| at(node.map_or(endpoint, |node| node.first(endpoint)));
    let endpoints = 0..network.endpoints();
    let mut ends: Vec<(u32, u32)> = network.tails().iter().copied().zip(network.heads().iter().copied()).collect();
    ends.extend(endpoints.clone().map(|endpoint| (home(endpoint), at(endpoint))));
    ends.extend(endpoints.clone().map(|endpoint| (at(endpoint), home(endpoint))));
    if let Some(node) = node {
        let of_node = |first| std::iter::repeat_n((home(first), home(first)), node.links_per_node() as usize);
        // In the order of nodes, which are numbered by their first endpoints.
        ends.extend(endpoints.filter(|endpoint| node.first(*endpoint) == *endpoint).flat_map(of_node));
    }
    ends
}
