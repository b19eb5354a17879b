//! Numbers of a rail cluster: what it has of everything, and which switch is what.

use crate::common::{product, sum};
use crate::row::Expected;

/// A rail cluster in numbers. All counts are at least 1, but `planes`, `uplinks` and `spines`, which are 0 without spines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RailClusterShape {
    pub nodes: u32,
    /// GPUs per node.
    pub gpus: u32,
    /// NICs per node, each on a rail of its own.
    pub rails: u32,
    /// Nodes per pod; the last pod may have fewer.
    pub pod: u32,
    /// Separate networks of spines.
    pub planes: u32,
    /// Cables of a leaf to spines.
    pub uplinks: u32,
    /// Ports that a leaf, spine or core has at most.
    pub radix: u32,
    /// Spines of a plane.
    pub spines: u32,
    /// What joins the spines of a plane, where two tiers do not reach.
    pub core: Option<Core>,
}

/// The third tier of a plane: leaves in groups, each with spines of its own, which cores join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// Leaves of a group, each with a cable to every spine of it; a spine has as many to cores.
    pub group: u32,
    pub groups: u32,
    /// Cores of a plane for each place of a spine in its group.
    pub each: u32,
}

impl RailClusterShape {
    /// Spines that are not given are as few as have no more ports than a leaf, with whole cables per leaf and spine; where
    /// there are none of these, no more than `radix`; where there are none of these either, there is a third tier.
    ///
    /// # Errors
    /// The most leaves of a plane that three tiers join, if there are more.
    pub fn new(
        [nodes, gpus, rails, pod]: [u32; 4],
        planes: u32,
        uplinks: u32,
        radix: u32,
        spines: Option<u32>,
    ) -> Result<RailClusterShape, u64> {
        let mut shape = RailClusterShape { nodes, gpus, rails, pod, planes, uplinks, radix, spines: 0, core: None };
        if planes == 0 {
            return Ok(shape);
        }
        let leaves = shape.leaves() / u64::from(planes);
        let within =
            |most: u64| (1..=uplinks).find(|s| uplinks.is_multiple_of(*s) && leaves * u64::from(uplinks / s) <= most);
        let alike = u64::from(pod) + u64::from(uplinks);
        if let Some(found) = spines.or_else(|| within(alike.min(radix.into()))).or_else(|| within(radix.into())) {
            shape.spines = found;
            return Ok(shape);
        }
        let group = (radix / 2).max(1);
        let groups = leaves.div_ceil(u64::from(group));
        let fits = |cores: &u32| group.is_multiple_of(*cores) && groups * u64::from(group / cores) <= u64::from(radix);
        let Some(each) = (1..=group).find(fits) else { return Err(u64::from(radix) * u64::from(group)) };
        let groups = groups as u32;
        (shape.spines, shape.core) = (groups * uplinks, Some(Core { group, groups, each }));
        Ok(shape)
    }

    /// Ports of the fullest spine.
    pub fn spine_ports(&self) -> u64 {
        match self.core {
            None => self.leaves() / u64::from(self.planes.max(1)) * u64::from(self.uplinks / self.spines.max(1)),
            Some(core) => 2 * u64::from(core.group),
        }
    }

    /// Cores of all planes.
    pub fn cores(&self) -> u64 {
        self.core.map_or(0, |core| product([self.planes.into(), self.uplinks.into(), core.each.into()]))
    }

    pub fn pods(&self) -> u32 {
        self.nodes.div_ceil(self.pod)
    }
    /// True if NICs are switches of their own, between GPUs and leaf.
    pub fn shares_nics(&self) -> bool {
        self.rails < self.gpus
    }
    /// Leaves of all pods.
    pub fn leaves(&self) -> u64 {
        u64::from(self.pods()) * u64::from(self.rails)
    }

