//! Topology XML of NCCL: processors, GPUs with their NVLinks and PCI links, NICs.
//!
//! GPUs are places for ranks, processors are sockets. NVLinks from GPU to GPU are direct links of the node, those to an NVSwitch a
//! level that has all GPUs in it, those to a processor the links of the GPUs' own level, as PCI links are.

use std::collections::{BTreeMap, HashMap, HashSet};

use netloom_model::Outcome;

use super::links::{gbps, written};
use super::machine::{Counts, Hierarchy, LIMIT, even, refuse};
use super::nccl_words::{TABLE, nvlink, xgmi};
use crate::codes;
use crate::noted::Noted;
use crate::sink::{Sink, quoted};
use crate::xml::{Element, Tree};

const HINT: &str = "let NCCL write it: NCCL_TOPO_DUMP_FILE=topo.xml";
/// What NCCL takes for a PCI link that the file does not know: generation 3, and 16 lanes.
const UNKNOWN_GT_PER_S: f64 = 8.0;
const UNKNOWN_WIDTH: f64 = 16.0;

/// Where a link of a GPU goes.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Gpu(u64),
    Processor,
    Switch,
}

struct Gpu {
    /// The processor that it is on.
    cpu: usize,
    bus: Option<u64>,
    dev: Option<u32>,
    /// Bytes per second of its PCI link, and whether the file knows them.
    pci: (f64, bool),
    /// Bytes per second of its other links.
    links: Vec<(Target, f64)>,
}

impl Gpu {
    fn to(&self, target: Target) -> f64 {
        self.links.iter().filter(|link| link.0 == target).map(|link| link.1).sum()
    }
}

/// True for XML whose root is NCCL's.
pub fn is_one(text: &str) -> bool {
    text.starts_with("<system") || (text.starts_with('<') && text.contains("<system") && !text.contains("<topology"))
}

/// O(text + links log links).
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let tree = Tree::parse(text, place)?;
    let mut walk = NcclWalk::new(&tree, place);
    walk.element(tree.root(), &Around { pci: (0.0, true), bus: None, bridges: 0 });
    let NcclWalk { gpus, cpus, hosts, nics, bridges, mut noted, sink, .. } = walk;
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    if gpus.is_empty() {
        return Err(refuse(&codes::MISSING, place, "the file lists no GPU", HINT));
    }
    if gpus.len() as u64 > LIMIT {
        return Err(refuse(&codes::TOO_LARGE, place, format!("{} GPUs exceed {LIMIT}", gpus.len()), ""));
    }
    let mut notes = Vec::new();
    let on = count(&gpus, cpus);
    let used: Vec<u32> = on.iter().copied().filter(|n| *n > 0).collect();
    let switched = gpus.iter().filter(|gpu| gpu.to(Target::Switch) > 0.0).count();
    if switched > 0 && switched < gpus.len() {
        let sentence = format!("{switched} of {} GPUs have NVLinks to a switch", gpus.len());
        let hint = "describe those by a call such as node(gpus=4,gpu_bandwidth=\"2400 Gbps\")";
        return Err(refuse(&codes::CANNOT_EXPRESS, place, sentence, hint));
    }
    let (mut counts, speeds): (_, Vec<f64>) = if switched > 0 {
        noted.several("speed of", "PCI links", gpus.len() as u64);
        (even([1, 1, 1, gpus.len() as u32]), gpus.iter().map(|gpu| gpu.to(Target::Switch)).collect())
    } else {
        let own = |gpu: &Gpu| gpu.pci.0.max(gpu.to(Target::Processor));
        let counts = [vec![used.len() as u32], vec![1], vec![1], used.clone()];
        (counts, gpus.iter().map(own).collect())
    };
    if counts[3].iter().all(|n| *n == counts[3][0]) {
        counts[3].truncate(1);
    }
    if switched == 0 {
        pci_notes(&gpus, used.len(), bridges, &mut notes);
    }
    let speed = same(&speeds, &counts, place)?;
    let ways = ways(&gpus, &mut noted);
    if !ways.is_empty() {
        let bare = used.iter().sum::<u32>() as usize - joined(&ways);
        let others = if bare > 0 { format!("; {bare} GPUs have none") } else { String::new() };
        let other = if switched > 0 { "; other pairs take the switch" } else { "; other pairs take PCI" };
        let rest = if ways.len() < gpus.len() * (gpus.len() - 1) { other } else { "" };
        notes.push(format!("NVLinks join GPUs directly: links has each pair and its bandwidth{others}{rest}"));
    }
    order(&gpus, &mut notes);
    if hosts.len() > 1 {
        notes.push(format!("the GPUs of {} hosts (host_hash) are one node", hosts.len()));
    }
    if on.contains(&0) && used.len() > 1 {
        notes.push(format!("{} processors without GPUs are left out", on.iter().filter(|n| **n == 0).count()));
    }
    nic_notes(&nics, &gpus, &mut notes);
    notes.extend(noted.into_notes());
    Ok(Hierarchy {
        gpus: true,
        speed_bytes_per_s: Some(speed).filter(|speed| *speed > 0.0),
        links: written(&ways),
        nics: (nics.len() as u32).max(1),
        notes,
        ..Hierarchy::of(None, counts)
    })
}

