//! The network as cuts see it: vertices that hold ranks, and undirected edges with whole capacities.

use netloom_model::Network;
use netloom_model::units::gcd;

use super::flow::Edge;

/// Most that all capacities together may come to, once multiplied by the number of ranks.
const ROOM: f64 = (1u64 << 61) as f64;

/// Switches, then (if their links count) the endpoints that have a rank.
pub struct Machine<'a> {
    pub network: &'a Network,
    pub switches: u32,
    pub vertices: u32,
    pub ranks: u32,
    /// Vertex that holds each rank.
    pub home: Vec<u32>,
    /// Ranks that each vertex holds.
    pub weight: Vec<u32>,
    /// Ranks on each switch or on its endpoints.
    pub below: Vec<u32>,
    pub edges: Vec<Edge>,
    /// Capacity of the links of each vertex together.
    pub around: Vec<u64>,
    /// Capacity of an endpoint's link each way, `None` if they do not count.
    pub endpoint_capacity: Option<u64>,
    /// Bytes per second of one unit of capacity.
    pub unit: f64,
    /// False if capacities were rounded up.
    pub whole: bool,
}

impl<'a> Machine<'a> {
    /// `mapping` is the endpoint of every rank, each at most once. O(links + ranks).
    pub fn new(network: &'a Network, mapping: &[u32], endpoint_links: bool) -> Machine<'a> {
        let (switches, ranks) = (network.switches(), mapping.len() as u32);
        let vertices = if endpoint_links { switches + ranks } else { switches };
        let mut widths: Vec<(u32, u32, f64)> = Vec::new();
        for switch in 0..switches {
            for link in network.out_links(switch) {
                let other = network.heads()[link as usize];
                if switch < other {
                    // A bound holds with the faster direction too.
                    let each = [link, network.reverse()[link as usize]].map(|l| network.class(l).bandwidth_bytes_per_s);
                    let width = each[0].max(each[1]);
                    match widths.last_mut() {
                        Some((a, b, sum)) if (*a, *b) == (switch, other) => *sum += width,
                        _ => widths.push((switch, other, width)),
                    }
                }
            }
        }
        let (mut home, mut weight) = (Vec::with_capacity(mapping.len()), vec![0u32; vertices as usize]);
        let mut below = vec![0u32; switches as usize];
        let endpoint_width = network.endpoint_class().bandwidth_bytes_per_s;
        for (rank, &endpoint) in mapping.iter().enumerate() {
            let switch = network.endpoint_switch()[endpoint as usize];
            below[switch as usize] += 1;
            let vertex = if endpoint_links { switches + rank as u32 } else { switch };
            weight[vertex as usize] += 1;
            home.push(vertex);
            if endpoint_links {
                widths.push((switch, vertex, endpoint_width));
            }
        }
        let scale = Scale::of(widths.iter().map(|w| w.2), f64::from(ranks.max(1)));
        let mut around = vec![0u64; vertices as usize];
        let mut edges = Vec::with_capacity(widths.len());
        for &(a, b, width) in &widths {
            let capacity = scale.units(width);
            around[a as usize] += capacity;
            around[b as usize] += capacity;
            edges.push(Edge { a, b, there: capacity, back: capacity });
        }
        let endpoint_capacity = endpoint_links.then(|| scale.units(endpoint_width));
        let Scale { unit, whole } = scale;
        Machine {
            network,
            switches,
            vertices,
            ranks,
            home,
            weight,
            below,
            edges,
            around,
            endpoint_capacity,
            unit,
            whole,
        }
    }

    /// Capacity between the vertices that are inside and the others. O(edges).
    pub fn across(&self, inside: &[bool]) -> u64 {
        let crosses = |e: &&Edge| inside[e.a as usize] != inside[e.b as usize];
        self.edges.iter().filter(crosses).map(|e| e.there).sum()
    }

    /// One vertex with ranks per switch: those of a switch are equivalent.
    pub fn unlike(&self) -> Vec<u32> {
        let mut seen = vec![false; self.switches as usize];
        let mut first = Vec::new();
        for &vertex in &self.home {
            let switch = self.switch_of(vertex);
            if !std::mem::replace(&mut seen[switch as usize], true) {
                first.push(vertex);
            }
        }
        // Where the network is vertex-transitive and every switch holds the same number of ranks, one represents all.
        let even = self.below.windows(2).all(|pair| pair[0] == pair[1]);
        if even && self.network.structure().transitive {
            first.truncate(1);
        }
        first
    }

    pub fn switch_of(&self, vertex: u32) -> u32 {
        if vertex < self.switches {
            return vertex;
        }
        // Endpoint edges follow the switch edges in order of rank.
        let first = self.edges.len() - self.ranks as usize;
        self.edges[first + (vertex - self.switches) as usize].a
    }
}

struct Scale {
    unit: f64,
    whole: bool,
}

impl Scale {
    /// The largest unit that divides all widths, if the flow's sums then fit; otherwise a fine one, rounding up.
    fn of(widths: impl Iterator<Item = f64> + Clone, ranks: f64) -> Scale {
        let total: f64 = widths.clone().sum();
        let mut common = 0u64;
        let mut whole = true;
        for width in widths {
            if width.fract() != 0.0 || width >= 9e15 {
                whole = false;
                break;
            }
            common = gcd(common, width as u64);
        }
        let unit = common.max(1) as f64;
        if whole && total / unit * ranks < ROOM {
            return Scale { unit, whole };
        }
        Scale { unit: total * ranks / (ROOM / 4.0), whole: false }
    }

    fn units(&self, width: f64) -> u64 {
        if self.whole { (width / self.unit) as u64 } else { (width / self.unit).ceil() as u64 + 1 }
    }
}
