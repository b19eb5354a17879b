//! One endpoint number per line, in order of rank.

use std::fmt::Write as _;

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::table::Table;
use crate::codes;
use crate::detect::digits;
use crate::registry::Format;
use crate::text::{decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "plain",
    aliases: &["endpoints"],
    summary: "Endpoint number of every rank, one per line; several on a line are ranks one after another.",
    params: &[],
    example: "plain",
    restrictions: "Numbers of the network's endpoints, from 0.",
    source: "netloom",
    build: Format {
        extensions: &["map.txt"],
        begins: |head| head.lines().next().is_some_and(|line| line.split_whitespace().all(digits)),
        read: Some(read),
        write: Some(write),
    },
};

/// O(ranks).
fn write(mapping: &Mapping, _network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    let mut out = String::new();
    for endpoint in mapping.endpoints() {
        let _ = writeln!(out, "{endpoint}");
    }
    Ok(out.into_bytes())
}

/// O(text).
fn read(bytes: &[u8], place: &str, network: &Network, _bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let mut table = Table::new(place);
    for (number, line) in lines(text) {
        for word in words(number, line.split('#').next().unwrap_or_default()) {
            match word.text.parse::<u32>() {
                Ok(endpoint) => table.push(table.next(), endpoint, word.spot()),
                Err(_) => {
                    let expected = format!("an integer in 0..{}", network.endpoints().saturating_sub(1));
                    table.sink.must(&codes::VALUE, word.spot(), "endpoint", &expected, word.text, "one per rank");
                }
            }
        }
    }
    table.finish(network)
}
