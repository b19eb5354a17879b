//! Open MPI rank files: `rank 0=node0001 slot=0`.
//!
//! Source: Open MPI manual, `mpirun(1)`, section "Rankfiles".

use std::fmt::Write as _;

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::bare_words;
use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, Table};
use crate::codes;
use crate::registry::Format;
use crate::text::{decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "rankfile",
    aliases: &["ompi-rankfile"],
    summary: "Open MPI rank file for `mpirun --map-by rankfile:file=F` (before 5.0: `-rf F`): host and slot of every rank.",
    params: &[HOST_PATTERN, SLOTS],
    example: "rankfile(\"node{0001}\",slots=4)",
    restrictions: "Slots are single numbers; socket:core pairs, ranges and hosts by number (+n1) are not read.",
    source: "Open MPI manual, mpirun(1), Rankfiles",
    build: Format {
        extensions: &["rankfile"],
        begins: |head| matches!(bare_words(head)[..], ["rank", host, ..] if host.contains('=')),
        read: Some(read),
        write: Some(write),
    },
};

const HINT: &str = "write rank 0=host slot=0";

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let mut out = String::new();
    for (rank, &endpoint) in mapping.endpoints().iter().enumerate() {
        let _ = writeln!(out, "rank {rank}={} slot={}", hosts.name(endpoint), hosts.slot(endpoint).1);
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
        let line = line.split('#').next().unwrap_or_default();
        let found: Vec<_> = words(number, line).take(4).collect();
        let Some(first) = found.first() else { continue };
        let parts = match found[..] {
            [rank, host, slot] if rank.text == "rank" => host.text.split_once('=').zip(slot.text.strip_prefix("slot=")),
            _ => None,
        };
        let Some(((rank, host), slot)) = parts else {
            table.sink.must(&codes::SYNTAX, first.spot(), "line", "rank R=HOST slot=S", line.trim(), HINT);
            continue;
        };
        let digits = |t: &str| t.parse::<u64>().ok().filter(|_| t.bytes().all(|b| b.is_ascii_digit()));
        let (Some(rank), Some(slot)) = (digits(rank), digits(slot)) else {
            let hint =
                "sockets (slot=0:1) and ranges (slot=0-1) are not read: write one core of the host, as in slot=3";
            table.sink.must(&codes::VALUE, first.spot(), "rank and slot", "one number each", line.trim(), hint);
            continue;
        };
        if host.starts_with('+') {
            let hint = "write its name: which host that is depends on the list of mpirun";
            table.sink.must(&codes::VALUE, first.spot(), "host", "a name", host, hint);
            continue;
        }
        if let Some(endpoint) = filling.take(host, Some(slot), first.spot(), &mut table.sink) {
            table.push(rank, endpoint, first.spot());
        }
    }
    table.finish(network, |endpoint| hosts.place(endpoint))
}
