//! The paths of the messages of in-network collectives: links of trees.

use std::collections::BTreeMap;

use netloom_model::Outcome;
use netloom_model::paths::Routing;
use netloom_model::steps::{Refusal, Step, Way, dependencies};

/// Bits of a place that count the links behind it.
const LINKS: u32 = 16;
/// The place of a packet that starts where it ends.
const THERE: u64 = u64::MAX;

/// Paths between switches that are next to each other in a tree, and between ranks and the first switch above them. Channels
/// between the same two switches share their paths. The channels of a tree are ordered: a path goes up it or down, and where
/// it has several links, GPUs and NICs are between them. Those of one path through all switches may not be.
#[derive(Clone, Debug, Default)]
pub struct CombiningRouting {
    paths: Vec<Box<[u32]>>,
    /// Numbers of paths.
    between: BTreeMap<(u32, u32), Vec<u32>>,
    /// The links belong to one path through all switches.
    pub(super) is_path: bool,
}

impl CombiningRouting {
    pub(super) fn keep(&mut self, from: u32, to: u32, links: Vec<u32>) {
        let known = self.between.entry((from, to)).or_default();
        if !known.iter().any(|number| *self.paths[*number as usize] == links[..]) {
            known.push(self.paths.len() as u32);
            self.paths.push(links.into());
        }
    }

    /// Links of all paths from one switch to another.
    pub fn links(&self, from: u32, to: u32) -> impl Iterator<Item = &[u32]> {
        self.between.get(&(from, to)).into_iter().flatten().map(|number| &*self.paths[*number as usize])
    }
}

impl Routing for CombiningRouting {
    fn label(&self) -> &str {
        "combining-trees"
    }
    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        Box::new(Towards { routing: self, destination })
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        self.between.values().all(|paths| paths.len() == 1)
    }
    fn is_ordered(&self) -> bool {
        !self.is_path || self.paths.iter().all(|path| path.len() == 1)
    }
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        // Most switches have no path to most others.
        let known = sources.iter().copied().filter(|source| self.between.contains_key(&(*source, destination)));
        dependencies(&*self.towards(destination), known, visit)
            .map_err(|source| self.refuse(source, destination, Refusal::NoPath))
    }
}

struct Towards<'a> {
    routing: &'a CombiningRouting,
    destination: u32,
}

impl Towards<'_> {
    fn links(&self, place: u64) -> &[u32] {
        if place == THERE {
            return &[];
        }
        let (path, behind) = (place >> LINKS, place & ((1 << LINKS) - 1));
        &self.routing.paths[path as usize][behind as usize..]
    }
}

impl Way for Towards<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        if source == self.destination {
            out.push(THERE);
        }
        let known = self.routing.between.get(&(source, self.destination));
        out.extend(known.into_iter().flatten().map(|number| u64::from(*number) << LINKS));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        out.extend(self.links(place).first().map(|link| Step { link: *link, channel: 0, place: place + 1 }));
    }
    fn remaining(&self, place: u64) -> u32 {
        self.links(place).len() as u32
    }
}
