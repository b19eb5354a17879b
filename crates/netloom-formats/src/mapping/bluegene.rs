//! Blue Gene map files: one line per rank, grid coordinates of its node, then the processor within the node: `A B C D E
//! T`.
//!
//! Source: IBM System Blue Gene Solution: Blue Gene/Q Application Development (SG24-7948), "Mapping".

use std::fmt::Write as _;

use netloom_model::network::Grid;
use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use super::bare::bare_lines;
use super::table::Table;
use crate::codes;
use crate::head::{Head, digits};
use crate::row::Format;
use crate::text::{decode, lines, words};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "bgq",
    aliases: &["bluegene", "bg-map"],
    summary: "Blue Gene map file for `runjob --mapping F`: coordinates A B C D E and T of every rank (X Y Z T on /L and /P).",
    params: &[],
    example: "bgq",
    restrictions: "Only for tori and meshes of 5 dimensions (Blue Gene/Q) or 3 (/L, /P); T counts the endpoints of a switch.",
    source: "IBM Redbooks SG24-7948, Blue Gene/Q Application Development",
    build: Format { extensions: &["map"], begins: coordinates, read: Some(read), write: Some(write) },
};

/// True if the first lines, two or more, all have the four or the six numbers of a node and a processor.
fn coordinates(head: &Head) -> bool {
    let count = |line: &str| line.split_whitespace().all(digits).then(|| line.split_whitespace().count());
    let mut counts = bare_lines(head).take(LINES).map(count);
    let first = counts.next().flatten();
    let mut rest = counts.peekable();
    matches!(first, Some(4 | 6)) && rest.peek().is_some() && rest.all(|count| count == first)
}

/// Lines examined to recognise a map file.
const LINES: usize = 100;

fn grid(network: &Network) -> Outcome<&Grid> {
    match &network.structure().grid {
        Some(grid) if matches!(grid.dims.len(), 3 | 5) && !grid.complete => Ok(grid),
        other => {
            let got = other.as_ref().map_or("has no grid".to_string(), |g| format!("has {:?}", g.dims));
            let sentence = format!("needs a torus or mesh of 5 or 3 dimensions; {} {got}", network.label());
            Err(Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence).hint("write rankfile or csv").into())
        }
    }
}

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    let grid = grid(network)?;
    let mut out = String::new();
    for &endpoint in mapping.endpoints() {
        let switch = network.endpoint_switch()[endpoint as usize];
        let mut stride = u64::from(network.switches());
        for &extent in &grid.dims {
            stride /= u64::from(extent.max(1));
            let _ = write!(out, "{} ", u64::from(switch) / stride.max(1) % u64::from(extent.max(1)));
        }
        let t = network.endpoints_of(switch).iter().position(|&e| e == endpoint).unwrap_or(0);
        let _ = writeln!(out, "{t}");
    }
    Ok(out.into_bytes())
}

/// O(text).
fn read(bytes: &[u8], place: &str, network: &Network, _bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let grid = grid(network)?;
    let mut table = Table::new(place);
    for (number, line) in lines(text) {
        let found: Vec<_> = words(number, line.split('#').next().unwrap_or_default()).take(8).collect();
        let Some(first) = found.first() else { continue };
        let values: Vec<Option<u32>> = found.iter().map(|w| w.text.parse().ok()).collect();
        let values: Option<Vec<u32>> = values.into_iter().collect();
        let endpoint = values.filter(|v| v.len() == grid.dims.len() + 1).and_then(|v| {
            let inside = v.iter().zip(&grid.dims).all(|(c, extent)| c < extent);
            let switch = v.iter().zip(&grid.dims).fold(0u64, |s, (&c, &extent)| s * u64::from(extent) + u64::from(c));
            let switch = u32::try_from(switch).ok().filter(|&s| inside && s < network.switches())?;
            network.endpoints_of(switch).get(*v.last()? as usize).copied()
        });
        match endpoint {
            Some(endpoint) => table.push(table.next(), endpoint, first.spot()),
            None => {
                let expected =
                    format!("{} coordinates below {:?} and a processor of that switch", grid.dims.len(), grid.dims);
                table.sink.must(
                    &codes::VALUE,
                    first.spot(),
                    "line",
                    &expected,
                    line.trim(),
                    "coordinates count from 0",
                );
            }
        }
    }
    table.finish(network, |endpoint| format!("processor {}", network.endpoint_name(endpoint)))
}
