//! Synthetic strings of hwloc: `package:2 numa:4 l3:2 core:8 pu:1`, and what `lstopo --of synthetic` writes, such as
//! `Package:2 [NUMANode(memory=8)] L3Cache:1(size=32) L2Cache:4 L1dCache:1 L1iCache:1 Core:1 PU:2`.

use netloom_model::Outcome;

use super::counts::{HINT, count, within};
use super::levels::{Place, cache_level, counts};
use super::machine::{Hierarchy, refuse};
use crate::codes;
use crate::sink::quoted;

#[derive(Clone, Copy, PartialEq)]
enum ObjectKind {
    Package,
    Group,
    /// Data or unified, by its place in [`Place::caches`].
    Cache(usize),
    Core,
    Thread,
    /// Tells no ranks apart.
    Other,
}

/// A level: how many there are in each around it, and whether memory is attached to each.
struct Level {
    kind: ObjectKind,
    number: u32,
    memory: bool,
}

/// O(text + cores). Attributes in parentheses are left out.
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let (levels, threads) = levels(text, place)?;
    let all = levels.iter().fold(1u64, |all, level| all.saturating_mul(u64::from(level.number)));
    within(all, place)?;
    let mut notes = Vec::new();
    if threads > 1 {
        notes.push(format!("{threads} hardware threads of a core are one place for a rank"));
    }
    let cores: Vec<Place> = (0..all).map(|core| at(&levels, core, all)).collect();
    let counts = counts(&cores, &mut notes);
    Ok(Hierarchy { notes, ..Hierarchy::of(None, counts) })
}

/// The objects around a core: at each level, the number of cores in one of its units divides that of the core.
fn at(levels: &[Level], core: u64, all: u64) -> Place {
    let mut found = Place { core: core + 1, ..Place::default() };
    let mut inside = all;
    // Each level numbers its own units; memory of different levels must not share a number.
    for (depth, level) in levels.iter().enumerate() {
        inside /= u64::from(level.number);
        let own = core / inside + 1;
        match level.kind {
            ObjectKind::Package => found.package = own,
            ObjectKind::Group => found.group = own,
            ObjectKind::Cache(level) => found.caches[level] = own,
            ObjectKind::Core | ObjectKind::Thread | ObjectKind::Other => {}
        }
        if level.memory {
            found.memory = ((depth as u64 + 1) << 32) + own;
        }
    }
    found
}

/// Levels down to the cores, and hardware threads of a core.
fn levels(text: &str, place: &str) -> Outcome<(Vec<Level>, u32)> {
    let mut levels: Vec<Level> = Vec::new();
    let mut threads = 1;
    for word in without_attributes(text).split_whitespace().take(64) {
        let wrong =
            || refuse(&codes::SYNTAX, place, format!("{} is no level of hwloc with a count", quoted(word)), HINT);
        if let Some(memory) = attached(word) {
            match levels.last_mut() {
                Some(around) => around.memory |= memory,
                None => levels.push(Level { kind: ObjectKind::Other, number: 1, memory }),
            }
            continue;
        }
        let (name, number) = word.split_once(':').ok_or_else(wrong)?;
        let (kind, memory) = kind(name).ok_or_else(wrong)?;
        let number = count(number, place)?;
        if !levels.iter().any(|level| level.kind == ObjectKind::Core) {
            levels.push(Level { kind, number, memory });
        } else if matches!(kind, ObjectKind::Package | ObjectKind::Group | ObjectKind::Core) {
            let sentence = format!("{} is inside a level that it would have to be around", quoted(word));
            return Err(refuse(&codes::UNSUPPORTED, place, sentence, "order the levels package, numa, l3, core"));
        } else if kind == ObjectKind::Thread {
            threads = number;
        }
    }
    Ok((levels, threads))
}

/// The level that a word means, and whether it has memory: a level of NUMA nodes is groups with one each.
fn kind(name: &str) -> Option<(ObjectKind, bool)> {
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "package" | "pack" | "socket" => (ObjectKind::Package, false),
        "numa" | "numanode" | "node" => (ObjectKind::Group, true),
        "group" | "die" => (ObjectKind::Group, false),
        "core" => (ObjectKind::Core, false),
        "pu" => (ObjectKind::Thread, false),
        "cache" => (ObjectKind::Cache(2), false),
        "machine" | "misc" | "tile" | "module" => (ObjectKind::Other, false),
        _ => match name.replacen('i', "", 1) {
            // A cache of instructions has the level, and tells no ranks apart.
            other if other != name => (cache_level(&other).map(|_| ObjectKind::Other)?, false),
            _ => (ObjectKind::Cache(cache_level(&name)?), false),
        },
    })
}

/// `[NUMANode]`: memory at the level before, true; `[MemCache]`: none.
fn attached(word: &str) -> Option<bool> {
    let inside = word.strip_prefix('[')?.strip_suffix(']')?.to_ascii_lowercase();
    match inside.as_str() {
        "numa" | "numanode" | "node" => Some(true),
        "memcache" => Some(false),
        _ => None,
    }
}

/// The text without parentheses and what is in them, which may be blanks.
fn without_attributes(text: &str) -> String {
    let mut depth = 0u32;
    let outside = |c: &char| {
        depth = if *c == '(' { depth + 1 } else { depth };
        let keep = depth == 0;
        depth = if *c == ')' { depth.saturating_sub(1) } else { depth };
        keep
    };
    text.chars().filter(outside).collect()
}
