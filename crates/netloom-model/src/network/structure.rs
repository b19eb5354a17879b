//! What a generator knows of its network beyond the graph.

/// Grid coordinates, row-major: the last dimension varies fastest, as in NumPy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub dims: Vec<u32>,
    /// Per dimension: is the last coordinate connected to the first?
    pub wrap: Vec<bool>,
    /// True if all switches of a line are connected to each other (HyperX), not only neighbours.
    pub complete: bool,
}

/// Extended generalised fat-tree numbers: level `i` has `down[i]` children and `up[i]` parents, `parallel[i]` cables each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeShape {
    pub down: Vec<u32>,
    pub up: Vec<u32>,
    pub parallel: Vec<u32>,
}

/// A rail-optimised cluster in numbers: rail `i` has a leaf switch in every pod, for one NIC of every node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rails {
    pub rails: u32,
    /// Separate networks of spines; 0 without spines.
    pub planes: u32,
    pub pods: u32,
    pub nodes: u32,
    /// GPUs per node.
    pub gpus: u32,
    /// Ports that a leaf of a full pod uses.
    pub leaf_ports: u32,
    /// Spines of all planes.
    pub spines: u32,
    /// Core switches of all planes, which join the spines where two tiers do not reach.
    pub cores: u32,
    /// Ports that the fullest spine uses.
    pub spine_ports: u32,
    /// Ports that these switches have.
    pub radix: u32,
    /// Injection bandwidth of a full pod's NICs over its uplinks; `None` without spines.
    pub oversubscription: Option<f64>,
}

/// A k-ary n-fly: `stages` stages of `radix^(stages-1)` switches, stage by stage, then a switch with one endpoint for each
/// of the `radix^stages` terminals. Packets go from a terminal to stage 0, stage by stage, and from the last stage to a
/// terminal; the other direction of the cables carries nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fly {
    /// Inputs of a switch, and outputs.
    pub radix: u32,
    pub stages: u32,
}

impl Fly {
    /// Switches of a stage.
    pub fn width(self) -> u32 {
        self.radix.saturating_pow(self.stages - 1)
    }

    /// The first switch that is a terminal.
    pub fn first_terminal(self) -> u32 {
        self.stages.saturating_mul(self.width())
    }

    /// The links that a packet between two terminals crosses.
    pub fn hops(self) -> u32 {
        self.stages + 1
    }

    /// The switch of the next stage that output `output` of switch `number` of `stage` leads to: the wires exchange the
    /// lowest digit of an output's number, in base `radix`, with digit `stages - 1 - stage`.
    pub fn wired(self, stage: u32, number: u32, output: u32) -> u32 {
        let place = self.radix.saturating_pow(self.stages - 2 - stage);
        let digit = number / place % self.radix;
        number - digit * place + output * place
    }

    /// The switch after `at` on the route to `destination`, which is another terminal: the output of a stage is the next
    /// digit of its number, the highest first.
    pub fn after(self, at: u32, destination: u32) -> Option<u32> {
        let (width, first) = (self.width(), self.first_terminal());
        let to = destination.checked_sub(first)?;
        if let Some(terminal) = at.checked_sub(first) {
            return Some(terminal / self.radix);
        }
        let (stage, number) = (at / width, at % width);
        if stage == self.stages - 1 {
            return (number == to / self.radix).then_some(destination);
        }
        let output = to / self.radix.saturating_pow(self.stages - 1 - stage) % self.radix;
        Some((stage + 1) * width + self.wired(stage, number, output))
    }
}

/// What a generator knows beyond the graph. Everything is optional; users of a part check for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// Registered topology name, `""` for a network from a file.
    pub family: String,
    pub grid: Option<Grid>,
    /// Level of every switch, 0 where the endpoints are; up means a higher level.
    pub levels: Option<Vec<u8>>,
    pub tree: Option<TreeShape>,
    /// Group (dragonfly), supernode or part of every switch.
    pub groups: Option<Vec<u32>>,
    /// Chassis of every switch, numbered over the whole network: of a dragonfly a line of the last extent of a group, so
    /// the group itself if it has one extent.
    pub chassis: Option<Vec<u32>>,
    /// Rails of a GPU cluster.
    pub rails: Option<Rails>,
    /// Of a butterfly, whose links go one way.
    pub fly: Option<Fly>,
    /// Jumps of a circulant.
    pub jumps: Option<Vec<u32>>,
    /// True if switches `i` and `i+1 mod n` are connected for all `i`: switch numbers run along a ring.
    pub ring: bool,
    /// True if the network is vertex-transitive: one source represents all.
    pub transitive: bool,
    /// Cables cut by the best bisection into equal halves of switches, where a formula is known.
    pub bisection_cables: Option<u64>,
}
