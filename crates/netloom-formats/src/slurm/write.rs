//! Writes a hierarchy of switches.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Faults, Network, Outcome};

use super::{names, planes};
use crate::codes;
use crate::hostlist::fold_hostlist;
use crate::mapping::hosts::host_names;

/// A written switch: its children are nodes or switches, never both, as Slurm requires.
struct SwitchRecord {
    name: String,
    nodes: Vec<u32>,
    children: Vec<String>,
}

/// What is written.
pub enum Plan {
    Tree(Vec<Written>),
    /// Sizes, then name and nodes of each block.
    Block(Vec<u64>, Vec<(String, String)>),
    /// Nodes in their order.
    Ring(String),
    /// Extents x, y, z, and nodes with x fastest.
    Torus([u32; 3], String),
}

/// A switch with the host list of its nodes, or of its children.
pub struct Written {
    name: String,
    nodes: String,
    children: String,
}

/// O(switches + links log links), times levels for `shape=levels`.
pub fn write(network: &Network, (): (), bound: &Bound) -> Outcome<Vec<u8>> {
    let plan = plan(network, bound)?.in_conf(network)?;
    Ok((names::table(network) + &plan).into_bytes())
}

/// What the parameter `shape` says.
pub fn plan(network: &Network, bound: &Bound) -> Outcome<Plan> {
    let names = names::of(network);
    let hosts = host_names(network, "", 1).map_err(names::of_the_file)?;
    let structure = network.structure();
    let lines = match bound.text("shape") {
        "tree" => tree(network, &names)?,
        "levels" => match &structure.levels {
            Some(levels) => by_levels(network, &names, levels)?,
            None => return Err(cannot(network, "the network has no levels")),
        },
        "groups" => match &structure.groups {
            Some(groups) => by_groups(network, &names, groups),
            None => return Err(cannot(network, "the network has no groups")),
        },
        "block" => return planes::blocks(network, &names, &hosts),
        "ring" => return planes::ring(network, &hosts),
        "torus3d" => return planes::torus(network, &hosts),
        _ => match (tree(network, &names), &structure.levels, &structure.groups) {
            (Ok(lines), ..) => lines,
            (Err(_), Some(levels), _) => by_levels(network, &names, levels)?,
            (Err(_), None, Some(groups)) => by_groups(network, &names, groups),
            (Err(faults), None, None) => return Err(planes::instead(network, &hosts).unwrap_or(faults)),
        },
    };
    let written = |line: &SwitchRecord| {
        let nodes: Vec<String> = line.nodes.iter().map(|&e| hosts[e as usize].clone()).collect();
        let (nodes, children) = (fold_hostlist(&nodes), fold_hostlist(&line.children));
        Written { name: line.name.clone(), nodes, children }
    };
    Ok(Plan::Tree(lines.iter().map(written).collect()))
}

impl Plan {
    /// The text of `topology.conf`.
    fn in_conf(&self, network: &Network) -> Outcome<String> {
        let mut out = String::new();
        match self {
            Plan::Tree(lines) => {
                for line in lines {
                    let _ = match line.children.is_empty() {
                        true => writeln!(out, "SwitchName={} Nodes={}", line.name, line.nodes),
                        false => writeln!(out, "SwitchName={} Switches={}", line.name, line.children),
                    };
                }
            }
            Plan::Block(sizes, blocks) => {
                for (name, nodes) in blocks {
                    let _ = writeln!(out, "BlockName={name} Nodes={nodes}");
                }
                let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
                let _ = writeln!(out, "BlockSizes={}", sizes.join(","));
            }
            Plan::Ring(nodes) => {
                let _ = writeln!(out, "RingName=ring0 Nodes={nodes}");
            }
            Plan::Torus(..) => return Err(planes::not_in_conf(network)),
        }
        Ok(out)
    }

