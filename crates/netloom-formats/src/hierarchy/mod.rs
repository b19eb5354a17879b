//! The levels of a machine from what hwloc, Slurm or NCCL prints, or from a list of counts.
//!
//! - `lstopo --of xml` of hwloc 1 and 2: packages, NUMA nodes, caches, cores; a core is a place for a rank.
//! - a synthetic string of hwloc: `package:2 numa:4 l3:2 core:8 pu:1`, or as `lstopo --of synthetic` writes it. It gives the same
//!   levels as the file of the same machine, by the one rule in `levels`.
//! - counts, outermost first: `16,2,2,8` are nodes, sockets, NUMA domains, cores.
//! - `scontrol show node`, and the lines `NodeName=` of slurm.conf: sockets and cores of many nodes, which must be alike.
//! - the topology XML of NCCL (`NCCL_TOPO_DUMP_FILE`): GPUs, their NVLinks and PCI links, and NICs.
//!
//! What a file defines is used, refused, or in its notes; units may differ, and then each has its own count.
//!
//! Sources: hwloc 2.9 documentation, "Importing and exporting topologies from/to XML files", "Synthetic topologies";
//! the same of 1.11 for its XML; Slurm documentation, scontrol(1), slurm.conf(5); NCCL 2.26, `src/graph/xml.cc`, `topo.cc` and
//! `topo.h`; RCCL, `src/graph/topo.h`.

mod counts;
mod hwloc;
mod hwloc_words;
mod levels;
mod links;
mod nccl;
mod nccl_words;
mod reserved;
mod scontrol;
mod slurm_words;
mod synthetic;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_nccl;
#[cfg(test)]
mod tests_reduced;
#[cfg(test)]
mod tests_words;

use netloom_model::{Fault, Faults, Outcome};

use crate::codes;
use crate::sink::Sink;
use crate::text::decode;

/// Levels below a node that a node description has, outermost first.
pub const NAMES: [&str; 4] = ["sockets", "numa", "caches", "cores"];

/// Of each of [`NAMES`], units in each unit around it: one number for all, or one for each of them in order.
pub type Counts = [Vec<u32>; 4];

/// A machine whose nodes are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// Nodes, if the text counts them.
    pub nodes: Option<u32>,
    /// 1 for a level that tells nothing apart.
    pub counts: Counts,
    /// True if the innermost level is of GPUs and not of cores.
    pub gpus: bool,
    /// Bytes per second of the link of one unit of the innermost level, if the text tells.
    pub speed_bytes_per_s: Option<f64>,
    /// Direct links between units of the innermost level, as a node's `links`; empty without any.
    pub links: String,
    /// What the operating system calls the first CPU of each core that may be used, in the order of the cores; empty if the
    /// text does not tell.
    pub cpus: Vec<u32>,
    /// CPUs that may be used, those of one core included, and those that are there and may not: offline, or not allowed.
    pub usable: Vec<u32>,
    pub closed: Vec<u32>,
    /// Network devices for messages, if the text lists devices.
    pub nics: u32,
    /// Parts of the text that the levels do not hold; one sentence each.
    pub notes: Vec<String>,
}

/// Units of the innermost level.
fn seats(counts: &Counts) -> u64 {
    let inside = |units: u64, own: &Vec<u32>| match own[..] {
        [one] => units.saturating_mul(u64::from(one)),
        _ => own.iter().map(|n| u64::from(*n)).sum(),
    };
    counts.iter().fold(1, inside)
}

/// The same number everywhere.
fn even(counts: [u32; 4]) -> Counts {
    counts.map(|n| vec![n])
}

/// Most units of a machine.
const LIMIT: u64 = 1 << 20;

impl Hierarchy {
    /// Counts alone.
    fn of(nodes: Option<u32>, counts: Counts) -> Hierarchy {
        let (links, cpus, usable, closed, notes) = Default::default();
        Hierarchy { nodes, counts, gpus: false, speed_bytes_per_s: None, links, cpus, usable, closed, nics: 1, notes }
    }

    /// Units of the innermost level.
    pub fn seats(&self) -> u64 {
        seats(&self.counts)
    }
}

/// `only`: a host list of the nodes that count, where the text lists several; empty for all. O(text).
///
/// # Errors
/// Those of XML; `NL-F003` for words that are no levels, `NL-F009` for counts out of range, `NL-F010` without cores,
/// `NL-F018` for a machine whose units differ.
pub fn read(bytes: &[u8], place: &str, only: &str) -> Outcome<Hierarchy> {
    let text = decode(bytes, place)?;
    let mut start = text.trim_start();
    while start.starts_with('#') {
        start = start.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    if !only.is_empty() && !scontrol::is_one(start) {
        return Err(refuse(
            &codes::UNSUPPORTED,
            place,
            "describes one node",
            "name nodes of what scontrol show node prints",
        ));
    }
    let mut found = match () {
        () if nccl::is_one(start) => nccl::read(text, place)?,
        () if start.starts_with('<') => hwloc::read(text, place)?,
        () if scontrol::is_one(start) => scontrol::read(start, place, only)?,
        () if start.contains(':') => synthetic::read(start, place)?,
        () => counts::read(start, place)?,
    };
    let seats = found.seats();
    if found.nics > 1 && !seats.is_multiple_of(u64::from(found.nics)) {
        let units = if found.gpus { "GPUs" } else { "cores" };
        found.notes.push(format!("{} network devices do not divide {seats} {units}; one is kept", found.nics));
        found.nics = 1;
    }
    Ok(found)
}

/// "`place`: `sentence`".
fn refuse(row: &netloom_model::CodeRow, place: &str, sentence: impl Into<String>, hint: &str) -> Faults {
    Fault::say(row, place, sentence).hint(hint).into()
}
