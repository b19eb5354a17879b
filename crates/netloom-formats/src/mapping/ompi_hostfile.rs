//! Open MPI host files for `mpirun --hostfile F`: `node0001 slots=2 max_slots=4`, ranks fill the slots of a host before the next.
//!
//! Source: Open MPI 5.0 documentation, "Launching with SSH", host files; `prte-hosts(5)` for `+n`, `+e` and `^`.

use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::bare::bare_words;
use super::hosts::{BIND, HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, Table};
use crate::codes;
use crate::row::Format;
use crate::sink::Spot;
use crate::text::{Word, decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "ompi-hostfile",
    aliases: &["openmpi-hostfile"],
    summary: "Open MPI host file for `mpirun --hostfile F`: hosts with `slots=N`, filled one after another.",
    params: &[HOST_PATTERN, SLOTS, BIND],
    example: "ompi-hostfile(\"node{0001}\",slots=2)",
    restrictions: "Holds no order of ranks but that of the hosts: the ranks of a host follow each other. Read: a host without \
                   slots has all of its slots, one that is listed again has those of all its lines, and max_slots is the most \
                   that they may be.",
    source: "Open MPI 5.0 documentation, mpirun(1), --hostfile",
    build: Format {
        extensions: &["ompi-hostfile"],
        begins: |head| {
            let found = bare_words(head);
            found.len() > 1 && found[1..].iter().all(|word| key(word).is_some())
        },
        read: Some(read),
        write: Some(write),
    },
};

const HINT: &str = "write node0001 slots=2, with max_slots=4 if there is a limit";

/// Key and value of a word that belongs to a host.
fn key(word: &str) -> Option<(&'static str, &str)> {
    let (key, value) = word.split_once('=')?;
    match key.replace('-', "_").as_str() {
        "slots" => Some(("slots", value)),
        "max_slots" => Some(("max_slots", value)),
        _ => None,
    }
}

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    if bound.text("bind") != "elsewhere" {
        hosts.require_slots_in_order(mapping, ROW.name, "write rankfile, or bind=elsewhere with pe-list")?;
    }
    let mut out = String::new();
    let mut done = vec![false; hosts.names.len()];
    for run in mapping.endpoints().chunk_by(|&a, &b| hosts.slot(a).0 == hosts.slot(b).0) {
        let host = hosts.slot(run[0]).0 as usize;
        if std::mem::replace(&mut done[host], true) {
            let sentence =
                format!("ranks of {} do not follow each other, and each host is filled at once", hosts.names[host]);
            return Err(Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence).hint("write rankfile").into());
        }
        let _ = writeln!(out, "{} slots={}", hosts.names[host], run.len());
    }
    Ok(out.into_bytes())
}

/// A host with the slots of its lines.
struct Listed<'t> {
    name: &'t str,
    slots: u64,
    most: Option<u64>,
    spot: Spot,
}

/// O(text + ranks).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let hosts = Hosts::of(network, bound)?;
    let mut table = Table::new(place);
    let mut all: Vec<Listed> = Vec::new();
    let mut at: HashMap<&str, usize> = HashMap::new();
    for (number, line) in lines(text) {
        let found: Vec<Word> = words(number, line.split('#').next().unwrap_or_default()).take(4).collect();
        let Some(listed) = entry(&found, u64::from(hosts.slots), line, &mut table) else { continue };
        match at.get(listed.name) {
            Some(&first) => {
                all[first].slots += listed.slots;
                all[first].most = listed.most.or(all[first].most);
            }
            None => {
                at.insert(listed.name, all.len());
                all.push(listed);
            }
        }
    }
    let mut filling = Filling::new(&hosts);
    for host in &all {
        if let Some(most) = host.most.filter(|most| host.slots > *most) {
            let expected = format!("at most max_slots={most}");
            table.sink.must(&codes::VALUE, host.spot, &format!("slots of {}", host.name), &expected, host.slots, HINT);
            continue;
        }
        for _ in 0..host.slots {
            let Some(endpoint) = filling.take(host.name, None, host.spot, &mut table.sink) else { break };
            table.push(table.next(), endpoint, host.spot);
        }
    }
    table.finish(network, |endpoint| hosts.place(endpoint))
}

/// What a line says, `own` slots where it says none; a fault for what no host file has.
fn entry<'t>(found: &[Word<'t>], own: u64, line: &str, table: &mut Table) -> Option<Listed<'t>> {
    let (host, rest) = found.split_first()?;
    if host.text.starts_with(['+', '^']) {
        let hint = "write the hosts of this run, each by its name";
        let expected = "a name: +n, +e and ^ choose from hosts that are listed elsewhere";
        table.sink.must(&codes::VALUE, host.spot(), "host", expected, host.text, hint);
        return None;
    }
    let mut listed = Listed { name: host.text, slots: own, most: None, spot: host.spot() };
    let mut said = false;
    for word in rest {
        let Some((key, value)) = key(word.text) else {
            table.sink.must(&codes::SYNTAX, word.spot(), "line", "HOST slots=N max_slots=N", line.trim(), HINT);
            return None;
        };
        let number = value.parse::<u64>().ok().filter(|n| (1..=1 << 20).contains(n));
        let Some(number) = number else {
            table.sink.must(&codes::VALUE, word.spot(), key, "an integer in 1..1048576", value, HINT);
            return None;
        };
        match key {
            "slots" => (listed.slots, said) = (number, true),
            _ => listed.most = Some(number),
        }
    }
    if let (false, Some(most)) = (said, listed.most) {
        listed.slots = own.min(most);
    }
    Some(listed)
}
