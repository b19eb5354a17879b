//! `SLURM_HOSTFILE`: host names in order of rank, for `srun -m arbitrary`. One per line is written; names with commas
//! between them and `host*3`, three ranks on a host, are read too.
//!
//! Source: Slurm documentation, `srun(1)`, `--distribution=arbitrary`; `slurm_read_hostfile`.

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::bare::bare_words;
use super::csv;
use super::hosts::{BIND, HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, MORE, Table};
use crate::codes;
use crate::head::digits;
use crate::row::Format;
use crate::text::{decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "slurm-arbitrary",
    aliases: &["slurm-hostfile", "slurm"],
    summary: "Host of every rank, one per line: `SLURM_HOSTFILE=F srun -m arbitrary`.",
    params: &[HOST_PATTERN, SLOTS, BIND],
    example: "slurm-arbitrary(\"node{0001}\")",
    restrictions: "Holds no slots: with slots above 1 the ranks of a host must be on its slots in order.",
    source: "Slurm documentation, srun(1), --distribution=arbitrary",
    build: Format {
        extensions: &["hosts"],
        begins: |head| matches!(bare_words(head)[..], [word] if names(word)),
        read: Some(read),
        write: Some(write),
    },
};

/// True for host names, but not for numbers, ranges of them and the header of a table.
fn names(word: &str) -> bool {
    !word.contains(':') && !csv::is_header(word) && word.split(',').all(|part| !part.split('-').all(digits))
}

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    if bound.text("bind") != "elsewhere" {
        hosts.require_slots_in_order(mapping, ROW.name, "write rankfile, or bind=elsewhere with map-cpu")?;
    }
    let mut out = String::new();
    for &endpoint in mapping.endpoints() {
        out.push_str(hosts.name(endpoint));
        out.push('\n');
    }
    Ok(out.into_bytes())
}

/// O(text).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let hosts = Hosts::of(network, bound)?;
    let mut filling = Filling::new(&hosts);
    let mut table = Table::new(place);
    for (number, line) in lines(text) {
        let mut found = words(number, line.split('#').next().unwrap_or_default());
        let Some(host) = found.next() else { continue };
        if found.next().is_some() {
            table.sink.must(
                &codes::SYNTAX,
                host.spot(),
                "line",
                "host names with commas between them",
                line.trim(),
                "ranks are in order of lines",
            );
            continue;
        }
        for name in host.text.split(',').filter(|name| !name.is_empty()) {
            let (name, count) = name.split_once('*').unwrap_or((name, "1"));
            let most = u64::from(hosts.slots);
            let Some(count) = count.parse::<u64>().ok().filter(|count| (1..=most).contains(count)) else {
                let expected = format!("host or host*count with a count in 1..{most}, the slots of a host");
                table.sink.must(&codes::VALUE, host.spot(), "host", &expected, host.text, MORE);
                continue;
            };
            for _ in 0..count {
                let Some(endpoint) = filling.take(name, None, host.spot(), &mut table.sink) else { break };
                table.push(table.next(), endpoint, host.spot());
            }
        }
    }
    table.finish(network, |endpoint| hosts.place(endpoint))
}
