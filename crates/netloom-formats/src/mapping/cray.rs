//! Cray MPICH `MPICH_RANK_ORDER`: ranks in the order in which nodes and their slots are filled.
//!
//! Source: `intro_mpi(3)` of Cray MPICH, `MPICH_RANK_REORDER_METHOD=3`. The launcher fills the nodes of the allocation
//! in the order of their names, with equally many ranks or one more on the first ones; the file gives the rank of each
//! slot. It lists the used hosts in this order, and for each host the ranks in order of slot. The job must be started on
//! exactly these hosts; a comment in the file names them. Where all hosts but the last are full, which srun does with
//! planes of that size, a second comment says so. To Cray MPICH the end of a line is a comma: a file is read by the counts of
//! srun, and refused where it has a line for every host and one of them says otherwise.

use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Param, Row};

use super::bare::bare_words;
use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::step::{Distribution, Step, compare};
use super::table::{Filling, Table};
use crate::codes;
use crate::head::{Head, digits};
use crate::hostlist::{expand_hostlist, fold_hostlist};
use crate::row::Format;
use crate::sink::Spot;
use crate::text::{decode, lines};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "cray",
    aliases: &["mpich-rank-order", "MPICH_RANK_ORDER"],
    summary: "Cray MPICH rank order file for MPICH_RANK_REORDER_METHOD=3: comma-separated ranks, node after node.",
    params: &[HOST_PATTERN, SLOTS, ALLOCATED],
    example: "cray(slots=4)",
    restrictions: "A used host has equally many ranks, or the first ones one more, or all but the last are full; they are on its first \
                   slots. Which hosts are used is read from the comment that is written above the ranks; files without it need \
                   the parameter hosts.",
    source: "Cray MPICH, intro_mpi(3), MPICH_RANK_REORDER_METHOD",
    build: Format { extensions: &["MPICH_RANK_ORDER"], begins: ranks_of_hosts, read: Some(read), write: Some(write) },
};

/// `hosts`: of a file that does not name them.
const ALLOCATED: Param = Param::optional(
    "hosts",
    Kind::Text,
    "",
    "for reading: host list of the job, such as cn[001-004]; srun gives the ranks of the file to them in the order of their \
     names, equally many or one more on the first; absent: the file names its hosts, and a line for each must have as many",
)
.keyword_only();

/// Begins the comment that names the hosts.
const HOSTS: &str = "# MPICH_RANK_REORDER_METHOD=3; hosts in this order: ";
/// Begins the comment that says how srun must start the ranks.
const STARTED: &str = "# srun --distribution=";
const HINT: &str = "write ranks with commas between them, as in 0,1,2-5";

/// True if the file says so, or has ranks between commas.
fn ranks_of_hosts(head: &Head) -> bool {
    let ranks = |word: &str| word.contains([',', '-']) && word.split([',', '-']).all(|r| r.is_empty() || digits(r));
    head.text.starts_with("# MPICH_RANK_REORDER_METHOD") || matches!(bare_words(head)[..], [word] if ranks(word))
}

/// O(text + ranks).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let hosts = Hosts::of(network, bound)?;
    let mut table = Table::new(place);
    let limit = hosts.names.len() as u64;
    let named = lines(text).find_map(|(number, line)| Some((Spot::At(number, 1), line.strip_prefix(HOSTS)?)));
    let given = bound.text("hosts");
    let (spot, list) = match named {
        _ if !given.is_empty() => (Spot::Whole, given),
        Some(named) => named,
        None => {
            let sentence = "the file does not say which hosts the ranks are on";
            let hint = "name those of the job, as in cray(hosts=\"cn[001-004]\")";
            table.sink.say(&codes::MISSING, Spot::Whole, sentence, hint);
            return table.finish(network, |endpoint| hosts.place(endpoint));
        }
    };
    let mut names = expand_hostlist(list.trim(), limit).unwrap_or_else(|why| {
        table.sink.must(&codes::HOSTLIST, spot, "hosts", "a host list", why, "");
        Vec::new()
    });
    if names.is_empty() && table.sink.is_empty() {
        table.sink.must(&codes::HOSTLIST, spot, "hosts", "a host list", list, "name a host or more");
    }
    names.sort_by(|a, b| compare(a, b));
    let found = ranks(text, network.endpoints() as usize, &mut table);
    if table.sink.is_empty() {
        let counts = distribution(text).counts(found.iter().map(Vec::len).sum(), names.len());
        if given.is_empty() {
            require_lines(&found, &names, &counts, list, &mut table);
        }
        let homes = names.iter().zip(counts).flat_map(|(name, count)| std::iter::repeat_n(name, count));
        let mut filling = Filling::new(&hosts);
        for ((rank, spot), host) in found.into_iter().flatten().zip(homes) {
            let Some(endpoint) = filling.take(host, None, spot, &mut table.sink) else { break };
            table.push(rank, endpoint, spot);
        }
    }
    table.finish(network, |endpoint| hosts.place(endpoint))
}

