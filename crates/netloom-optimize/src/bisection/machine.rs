//! Halves of the machine: of the coarsest units that a part of it has several of (groups, switches, nodes, levels of a node).

use netloom_model::Stream;
use netloom_model::halves::{Aim, Graph, cut};

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
    seed: u64,
}

struct Level {
    unit_of_slot: Vec<u32>,
    switches: bool,
}

impl<'r, 'p> Machine<'r, 'p> {
    /// O(slots × levels).
    pub fn new(prepared: &'r Prepared<'p>, listed: &[u32], seed: u64) -> Machine<'r, 'p> {
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
        Machine { prepared, levels, coordinates, seed }
    }

    /// Reorders slots so that two halves follow each other, and gives where the second begins; 0 if nothing tells them apart.
    pub fn halve(&self, slots: &mut [u32]) -> usize {
        let apart = |level: &&Level| slots.windows(2).any(|pair| !level.same(pair[0], pair[1]));
        let Some(level) = self.levels.iter().find(apart) else { return 0 };
        if !level.switches {
            return middle(slots, |a, b| u32::from(!level.same(a, b)));
        }
        if let Some(coordinates) = &self.coordinates {
            return along_axis(slots, coordinates);
        }
        if let Some(at) = self.linked_halves(slots, level) {
            return at;
        }
        // Switches of a tree are in the order of its branches: the farthest neighbours are where the largest branches meet.
        let site = |slot: u32| self.prepared.site_of_slot[slot as usize];
        middle(slots, |a, b| u32::from(self.prepared.row(site(a))[site(b) as usize]))
    }

    /// Halves of the switches with few links between them; none unless every switch has a link to another one.
    fn linked_halves(&self, slots: &mut [u32], level: &Level) -> Option<usize> {
        let mut sites: Vec<u32> = slots.iter().map(|s| self.prepared.site_of_slot[*s as usize]).collect();
        sites.sort_unstable();
        let counts: Vec<(u32, u32)> =
            sites.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u32)).collect();
        let mut graph = Graph::default();
        for (v, (site, count)) in counts.iter().enumerate() {
            graph.push(*count, 0);
            let row = self.prepared.row(*site);
            let linked = counts.iter().enumerate().filter(|(u, (other, _))| *u != v && row[*other as usize] == 1);
            linked.for_each(|(u, _)| graph.edge(u as u32, 1));
            if graph.first[v] == graph.first[v + 1] {
                return None;
            }
        }
        let most = counts.iter().map(|c| u64::from(c.1)).max().unwrap_or(1);
        let aim = Aim { near: slots.len() as u64 / 2, slack: most / 2 };
        let far = cut(&graph, aim, &mut Stream::new(self.seed, "halves of switches"));
        let side = |slot: &u32| {
            let site = self.prepared.site_of_slot[*slot as usize];
            far[counts.partition_point(|c| c.0 < site)]
        };
        slots.sort_by_key(side);
        let at = slots.partition_point(|slot| !side(slot));
        (at > 0 && at < slots.len()).then_some(at).or_else(|| Some(middle(slots, |a, b| u32::from(!level.same(a, b)))))
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

/// The place of the widest gap between neighbouring slots, of equals the one nearest to the middle; 0 if there is none.
fn middle(slots: &[u32], gap: impl Fn(u32, u32) -> u32) -> usize {
    let gaps = slots.windows(2).enumerate().map(|(i, pair)| (gap(pair[0], pair[1]), i + 1));
    let off = |at: usize| (2 * at).abs_diff(slots.len());
    let best = gaps.filter(|g| g.0 > 0).min_by_key(|(gap, at)| (std::cmp::Reverse(*gap), off(*at)));
    best.map_or(0, |(_, at)| at)
}

/// Halves of the longest extent.
fn along_axis(slots: &mut [u32], coordinates: &[Vec<u32>]) -> usize {
    let axes = coordinates.first().map_or(0, Vec::len);
    let at = |slot: u32, axis: usize| coordinates[slot as usize][axis];
    let extent = |axis: &usize| {
        let all = slots.iter().map(|s| at(*s, *axis));
        all.clone().max().unwrap_or(0) - all.min().unwrap_or(0)
    };
    let Some(axis) = (0..axes).max_by_key(|axis| (extent(axis), std::cmp::Reverse(*axis))) else { return 0 };
    slots.sort_by_key(|slot| at(*slot, axis));
    middle(slots, |a, b| u32::from(at(a, axis) != at(b, axis)))
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
