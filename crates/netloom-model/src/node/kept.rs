//! The byte form of nodes.

use super::{Direct, Level, Node};
use crate::kept::{Kept, Rest, fields};

fields!(Level { name: String, counts: Vec<u32>, bandwidth_bytes_per_s: f64, latency_s: f64, memory_bytes_per_s: f64 });

impl Kept for Direct {
    const LEAST: usize = 18;
    fn put(&self, out: &mut Vec<u8>) {
        self.seats.put(out);
        self.bytes_per_s.iter().for_each(|way| way.put(out));
        self.latency_s.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Direct> {
        Some(Direct { seats: from.read()?, bytes_per_s: [from.read()?, from.read()?], latency_s: from.read()? })
    }
}

impl Kept for Node {
    const LEAST: usize = 21;
    fn put(&self, out: &mut Vec<u8>) {
        self.levels.put(out);
        self.nics.put(out);
        self.direct.put(out);
        self.hosts.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Node> {
        let (levels, nics, direct) = from.read::<(Vec<Level>, u32, Vec<Direct>)>()?;
        let made = Node::new(levels, nics).ok()?;
        let made = if direct.is_empty() { made } else { made.with_links(direct).ok()? };
        Some(Node { hosts: from.read()?, ..made })
    }
}
