//! One endpoint number per line, in order of rank.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::bare::bare_lines;
use super::csv::slot_name;
use super::hosts::CORES;
use super::table::Table;
use crate::codes;
use crate::head::digits;
use crate::row::Format;
use crate::text::{decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "plain",
    aliases: &["endpoints"],
    summary: "Endpoint number of every rank, one per line; several on a line are ranks one after another.",
    params: &[CORES],
    example: "plain",
    restrictions: "Numbers of the network's endpoints, from 0. With cores above 1 the ranks of an endpoint must be on its slots in order.",
    source: "netloom",
    build: Format {
        extensions: &["map.txt"],
        begins: |head| bare_lines(head).next().is_some_and(|line| line.split_whitespace().all(digits)),
        read: Some(read),
        write: Some(write),
    },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let cores = bound.size("cores");
    let mut next = vec![0; (network.endpoints() / cores) as usize + 1];
    let mut out = String::new();
    for (rank, &slot) in mapping.endpoints().iter().enumerate() {
        let (endpoint, due) = (slot / cores, &mut next[(slot / cores) as usize]);
        if cores > 1 && slot % cores != *due {
            let sentence = format!(
                "rank {rank} is on slot {} of endpoint {endpoint}; plain has no slots and would give slot {due}",
                slot % cores
            );
            return Err(Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence).hint("write csv").into());
        }
        *due += 1;
        let _ = writeln!(out, "{endpoint}");
    }
    Ok(out.into_bytes())
}

/// O(text).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let mut table = Table::new(place);
    let cores = bound.size("cores");
    for (number, line) in lines(text) {
        for word in words(number, line.split('#').next().unwrap_or_default()) {
            match word.text.parse::<u32>() {
                Ok(endpoint) if cores > 1 => {
                    table.share(table.next(), endpoint, None, cores, network, word.spot());
                }
                Ok(endpoint) => table.push(table.next(), endpoint, word.spot()),
                Err(_) => {
                    let expected = format!("an integer in 0..{}", (network.endpoints() / cores).saturating_sub(1));
                    table.sink.must(&codes::VALUE, word.spot(), "endpoint", &expected, word.text, "one per rank");
                }
            }
        }
    }
    table.finish(network, |slot| slot_name(slot, cores))
}
