//! A table with a header, for people and spreadsheets: `rank,endpoint,host,slot,switch`.

use std::fmt::Write as _;

use netloom_model::{Bound, Mapping, Network, Outcome, Row};

use super::hosts::{CORES, HOST_PATTERN, Hosts, SLOTS};
use super::table::Table;
use crate::codes;
use crate::row::Format;
use crate::sink::{Spot, quoted};
use crate::text::{decode, lines};

pub const ROW: Row<Format<Mapping>> = Row {
    name: "csv",
    aliases: &["mapping-csv"],
    summary: "Table with a header: rank, endpoint, host, slot, switch. Reading needs the columns rank and endpoint.",
    params: &[HOST_PATTERN, SLOTS, CORES],
    example: "csv(slots=2)",
    restrictions: "Fields are not quoted. Endpoints are numbers of the network, from 0.",
    source: "netloom",
    build: Format {
        extensions: &["csv"],
        begins: |head| head.lines().next().is_some_and(is_header),
        read: Some(read),
        write: Some(write),
    },
};

const HINT: &str =
    "write rank,endpoint or rank,endpoint,slot; where hosts have names, a list of them is slurm-arbitrary";

/// True for names of columns, also where one is missing or something other than commas is between them, so that the reader
/// says what is wrong.
pub(super) fn is_header(line: &str) -> bool {
    let fields: Vec<&str> = line.split([',', ';', '\t']).map(str::trim).collect();
    fields.len() > 1 && fields.iter().any(|field| ["rank", "endpoint"].iter().any(|n| field.eq_ignore_ascii_case(n)))
}

/// A slot in the words of a table of endpoints with room for `cores` ranks.
pub(super) fn slot_name(slot: u32, cores: u32) -> String {
    match cores {
        1 => format!("endpoint {slot}"),
        _ => format!("slot {} of endpoint {}", slot % cores, slot / cores),
    }
}

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let cores = bound.size("cores");
    let mut out = String::from("rank,endpoint,host,slot,switch\n");
    for (rank, &endpoint) in mapping.endpoints().iter().enumerate() {
        let switch = network.endpoint_switch()[endpoint as usize];
        let _ =
            writeln!(out, "{rank},{},{},{},{switch}", endpoint / cores, hosts.name(endpoint), hosts.slot(endpoint).1);
    }
    Ok(out.into_bytes())
}

/// O(text).
fn read(bytes: &[u8], place: &str, network: &Network, bound: &Bound) -> Outcome<Mapping> {
    let text = decode(bytes, place)?;
    let mut table = Table::new(place);
    let mut filled = lines(text).filter(|l| !l.1.trim().is_empty());
    let cores = bound.size("cores");
    let Some((number, first)) = filled.next() else { return table.finish(network, |slot| slot_name(slot, cores)) };
    let header: Vec<&str> = first.split(',').map(str::trim).collect();
    let column = |name: &str| header.iter().position(|h| h.eq_ignore_ascii_case(name));
    let (Some(rank_at), Some(endpoint_at)) = (column("rank"), column("endpoint")) else {
        let columns = "the first line must name the columns rank and endpoint, with commas between them";
        let sentence = format!("{columns}, got {}", quoted(first.trim()));
        table.sink.say(&codes::MISSING, Spot::At(number, 1), sentence, HINT);
        return table.finish(network, |slot| slot_name(slot, cores));
    };
    let slot_at = column("slot");
    for (number, line) in filled {
        let spot = Spot::At(number, 1);
        let field = |at: usize| line.split(',').nth(at).and_then(|f| f.trim().parse::<u32>().ok());
        match (field(rank_at), field(endpoint_at)) {
            (Some(rank), Some(endpoint)) if cores > 1 => {
                table.share(u64::from(rank), endpoint, slot_at.and_then(field), cores, network, spot);
            }
            (Some(rank), Some(endpoint)) => table.push(u64::from(rank), endpoint, spot),
            _ => table.sink.must(&codes::VALUE, spot, "rank and endpoint", "integers from 0", line.trim(), ""),
        }
    }
    table.finish(network, |slot| slot_name(slot, cores))
}
