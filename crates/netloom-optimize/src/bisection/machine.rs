//! The machine parted in two: between the coarsest units that a part of it has several of (groups, switches, nodes, levels of a
//! node), or where its links are few.

use netloom_model::Stream;
use netloom_model::halves::{Aim, Graph, cut};

use super::links::Links;
use super::recursion::Recursion;
use crate::prepared::Prepared;

/// Slots that stand for a part of the machine.
const SAMPLES: usize = 4;
/// What [`Machine::apart`] multiplies distances by: a divisor of it are all products of two numbers of samples.
const SCALE: i64 = (SAMPLES * SAMPLES) as i64;
/// A link between switches, where nodes that are apart count 1.
const LINK: i64 = 2;

/// What the slots are in.
pub struct Machine<'r, 'p> {
    prepared: &'r Prepared<'p>,
    /// Per level, the coarsest first: the unit of every slot.
    levels: Vec<Level>,
    /// Coordinates of the switch of every slot, if they are those of a grid.
    coordinates: Option<Vec<Vec<u32>>>,
    /// The switches so far, where they are cut by their links alone.
    links: Option<Links<'r>>,
    seed: u64,
}

struct Level {
    unit_of_slot: Vec<u32>,
    switches: bool,
}

impl<'r, 'p> Machine<'r, 'p> {
    /// O(slots × levels).
    pub fn new(prepared: &'r Prepared<'p>, listed: &[u32], how: Recursion) -> Machine<'r, 'p> {
        let problem = &prepared.problem;
        let structure = problem.network.structure();
        let switch = |e: u32| problem.network.endpoint_switch()[e as usize];
        let level = |switches: bool, unit: &dyn Fn(u32) -> u32| Level {
            unit_of_slot: prepared.endpoints.iter().map(|e| unit(*e)).collect(),
            switches,
        };
        let mut levels: Vec<Level> = [&structure.groups, &structure.chassis]
            .into_iter()
            .flatten()
            .filter(|_| !how.links)
            .map(|of| level(false, &|e| of[switch(e) as usize]))
            .collect();
        levels.push(level(true, &switch));
        levels.push(level(false, &|e| problem.machine_of(e)));
        if let Some(node) = problem.node {
            levels.extend((0..node.depth()).map(|inner| level(false, &|e| problem.unit(node, e, inner))));
        }
        // Rails put the endpoints of a node on several switches: then nodes are the coarser units.
        let runs = |level: &Level| listed.chunk_by(|a, b| level.same(*a, *b)).count();
        levels.sort_by_key(runs);
        let coordinates = structure.grid.as_ref().and_then(|grid| {
            let at = |e: &u32| coordinates(switch(*e), &grid.dims);
            prepared.endpoints.iter().map(at).collect::<Option<Vec<_>>>()
        });
        let links = how.links.then(|| Links::new(problem.network));
        Machine { prepared, levels, coordinates, links, seed: how.seed }
    }

    /// Reorders slots so that two sides follow each other, and gives where the second begins; 0 if nothing tells them apart. The
    /// first gets `share[0]` of `share[1]` slots, as nearly as the machine allows.
    pub fn halve(&mut self, slots: &mut [u32], share: [u32; 2]) -> usize {
        let apart = |level: &&Level| slots.windows(2).any(|pair| !level.same(pair[0], pair[1]));
        let Some(level) = self.levels.iter().find(apart) else { return 0 };
        let gap = |a: u32, b: u32| u32::from(!level.same(a, b));
        if !level.switches {
            return nearest_gap(slots, share, gap);
        }
        let mut stream = Stream::new(self.seed, "halves of switches");
        let divided = if let Some(links) = &mut self.links {
            let switch = |slot: u32| level.unit_of_slot[slot as usize];
            divided(slots, share, switch, |units, aim| Some(links.halve(units, aim, &mut stream)))
        } else if let Some(coordinates) = &self.coordinates {
            return along_axis(slots, share, coordinates);
        } else {
            let site = |slot: u32| self.prepared.site_of_slot[slot as usize];
            divided(slots, share, site, |units, aim| Some(cut(&joined(self.prepared, units)?, aim, &mut stream)))
        };
        match divided {
            // Units too unequal to have some on both sides.
            Some(0) => nearest_gap(slots, share, gap),
            Some(at) => at,
            // Switches of a tree are in the order of its branches: the farthest neighbours are where the largest branches meet.
            None => {
                let site = |slot: u32| self.prepared.site_of_slot[slot as usize];
                nearest_gap(slots, share, |a, b| u32::from(self.prepared.row(site(a))[site(b) as usize]))
            }
        }
    }

