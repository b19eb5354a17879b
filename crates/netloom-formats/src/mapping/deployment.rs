//! SimGrid deployment files: an actor on a host for every rank.
//!
//! Source: SimGrid documentation, "Deploying your application"; the DTD of platform version 4.1.

use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Mapping, Network, Outcome, Param, Row};

use super::hosts::{Hosts, SLOTS};
use crate::row::Format;

/// Names as the platform that is written as simgrid has them.
const DEFAULT: &str = "e{0}";
const PATTERN: Param = Param::optional(
    "host_pattern",
    Kind::Text,
    "",
    "names of hosts: the number in braces is the first, its digits the width; absent: names from the network's file, else e{0}, \
     as in the platform that is written as simgrid",
);

pub const ROW: Row<Format<Mapping>> = Row {
    name: "simgrid-deployment",
    aliases: &["deployment"],
    summary: "SimGrid deployment file: an actor `rank` on the host of every rank, its number as the argument.",
    params: &[PATTERN, SLOTS],
    example: "simgrid-deployment(slots=2)",
    restrictions: "Holds no slots: with slots above 1 the ranks of a host must be on its slots in order.",
    source: "SimGrid documentation, Deploying your application",
    build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, bound: &Bound) -> Outcome<Vec<u8>> {
    let hosts = Hosts::named(network, bound, DEFAULT)?;
    hosts.require_slots_in_order(
        mapping,
        ROW.name,
        "write rankfile or csv, or give the ranks of a host its slots in order",
    )?;
    let mut out = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n",
    );
    // Host names are letters, digits, '.', '_' and '-': nothing to escape.
    for (rank, &endpoint) in mapping.endpoints().iter().enumerate() {
        let host = hosts.name(endpoint);
        let _ = writeln!(out, "  <actor host=\"{host}\" function=\"rank\"><argument value=\"{rank}\"/></actor>");
    }
    out.push_str("</platform>\n");
    Ok(out.into_bytes())
}
