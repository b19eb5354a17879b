//! Cray MPICH `MPICH_RANK_ORDER`: ranks in the order in which nodes and their slots are filled.
//!
//! Source: `intro_mpi(3)` of Cray MPICH, `MPICH_RANK_REORDER_METHOD=3`. The launcher fills the nodes of the allocation
//! one after another with the same number of ranks; the file says which rank each slot gets. It is derived by listing
//! the used hosts in the order of the network's endpoints, and of each host the ranks in order of slot. The job must
//! be started on exactly these hosts in this order; a comment in the file names them.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Mapping, Network, Outcome};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use crate::codes;
use crate::hostlist::fold_hostlist;
use crate::registry::{Format, FormatRow, Writer};

pub const ROW: FormatRow = FormatRow {
    name: "cray",
    aliases: &["mpich-rank-order", "MPICH_RANK_ORDER"],
    summary: "Cray MPICH rank order file for MPICH_RANK_REORDER_METHOD=3: comma-separated ranks, node after node.",
    params: &[HOST_PATTERN, SLOTS],
    example: "cray(slots=4)",
    restrictions: "Every used host but the last has the same number of ranks, on its first slots. The file does not say \
                   which hosts are used, so it is not read back.",
    source: "Cray MPICH, intro_mpi(3), MPICH_RANK_REORDER_METHOD",
    build: Format { extensions: &["MPICH_RANK_ORDER"], read: None, write: Some(Writer::Mapping(write)) },
};

/// O(ranks log ranks).
fn write(network: &Network, mapping: &Mapping, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let mut used: Vec<(u32, u32)> = mapping.endpoints().iter().enumerate().map(|(r, &e)| (e, r as u32)).collect();
    used.sort_unstable();
    let nodes: Vec<&[(u32, u32)]> = used.chunk_by(|a, b| hosts.slot(a.0).0 == hosts.slot(b.0).0).collect();
    let full = nodes.iter().map(|n| n.len()).max().unwrap_or(0);
    let names: Vec<String> = nodes.iter().map(|n| hosts.name(n[0].0).to_string()).collect();
    for (i, node) in nodes.iter().enumerate() {
        let packed = node.iter().enumerate().all(|(s, e)| hosts.slot(e.0).1 == s as u32);
        if !packed || (node.len() < full && i + 1 < nodes.len()) {
            let sentence = format!("host {} has {} ranks, not {full} on its first slots", names[i], node.len());
            return Err(Fault::say(&codes::CANNOT_EXPRESS, network.label(), sentence)
                .hint("fill hosts evenly, or write rankfile")
                .into());
        }
    }
    let mut out = String::from("# MPICH_RANK_REORDER_METHOD=3; hosts in this order: ");
    let _ = writeln!(out, "{}", fold_hostlist(&names));
    for node in nodes {
        let ranks: Vec<String> = node.iter().map(|e| e.1.to_string()).collect();
        let _ = writeln!(out, "{}", ranks.join(","));
    }
    Ok(out.into_bytes())
}
