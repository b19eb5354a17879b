//! Open MPI rank files: `rank 0=node0001 slot=0`.
//!
//! Source: Open MPI manual, `mpirun(1)`, section "Rankfiles".

use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Param, Row, memory};

use super::bare::bare_words;
use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, Table};
use crate::codes;
use crate::hostlist::{HostList, LIMIT};
use crate::limits::NAMED;
use crate::row::Format;
use crate::sink::quoted;
use crate::text::{decode, lines, words};

/// `hosts`: what `+n0` counts.
const HOSTS: Param = Param::optional(
    "hosts",
    Kind::Text,
    "",
    "read only: the hosts of mpirun in their order, such as n[0-3], of which +n0 is the first",
)
.keyword_only();

pub const ROW: Row<Format<Mapping>> = Row {
    name: "rankfile",
    aliases: &["ompi-rankfile"],
    summary: "Open MPI rank file for `mpirun --map-by rankfile:file=F` (before 5.0: `-rf F`): host and slot of every rank.",
    params: &[HOST_PATTERN, SLOTS, HOSTS],
    example: "rankfile(\"node{0001}\",slots=4)",
    restrictions: "Slots are single numbers; socket:core pairs and ranges are not read, hosts by number (+n1) with \
                   `hosts`, the list of mpirun.",
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
    let listed = listed(bound.text("hosts"))?;
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
        let host = match host.strip_prefix("+n") {
            Some(number) => {
                let Some(name) = digits(number).and_then(|n| listed.get(usize::try_from(n).ok()?)) else {
                    let (expected, hint) = relative(listed.len());
                    table.sink.must(&codes::VALUE, first.spot(), "host", &expected, host, hint);
                    continue;
                };
                name
            }
            None => host,
        };
        if let Some(endpoint) = filling.take(host, Some(slot), first.spot(), &mut table.sink) {
            table.push(rank, endpoint, first.spot());
        }
    }
    table.finish(network, |endpoint| hosts.place(endpoint))
}

/// The hosts that `+n0`, `+n1`, ... stand for.
fn listed(hosts: &str) -> Outcome<Vec<String>> {
    if hosts.is_empty() {
        return Ok(Vec::new());
    }
    let list = HostList::parse(hosts, LIMIT).map_err(|why| {
        let got = format!("{} ({why})", quoted(hosts));
        Fault::new(&codes::HOSTLIST, "hosts", "a host list", got).hint("write prefix[first-last], as in n[0-3]")
    })?;
    memory::require(list.count * NAMED + 2 * list.bytes, "hosts", "the host list")?;
    Ok(list.expand())
}

/// What a host by number must be.
fn relative(listed: usize) -> (String, &'static str) {
    match listed {
        0 => (
            "a name: which host that is depends on the list of mpirun".into(),
            "give the list, as in --mapping-format 'rankfile(hosts=\"n[0-3]\")', or write names",
        ),
        count => (format!("+n0 to +n{}, the hosts that the option hosts lists", count - 1), "lengthen the list"),
    }
}
