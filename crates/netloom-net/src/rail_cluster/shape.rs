//! Numbers of a rail cluster: what it has of everything, and which switch is what.

use crate::common::{product, sum};
use crate::registry::Expected;

/// A rail cluster in numbers. All counts are at least 1, but `planes`, `uplinks` and `spines`, which are 0 without spines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
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
    /// Spines of a plane.
    pub spines: u32,
}

impl Shape {
    /// Spines that are not given are as few as have no more ports than a leaf, with whole cables per leaf and spine.
    pub fn new([nodes, gpus, rails, pod]: [u32; 4], planes: u32, uplinks: u32, spines: Option<u32>) -> Shape {
        let mut shape = Shape { nodes, gpus, rails, pod, planes, uplinks, spines: 0 };
        if planes > 0 {
            let (leaves, ports) = (shape.leaves() / u64::from(planes), u64::from(pod) + u64::from(uplinks));
            let fits = |s: &u32| uplinks.is_multiple_of(*s) && leaves * u64::from(uplinks / s) <= ports;
            shape.spines = spines.or_else(|| (1..=uplinks).find(fits)).unwrap_or(uplinks);
        }
        shape
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

    /// Every cable between a leaf and a spine. O(cables).
    pub fn for_each_uplink(&self, mut cable: impl FnMut(u32, u32)) {
        for pod in 0..self.pods() {
            for rail in 0..self.rails {
                let plane = if self.planes > 1 { rail } else { 0 };
                for up in 0..self.uplinks {
                    cable(self.leaf(pod, rail), self.spine(plane, up % self.spines));
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
        if self.planes > 0 {
            degrees.push(self.leaves() / u64::from(self.planes) * (uplinks / u64::from(self.spines)));
        }
        let degree = |d: Option<&u64>| d.and_then(|d| u32::try_from(*d).ok());
        Expected {
            switches: sum([nodes, product([nodes, gpus]), nics, self.leaves(), spines]),
            endpoints: product([nodes, gpus]),
            switch_links: sum([
                product([nodes, gpus]),
                pcie,
                product([nodes, rails]),
                product([self.leaves(), uplinks]),
            ]),
            degree_min: degree(degrees.iter().min()),
            degree_max: degree(degrees.iter().max()),
            ..Expected::default()
        }
    }
}