    pub fn gpu(&self, node: u32, gpu: u32) -> u32 {
        self.nodes + node * self.gpus + gpu
    }
    /// Rail of GPU `gpu` of any node.
    pub fn rail(&self, gpu: u32) -> u32 {
        gpu / (self.gpus / self.rails)
    }
    fn first_nic(&self) -> u32 {
        self.nodes + self.nodes * self.gpus
    }
    /// The NIC of `node` on `rail`: the GPU itself if it has its own.
    pub fn nic(&self, node: u32, rail: u32) -> u32 {
        if self.shares_nics() { self.first_nic() + node * self.rails + rail } else { self.gpu(node, rail) }
    }
    fn first_leaf(&self) -> u32 {
        self.first_nic() + if self.shares_nics() { self.nodes * self.rails } else { 0 }
    }
    pub fn leaf(&self, pod: u32, rail: u32) -> u32 {
        self.first_leaf() + pod * self.rails + rail
    }
    pub fn spine(&self, plane: u32, spine: u32) -> u32 {
        self.first_leaf() + self.pods() * self.rails + plane * self.spines + spine
    }

    /// The core number `core` of those for place `place` of a spine in its group.
    fn core(&self, plane: u32, place: u32, core: u32) -> u32 {
        let each = self.core.map_or(0, |core| core.each);
        self.spine(self.planes, 0) + (plane * self.uplinks + place) * each + core
    }

    /// Every cable between a leaf and a spine. O(cables).
    pub fn for_each_uplink(&self, mut cable: impl FnMut(u32, u32)) {
        for pod in 0..self.pods() {
            for rail in 0..self.rails {
                let (plane, number) = if self.planes > 1 { (rail, pod) } else { (0, pod * self.rails + rail) };
                let first = self.core.map_or(0, |core| number / core.group * self.uplinks);
                let spines = self.core.map_or(self.spines, |_| self.uplinks);
                for up in 0..self.uplinks {
                    cable(self.leaf(pod, rail), self.spine(plane, first + up % spines));
                }
            }
        }
    }

    /// Every cable between a spine and a core. O(cables).
    pub fn for_each_core_link(&self, mut cable: impl FnMut(u32, u32)) {
        let Some(core) = self.core else { return };
        for plane in 0..self.planes {
            for (group, place) in (0..core.groups).flat_map(|group| (0..self.uplinks).map(move |place| (group, place)))
            {
                for up in 0..core.group {
                    cable(self.spine(plane, group * self.uplinks + place), self.core(plane, place, up % core.each));
                }
            }
        }
    }

    /// Closed forms. O(1).
    pub fn expected(&self) -> Expected {
        let [nodes, gpus, rails] = [self.nodes, self.gpus, self.rails].map(u64::from);
        let (uplinks, spines) = (u64::from(self.uplinks), product([self.planes.into(), self.spines.into()]));
        let nics = if self.shares_nics() { product([nodes, rails]) } else { 0 };
        let pcie = if self.shares_nics() { product([nodes, gpus]) } else { 0 };
        let last = self.nodes - (self.pods() - 1) * self.pod;
        let mut degrees = vec![gpus, 2, u64::from(self.pod) + uplinks, u64::from(last) + uplinks];
        if self.shares_nics() {
            degrees.push(gpus / rails + 1);
        }
        let mut to_cores = 0;
        match self.core {
            _ if self.planes == 0 => {}
            None => degrees.push(self.leaves() / u64::from(self.planes) * (uplinks / u64::from(self.spines))),
            Some(core) => {
                let [group, groups, each] = [core.group, core.groups, core.each].map(u64::from);
                let last = self.leaves() / u64::from(self.planes) - (groups - 1) * group;
                degrees.extend([2 * group, last + group, groups * (group / each)]);
                to_cores = product([spines, group]);
            }
        }
        let degree = |d: Option<&u64>| d.and_then(|d| u32::try_from(*d).ok());
        Expected {
            switches: sum([nodes, product([nodes, gpus]), nics, self.leaves(), spines, self.cores()]),
            endpoints: product([nodes, gpus]),
            switch_links: sum([
                product([nodes, gpus]),
                pcie,
                product([nodes, rails]),
                product([self.leaves(), uplinks]),
                to_cores,
            ]),
            degree_min: degree(degrees.iter().min()),
            degree_max: degree(degrees.iter().max()),
            ..Expected::default()
        }
    }
}
