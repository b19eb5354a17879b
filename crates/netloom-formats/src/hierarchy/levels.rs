//! The rule that makes the levels of a node from the objects around its cores, for files and strings of hwloc alike.
//!
//! - Sockets are packages.
//! - NUMA domains are cores with the same local memory, whatever object the memory is attached to. A die or a group without
//!   memory of its own is none.
//! - Caches are those of the outermost level that divides a domain and that cores share; instruction caches are none.
//! - A level whose units are around units of the level that should be around them is left out.
//!
//! Source: hwloc 2.9 documentation, "Terms and Definitions", "Object attributes" (nodeset) and "Memory-side objects".

use std::collections::{HashMap, HashSet};

use super::machine::{Counts, NAMES};

/// Levels of caches that hwloc knows.
pub const CACHES: usize = 5;

/// The objects that a core is in, by a number each; 0 for none.
#[derive(Clone, Copy, Default)]
pub struct Place {
    pub package: u64,
    /// Cores with the same number have the same local memory.
    pub memory: u64,
    /// The innermost die or group.
    pub group: u64,
    /// Data or unified caches, that of level 1 first.
    pub caches: [u64; CACHES],
    pub core: u64,
}

/// The units that a core is in: socket, NUMA domain, cache, itself.
type Units = [u64; 4];

/// The place in [`Place::caches`] of a level as hwloc calls it: `L3Cache`, `L1dCache`, `l2`; none for other words and for caches
/// of instructions.
pub fn cache_level(name: &str) -> Option<usize> {
    let rest = name.to_ascii_lowercase();
    let rest = rest.strip_prefix('l')?;
    let level = rest.chars().next()?.to_digit(10)? as usize;
    let known = ["", "d", "u", "cache", "dcache", "ucache"].contains(&rest.get(1..)?);
    (known && (1..=CACHES).contains(&level)).then(|| level - 1)
}

/// Units of each of [`NAMES`] in each around it. O(cores).
pub fn counts(cores: &[Place], notes: &mut Vec<String>) -> Counts {
    let mut units: Vec<Units> =
        cores.iter().map(|core| [core.package, core.package, core.package, core.core]).collect();
    if !fill(&mut units, 1, |at| cores[at].memory) {
        notes.push(left_out(1));
    }
    units.iter_mut().for_each(|own| own[2] = own[1]);
    caches(cores, &mut units, notes);
    groups(cores, &units, notes);
    std::array::from_fn(|level| inside(&units, level))
}

fn left_out(level: usize) -> String {
    format!("{} are not inside the level around them, and are left out", NAMES[level])
}

/// Sets the units of `level`; where a core has none, they are those around it. False, and those around for all, if they are
/// not inside these; one unit of a whole node is no level, and that is no loss.
fn fill(units: &mut [Units], level: usize, of: impl Fn(usize) -> u64) -> bool {
    for (at, own) in units.iter_mut().enumerate() {
        own[level] = if of(at) == 0 { u64::MAX - own[level - 1] } else { of(at) };
    }
    let nested = nested(units, level);
    let one = distinct(units.iter().map(|own| own[level])) == 1;
    if !nested {
        units.iter_mut().for_each(|own| own[level] = own[level - 1]);
    }
    nested || one
}

/// Sets the caches: the outermost level that there is if it divides domains, else the next that does so evenly.
fn caches(cores: &[Place], units: &mut [Units], notes: &mut Vec<String>) {
    let domains = distinct(units.iter().map(|own| own[1]));
    let mut outermost = true;
    for level in (0..CACHES).rev().filter(|level| cores.iter().any(|core| core.caches[*level] != 0)) {
        if !fill(units, 2, |at| cores[at].caches[level]) {
            notes.push(left_out(2));
        }
        let number = distinct(units.iter().map(|own| own[2]));
        let divides = number > domains && number < units.len();
        if divides && (outermost || (inside(units, 2).len() == 1 && inside(units, 3).len() == 1)) {
            return;
        }
        units.iter_mut().for_each(|own| own[2] = own[1]);
        outermost = false;
    }
}

/// Says that dies or groups are no level, where they divide domains and are not the caches.
fn groups(cores: &[Place], units: &[Units], notes: &mut Vec<String>) {
    let both =
        |of: fn(&Units) -> u64| distinct(cores.iter().zip(units).map(|(core, own)| (core.group, of(own)))) as u64;
    let (groups, all) = (distinct(cores.iter().map(|core| core.group)) as u64, cores.len() as u64);
    let (inside, caches) = (both(|own| own[1]), distinct(units.iter().map(|own| own[2])) as u64);
    let same = both(|own| own[2]) == groups && groups == caches;
    if inside > distinct(units.iter().map(|own| own[1])) as u64 && groups < all && !same {
        notes.push(format!(
            "{groups} dies or groups have no memory of their own, and are left out; --insert adds a level for them"
        ));
    }
}

fn distinct<T: std::hash::Hash + Eq>(all: impl Iterator<Item = T>) -> usize {
    all.collect::<HashSet<T>>().len()
}

/// True if every unit of `level` is in one unit of the level around it.
fn nested(units: &[Units], level: usize) -> bool {
    let mut around: HashMap<u64, u64> = HashMap::new();
    units.iter().all(|own| *around.entry(own[level]).or_insert(own[level - 1]) == own[level - 1])
}

/// Units of `level` in each unit around it, in the order of these; one number if all are the same.
fn inside(units: &[Units], level: usize) -> Vec<u32> {
    let mut seen = HashSet::new();
    let mut at: HashMap<u64, usize> = HashMap::new();
    let mut sizes: Vec<u32> = Vec::new();
    for own in units {
        let around = if level == 0 { 0 } else { own[level - 1] };
        let next = sizes.len();
        let index = *at.entry(around).or_insert(next);
        if index == next {
            sizes.push(0);
        }
        sizes[index] += u32::from(seen.insert((around, own[level])));
    }
    if sizes.iter().all(|size| *size == sizes[0]) {
        sizes.truncate(1);
    }
    sizes
}
