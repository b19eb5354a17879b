//! BookSim 2 `anynet` files: `router 0 node 0 node 1 router 1 5`.
//!
//! Source: BookSim 2 manual and `src/networks/anynet.cpp` (<https://github.com/booksim/booksim2>): a number after a
//! name is that direction's latency in cycles (of a node: of both directions); without a number, and for a direction
//! between routers that is on no line, it is 1; node numbers run from 0 without gaps; there are no comments and no
//! parallel links.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use netloom_model::network::Per;
use netloom_model::param::Kind;
use netloom_model::units::Quantity;
use netloom_model::{Bound, Fault, Network, Outcome, Param, Row};

use crate::codes;
use crate::graph::{self, Defaults, Graph, Role, Wire};
use crate::limits::{MAX_LINKS, MAX_NODES};
use crate::network_file::Read;
use crate::row::Format;
use crate::sink::{Sink, Spot};
use crate::text::{Word, decode, lines, words};

const CYCLE: Param =
    Param::optional("cycle", Kind::Quantity(Quantity::Seconds), "\"1 ns\"", "duration of one cycle of latency")
        .keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "booksim",
    aliases: &["anynet", "booksim-anynet"],
    summary: "BookSim 2 anynet file: routers, their nodes and neighbours, latency per direction in cycles.",
    params: &[graph::P, graph::BANDWIDTH, CYCLE, graph::SLOTS],
    example: "booksim(cycle=\"2 ns\")",
    restrictions: "Latencies are whole cycles, at least 1; no bandwidth, no names, no parallel links. Where the two \
                   directions differ, both are read as the slower.",
    source: "BookSim 2, src/networks/anynet.cpp",
    build: Format {
        extensions: &["anynet"],
        begins: |head| matches!(head.first_words().first(), Some(&("router" | "node"))),
        read: Some(read),
        write: Some(write),
    },
};

const HINT: &str = "write `router 0 node 0 router 1 5`";
/// BookSim stores latencies as int.
const MAX_CYCLES: u64 = i32::MAX as u64;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Router(u32),
    Node(u32),
}

/// Latency of each direction given on a line, with its place.
type Directions = BTreeMap<(Thing, Thing), (u64, Spot)>;

/// O(words log words).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let text = decode(bytes, place)?;
    let mut sink = Sink::new(place);
    let mut directions = Directions::new();
    for (number, line) in lines(text) {
        if !read_line(number, line, &mut directions, &mut sink) {
            break;
        }
    }
    if directions.is_empty() && sink.is_empty() {
        sink.say(&codes::NOTHING, Spot::Whole, "there is no link in the file", HINT);
    }
    let routers = count(&directions, |t| if let Thing::Router(i) = t { Some(i) } else { None }, "router", &mut sink);
    let nodes = count(&directions, |t| if let Thing::Node(i) = t { Some(i) } else { None }, "node", &mut sink);
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let mut graph = Graph::default();
    for r in 0..routers {
        graph.node(r.to_string(), Role::Switch, Spot::Whole, &mut sink);
    }
    for n in 0..nodes {
        graph.node(n.to_string(), Role::Endpoint, Spot::Whole, &mut sink);
    }
    let cycle = bound.float("cycle");
    let index = |t: Thing| match t {
        Thing::Router(i) => i,
        Thing::Node(i) => routers + i,
    };
    let mut uneven = 0u64;
    for (&(a, b), &(latency, spot)) in &directions {
        let back = directions.get(&(b, a)).map(|d| d.0);
        if a > b && back.is_some() {
            continue;
        }
        let routers_only = matches!((a, b), (Thing::Router(_), Thing::Router(_)));
        // A node's number is for injection and ejection alike.
        let back = back.unwrap_or(if routers_only { 1 } else { latency });
        uneven += u64::from(back != latency);
        let class = if routers_only { graph::PLAIN_CLASS } else { "endpoint" };
        let wire = |cycles: u64| Wire {
            class: class.into(),
            bandwidth_bytes_per_s: bound.float("bandwidth"),
            latency_s: cycles as f64 * cycle,
        };
        let (there, back) = (wire(latency), wire(back));
        let each = [(&there, Per::Direction), (&back, Per::Direction)];
        if graph.edge_per(index(a), index(b), each, spot, &mut sink).is_none() {
            break;
        }
    }
    if uneven > 0 {
        graph.notes.push(format!("{uneven} links have a different latency each way (1 where the file gives none)"));
    }
    let mut defaults = Defaults::of(bound);
    defaults.wire.latency_s = cycle;
    graph.finish(&defaults, sink)
}