/// The ranks of every line; a few more than there are places, so that a fault can say so.
fn ranks(text: &str, places: usize, table: &mut Table) -> Vec<Vec<(u64, Spot)>> {
    let mut found = Vec::new();
    let mut left = places + 1;
    for (number, line) in lines(text) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (spot, mut own) = (Spot::At(number, 1), Vec::new());
        for word in line.trim_end_matches(',').split(',') {
            match range(word) {
                Some((first, last)) => own.extend((first..=last).take(left - own.len().min(left)).map(|r| (r, spot))),
                None => table.sink.must(&codes::VALUE, spot, "rank", "a number or a range", word, HINT),
            }
        }
        left -= own.len().min(left);
        found.push(own);
    }
    found
}

/// How srun starts the ranks: as the file's comment says, else in blocks.
fn distribution(text: &str) -> Distribution {
    let size =
        lines(text).find_map(|(_, line)| line.strip_prefix(STARTED)?.trim().strip_prefix("plane=")?.parse().ok());
    size.map_or(Distribution::Block, Distribution::Plane)
}

/// Refuses a line for every host of which one has another number of ranks than srun starts on its host: the launcher would
/// go on to the next line, or stop before its end.
fn require_lines(found: &[Vec<(u64, Spot)>], names: &[String], counts: &[usize], list: &str, table: &mut Table) {
    if found.len() != names.len() {
        return;
    }
    let Some(at) = (0..names.len()).find(|at| found[*at].len() != counts[*at]) else { return };
    let spot = found[at].first().map_or(Spot::Whole, |rank| rank.1);
    let expected = format!("{}, as srun starts on {}", counts[at], names[at]);
    let hint = format!(
        "srun does not see the ends of lines; to read without them, name the hosts: cray(hosts=\"{}\")",
        list.trim()
    );
    table.sink.must(&codes::VALUE, spot, "ranks of the line", &expected, found[at].len(), &hint);
}

/// `5` or `2-5`.
fn range(word: &str) -> Option<(u64, u64)> {
    let (first, last) = word.trim().split_once('-').unwrap_or((word.trim(), word.trim()));
    Some((first.parse().ok()?, last.parse().ok()?)).filter(|(first, last)| first <= last)
}

/// O(ranks + hosts log hosts).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let step = Step::of(mapping, &hosts);
    let names: Vec<String> = step.nodes.iter().map(|host| hosts.names[*host as usize].clone()).collect();
    let mut on: Vec<Vec<(u32, u32)>> = vec![Vec::new(); names.len()];
    for (rank, (&node, &endpoint)) in (0..).zip(step.indices().iter().zip(mapping.endpoints())) {
        on[node as usize].push((hosts.slot(endpoint).1, rank));
    }
    on.iter_mut().for_each(|ranks| ranks.sort_unstable());
    let started = starting(&step, &on, &names)?;
    let mut out = format!("{HOSTS}{}\n{started}", fold_hostlist(&names));
    for ranks in on {
        let ranks: Vec<String> = ranks.iter().map(|(_, rank)| rank.to_string()).collect();
        let _ = writeln!(out, "{}", ranks.join(","));
    }
    Ok(out.into_bytes())
}

/// The comment that says how srun must start the ranks, where its default is another number of them on a host.
fn starting(step: &Step, on: &[Vec<(u32, u32)>], names: &[String]) -> Outcome<String> {
    let counts = step.counts();
    let (ranks, nodes) = (counts.iter().sum(), counts.len());
    let blocks = Distribution::Block.counts(ranks, nodes);
    let full = counts.first().copied().unwrap_or(0);
    let plane = Distribution::Plane(full).counts(ranks, nodes) == counts && full * nodes >= ranks;
    for (node, slots) in on.iter().enumerate() {
        let packed = (0..).zip(slots).all(|(slot, own)| slot == own.0);
        if !packed || (counts[node] != blocks[node] && !plane) {
            let sentence = format!(
                "host {} has {} ranks, not {} on its first slots, as srun starts them",
                names[node], counts[node], blocks[node]
            );
            let fault = Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence);
            return Err(fault.hint("fill hosts evenly, or write rankfile or slurm-arbitrary").into());
        }
    }
    Ok(if counts == blocks { String::new() } else { format!("{STARTED}plane={full}\n") })
}
