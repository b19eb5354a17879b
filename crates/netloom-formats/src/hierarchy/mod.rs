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
mod machine;
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

use netloom_model::Outcome;

use crate::codes;
use crate::text::decode;
use machine::refuse;
pub use machine::{Counts, Hierarchy, NAMES};

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
