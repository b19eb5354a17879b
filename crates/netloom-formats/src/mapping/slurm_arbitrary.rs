//! `SLURM_HOSTFILE`: one host name per line, in order of rank, for `srun -m arbitrary`.
//!
//! Source: Slurm documentation, `srun(1)`, `--distribution=arbitrary`.

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::hosts::{BIND, HOST_PATTERN, Hosts, SLOTS};
use super::table::{Filling, Table};
use crate::codes;
use crate::detect::digits;
use crate::registry::Format;
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
        begins: |head| matches!(head.first_words()[..], [host] if !host.contains([':', ',']) && !digits(host)),
        read: Some(read),
        write: Some(write),
    },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    if bound.text("bind") != "elsewhere" {
        hosts.require_slots_in_order(mapping, ROW.name)?;
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
                "one host name",
                line.trim(),
                "ranks are in order of lines",
            );
            continue;
        }
        if let Some(endpoint) = filling.take(host.text, None, host.spot(), &mut table.sink) {
            table.push(table.next(), endpoint, host.spot());
        }
    }
    table.finish(network)
}