    /// Slots that stand for a part: evenly chosen, a power of two of them.
    pub fn samples(&self, slots: &[u32]) -> Vec<u32> {
        let take = match slots.len() {
            0..2 => slots.len(),
            2..SAMPLES => 2,
            _ => SAMPLES,
        };
        (0..take).map(|i| slots[(2 * i + 1) * slots.len() / (2 * take)]).collect()
    }

    /// Mean distance between parts, times [`SCALE`] and [`LINK`].
    pub fn apart(&self, a: &[u32], b: &[u32]) -> i64 {
        let prepared = self.prepared;
        let mut sum = 0;
        for &a in a {
            let row = prepared.row(prepared.site_of_slot[a as usize]);
            let node = prepared.node_of_slot[a as usize];
            for &b in b {
                let hops = row[prepared.site_of_slot[b as usize] as usize];
                sum += LINK * i64::from(hops) + i64::from(node != prepared.node_of_slot[b as usize]);
            }
        }
        sum * SCALE / (a.len() * b.len()).max(1) as i64
    }
}

impl Level {
    fn same(&self, a: u32, b: u32) -> bool {
        self.unit_of_slot[a as usize] == self.unit_of_slot[b as usize]
    }
}

/// Sites that are joined by links; none unless every one has a link to another one.
fn joined(prepared: &Prepared<'_>, sites: &[(u32, u32)]) -> Option<Graph> {
    let mut graph = Graph::default();
    for (v, (site, count)) in sites.iter().enumerate() {
        graph.push(*count, 0);
        let row = prepared.row(*site);
        let linked = sites.iter().enumerate().filter(|(u, (other, _))| *u != v && row[*other as usize] == 1);
        linked.for_each(|(u, _)| graph.edge(u as u32, 1));
        if graph.first[v] == graph.first[v + 1] {
            return None;
        }
    }
    Some(graph)
}

/// Reorders slots by sides of their units and gives where the far side begins, 0 if all are on one. `sides` says which units
/// are far, from each unit with its number of slots; nothing if it cannot.
fn divided(
    slots: &mut [u32],
    share: [u32; 2],
    unit: impl Fn(u32) -> u32,
    sides: impl FnOnce(&[(u32, u32)], Aim) -> Option<Vec<bool>>,
) -> Option<usize> {
    let mut units: Vec<u32> = slots.iter().map(|slot| unit(*slot)).collect();
    units.sort_unstable();
    let counts: Vec<(u32, u32)> = units.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u32)).collect();
    let most = counts.iter().map(|c| u64::from(c.1)).max().unwrap_or(1);
    let near = slots.len() as u64 * u64::from(share[0]) / u64::from(share[1]);
    let far = sides(&counts, Aim { near, slack: most / 2 })?;
    let side = |slot: &u32| far[counts.partition_point(|c| c.0 < unit(*slot))];
    slots.sort_by_key(side);
    let at = slots.partition_point(|slot| !side(slot));
    Some(if at < slots.len() { at } else { 0 })
}

/// The place of the widest gap between neighbouring slots, of equals the one nearest to the share; 0 if there is none.
fn nearest_gap(slots: &[u32], share: [u32; 2], gap: impl Fn(u32, u32) -> u32) -> usize {
    let gaps = slots.windows(2).enumerate().map(|(i, pair)| (gap(pair[0], pair[1]), i + 1));
    let [near, of] = share.map(|count| count as usize);
    let off = |at: usize| (of * at).abs_diff(near * slots.len());
    let best = gaps.filter(|g| g.0 > 0).min_by_key(|(gap, at)| (std::cmp::Reverse(*gap), off(*at)));
    best.map_or(0, |(_, at)| at)
}

/// Sides of the longest extent.
fn along_axis(slots: &mut [u32], share: [u32; 2], coordinates: &[Vec<u32>]) -> usize {
    let axes = coordinates.first().map_or(0, Vec::len);
    let at = |slot: u32, axis: usize| coordinates[slot as usize][axis];
    let extent = |axis: &usize| {
        let all = slots.iter().map(|s| at(*s, *axis));
        all.clone().max().unwrap_or(0) - all.min().unwrap_or(0)
    };
    let Some(axis) = (0..axes).max_by_key(|axis| (extent(axis), std::cmp::Reverse(*axis))) else { return 0 };
    slots.sort_by_key(|slot| at(*slot, axis));
    nearest_gap(slots, share, |a, b| u32::from(at(a, axis) != at(b, axis)))
}

/// Row-major coordinates of a switch; none for one that is not of the grid.
fn coordinates(switch: u32, dims: &[u32]) -> Option<Vec<u32>> {
    let mut rest = switch;
    let mut at = vec![0; dims.len()];
    for (axis, &extent) in dims.iter().enumerate().rev() {
        at[axis] = rest % extent.max(1);
        rest /= extent.max(1);
    }
    (rest == 0).then_some(at)
}
