//! SimGrid platform files (version 4): zones of hosts, routers and links with routes, and `<cluster>`s.
//!
//! Source: SimGrid documentation, "XML reference" and "Network topology examples"; `simgrid.dtd` of version 4.1.
//!
//! **How a platform is read as a network.** Links are cables; routers are switches; routes tell what the ends of a link
//! touch: each link of a route begins where the previous one ends. If there is no router or host at such a place, it
//! becomes a switch `joint0`, `joint1`, ... A host at the end of a single link to a switch is an endpoint of that
//! switch; any other host gets its own switch, `<host>-switch`. The link between them is not in the file; it has no
//! latency and the bandwidth of the file's fastest link.

mod cluster;
mod elements;
mod join;
mod platform;
mod table;
mod units;
mod write;
mod zone;

#[cfg(test)]
mod dtd_tests;
#[cfg(test)]
mod kinds_tests;
#[cfg(test)]
pub mod tests;

use netloom_model::param::Kind;
use netloom_model::{Bound, Network, Outcome, Param, Row};

use crate::graph;
use crate::network_file::Read;
use crate::row::Format;

const SPEED: Param =
    Param::optional("speed", Kind::Text, "1Gf", "written speed of every host, such as 100Gf").keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "simgrid",
    aliases: &["simgrid-platform"],
    summary: "SimGrid platform XML 4.1: reads zones with routes and <cluster>; writes a Floyd zone with one route per cable.",
    params: &[graph::P, SPEED, graph::SLOTS],
    example: "simgrid(speed=\"100Gf\")",
    restrictions: "Read: zones Full, Floyd, Dijkstra, Cluster; clusters FLAT, TORUS, FAT_TREE, DRAGONFLY; what is OFF is left \
                   out. SHARED links are half duplex and FATPIPE links not shared in simulated time; other models note or \
                   refuse them. Speeds, properties, profiles, backbones and bypass routes are not used, which a note counts. \
                   Written: parallel cables become one link of their \
                   summed bandwidth, since a Floyd zone holds one route per pair.",
    source: "SimGrid documentation, XML reference; simgrid.dtd 4.1",
    build: Format {
        extensions: &["simgrid.xml", "xml"],
        begins: |head| head.has_element("platform"),
        read: Some(read),
        write: Some(write::write),
    },
};

/// O(text + path lengths).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let (platform, sink) = elements::parse(bytes, place)?;
    join::network(platform, bound.size("p"), sink)
}