/// GPUs of every processor.
fn count(gpus: &[Gpu], cpus: usize) -> Vec<u32> {
    let mut on = vec![0u32; cpus];
    gpus.iter().for_each(|gpu| on[gpu.cpu] += 1);
    on
}

/// The bandwidth of all links of the GPUs' level.
fn same(speeds: &[f64], counts: &Counts, place: &str) -> Outcome<f64> {
    let first = speeds[0];
    let Some(other) = speeds.iter().find(|speed| **speed != first) else { return Ok(first) };
    let gb = |speed: f64| format!("{:.4}", speed / 1e9).trim_end_matches('0').trim_end_matches('.').to_string();
    let sentence = format!("GPUs differ: one has links of {} GB/s, another of {}", gb(first), gb(*other));
    let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let list = |own: &[u32]| own.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let gpus = if counts[3].len() > 1 { format!("[{}]", list(&counts[3])) } else { list(&counts[3]) };
    let sockets = if counts[0][0] > 1 { format!("sockets={},", counts[0][0]) } else { String::new() };
    let hint = format!("node({sockets}gpus={gpus},gpu_bandwidth=\"{}\") has the slowest everywhere", gbps(least));
    Err(refuse(&codes::CANNOT_EXPRESS, place, sentence, &hint))
}

/// Bytes per second from GPU to GPU.
fn ways(gpus: &[Gpu], noted: &mut Noted) -> BTreeMap<(u32, u32), f64> {
    let known: HashMap<u64, u32> = (0..).zip(gpus).filter_map(|(number, gpu)| Some((gpu.bus?, number))).collect();
    let mut ways = BTreeMap::new();
    for (from, gpu) in (0u32..).zip(gpus) {
        for (target, speed) in &gpu.links {
            let Target::Gpu(bus) = target else { continue };
            match known.get(bus).filter(|to| **to != from) {
                Some(to) => *ways.entry((from, *to)).or_insert(0.0) += speed,
                None => noted.unused("NVLinks to", "GPUs that the file does not list"),
            }
        }
    }
    ways
}

/// GPUs with direct links.
fn joined(ways: &BTreeMap<(u32, u32), f64>) -> usize {
    ways.keys().flat_map(|(a, b)| [*a, *b]).collect::<HashSet<u32>>().len()
}

fn pci_notes(gpus: &[Gpu], sockets: usize, bridges: u32, notes: &mut Vec<String>) {
    let to_processor = |gpu: &&Gpu| gpu.to(Target::Processor) > gpu.pci.0;
    let unknown = gpus.iter().filter(|gpu| !gpu.pci.1 && !to_processor(gpu)).count();
    if unknown > 0 {
        notes.push(format!(
            "the file does not know the PCI speed or width of {unknown} GPUs: {UNKNOWN_GT_PER_S} GT/s (generation 3) or \
             {UNKNOWN_WIDTH} lanes stand for what is missing, as in NCCL"
        ));
    }
    if let Some(gpu) = gpus.iter().find(to_processor) {
        let speed = gbps(gpu.to(Target::Processor));
        notes.push(format!("NVLinks or C2C links to processors are the links of the GPUs' level, {speed}"));
    }
    if sockets > 1 {
        let switches = if bridges > 0 { format!("of {bridges} PCI switches and ") } else { String::new() };
        notes.push(format!("the links {switches}between processors are unlimited: socket_bandwidth limits them"));
    } else if bridges > 0 {
        notes.push(format!("{bridges} PCI switches are no level, and are left out: their uplinks are unlimited"));
    }
}

