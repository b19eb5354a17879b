//! InfiniBand fabrics as the diagnostic tools print them: `ibnetdiscover`, `ibnetdiscover -p` and `iblinkinfo`, which
//! are told apart by their first line, and `iblinkinfo -l`.
//!
//! Source: output of infiniband-diags 44.0 on fabrics of ibsim 0.10. Every cable is listed at both of its ports, so that
//! a file which is cut off does not pass for a smaller fabric.

mod devices;
mod discovered;
mod fields;
mod guids;
mod hosts;
mod join;
mod levels;
mod line;
mod link_info;
mod natural;
mod notes;
mod port_list;
mod rate;
mod write;

#[cfg(test)]
mod fields_tests;
#[cfg(test)]
mod host_tests;
#[cfg(test)]
pub mod tests;

use netloom_model::{Bound, Network, Outcome, Row};

use crate::graph;
use crate::network_file::Read;
use crate::row::Format;
use crate::sink::Sink;
use crate::text::decode;
use devices::Devices;

pub(crate) use devices::{LAST_LID, LAST_PORT, guid};
pub use guids::{ORDER, ROOTS};
pub use levels::{levels, likely_levels};

pub const ROW: Row<Format<Network>> = Row {
    name: "ibnetdiscover",
    aliases: &["iblinkinfo", "ibsim"],
    summary: "InfiniBand fabric as ibnetdiscover (also -p, -f, -g) and iblinkinfo (also -l) print it; written for ibsim.",
    params: &[graph::LATENCY, graph::SLOTS],
    example: "ibnetdiscover(latency=\"200 ns\")",
    restrictions: "Bandwidth is the data rate of width and speed (4x EDR: 100 Gb/s). Every port of a host adapter is an \
                   endpoint, called host:0, host:1, ... where a host has several; switches and hosts are numbered in \
                   the order of their names. All endpoint links have the most frequent rate. Written: the form of \
                   ibnetdiscover, each link at the slowest rate that has its bandwidth.",
    source: "infiniband-diags 44.0, ibnetdiscover(8), iblinkinfo(8); ibsim 0.10",
    build: Format {
        extensions: &["ibnetdiscover", "ibnet", "iblinkinfo"],
        begins: |head| {
            let first = head.lines().next().unwrap_or_default();
            discovered::begins(first) || port_list::begins(first) || link_info::begins(first)
        },
        read: Some(read),
        write: Some(write::write),
    },
};

/// O(text log text).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let text = decode(bytes, place)?;
    let mut sink = Sink::new(place);
    let mut devices = Devices::default();
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    match first.unwrap_or_default() {
        line if port_list::begins(line) => port_list::read(text, &mut devices, &mut sink),
        line if link_info::begins(line) => link_info::read(text, &mut devices, &mut sink),
        _ => discovered::read(text, &mut devices, &mut sink),
    }
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let mut notes = hosts::settle(&mut devices);
    notes.extend(notes::others(&devices));
    let mut read = join::network(&devices, bound.float("latency"), sink)?;
    read.notes.extend(notes);
    Ok(read)
}