/// Returns false if reading must stop.
fn read_line(number: u32, line: &str, directions: &mut Directions, sink: &mut Sink) -> bool {
    let mut found = words(number, line).peekable();
    let Some(head) = found.next() else { return true };
    let Some(from) = thing(&head, found.next(), sink) else { return true };
    while let Some(word) = found.next() {
        let Some(to) = thing(&word, found.next(), sink) else { return true };
        let latency = match found.peek().filter(|w| w.text.bytes().all(|b| b.is_ascii_digit())).copied() {
            None => 1,
            Some(w) => {
                found.next();
                match w.text.parse::<u64>().ok().filter(|l| (1..=MAX_CYCLES).contains(l)) {
                    Some(latency) => latency,
                    None => {
                        let expected = format!("an integer in 1..{MAX_CYCLES}");
                        sink.must(&codes::VALUE, w.spot(), "latency", &expected, w.text, HINT);
                        1
                    }
                }
            }
        };
        if matches!((from, to), (Thing::Node(_), Thing::Node(_))) {
            sink.say(&codes::ENDPOINT_LINKS, word.spot(), "a link joins two nodes", "nodes are linked to routers");
        }
        if directions.insert((from, to), (latency, word.spot())).is_some() {
            let sentence = "this link is repeated here; the format has no parallel links";
            sink.say(&codes::DUPLICATE, word.spot(), sentence, "remove the repetition");
        }
        if directions.len() as u64 > 2 * MAX_LINKS {
            sink.say(&codes::TOO_LARGE, word.spot(), format!("more than {MAX_LINKS} links"), "");
            return false;
        }
    }
    true
}

fn thing(word: &Word, number: Option<Word>, sink: &mut Sink) -> Option<Thing> {
    let make = match word.text {
        "router" => Thing::Router,
        "node" => Thing::Node,
        other => {
            sink.must(&codes::SYNTAX, word.spot(), "word", "router or node", other, HINT);
            return None;
        }
    };
    let Some(number) = number else {
        sink.say(&codes::SYNTAX, word.spot(), format!("the line ends after \"{}\"", word.text), HINT);
        return None;
    };
    match number.text.parse::<u32>() {
        Ok(i) if u64::from(i) < MAX_NODES && number.text.bytes().all(|b| b.is_ascii_digit()) => Some(make(i)),
        _ => {
            let expected = format!("an integer in 0..{}", MAX_NODES - 1);
            sink.must(&codes::VALUE, number.spot(), word.text, &expected, number.text, HINT);
            None
        }
    }
}

/// Number of routers or nodes; a fault if one is missing.
fn count(directions: &Directions, pick: impl Fn(Thing) -> Option<u32>, what: &str, sink: &mut Sink) -> u32 {
    let mut found: Vec<u32> = directions.keys().flat_map(|k| [k.0, k.1]).filter_map(pick).collect();
    found.sort_unstable();
    found.dedup();
    if let Some((i, _)) = found.iter().enumerate().find(|(i, n)| *i as u32 != **n) {
        let sentence = format!("there is no {what} {i}, but a {what} {}", found[found.len() - 1]);
        sink.say(&codes::MISSING, Spot::Whole, sentence, "number routers and nodes 0, 1, 2, ... without gaps");
    }
    found.len() as u32
}

/// One line per router, each direction with its latency. O(nodes + links).
fn write(network: &Network, (): (), bound: &Bound) -> Outcome<Vec<u8>> {
    let cycle = bound.float("cycle");
    if cycle <= 0.0 {
        return Err(bound.fault("cycle", "above zero").into());
    }
    let cannot = |sentence: String, hint: &str| -> netloom_model::Faults {
        Fault::say(&codes::CANNOT_EXPRESS, network.label(), sentence).hint(hint).into()
    };
    let cycles = |latency: f64| -> Outcome<u64> {
        let cycles = (latency / cycle).round().max(1.0);
        match cycles <= MAX_CYCLES as f64 {
            true => Ok(cycles as u64),
            false => Err(cannot(format!("a latency of {latency} s is {cycles:.0} cycles"), "give a longer cycle")),
        }
    };
    let to_node = cycles(network.endpoint_class().latency_s)?;
    let mut out = String::new();
    for s in 0..network.switches() {
        let _ = write!(out, "router {s}");
        for e in network.endpoints_of(s) {
            let _ = write!(out, " node {e} {to_node}");
        }
        let row = network.neighbours(s);
        if let Some(pair) = row.windows(2).find(|w| w[0] == w[1]) {
            let sentence = format!("switches {s} and {} are joined by parallel cables", pair[0]);
            return Err(cannot(sentence, "write graphml, which has parallel links"));
        }
        for link in network.out_links(s) {
            let latency = cycles(network.class(link).latency_s)?;
            let _ = write!(out, " router {} {latency}", network.heads()[link as usize]);
        }
        if row.is_empty() && network.endpoints_of(s).is_empty() {
            return Err(cannot(format!("switch {s} has no link"), "remove it"));
        }
        out.push('\n');
    }
    Ok(out.into_bytes())
}