/// Seats are in the order of the file.
fn order(gpus: &[Gpu], notes: &mut Vec<String>) {
    let devs: Option<Vec<u32>> = gpus.iter().map(|gpu| gpu.dev).collect();
    if let Some(devs) = devs.filter(|devs| !devs.is_sorted()) {
        let list: Vec<String> = devs.iter().take(16).map(u32::to_string).collect();
        notes.push(format!("GPUs are in the order of the file: seats 0, 1, ... are devices {}", list.join(", ")));
    }
}

fn nic_notes(nics: &[(usize, f64)], gpus: &[Gpu], notes: &mut Vec<String>) {
    let Some((_, speed)) = nics.first() else { return };
    let unknown = nics.iter().filter(|(_, speed)| *speed <= 0.0).count();
    let same = nics.iter().all(|(_, s)| s == speed);
    notes.push(if unknown > 0 {
        format!(
            "the file does not know the speed of {unknown} NICs (NCCL takes 10 Gb/s): give the network that of yours"
        )
    } else {
        let each = if same { format!("{}", speed / 1000.0) } else { "different".into() };
        format!("NICs of {each} Gb/s: give the network this bandwidth")
    });
    let (all, each) = (nics.len(), gpus.len() / nics.len());
    if all > 1 && gpus.len().is_multiple_of(all) {
        let near = |(nic, (cpu, _)): (usize, &(usize, f64))| gpus[nic * each..][..each].iter().all(|g| g.cpu == *cpu);
        if !nics.iter().enumerate().all(near) {
            notes.push("GPUs use NICs in the order of the file, some of them on another processor".into());
        }
    }
}

/// The PCI link and device that an element is in, and the switches around it.
struct Around {
    pci: (f64, bool),
    bus: Option<u64>,
    bridges: u32,
}

struct NcclWalk<'t, 'a> {
    tree: &'t Tree<'a>,
    gpus: Vec<Gpu>,
    /// Processors.
    cpus: usize,
    hosts: HashSet<String>,
    /// Processor, and megabits per second.
    nics: Vec<(usize, f64)>,
    /// PCI switches with something below.
    bridges: u32,
    noted: Noted,
    sink: Sink<'t>,
}

impl<'t, 'a> NcclWalk<'t, 'a> {
    fn new(tree: &'t Tree<'a>, place: &'t str) -> NcclWalk<'t, 'a> {
        let (noted, sink) = (Noted::new("NCCL"), Sink::new(place));
        NcclWalk { tree, gpus: Vec::new(), cpus: 0, hosts: HashSet::new(), nics: Vec::new(), bridges: 0, noted, sink }
    }

    /// Depth is bounded by that of the XML.
    fn element(&mut self, element: &Element, around: &Around) {
        if !self.noted.element(TABLE, self.tree, element, &mut self.sink) {
            return;
        }
        let tree = self.tree;
        let mut inside = Around { ..*around };
        match element.name() {
            "cpu" => {
                self.cpus += 1;
                self.hosts.extend(element.attr("host_hash").map(std::borrow::Cow::into_owned));
            }
            "pci" => {
                inside = Around { pci: pci_speed(element), bus: bus(element, "busid"), bridges: around.bridges };
                let class = element.attr("class").unwrap_or_default();
                if class.starts_with("0x0604") && tree.children(element).next().is_some() {
                    self.bridges += 1;
                }
            }
            "gpu" => self.gpu(element, around),
            "nvlink" | "xgmi" => self.link(element),
            "c2c" => {
                let speed =
                    self.number(element, "bw").unwrap_or(0.0) * self.number(element, "count").unwrap_or(0.0) * 1e6;
                self.gpus.last_mut().into_iter().for_each(|gpu| gpu.links.push((Target::Processor, speed)));
            }
            "net" => self.net(element),
            _ => {}
        }
        for child in tree.children(element) {
            self.element(child, &inside);
        }
    }

