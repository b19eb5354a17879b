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

/// Levels by the prefix of their parameters, outermost first.
const LEVELS: [(&str, &str, &str, &str); 5] = [
    ("sockets", "socket", "socket_bandwidth", "socket_latency"),
    ("numa", "numa", "numa_bandwidth", "numa_latency"),
    ("caches", "cache", "cache_bandwidth", "cache_latency"),
    ("cores", "core", "core_bandwidth", "core_latency"),
    ("gpus", "gpu", "gpu_bandwidth", "gpu_latency"),
];

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
        bandwidth("numa_bandwidth"),
        latency("numa_latency"),
        bandwidth("cache_bandwidth"),
        latency("cache_latency"),
        bandwidth("core_bandwidth"),
        latency("core_latency"),
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
    let given = LEVELS.iter().filter(|level| bound.is_given(level.0));
    let level = |&(count, name, bandwidth, latency): &(&str, &str, &str, &str)| Level {
        name: name.into(),
        counts: bound.counts(count),
        bandwidth_bytes_per_s: if bound.is_given(bandwidth) { bound.float(bandwidth) } else { f64::INFINITY },
        latency_s: bound.float(latency),
    };
    if let Some(&(count, _, bandwidth, latency)) = LEVELS.iter().find(|(count, _, bandwidth, latency)| {
        !bound.is_given(count) && (bound.is_given(bandwidth) || bound.is_given(latency))
    }) {
        let said = if bound.is_given(bandwidth) { bandwidth } else { latency };
        return Err(bound.fault(said, format!("nothing without {count}")).into());
    }
    if bound.is_given("link_latency") && !bound.is_given("links") {
        return Err(bound.fault("link_latency", "nothing without links").into());
    }
    let made = Node::new(given.map(level).collect(), bound.size("nics"))?;
    if bound.is_given("links") {
        return made.with_links(direct::parse(bound.text("links"), bound.float("link_latency"))?);
    }
    Ok(made)
}
