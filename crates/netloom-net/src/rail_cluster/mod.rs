//! Rail-optimised GPU cluster: GPU `i` of every node is on rail `i`, which has a leaf switch of its own in every pod.
//!
//! A GPU is a switch with one endpoint. Switches are numbered in this order: the NVLink switch of every node, the GPUs node by
//! node, the NICs node by node (none where every GPU has its own), the leaves pod by pod, the spines and then the cores
//! plane by plane. A routing
//! that breaks ties towards the lowest switch therefore goes over NVLink first, as NCCL's PXN does.

mod shape;
#[cfg(test)]
mod tests;

use netloom_model::units::Quantity;
use netloom_model::{Bound, Faults, Hosts, Kind, Network, Outcome, Param, Rails};

use crate::codes;
use crate::common::{Speed, Speeds, begin, class, count, fault};
use crate::row::{Topology, TopologyRow};
pub use shape::RailClusterShape;

const BANDWIDTH: Kind = Kind::Quantity(Quantity::BytesPerSecond);
const SECONDS: Kind = Kind::Quantity(Quantity::Seconds);

const fn speed(name: &'static str, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, BANDWIDTH, default, help).keyword_only()
}

const fn time(name: &'static str, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, SECONDS, default, help).keyword_only()
}

/// Nodes of a scalable unit of a DGX SuperPOD, RA-11333-001.
const SCALABLE_UNIT: u32 = 32;

static PARAMS: [Param; 17] = [
    Param::optional("nodes", count(1), "128", "nodes"),
    Param::optional("gpus", count(1), "8", "GPUs per node, each of them an endpoint"),
    Param::optional("rails", count(1), "", "rails, which are NICs per node: a divisor of gpus, which is the default"),
    Param::optional("pod", count(1), "", "nodes per pod, which share the leaf of each rail; 32 or all nodes if absent"),
    Param::optional(
        "oversubscription",
        Kind::Float { min: 0.001, max: 1e6 },
        "1",
        "cables of a leaf to the nodes of a full pod over its cables to the spines",
    )
    .keyword_only(),
    Param::optional(
        "spine",
        Kind::Choice(&["shared", "rails", "absent"]),
        "shared",
        "shared: one plane joins all leaves; rails: a plane of its own per rail; absent: one pod, no spines",
    )
    .keyword_only(),
    Param::optional(
        "spines",
        count(1),
        "",
        "spines of a plane: if absent as few as have no more ports than a leaf, or than radix; a third tier where there are none",
    )
    .keyword_only(),
    Param::optional(
        "radix",
        Kind::Int { min: 2, max: 1 << 16 },
        "64",
        "ports that a leaf, spine or core has at most; 64 of 400 Gb/s: QM9700",
    )
    .keyword_only(),
    speed("nvlink_bandwidth", "\"3.6 Tbps\"", "of a GPU to its NVLink switch, per direction: NVLink 4"),
    time("nvlink_latency", "\"100 ns\"", "of a GPU to its NVLink switch: an assumption, no vendor gives it"),
    speed("nic_bandwidth", "\"400 Gbps\"", "of a NIC to its leaf: ConnectX-7, NDR"),
    speed("spine_bandwidth", "", "of a leaf to a spine").follows("nic_bandwidth"),
    time("latency", "\"130 ns\"", "of a link to or from a leaf; port to port of a QM8700"),
    speed("pcie_bandwidth", "\"512 Gbps\"", "of a GPU to the NIC it shares: PCIe 5.0 x16"),
    time("pcie_latency", "\"100 ns\"", "of a GPU to the NIC it shares: an assumption"),
    speed("gpu_bandwidth", "\"26.8 Tbps\"", "of a GPU's injection and ejection: its memory, HBM3 of an H100 SXM"),
    time("gpu_latency", "\"0 ns\"", "of a GPU's injection and ejection"),
];

pub const RAIL_CLUSTER: TopologyRow = TopologyRow {
    name: "rail_cluster",
    aliases: &["rail-optimised", "superpod"],
    summary: "Rail-optimised GPU cluster: NVLink inside a node, GPU i of every node on the leaf switches of rail i.",
    params: &PARAMS,
    example: "rail_cluster(nodes=8,gpus=4,pod=4)",
    restrictions: "rails must divide gpus; pod / oversubscription must be an integer, which spines must divide; spine=absent needs one pod; no switch has more than radix ports, in three tiers at most.",
    source: "NVIDIA DGX SuperPOD reference architecture DGX H100, RA-11333-001 (2023); NVIDIA H100 data sheet (2023)",
    build: Topology { network: build, expected: |bound| shape(bound).map(|s| s.expected()).unwrap_or_default() },
};

