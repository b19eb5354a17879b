//! XML of hwloc 2.

use std::collections::HashMap;

use netloom_model::Outcome;

use super::levels::{Place, cache_level, counts};
use super::{Hierarchy, LIMIT, Sink, codes, refuse};
use crate::sink::quoted;
use crate::xml::{Element, Tree};

/// A kind of device that carries messages between nodes: OpenFabrics, `osdev_type` of hwloc 2.
const OPEN_FABRICS: &str = "3";
const HINT: &str = "write it with lstopo --of xml, without --merge";

/// O(text).
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let tree = Tree::parse(text, place)?;
    if !tree.root().is("topology") {
        let mut sink = Sink::new(place);
        let sentence = format!("the root element is {}, not topology", quoted(tree.root().name()));
        sink.say(&codes::SYNTAX, tree.spot(tree.root()), sentence, HINT);
        return Err(sink.fail());
    }
    let machine = tree.children(tree.root()).find(|child| child.is("object"));
    let bits_of = |name: &str| machine.and_then(|m| m.attr(name)).and_then(|text| bits(&text));
    let allowed = bits_of("allowed_cpuset");
    let mut walk = Walk {
        tree: &tree,
        cores: Vec::new(),
        cpus: Vec::new(),
        bare: Vec::new(),
        numa: HashMap::new(),
        nics: 0,
        next: 1,
        allowed,
        closed: None,
    };
    for child in tree.children(tree.root()) {
        walk.object(child, Place::default());
    }
    if walk.cores.is_empty() {
        // Where no core is listed, a hardware thread is one.
        std::mem::take(&mut walk.bare).into_iter().for_each(|(element, own)| walk.core(element, own));
    }
    if let Some(cpus) = walk.closed {
        let sentence = format!("a core, of the CPUs {}, is offline or not allowed", quoted(&cpus));
        let hint = "write the file where all cores may be used, or without --disallowed";
        return Err(refuse(&codes::CANNOT_EXPRESS, place, sentence, hint));
    }
    if walk.cores.is_empty() {
        return Err(refuse(&codes::MISSING, place, "the file lists no core", HINT));
    }
    if walk.cores.len() as u64 > LIMIT {
        return Err(refuse(&codes::TOO_LARGE, place, format!("{} cores exceed {LIMIT}", walk.cores.len()), ""));
    }
    let mut notes = Vec::new();
    let all = bits_of("complete_cpuset").map(|all| numbers(&all)).unwrap_or_default();
    let closed: Vec<u32> =
        all.into_iter().filter(|cpu| walk.allowed.as_ref().is_some_and(|allowed| !holds(allowed, *cpu))).collect();
    if let Some(cpu) = closed.first() {
        notes.push(format!(
            "CPU {cpu} is offline or not allowed: lists of cores need the numbers of the others, such as map-cpu(cpus=[...])"
        ));
    }
    let told = walk.cpus.iter().all(|own| !own.is_empty());
    let cpus = walk.cpus.iter().filter_map(|own| own.first().copied()).filter(|_| told).collect();
    let mut usable = walk.cpus.concat();
    usable.sort_unstable();
    let counts = counts(&walk.cores, place, &mut notes)?;
    Ok(Hierarchy { nics: walk.nics.max(1), notes, cpus, usable, closed, ..Hierarchy::of(None, counts) })
}

struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    cores: Vec<Place>,
    /// Hardware threads outside of a core.
    bare: Vec<(&'t Element<'a>, Place)>,
    /// CPUs of each core that may be used; none if the file does not tell.
    cpus: Vec<Vec<u32>>,
    /// Number of each nodeset.
    numa: HashMap<String, u64>,
    nics: u32,
    next: u64,
    /// CPUs that may be used, if the file says.
    allowed: Option<Vec<u32>>,
    /// CPUs of a core that may not.
    closed: Option<String>,
}

impl<'t, 'a> Walk<'t, 'a> {
    /// Depth is bounded by that of the XML.
    fn object(&mut self, element: &'t Element<'a>, mut place: Place) {
        if !element.is("object") {
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
            "Package" => place.package = own,
            "Die" | "Group" => place.group = own,
            "Core" => {
                place.core = own;
                self.core(element, place);
            }
            "PU" if place.core == 0 => self.bare.push((element, Place { core: own, ..place })),
            "OSDev" if element.attr("osdev_type").as_deref() == Some(OPEN_FABRICS) => self.nics += 1,
            other => {
                if let Some(level) = cache_level(other) {
                    place.caches[level] = own;
                }
            }
        }
        let tree = self.tree;
        for child in tree.children(element) {
            self.object(child, place);
        }
    }
    /// Takes a core, and its CPUs that may be used.
    fn core(&mut self, element: &Element, place: Place) {
        self.cores.push(place);
        let text = element.attr("cpuset");
        let own = text.as_deref().and_then(bits).map(|own| numbers(&own));
        let may = |cpu: &u32| self.allowed.as_ref().is_none_or(|allowed| holds(allowed, *cpu));
        let usable: Vec<u32> = own.unwrap_or_default().into_iter().filter(may).collect();
        if let (Some(text), Some(_), true) = (text.filter(|t| bits(t).is_some()), &self.allowed, usable.is_empty()) {
            self.closed.get_or_insert(text.into_owned());
        }
        self.cpus.push(usable);
    }
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
