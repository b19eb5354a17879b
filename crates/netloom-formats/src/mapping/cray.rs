//! Cray MPICH `MPICH_RANK_ORDER`: ranks in the order in which nodes and their slots are filled.
//!
//! Source: `intro_mpi(3)` of Cray MPICH, `MPICH_RANK_REORDER_METHOD=3`. The launcher fills the nodes of the allocation
//! one after another with the same number of ranks; the file gives the rank of each slot. It lists the used hosts in
//! the order of the network's endpoints, and for each host the ranks in order of slot. The job must be started on
//! exactly these hosts in this order; a comment in the file names them.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, Table};
use crate::codes;
use crate::detect::{Head, digits};
use crate::hostlist::{expand_hostlist, fold_hostlist};
use crate::registry::Format;
use crate::sink::Spot;
use crate::text::{decode, lines};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "cray",
    aliases: &["mpich-rank-order", "MPICH_RANK_ORDER"],
    summary: "Cray MPICH rank order file for MPICH_RANK_REORDER_METHOD=3: comma-separated ranks, node after node.",
    params: &[HOST_PATTERN, SLOTS],
    example: "cray(slots=4)",
    restrictions: "Every used host but the last has the same number of ranks, on its first slots. Which hosts are used is read \
                   from the comment that is written above the ranks; files without it leave that to the job.",
    source: "Cray MPICH, intro_mpi(3), MPICH_RANK_REORDER_METHOD",
    build: Format { extensions: &["MPICH_RANK_ORDER"], begins: ranks_of_hosts, read: Some(read), write: Some(write) },
};

/// Begins the comment that names the hosts.
const HOSTS: &str = "# MPICH_RANK_REORDER_METHOD=3; hosts in this order: ";
const HINT: &str = "write the ranks of a host on a line, as in 0,1,2-5";

/// True if the file says so, or has ranks between commas.
fn ranks_of_hosts(head: &Head) -> bool {
    let ranks = |word: &str| word.contains(',') && word.split([',', '-']).all(|r| r.is_empty() || digits(r));
    head.text.starts_with("# MPICH_RANK_REORDER_METHOD") || matches!(head.first_words()[..], [word] if ranks(word))
}

/// O(text + ranks).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let hosts = Hosts::of(network, bound)?;
    let mut table = Table::new(place);
    let Some((line, named)) = lines(text).find_map(|(number, line)| Some((number, line.strip_prefix(HOSTS)?))) else {
        let sentence = "the file does not say which hosts the ranks are on";
        table.sink.say(&codes::MISSING, Spot::Whole, sentence, "give the mapping as rankfile or csv");
        return table.finish(network);
    };
    let names = expand_hostlist(named.trim(), hosts.names.len() as u64).unwrap_or_else(|why| {
        table.sink.must(&codes::HOSTLIST, Spot::At(line, 1), "hosts", "a host list", why, "");
        Vec::new()
    });
    let mut filling = Filling::new(&hosts);
    let filled = lines(text).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let mut names = names.into_iter();
    for (number, line) in filled {
        let spot = Spot::At(number, 1);
        let Some(host) = names.next() else {
            table.sink.must(&codes::RANKS, spot, "line", "as many lines as hosts", line.trim(), HINT);
            break;
        };
        for word in line.trim().trim_end_matches(',').split(',') {
            let Some((first, last)) = range(word) else {
                table.sink.must(&codes::VALUE, spot, "rank", "a number or a range", word, HINT);
                continue;
            };
            for rank in first..=last {
                let Some(endpoint) = filling.take(&host, None, spot, &mut table.sink) else { break };
                table.push(rank, endpoint, spot);
            }
        }
    }
    table.finish(network)
}

/// `5` or `2-5`.
fn range(word: &str) -> Option<(u64, u64)> {
    let (first, last) = word.trim().split_once('-').unwrap_or((word.trim(), word.trim()));
    Some((first.parse().ok()?, last.parse().ok()?)).filter(|(first, last)| first <= last)
}

/// O(ranks log ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
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
    let mut out = format!("{HOSTS}{}\n", fold_hostlist(&names));
    for node in nodes {
        let ranks: Vec<String> = node.iter().map(|e| e.1.to_string()).collect();
        let _ = writeln!(out, "{}", ranks.join(","));
    }
    Ok(out.into_bytes())
}
