//! The node of each rank with labels of where it is, for schedulers of Kubernetes that know the topology by labels.
//!
//! Sources: Kubernetes, well-known labels; Kueue and KAI-Scheduler, topology-aware scheduling: levels are labels of nodes, from
//! the outermost one to `kubernetes.io/hostname`.

use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Mapping, Network, Outcome, Param, Row};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use crate::row::Format;

/// `block`, `rack`: labels of the two levels above a node.
const BLOCK: Param = Param::optional(
    "block",
    Kind::Text,
    "cloud.provider.com/topology-block",
    "label of the group that a node is in: a pod of rails, a group of switches, the switch above its own",
)
.keyword_only();
const RACK: Param = Param::optional(
    "rack",
    Kind::Text,
    "cloud.provider.com/topology-rack",
    "label of the switch that a node is on; a node of GPUs with rails is on several, and has none",
)
.keyword_only();

pub const ROW: Row<Format<Mapping>> = Row {
    name: "kubernetes",
    aliases: &["k8s", "kueue"],
    summary: "A YAML list for schedulers of Kubernetes: the node of each rank, its slot there, and labels of its place.",
    params: &[HOST_PATTERN, SLOTS, BLOCK, RACK],
    example: "kubernetes(slots=2)",
    restrictions: "The list names nodes; pods that are to be there select them by kubernetes.io/hostname.",
    source: "Kubernetes documentation, well-known labels; Kueue documentation, topology-aware scheduling",
    build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
};

/// O(ranks + degree of the switches above).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let mut out = String::new();
    for (rank, &endpoint) in mapping.endpoints().iter().enumerate() {
        let (name, slot) = (hosts.name(endpoint), hosts.slot(endpoint).1);
        let (block, rack) = place(network, endpoint);
        let _ = writeln!(out, "- rank: {rank}\n  node: {name:?}\n  slot: {slot}\n  labels:");
        for (label, value) in [(bound.text("block"), block), (bound.text("rack"), rack)] {
            if let Some(value) = value {
                let _ = writeln!(out, "    {label:?}: {:?}", worded(&value));
            }
        }
        let _ = writeln!(out, "    \"kubernetes.io/hostname\": {name:?}");
    }
    Ok(out.into_bytes())
}

/// The group of an endpoint's switch, and the switch.
fn place(network: &Network, endpoint: u32) -> (Option<String>, Option<String>) {
    let (switch, structure) = (network.endpoint_switch()[endpoint as usize], network.structure());
    if let Some(rails) = structure.rails {
        let (node, each) = (endpoint / rails.gpus, rails.nodes.div_ceil(rails.pods.max(1)));
        return (Some(format!("pod-{}", node / each.max(1))), None);
    }
    let group = structure.groups.as_ref().map(|groups| format!("group-{}", groups[switch as usize]));
    (group.or_else(|| above(network, switch)), Some(network.switch_name(switch)))
}

/// The only switch of a higher level that a switch is linked to.
fn above(network: &Network, switch: u32) -> Option<String> {
    let levels = network.structure().levels.as_ref()?;
    let own = levels[switch as usize];
    let mut up = network.neighbours(switch).iter().filter(|other| levels[**other as usize] > own);
    let first = *up.next()?;
    up.all(|other| *other == first).then(|| network.switch_name(first))
}

/// A value of a label has letters, digits, `-`, `_` and `.`, and begins and ends with one of the first two.
fn worded(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let made: String = name.chars().map(plain).take(63).collect();
    let made = made.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if made.bytes().all(|b| b.is_ascii_digit()) { format!("switch-{made}") } else { made.to_string() }
}
