//! The machine cut into units: switches, chassis, groups, each with its free endpoints.
//!
//! A group of a tree is its pod: the switches connected below the top level. Its chassis is what is connected through
//! the two lowest levels. On a tree of three levels both are the same; on one of two, both are a leaf switch.

use std::ops::Range;

use netloom_model::{Fault, Network, Outcome};

use crate::codes;
use crate::free::Free;

/// How large a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Switch,
    Chassis,
    Group,
}

/// Units in the order of their numbers, without those that have no endpoint.
pub struct Units {
    /// Free endpoints, unit after unit, in a unit switch after switch.
    endpoints: Vec<u32>,
    /// Where each unit starts in them, and the end.
    starts: Vec<u32>,
    /// Endpoints of each unit, free or not.
    sizes: Vec<u32>,
}

impl Units {
    /// O(switches + endpoints), and O(links) on a tree.
    ///
    /// # Errors
    /// `NL-M016` if the network has no chassis or groups.
    pub fn of(network: &Network, size: Size, free: &Free) -> Outcome<Units> {
        let unit_of = match size {
            Size::Switch => None,
            Size::Chassis => Some(chassis(network)?),
            Size::Group => Some(groups(network)?),
        };
        let mut switches: Vec<u32> = (0..network.switches()).collect();
        let unit = |switch: u32| unit_of.as_ref().map_or(switch, |of| of[switch as usize]);
        // Stable, and close to linear where the numbers of a unit's switches are consecutive.
        switches.sort_by_key(|&s| unit(s));
        let mut units =
            Units { endpoints: Vec::with_capacity(free.count() as usize), starts: vec![0], sizes: Vec::new() };
        for members in switches.chunk_by(|&a, &b| unit(a) == unit(b)) {
            let mut size = 0;
            for &switch in members {
                let all = network.endpoints_of(switch);
                size += all.len() as u32;
                units.endpoints.extend(all.iter().copied().filter(|&e| free.has(e)));
            }
            units.close(size);
        }
        Ok(units)
    }

    /// Every endpoint is one unit, by number.
    pub fn endpoints(network: &Network, free: &Free) -> Units {
        let mut units = Units { endpoints: Vec::new(), starts: vec![0], sizes: Vec::new() };
        for endpoint in 0..network.endpoints() {
            units.endpoints.extend(free.has(endpoint).then_some(endpoint));
            units.close(1);
        }
        units
    }

    fn close(&mut self, size: u32) {
        if size > 0 {
            self.starts.push(self.endpoints.len() as u32);
            self.sizes.push(size);
        }
    }

    /// Each `size` neighbours form one; the last may be smaller.
    pub fn joined(mut self, size: usize) -> Units {
        let end = self.endpoints.len() as u32;
        self.starts = self.starts[..self.sizes.len()].iter().step_by(size).copied().chain([end]).collect();
        self.sizes = self.sizes.chunks(size).map(|part| part.iter().sum()).collect();
        self
    }

    pub fn count(&self) -> u32 {
        self.sizes.len() as u32
    }
    /// Positions of the free endpoints of a unit.
    pub fn range(&self, unit: u32) -> Range<u32> {
        self.starts[unit as usize]..self.starts[unit as usize + 1]
    }
    /// The free endpoints of a unit.
    pub fn free(&self, unit: u32) -> &[u32] {
        let range = self.range(unit);
        &self.endpoints[range.start as usize..range.end as usize]
    }
    /// Free endpoint by position.
    pub fn at(&self, place: u32) -> u32 {
        self.endpoints[place as usize]
    }
    fn is_whole(&self, unit: u32) -> bool {
        self.free(unit).len() as u32 == self.sizes[unit as usize]
    }
    /// Units that are completely free, then those that are partly free, both ascending.
    pub fn whole_then_part(&self) -> (Vec<u32>, Vec<u32>) {
        (0..self.count()).filter(|&u| !self.free(u).is_empty()).partition(|&u| self.is_whole(u))
    }
    /// The first `ranks` free endpoints of the units in this order. O(ranks + units).
    pub fn fill(&self, order: impl IntoIterator<Item = u32>, ranks: u32) -> Vec<u32> {
        order.into_iter().flat_map(|u| self.free(u).iter().copied()).take(ranks as usize).collect()
    }
}

fn chassis(network: &Network) -> Outcome<Vec<u32>> {
    let structure = network.structure();
    match (&structure.chassis, &structure.groups) {
        (Some(chassis), _) => Ok(chassis.clone()),
        (None, Some(_)) => {
            let sentence = "the network has groups but no chassis";
            Err(Fault::say(&codes::NO_UNITS, network.label(), sentence)
                .hint("place by groups or by switches, for example random-groups")
                .into())
        }
        (None, None) => below(network, 1, "chassis"),
    }
}

/// Group of every switch.
pub fn groups(network: &Network) -> Outcome<Vec<u32>> {
    match &network.structure().groups {
        Some(groups) => Ok(groups.clone()),
        None => below(network, u8::MAX, "groups"),
    }
}

/// The parts of a tree if only levels up to `highest` are kept, and never the top one; each is numbered by
/// its first switch. O(switches + links).
fn below(network: &Network, highest: u8, what: &str) -> Outcome<Vec<u32>> {
    let levels = network.structure().levels.as_deref().unwrap_or_default();
    let top = levels.iter().copied().max().unwrap_or(0);
    if top == 0 {
        let sentence = format!("the network has no {what}: it is not a dragonfly, tree or other network of parts");
        return Err(Fault::say(&codes::NO_UNITS, network.label(), sentence)
            .hint("place by switches or endpoints, for example random-switches or random")
            .into());
    }
    let kept = |s: u32| levels.get(s as usize).is_some_and(|&l| l <= highest && l < top);
    let mut part: Vec<u32> = vec![u32::MAX; network.switches() as usize];
    let mut open = Vec::new();
    for first in 0..network.switches() {
        if part[first as usize] != u32::MAX {
            continue;
        }
        part[first as usize] = first;
        open.extend(kept(first).then_some(first));
        while let Some(at) = open.pop() {
            for &next in network.neighbours(at) {
                if kept(next) && part[next as usize] == u32::MAX {
                    part[next as usize] = first;
                    open.push(next);
                }
            }
        }
    }
    Ok(part)
}