    /// Appends the rest of an entry of `topology.yaml`.
    pub fn in_yaml(&self, out: &mut String) {
        let _ = match self {
            Plan::Tree(lines) => {
                out.push_str("  tree:\n    switches:\n");
                lines.iter().try_for_each(|line| {
                    writeln!(out, "    - switch: {}", line.name)?;
                    match line.children.is_empty() {
                        true => writeln!(out, "      nodes: \"{}\"", line.nodes),
                        false => writeln!(out, "      children: \"{}\"", line.children),
                    }
                })
            }
            Plan::Block(sizes, blocks) => {
                out.push_str("  block:\n    block_sizes:\n");
                sizes.iter().for_each(|size| out.push_str(&format!("    - {size}\n")));
                out.push_str("    blocks:\n");
                blocks
                    .iter()
                    .try_for_each(|(name, nodes)| writeln!(out, "    - block: {name}\n      nodes: \"{nodes}\""))
            }
            Plan::Ring(nodes) => writeln!(out, "  ring:\n    rings:\n    - ring: ring0\n      nodes: \"{nodes}\""),
            Plan::Torus(extents, nodes) => {
                let dims = |[x, y, z]: [u32; 3]| format!("{{x: {x}, y: {y}, z: {z}}}");
                out.push_str(&format!("  torus3d:\n    toruses:\n    - name: torus\n      dims: {}\n", dims(*extents)));
                // Slurm allocates the listed boxes only.
                out.push_str(&format!("      nodes: \"{nodes}\"\n      placements:\n"));
                planes::boxes(*extents).into_iter().try_for_each(|own| writeln!(out, "      - dims: {}", dims(own)))
            }
        };
    }
}

pub(super) fn cannot(network: &Network, sentence: &str) -> Faults {
    Fault::say(&codes::CANNOT_EXPRESS, network.label(), format!("{sentence}, so it is no Slurm tree"))
        .hint("write graphml or simgrid; Slurm places jobs on trees, and on dragonflies by their groups")
        .into()
}

/// The network itself, if it is a tree with endpoints below every switch. An inner switch with endpoints gets its own
/// leaf, `<name>-nodes`.
fn tree(network: &Network, names: &[String]) -> Outcome<Vec<SwitchRecord>> {
    let n = network.switches() as usize;
    let different = |s: u32| {
        let mut all = network.neighbours(s).to_vec();
        all.dedup();
        all
    };
    let joined: usize = (0..n as u32).map(|s| different(s).len()).sum();
    if n == 0 || joined != 2 * (n - 1) || !network.unreached().is_empty() {
        return Err(cannot(network, "the network's cables form no tree"));
    }
    let root = root(network, &different);
    let mut parent = vec![u32::MAX; n];
    let mut order = vec![root];
    let mut at = 0;
    while let Some(&s) = order.get(at) {
        for child in different(s) {
            if child != parent[s as usize] {
                parent[child as usize] = s;
                order.push(child);
            }
        }
        at += 1;
    }
    let mut lines = Vec::new();
    for s in 0..n as u32 {
        let mut children: Vec<String> =
            different(s).into_iter().filter(|&c| c != parent[s as usize]).map(|c| names[c as usize].clone()).collect();
        let nodes = network.endpoints_of(s).to_vec();
        if children.is_empty() && nodes.is_empty() {
            return Err(cannot(network, &format!("switch {} has no endpoint below it", names[s as usize])));
        }
        let name = names[s as usize].clone();
        if !children.is_empty() && !nodes.is_empty() {
            let leaf = format!("{name}-nodes");
            children.push(leaf.clone());
            lines.push(SwitchRecord { name: leaf, nodes, children: Vec::new() });
            lines.push(SwitchRecord { name, nodes: Vec::new(), children });
        } else {
            lines.push(SwitchRecord { name, nodes, children });
        }
    }
    Ok(lines)
}

/// The one switch of the highest level, else the middle of the tree.
fn root(network: &Network, different: &dyn Fn(u32) -> Vec<u32>) -> u32 {
    if let Some(levels) = &network.structure().levels {
        let top = levels.iter().max();
        let mut tops = (0..levels.len() as u32).filter(|&s| levels.get(s as usize) == top);
        if let (Some(only), None) = (tops.next(), tops.next()) {
            return only;
        }
    }
    let n = network.switches();
    let mut degree: Vec<usize> = (0..n).map(|s| different(s).len()).collect();
    let mut layer: Vec<u32> = (0..n).filter(|&s| degree[s as usize] <= 1).collect();
    let mut left = n as usize;
    while left > 2 {
        let mut next = Vec::new();
        left -= layer.len();
        for s in std::mem::take(&mut layer) {
            for t in different(s) {
                degree[t as usize] = degree[t as usize].saturating_sub(1);
                if degree[t as usize] == 1 {
                    next.push(t);
                }
            }
        }
        layer = next;
    }
    layer.into_iter().min().unwrap_or(0)
}

