//! MPICH host files for Hydra's `mpiexec -f`: `host:count` per line, ranks in order of lines.
//!
//! Source: MPICH documentation, "Using the Hydra Process Manager".

use std::fmt::Write as _;

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::bare::bare_words;
use super::hosts::{BIND, HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, Table};
use crate::codes;
use crate::head::digits;
use crate::row::Format;
use crate::text::{decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "hostfile",
    aliases: &["machinefile", "mpich-hostfile", "hydra"],
    summary: "MPICH host file for `mpiexec -f F`: `host:count` per line, ranks in order.",
    params: &[HOST_PATTERN, SLOTS, BIND],
    example: "hostfile(\"node{0001}\",slots=2)",
    restrictions: "Holds no slots: with slots above 1 the ranks of a host must be on its slots in order. Neighbouring \
                   ranks of one host share a line.",
    source: "MPICH wiki, Using the Hydra Process Manager",
    build: Format {
        extensions: &["hostfile", "machinefile"],
        begins: |head| matches!(bare_words(head)[..], [word] if word.split_once(':').is_some_and(|(_, count)| digits(count))),
        read: Some(read),
        write: Some(write),
    },
};

const HINT: &str = "write host or host:count; more ranks on a host need more cores";

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    if bound.text("bind") != "elsewhere" {
        hosts.require_slots_in_order(
            mapping,
            ROW.name,
            "write rankfile, or bind=elsewhere with hydra-bind or intel-pin",
        )?;
    }
    let mut out = String::new();
    for run in mapping.endpoints().chunk_by(|&a, &b| hosts.slot(a).0 == hosts.slot(b).0) {
        let _ = writeln!(out, "{}:{}", hosts.name(run[0]), run.len());
    }
    Ok(out.into_bytes())
}

/// O(text + ranks).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let hosts = Hosts::of(network, bound)?;
    let mut filling = Filling::new(&hosts);
    let mut table = Table::new(place);
    for (number, line) in lines(text) {
        let Some(word) = words(number, line.split('#').next().unwrap_or_default()).next() else { continue };
        let (host, count) = word.text.split_once(':').unwrap_or((word.text, "1"));
        let count = count.parse::<u64>().ok().filter(|c| (1..=u64::from(hosts.slots)).contains(c));
        let Some(count) = count else {
            let expected = format!("host:count with a count in 1..{}, the slots of a host", hosts.slots);
            table.sink.must(&codes::VALUE, word.spot(), "line", &expected, line.trim(), HINT);
            continue;
        };
        for _ in 0..count {
            let Some(endpoint) = filling.take(host, None, word.spot(), &mut table.sink) else { break };
            table.push(table.next(), endpoint, word.spot());
        }
    }
    table.finish(network, |endpoint| hosts.place(endpoint))
}