/// What the arguments ask for, with all their faults.
fn shape(bound: &Bound) -> Outcome<RailClusterShape> {
    let mut faults = Faults::none();
    let (nodes, gpus) = (bound.size("nodes"), bound.size("gpus"));
    let rails = if bound.is_given("rails") { bound.size("rails") } else { gpus };
    if !gpus.is_multiple_of(rails) {
        let divisors: Vec<String> =
            (1..=gpus.min(1024)).filter(|d| gpus.is_multiple_of(*d)).map(|d| d.to_string()).collect();
        let hint = format!("every NIC serves as many GPUs: rails is one of {}", divisors.join(", "));
        faults.push(fault(bound, &codes::RAILS, "rails", format!("a divisor of gpus = {gpus}")).hint(hint));
    }
    let pod = if bound.is_given("pod") { bound.size("pod") } else { SCALABLE_UNIT.min(nodes) };
    if pod > nodes {
        faults.push(fault(bound, &codes::RAILS, "pod", format!("at most nodes = {nodes}")));
    }
    let spine = bound.text("spine");
    let planes = match spine {
        "absent" => 0,
        "rails" => rails,
        _ => 1,
    };
    if planes == 0 && pod < nodes {
        let hint = format!("give pod={nodes}, or spine=rails for a plane per rail");
        let expected = format!("at least nodes = {nodes} without spines");
        faults.push(fault(bound, &codes::RAILS, "pod", expected).hint(hint));
    }
    let uplinks = f64::from(pod) / bound.float("oversubscription");
    if planes > 0 && (uplinks < 1.0 || uplinks.fract() != 0.0 || uplinks > f64::from(1 << 26)) {
        let hint = format!("1, or {pod} for one cable per leaf");
        let expected = format!("a number that divides pod = {pod} into whole cables of a leaf to the spines");
        faults.push(fault(bound, &codes::RAILS, "oversubscription", expected).hint(hint));
    }
    let uplinks = if planes == 0 { 0 } else { uplinks as u32 };
    if bound.is_given("spines") && (planes == 0 || !uplinks.is_multiple_of(bound.size("spines"))) {
        let hint = "every leaf has as many cables to each spine of its plane";
        faults.push(
            fault(bound, &codes::RAILS, "spines", format!("a divisor of a leaf's {uplinks} cables to spines"))
                .hint(hint),
        );
    }
    for name in ["nvlink_bandwidth", "nic_bandwidth", "spine_bandwidth", "pcie_bandwidth", "gpu_bandwidth"] {
        if bound.is_given(name) && bound.float(name) <= 0.0 {
            faults.push(fault(bound, &codes::NO_BANDWIDTH, name, "above 0"));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let spines = bound.is_given("spines").then(|| bound.size("spines"));
    let radix = bound.size("radix");
    let most = |ports: u64, what: &str, hint: String| {
        fault(bound, &codes::RAILS, "radix", format!("at least the {ports} ports of {what}")).hint(hint)
    };
    let leaf = u64::from(pod) + u64::from(uplinks);
    if leaf > u64::from(radix) {
        let hint = format!("give pods of fewer nodes, or radix={leaf} if there are such switches");
        return Err(most(leaf, &format!("a leaf, {pod} to nodes and {uplinks} to spines"), hint).into());
    }
    match RailClusterShape::new([nodes, gpus, rails, pod], planes, uplinks, radix, spines) {
        Ok(shape) if shape.spine_ports() > u64::from(radix) => {
            let hint = "leave spines out: a third tier is built where two do not reach";
            Err(most(shape.spine_ports(), "a spine", hint.into()).into())
        }
        Ok(shape) => Ok(shape),
        Err(leaves) => {
            let hint = "give larger pods, spine=rails for a plane per rail, or larger switches with radix=128";
            let expected =
                format!("nodes whose leaves, at most {leaves} in a plane, three tiers of {radix} ports join");
            Err(fault(bound, &codes::RAILS, "nodes", expected).hint(hint).into())
        }
    }
}

/// O(cables).
fn build(bound: &Bound) -> Outcome<Network> {
    let shape = shape(bound)?;
    let of = |bandwidth: &str, latency: &str| Speed {
        bandwidth_bytes_per_s: bound.float(bandwidth),
        latency_s: bound.float(latency),
    };
    let nic = of("nic_bandwidth", "latency");
    let spine = if bound.is_given("spine_bandwidth") { of("spine_bandwidth", "latency") } else { nic };
    let speeds = Speeds { link: nic, global: spine, endpoint: of("gpu_bandwidth", "gpu_latency") };
    let mut builder = begin(bound, "rail_cluster", &shape.expected(), &speeds)?;
    let nvlink = class(&mut builder, "nvlink", of("nvlink_bandwidth", "nvlink_latency"));
    let rail = class(&mut builder, "rail", nic);
    for node in 0..shape.nodes {
        for gpu in 0..shape.gpus {
            builder.cable(node, shape.gpu(node, gpu), nvlink);
            builder.endpoint(shape.gpu(node, gpu));
        }
    }
    if shape.shares_nics() {
        let pcie = class(&mut builder, "pcie", of("pcie_bandwidth", "pcie_latency"));
        for node in 0..shape.nodes {
            for gpu in 0..shape.gpus {
                builder.cable(shape.gpu(node, gpu), shape.nic(node, shape.rail(gpu)), pcie);
            }
        }
    }
    for node in 0..shape.nodes {
        for r in 0..shape.rails {
            builder.cable(shape.nic(node, r), shape.leaf(node / shape.pod, r), rail);
        }
    }
    if shape.planes > 0 {
        let up = class(&mut builder, "spine", spine);
        shape.for_each_uplink(|leaf, spine| builder.cable(leaf, spine, up));
        if shape.core.is_some() {
            let core = class(&mut builder, "core", spine);
            shape.for_each_core_link(|spine, over| builder.cable(spine, over, core));
        }
    }
    let into_pod = f64::from(shape.pod) * nic.bandwidth_bytes_per_s;
    let out_of_pod = f64::from(shape.uplinks) * spine.bandwidth_bytes_per_s;
    builder.structure().rails = Some(Rails {
        rails: shape.rails,
        planes: shape.planes,
        pods: shape.pods(),
        nodes: shape.nodes,
        gpus: shape.gpus,
        leaf_ports: shape.pod + shape.uplinks,
        spines: shape.planes * shape.spines,
        cores: shape.cores() as u32,
        spine_ports: shape.spine_ports() as u32,
        radix: shape.radix,
        oversubscription: (shape.planes > 0).then(|| into_pod / out_of_pod),
    });
    let hosts = Hosts::even(shape.nodes * shape.gpus, shape.gpus).with_links();
    builder.build()?.with_hosts(hosts)
}