    fn gpu(&mut self, element: &Element, around: &Around) {
        if self.cpus == 0 {
            self.fault(element, "a GPU is in no <cpu>".into());
            return;
        }
        let dev = element.attr("dev").and_then(|dev| dev.parse().ok());
        self.gpus.push(Gpu { cpu: self.cpus - 1, bus: around.bus, dev, pci: around.pci, links: Vec::new() });
        for child in self.tree.children(element).filter(|child| child.is("nvlink") || child.is("xgmi")) {
            let each = if child.is("xgmi") {
                xgmi(&element.attr("gcn").unwrap_or_default())
            } else {
                nvlink(number(element, "sm").unwrap_or(0.0) as u32)
            };
            let Some(count) = self.number(child, "count") else { continue };
            let target = target(child);
            self.gpus.last_mut().into_iter().for_each(|gpu| gpu.links.push((target, count * each)));
        }
    }

    /// A link is read with its GPU, and has no meaning elsewhere.
    fn link(&mut self, element: &Element) {
        if self.gpus.is_empty() {
            self.fault(element, format!("<{}> is in no <gpu>", element.name()));
        }
    }

    fn net(&mut self, element: &Element) {
        // As NCCL has it: without a number, or not kept, it is not there.
        if element.attr("dev").is_none() || element.attr("keep").as_deref() == Some("0") {
            self.noted.unused("<net>", "without dev or with keep=0");
            return;
        }
        if number(element, "latency").is_none_or(|latency| latency > 0.0) && element.attr("latency").is_some() {
            self.noted.unused("latency of", "<net>");
        }
        let speed = number(element, "speed").unwrap_or(0.0);
        self.nics.push((self.cpus.saturating_sub(1), speed));
    }

    /// A number that must be there.
    fn number(&mut self, element: &Element, name: &str) -> Option<f64> {
        let found = number(element, name);
        if found.is_none() {
            let got = quoted(element.attr(name).unwrap_or_default());
            self.fault(element, format!("{name} of <{}> is {got}, no number", element.name()));
        }
        found
    }

    fn fault(&mut self, element: &Element, sentence: String) {
        self.sink.say(&codes::VALUE, self.tree.spot(element), sentence, HINT);
    }
}

/// The target by the class of the device at the other end; without one, whatever is no address of a GPU is a switch.
fn target(element: &Element) -> Target {
    let class = element.attr("tclass").unwrap_or_default();
    match class.as_ref() {
        "0x068001" => Target::Processor,
        gpu if gpu.starts_with("0x03") || gpu.starts_with("0x12") => {
            bus(element, "target").map_or(Target::Switch, Target::Gpu)
        }
        _ => Target::Switch,
    }
}

/// A PCI address as a number: its hexadecimal digits.
fn bus(element: &Element, name: &str) -> Option<u64> {
    let digits: String = element.attr(name)?.chars().filter(char::is_ascii_hexdigit).collect();
    u64::from_str_radix(&digits, 16).ok()
}

fn number(element: &Element, name: &str) -> Option<f64> {
    element.attr(name)?.trim().parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0 && *n < 1e9)
}

/// `16.0 GT/s PCIe` of a lane times its width, without the coding, in bytes per second; and whether the file knows both.
fn pci_speed(element: &Element) -> (f64, bool) {
    let speed = element.attr("link_speed").unwrap_or_default();
    let lane = speed.split_whitespace().next().and_then(|n| n.parse().ok()).filter(|n: &f64| *n > 0.0 && *n < 1e4);
    let width = number(element, "link_width").filter(|width| *width > 0.0);
    let bytes = lane.unwrap_or(UNKNOWN_GT_PER_S) * 1e9 / 8.0 * width.unwrap_or(UNKNOWN_WIDTH);
    (bytes, lane.is_some() && width.is_some())
}
