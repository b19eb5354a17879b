//! Links inside nodes, for objectives that follow bytes over links: only those whose bandwidth somebody said.

use netloom_model::{Node, Place};

use crate::prepared::Prepared;

/// Links of the units that slots are in, up and down, and direct ones between slots, numbered after all other links.
pub struct Levels {
    /// Levels with such links.
    depth: usize,
    /// Per slot the up link of its unit on each level; the down link is the next number.
    ups: Vec<u32>,
    /// Seconds per byte of every link, in order of number.
    pub seconds: Vec<f64>,
    direct: Option<Joined>,
}

/// Nodes whose seats direct links join.
struct Joined {
    node: Node,
    /// Place of each slot.
    places: Vec<Place>,
    /// Nodes in use, ascending: their links stand one node after the other.
    nodes: Vec<u32>,
    first: u32,
}

impl Levels {
    /// Links from number `first` on. O(slots × levels × log + direct links of the nodes).
    pub fn new(prepared: &Prepared<'_>, first: u32) -> Levels {
        let Some(node) = prepared.problem.node else {
            return Levels { depth: 0, ups: Vec::new(), seconds: Vec::new(), direct: None };
        };
        let slots = prepared.problem.slots.max(1);
        let finite = |up: &u32| node.class_of(*up).bandwidth_bytes_per_s < f64::INFINITY;
        let place = |e: &u32| Place { endpoint: e / slots, seat: e % slots };
        let ups: Vec<u32> = prepared.endpoints.iter().flat_map(|e| node.ups(place(e))).filter(finite).collect();
        let mut used = ups.clone();
        used.sort_unstable();
        used.dedup();
        let seconds = |link: u32| 1.0 / node.class_of(link).bandwidth_bytes_per_s;
        let mut all: Vec<f64> = used.iter().flat_map(|up| [seconds(*up); 2]).collect();
        let depth = ups.len() / prepared.endpoints.len().max(1);
        let number = |up: &u32| first + 2 * used.partition_point(|u| u < up) as u32;
        let ups = ups.iter().map(number).collect();
        let direct = (!node.direct().is_empty()).then(|| {
            let places: Vec<Place> = prepared.endpoints.iter().map(place).collect();
            let mut nodes: Vec<u32> = places.iter().map(|place| node.of(place.endpoint)).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let own = node.links_per_node() - node.first_direct();
            let first = first + all.len() as u32;
            nodes.iter().for_each(|_| all.extend((0..own).map(|link| seconds(node.first_direct() + link))));
            Joined { node: node.clone(), places, nodes, first }
        });
        Levels { depth, ups, seconds: all, direct }
    }

    /// True if there are such links.
    pub fn any(&self) -> bool {
        self.depth > 0 || self.direct.is_some()
    }

    /// Replaces `out` by the links inside nodes of a message from slot to slot.
    pub fn between(&self, from: u32, to: u32, out: &mut Vec<u32>) {
        out.clear();
        if let Some(link) = self.direct.as_ref().and_then(|joined| joined.between(from, to)) {
            out.push(link);
            return;
        }
        let of = |slot: u32| &self.ups[slot as usize * self.depth..(slot as usize + 1) * self.depth];
        let apart = of(from).iter().zip(of(to)).filter(|(up, down)| up != down);
        out.extend(apart.flat_map(|(up, down)| [*up, down + 1]));
    }
}

impl Joined {
    fn between(&self, from: u32, to: u32) -> Option<u32> {
        let link = self.node.direct_link(self.places[from as usize], self.places[to as usize])?;
        let (node, inside) = (link / self.node.links_per_node(), link % self.node.links_per_node());
        let before = self.nodes.partition_point(|other| *other < node) as u32;
        let own = self.node.links_per_node() - self.node.first_direct();
        Some(self.first + before * own + inside - self.node.first_direct())
    }
}
