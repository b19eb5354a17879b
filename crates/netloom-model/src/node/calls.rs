//! The registry of nodes: call text to levels.

use super::{Level, Node, direct};
use crate::fault::Outcome;
use crate::param::{Bound, Kind, Param};
use crate::row::{Registry, Row};
use crate::units::Quantity;

/// A count; none for a level that the node does not have. A list where units differ.
const fn count(name: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Counts { min: 1, max: 1 << 20 }, "", help).keyword_only()
}
const fn bandwidth(name: &'static str) -> Param {
    let help = "of the link of one of them, each way; unlimited if left out";
    Param::optional(name, Kind::Quantity(Quantity::BytesPerSecond), "", help).keyword_only()
}
const fn latency(name: &'static str) -> Param {
    let help = "of that link; none if left out";
    Param::optional(name, Kind::Quantity(Quantity::Seconds), "", help).keyword_only()
}
const fn memory(name: &'static str) -> Param {
    let help = "of the memory of one of them, which its ranks share: for messages, and for what they compute with bytes_per_flop";
    Param::optional(name, Kind::Quantity(Quantity::BytesPerSecond), "", help).keyword_only()
}

/// Levels by the prefix of their parameters, outermost first.
const LEVELS: [Named; 5] = [
    Named::new("sockets", "socket", "socket_bandwidth", "socket_latency").with_memory("socket_memory"),
    Named::new("numa", "numa", "numa_bandwidth", "numa_latency").with_memory("numa_memory"),
    Named::new("caches", "cache", "cache_bandwidth", "cache_latency").with_memory("cache_memory"),
    Named::new("cores", "core", "core_bandwidth", "core_latency").with_memory("core_memory"),
    Named::new("gpus", "gpu", "gpu_bandwidth", "gpu_latency"),
];

/// Parameters of a level.
struct Named {
    count: &'static str,
    level: &'static str,
    bandwidth: &'static str,
    latency: &'static str,
    memory: Option<&'static str>,
}

impl Named {
    const fn new(count: &'static str, level: &'static str, bandwidth: &'static str, latency: &'static str) -> Named {
        Named { count, level, bandwidth, latency, memory: None }
    }

    const fn with_memory(self, memory: &'static str) -> Named {
        Named { memory: Some(memory), ..self }
    }

    /// Those that say something of its units.
    fn said<'a>(&'a self, bound: &'a Bound) -> impl Iterator<Item = &'static str> + 'a {
        [Some(self.bandwidth), Some(self.latency), self.memory]
            .into_iter()
            .flatten()
            .filter(|name| bound.is_given(name))
    }

    fn level(&self, bound: &Bound) -> Level {
        let unlimited = |name: &str| if bound.is_given(name) { bound.float(name) } else { f64::INFINITY };
        Level {
            name: self.level.into(),
            counts: bound.counts(self.count),
            bandwidth_bytes_per_s: unlimited(self.bandwidth),
            latency_s: bound.float(self.latency),
            memory_bytes_per_s: self.memory.map_or(f64::INFINITY, unlimited),
        }
    }
}

const NODE: Row<fn(&Bound) -> Outcome<Node>> = Row {
    name: "node",
    aliases: &[],
    summary: "A node of sockets, NUMA domains, caches, cores or GPUs, its NICs, and direct links between GPUs.",
    params: &[
        count("sockets", "sockets of the node"),
        count("numa", "NUMA domains of each socket"),
        count("caches", "shared caches of each NUMA domain"),
        count("cores", "cores of each cache, or of the next level around them"),
        count("gpus", "GPUs of the node, or of the next level around them"),
        Param::optional(
            "nics",
            Kind::Int { min: 1, max: 1 << 20 },
            "1",
            "its endpoints, consecutive ones of the network",
        )
        .keyword_only(),
        bandwidth("socket_bandwidth"),
        latency("socket_latency"),
        memory("socket_memory"),
        bandwidth("numa_bandwidth"),
        latency("numa_latency"),
        memory("numa_memory"),
        bandwidth("cache_bandwidth"),
        latency("cache_latency"),
        memory("cache_memory"),
        bandwidth("core_bandwidth"),
        latency("core_latency"),
        memory("core_memory"),
        bandwidth("gpu_bandwidth"),
        latency("gpu_latency"),
        Param::optional(
            "links",
            Kind::Text,
            "",
            "direct links between seats and their bandwidth each way, such as \"0-1,2-3:640 Gbps; 0>2:320 Gbps\"",
        )
        .keyword_only(),
        Param::optional("link_latency", Kind::Quantity(Quantity::Seconds), "", "of each of links; none if left out")
            .keyword_only(),
    ],
    example: "node(sockets=2,numa=4,cores=8,socket_bandwidth=\"200 Gbps\",socket_latency=\"300 ns\")",
    restrictions: "nics divides the seats, and the endpoints of the network; a count is a list where the units around differ",
    source: "the hierarchy of hwloc: Broquedis et al. 2010",
    build,
};

/// Nodes by name.
pub static NODES: Registry<fn(&Bound) -> Outcome<Node>> =
    Registry { kind: "nodes", what: "node", rows: &[NODE], common: &[] };

fn build(bound: &Bound) -> Outcome<Node> {
    let missing = LEVELS.iter().filter(|level| !bound.is_given(level.count));
    if let Some((said, level)) = missing.filter_map(|level| Some((level.said(bound).next()?, level))).next() {
        return Err(bound.fault(said, format!("nothing without {}", level.count)).into());
    }
    let given = LEVELS.iter().filter(|level| bound.is_given(level.count));
    if bound.is_given("link_latency") && !bound.is_given("links") {
        return Err(bound.fault("link_latency", "nothing without links").into());
    }
    let made = Node::new(given.map(|level| level.level(bound)).collect(), bound.size("nics"))?;
    if bound.is_given("links") {
        return made.with_links(direct::parse(bound.text("links"), bound.float("link_latency"))?);
    }
    Ok(made)
}
