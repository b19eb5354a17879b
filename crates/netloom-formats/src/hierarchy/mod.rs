//! The levels of a machine from what hwloc, Slurm or NCCL prints, or from a list of counts.
//!
//! - `lstopo --of xml` of hwloc 2: packages, NUMA nodes, caches, cores; a core is a place for a rank.
//! - a synthetic string of hwloc: `package:2 numa:4 l3:2 core:8 pu:1`, or as `lstopo --of synthetic` writes it. It gives the same
//!   levels as the file of the same machine, by the one rule in `levels`.
//! - counts, outermost first: `16,2,2,8` are nodes, sockets, NUMA domains, cores.
//! - `scontrol show node`: sockets and cores of many nodes, which must be alike.
//! - the topology XML of NCCL (`NCCL_TOPO_DUMP_FILE`): GPUs, their NVLinks or PCI links, and NICs.
//!
//! Sources: hwloc 2.9 documentation, "Importing and exporting topologies from/to XML files", "Synthetic topologies";
//! Slurm documentation, scontrol(1); NCCL 2.26, `src/graph/xml.cc` and `topo.h`.

mod counts;
mod hwloc;
mod levels;
mod nccl;
mod scontrol;
mod synthetic;
#[cfg(test)]
mod tests;

use netloom_model::{Fault, Faults, Outcome};

use crate::codes;
use crate::sink::Sink;
use crate::text::decode;

/// Levels below a node that a node description has, outermost first.
pub const NAMES: [&str; 4] = ["sockets", "numa", "caches", "cores"];

/// A homogeneous machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// Nodes, if the text counts them.
    pub nodes: Option<u32>,
    /// Of each of [`NAMES`], units in each unit around it; 1 for a level that tells nothing apart.
    pub counts: [u32; 4],
    /// True if the innermost level is of GPUs and not of cores.
    pub gpus: bool,
    /// Bytes per second of the link of one unit of the innermost level, if the text tells.
    pub speed_bytes_per_s: Option<f64>,
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

/// Most units of a machine.
const LIMIT: u64 = 1 << 20;

impl Hierarchy {
    /// Counts alone.
    fn of(nodes: Option<u32>, counts: [u32; 4]) -> Hierarchy {
        let (cpus, usable, closed, notes) = Default::default();
        Hierarchy { nodes, counts, gpus: false, speed_bytes_per_s: None, cpus, usable, closed, nics: 1, notes }
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
    let seats: u64 = found.counts.iter().map(|c| u64::from(*c)).product();
    if found.nics > 1 && !seats.is_multiple_of(u64::from(found.nics)) {
        found.notes.push(format!("{} network devices do not divide {seats} cores; one is kept", found.nics));
        found.nics = 1;
    }
    Ok(found)
}

/// "`place`: `sentence`".
fn refuse(row: &netloom_model::CodeRow, place: &str, sentence: impl Into<String>, hint: &str) -> Faults {
    Fault::say(row, place, sentence).hint(hint).into()
}
