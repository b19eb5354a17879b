//! XML of hwloc 1 and 2.

use std::collections::HashMap;

use netloom_model::Outcome;

use super::hwloc_words::TABLE;
use super::levels::{CACHES, Place, cache_level, counts};
use super::machine::{Hierarchy, LIMIT, refuse};
use crate::codes;
use crate::noted::Noted;
use crate::sink::{Sink, quoted};
use crate::xml::{Element, Tree};

/// A kind of device that carries messages between nodes: OpenFabrics, `osdev_type` of hwloc 1 and 2.
const OPEN_FABRICS: &str = "3";
const HINT: &str = "write it with lstopo --of xml, without --merge";
/// What drivers call a GPU, each with its number behind it.
const GPUS: [&str; 4] = ["cuda", "nvml", "rsmi", "ze"];

/// O(text).
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let tree = Tree::parse(text, place)?;
    let mut walk = HwlocWalk::new(&tree, place);
    walk.root(place)?;
    for child in tree.children(tree.root()) {
        walk.object(child, Place::default());
    }
    let bare = std::mem::take(&mut walk.bare);
    if walk.cores.is_empty() {
        // Where no core is listed, a hardware thread is one.
        bare.into_iter().for_each(|(element, own)| walk.core(element, own));
    } else {
        walk.noted.several("hardware thread", "outside of a core", bare.len() as u64);
    }
    if !walk.sink.is_empty() {
        return Err(walk.sink.fail());
    }
    if walk.cores.is_empty() {
        let sentence =
            if walk.lost.is_empty() { "the file lists no core" } else { "the file lists no core that may be used" };
        return Err(refuse(&codes::MISSING, place, sentence, HINT));
    }
    if walk.cores.len() as u64 > LIMIT {
        return Err(refuse(&codes::TOO_LARGE, place, format!("{} cores exceed {LIMIT}", walk.cores.len()), ""));
    }
    Ok(walk.finish())
}

struct HwlocWalk<'t, 'a> {
    tree: &'t Tree<'a>,
    /// Cores that may be used, and their CPUs that may; none if the file does not tell.
    cores: Vec<Place>,
    cpus: Vec<Vec<u32>>,
    /// Cores that may not, by their CPUs.
    lost: Vec<u32>,
    lost_cores: usize,
    /// Hardware threads outside of a core.
    bare: Vec<(&'t Element<'a>, Place)>,
    /// Number of each nodeset.
    numa: HashMap<String, u64>,
    nics: u32,
    /// GPUs as each of [`GPUS`] counts them.
    gpus: [u32; GPUS.len()],
    machines: u32,
    next: u64,
    /// CPUs that may be used, and all that are there, if the file says.
    allowed: Option<Vec<u32>>,
    all: Option<Vec<u32>>,
    noted: Noted,
    sink: Sink<'t>,
}

impl<'t, 'a> HwlocWalk<'t, 'a> {
    fn new(tree: &'t Tree<'a>, place: &'t str) -> HwlocWalk<'t, 'a> {
        let machine = tree.children(tree.root()).find(|child| child.is("object"));
        let bits_of = |name: &str| machine.and_then(|m| m.attr(name)).and_then(|text| bits(&text));
        // A CPU of hwloc 1 may be allowed and offline.
        let allowed = match (bits_of("allowed_cpuset"), bits_of("online_cpuset")) {
            (Some(allowed), Some(online)) => Some(allowed.iter().zip(&online).map(|(a, b)| a & b).collect()),
            (allowed, online) => allowed.or(online),
        };
        HwlocWalk {
            tree,
            cores: Vec::new(),
            cpus: Vec::new(),
            lost: Vec::new(),
            lost_cores: 0,
            bare: Vec::new(),
            numa: HashMap::new(),
            nics: 0,
            gpus: [0; GPUS.len()],
            machines: 0,
            next: 1,
            allowed,
            all: bits_of("complete_cpuset"),
            noted: Noted::new("hwloc"),
            sink: Sink::new(place),
        }
    }

    /// # Errors
    /// `NL-F003` for other XML, `NL-F013` for a version that is not known.
    fn root(&mut self, place: &str) -> Outcome<()> {
        let root = self.tree.root();
        if !root.is("topology") {
            let mut sink = Sink::new(place);
            let sentence = format!("the root element is {}, not topology", quoted(root.name()));
            let hint = if root.is("graphs") {
                "NCCL_TOPO_DUMP_FILE=topo.xml writes the topology, of root system"
            } else {
                HINT
            };
            sink.say(&codes::SYNTAX, self.tree.spot(root), sentence, hint);
            return Err(sink.fail());
        }
        self.noted.element(TABLE, self.tree, root, &mut self.sink);
        match root.attr("version") {
            Some(version) if !version.starts_with("2.") => {
                let sentence = format!("the XML of hwloc has version {}, which is not known", quoted(&version));
                Err(refuse(&codes::UNSUPPORTED, place, sentence, "write it with lstopo of hwloc 2: lstopo --of xml"))
            }
            _ => Ok(()),
        }
    }

