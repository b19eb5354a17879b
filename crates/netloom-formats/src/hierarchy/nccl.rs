//! Topology XML of NCCL: processors, GPUs with their NVLinks, NICs.

use netloom_model::Outcome;

use super::{Hierarchy, codes, refuse};
use crate::xml::{Element, Tree};

/// GB/s of an NVLink each way, by the least compute capability (NCCL, `topo.h`).
const NVLINK_GB_PER_S: [(u32, f64); 6] = [(100, 40.1), (90, 20.6), (86, 12.0), (80, 20.0), (70, 20.0), (60, 18.0)];
const HINT: &str = "let NCCL write it: NCCL_TOPO_DUMP_FILE=topo.xml";

/// A GPU: the processor that it is on, and the bytes per second of its NVLinks and of its PCI link, 0 if not known.
#[derive(Clone, Copy, PartialEq)]
struct Gpu {
    cpu: usize,
    nvlink: f64,
    pci: f64,
}

/// True for XML whose root is NCCL's.
pub fn is_one(text: &str) -> bool {
    text.starts_with("<system") || (text.starts_with("<?xml") && text.contains("<system"))
}

/// GPUs are places for ranks. With NVLinks, processors tell none of them apart; without, PCI links count. O(text).
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let tree = Tree::parse(text, place)?;
    let mut walk = Walk { tree: &tree, gpus: Vec::new(), cpus: 0, nics: Vec::new() };
    for child in tree.children(tree.root()) {
        walk.element(child, 0.0);
    }
    let Some(first) = walk.gpus.first().copied() else {
        return Err(refuse(&codes::MISSING, place, "the file lists no GPU", HINT));
    };
    let linked = walk.gpus.iter().all(|gpu| gpu.nvlink > 0.0);
    let speed = |gpu: &Gpu| if linked { gpu.nvlink } else { gpu.pci };
    if let Some(other) = walk.gpus.iter().find(|gpu| speed(gpu) != speed(&first)) {
        let gb = |speed: f64| format!("{:.4}", speed / 1e9).trim_end_matches('0').trim_end_matches('.').to_string();
        let sentence =
            format!("GPUs differ: one has links of {} GB/s, another of {}", gb(speed(&first)), gb(speed(other)));
        return Err(refuse(
            &codes::CANNOT_EXPRESS,
            place,
            sentence,
            "describe the node by a call such as node(gpus=8)",
        ));
    }
    let all = walk.gpus.len() as u32;
    let mut counts = [1, 1, 1, all];
    let mut on = vec![0u32; walk.cpus];
    walk.gpus.iter().for_each(|gpu| on[gpu.cpu] += 1);
    let used: Vec<u32> = on.into_iter().filter(|n| *n > 0).collect();
    let mut notes = Vec::new();
    if !linked && used.len() > 1 {
        if let Some(other) = used.iter().find(|n| **n != used[0]) {
            let sentence = format!("processors differ: one has {} GPUs, another {other}", used[0]);
            return Err(refuse(
                &codes::CANNOT_EXPRESS,
                place,
                sentence,
                "describe the node by a call such as node(gpus=8)",
            ));
        }
        counts = [used.len() as u32, 1, 1, used[0]];
    }
    if let Some(speed) = walk.nics.first() {
        let each =
            if walk.nics.iter().all(|s| s == speed) { format!("{}", speed / 1000.0) } else { "different".into() };
        notes.push(format!("NICs of {each} Gb/s: give the network this bandwidth"));
    }
    Ok(Hierarchy {
        gpus: true,
        speed_bytes_per_s: Some(speed(&first)).filter(|speed| *speed > 0.0),
        nics: (walk.nics.len() as u32).max(1),
        notes,
        ..Hierarchy::of(None, counts)
    })
}

struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    gpus: Vec<Gpu>,
    cpus: usize,
    /// Megabits per second of each.
    nics: Vec<f64>,
}

impl Walk<'_, '_> {
    /// Depth is bounded by that of the XML. `pci`: bytes per second of the link around.
    fn element(&mut self, element: &Element, pci: f64) {
        let tree = self.tree;
        let mut pci = pci;
        if element.is("cpu") {
            self.cpus += 1;
        } else if element.is("pci") {
            pci = pci_speed(element);
        } else if element.is("gpu") && self.cpus > 0 {
            let links = tree.children(element).filter(|child| child.is("nvlink"));
            let count: f64 = links.map(|link| number(link, "count").unwrap_or(1.0)).sum();
            let sm = number(element, "sm").unwrap_or(0.0) as u32;
            let each = NVLINK_GB_PER_S.iter().find(|(least, _)| sm >= *least).map_or(0.0, |(_, speed)| speed * 1e9);
            self.gpus.push(Gpu { cpu: self.cpus - 1, nvlink: count * each, pci });
        } else if element.is("net") {
            self.nics.push(number(element, "speed").unwrap_or(0.0));
        }
        for child in tree.children(element) {
            self.element(child, pci);
        }
    }
}

fn number(element: &Element, name: &str) -> Option<f64> {
    element.attr(name)?.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0 && *n < 1e9)
}

/// `16.0 GT/s PCIe` of a lane times its width, without the coding, as NCCL counts it.
fn pci_speed(element: &Element) -> f64 {
    let speed = element.attr("link_speed").unwrap_or_default();
    let lane: f64 = speed
        .split_whitespace()
        .next()
        .and_then(|n| n.parse().ok())
        .filter(|n: &f64| *n > 0.0 && *n < 1e4)
        .unwrap_or(0.0);
    lane * 1e9 / 8.0 * number(element, "link_width").unwrap_or(0.0)
}