/// Per level, switches that reach each other through that level and below are one.
fn by_levels(network: &Network, names: &[String], levels: &[u8]) -> Outcome<Vec<SwitchRecord>> {
    let top = levels.iter().copied().max().unwrap_or(0);
    let high = (0..network.switches()).find(|&s| levels[s as usize] > 0 && !network.endpoints_of(s).is_empty());
    if let Some(s) = high {
        return Err(cannot(network, &format!("switch {} is above level 0 and has endpoints", names[s as usize])));
    }
    let mut lines = Vec::new();
    // The line that represents each switch's part of the network so far: index into `lines`.
    let mut part: Vec<Option<usize>> = vec![None; levels.len()];
    for level in 0..=top {
        let component = components(network, levels, level);
        let mut members: Vec<Vec<u32>> = Vec::new();
        for s in (0..network.switches()).filter(|&s| levels[s as usize] <= level) {
            let c = component[s as usize] as usize;
            if members.len() <= c {
                members.resize(c + 1, Vec::new());
            }
            members[c].push(s);
        }
        for (c, group) in members.iter().enumerate() {
            let nodes: Vec<u32> = match level {
                0 => group.iter().flat_map(|&s| network.endpoints_of(s).to_vec()).collect(),
                _ => Vec::new(),
            };
            let mut below: Vec<usize> = group.iter().filter_map(|&s| part[s as usize]).collect();
            below.sort_unstable();
            below.dedup();
            let grows = below.len() > 1 || !nodes.is_empty();
            if grows {
                let own: Vec<u32> = group.iter().copied().filter(|&s| levels[s as usize] == level).collect();
                let name = if let [one] = own[..] { names[one as usize].clone() } else { format!("level{level}-{c}") };
                let children = below.iter().map(|&i: &usize| -> String { line_name(&lines, i) }).collect();
                lines.push(SwitchRecord { name, nodes, children });
            }
            let stands = if grows { Some(lines.len() - 1) } else { below.first().copied() };
            group.iter().for_each(|&s| part[s as usize] = stands);
        }
    }
    match lines.is_empty() {
        true => Err(cannot(network, "the network has no endpoint")),
        false => Ok(lines),
    }
}

fn line_name(lines: &[SwitchRecord], i: usize) -> String {
    lines[i].name.clone()
}

/// Component number of each switch of at most `level`, in order of the lowest switch; others `u32::MAX`.
fn components(network: &Network, levels: &[u8], level: u8) -> Vec<u32> {
    let mut component = vec![u32::MAX; levels.len()];
    let mut count = 0;
    for start in 0..network.switches() {
        if levels[start as usize] > level || component[start as usize] != u32::MAX {
            continue;
        }
        let mut stack = vec![start];
        component[start as usize] = count;
        while let Some(s) = stack.pop() {
            for &t in network.neighbours(s) {
                if levels[t as usize] <= level && component[t as usize] == u32::MAX {
                    component[t as usize] = count;
                    stack.push(t);
                }
            }
        }
        count += 1;
    }
    component
}

/// Leaves are switches with endpoints; above them their groups; above those one switch.
fn by_groups(network: &Network, names: &[String], groups: &[u32]) -> Vec<SwitchRecord> {
    let mut lines = Vec::new();
    let mut members: std::collections::BTreeMap<u32, Vec<String>> = std::collections::BTreeMap::new();
    for s in 0..network.switches() {
        let nodes = network.endpoints_of(s).to_vec();
        if !nodes.is_empty() {
            let name = names[s as usize].clone();
            members.entry(groups[s as usize]).or_default().push(name.clone());
            lines.push(SwitchRecord { name, nodes, children: Vec::new() });
        }
    }
    let mut tops = Vec::new();
    for (group, children) in members {
        let name = format!("group{group}");
        tops.push(name.clone());
        lines.push(SwitchRecord { name, nodes: Vec::new(), children });
    }
    lines.push(SwitchRecord { name: "all-groups".into(), nodes: Vec::new(), children: tops });
    lines
}