    /// Depth is bounded by that of the XML.
    fn object(&mut self, element: &'t Element<'a>, mut place: Place) {
        if !self.noted.element(TABLE, self.tree, element, &mut self.sink) {
            return;
        }
        let kind = element.attr("type").unwrap_or_default();
        let own = self.next;
        self.next += 1;
        if let Some(nodes) = element.attr("nodeset") {
            let next = self.numa.len() as u64 + 1;
            place.memory = *self.numa.entry(nodes.into_owned()).or_insert(next);
        }
        match kind.as_ref() {
            "Machine" => self.machine(element),
            "Package" | "Socket" => place.package = own,
            "Die" | "Group" => place.group = own,
            "Core" => {
                place.core = own;
                self.core(element, place);
            }
            "PU" if place.core == 0 => self.bare.push((element, Place { core: own, ..place })),
            "PU" | "System" | "NUMANode" | "MemCache" | "Bridge" | "Misc" => {}
            "Cache" => self.old_cache(element, &mut place, own),
            "PCIDev" | "OSDev" => self.device(element, &kind),
            instructions if is_of_instructions(instructions) => {}
            other => match cache_level(other) {
                Some(level) => place.caches[level] = own,
                None => self.noted.unused("object of type", other),
            },
        }
        let tree = self.tree;
        for child in tree.children(element) {
            self.object(child, place);
        }
    }

    fn machine(&mut self, element: &Element) {
        self.machines += 1;
        if self.machines == 2 {
            let hint = "describe one machine: write the file on one node";
            self.sink.say(&codes::UNSUPPORTED, self.tree.spot(element), "the file describes several machines", hint);
        }
    }

    /// A cache of hwloc 1: its level is `depth`, its type 2 that of instructions.
    fn old_cache(&mut self, element: &Element, place: &mut Place, own: u64) {
        let level = element.attr("depth").and_then(|depth| depth.parse::<usize>().ok());
        match level.filter(|level| (1..=CACHES).contains(level)) {
            Some(_) if element.attr("cache_type").as_deref() == Some("2") => {}
            Some(level) => place.caches[level - 1] = own,
            None => self.noted.unused("cache of depth", &element.attr("depth").unwrap_or_default()),
        }
    }

    fn device(&mut self, element: &Element, kind: &str) {
        let speed = element.attr("pci_link_speed").and_then(|speed| speed.parse::<f64>().ok());
        if speed.is_some_and(|speed| speed > 0.0) {
            self.noted.unused("pci_link_speed of", "devices");
        }
        if kind != "OSDev" {
            return;
        }
        self.nics += u32::from(element.attr("osdev_type").as_deref() == Some(OPEN_FABRICS));
        let name = element.attr("name").unwrap_or_default();
        for (known, count) in GPUS.iter().zip(&mut self.gpus) {
            let number = name.strip_prefix(known).filter(|number| !number.is_empty());
            *count += u32::from(number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit())));
        }
    }

    /// Takes a core, and its CPUs that may be used; leaves out one that has none.
    fn core(&mut self, element: &Element, place: Place) {
        let own = element.attr("cpuset").as_deref().and_then(bits).map(|own| numbers(&own));
        let may = |cpu: &u32| self.allowed.as_ref().is_none_or(|allowed| holds(allowed, *cpu));
        let usable: Vec<u32> = own.iter().flatten().copied().filter(may).collect();
        match own {
            Some(own) if usable.is_empty() && self.allowed.is_some() => {
                self.lost_cores += 1;
                self.lost.extend(own);
            }
            _ => {
                self.cores.push(place);
                self.cpus.push(usable);
            }
        }
    }

    fn finish(self) -> Hierarchy {
        let mut notes = Vec::new();
        let all = self.all.map(|all| numbers(&all)).unwrap_or_default();
        let closed = |cpu: &u32| self.allowed.as_ref().is_some_and(|allowed| !holds(allowed, *cpu));
        let mut closed: Vec<u32> = all.into_iter().filter(closed).chain(self.lost.iter().copied()).collect();
        closed.sort_unstable();
        closed.dedup();
        if let Some(cpu) = closed.first() {
            let more = if closed.len() > 1 { format!(" and {} more", closed.len() - 1) } else { String::new() };
            let cores = match self.lost_cores {
                0 => String::new(),
                cores => format!("; {cores} cores have no other CPU, and are left out"),
            };
            notes.push(format!(
                "CPU {cpu}{more} is offline or not allowed{cores}: lists of cores need the numbers of the others, such as \
                 map-cpu(cpus=[...])"
            ));
        }
        let told = self.cpus.iter().all(|own| !own.is_empty());
        let cpus = self.cpus.iter().filter_map(|own| own.first().copied()).filter(|_| told).collect();
        let mut usable = self.cpus.concat();
        usable.sort_unstable();
        let counts = counts(&self.cores, &mut notes);
        if let Some(gpus) = self.gpus.into_iter().max().filter(|gpus| *gpus > 0) {
            notes.push(format!(
                "{gpus} GPUs on the node: node(gpus={gpus}) has a rank on each; NCCL's topology XML has their links"
            ));
        }
        notes.extend(self.noted.into_notes());
        Hierarchy { nics: self.nics.max(1), notes, cpus, usable, closed, ..Hierarchy::of(None, counts) }
    }
}

/// `L1iCache`: tells no ranks apart.
fn is_of_instructions(kind: &str) -> bool {
    let level = kind.strip_prefix('L').and_then(|rest| rest.strip_suffix("iCache"));
    level.is_some_and(|level| level.len() == 1 && level.bytes().all(|b| b.is_ascii_digit()))
}

/// A set of CPUs as hwloc writes it: words of 32 bits, the highest first; here the lowest first. None for an infinite set and
/// for anything else.
fn bits(text: &str) -> Option<Vec<u32>> {
    let word = |part: &str| match part.trim().strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => part.trim().is_empty().then_some(0),
    };
    text.split(',').rev().map(word).collect()
}

/// The numbers of a set, ascending.
fn numbers(set: &[u32]) -> Vec<u32> {
    (0..32 * set.len() as u32).filter(|cpu| holds(set, *cpu)).collect()
}

fn holds(set: &[u32], cpu: u32) -> bool {
    set.get(cpu as usize / 32).is_some_and(|word| word >> (cpu % 32) & 1 == 1)
}
