//! Edge lists of the Graph Golf contest and its kin: `u v` per line, `x,y x,y` on a grid, `n m r` with hosts.
//!
//! Source: Graph Golf problem statement (<https://research.nii.ac.jp/graphgolf/>); samples of the Order/Degree and
//! Order/Radix problems (<https://github.com/mnakao/ODP>).

use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Fault, Network, Outcome, Param, Row};

use crate::codes;
use crate::graph::{self, Defaults, Graph, Role};
use crate::head::{Head, digits};
use crate::limits::MAX_NODES;
use crate::network_file::Read;
use crate::row::Format;
use crate::sink::{Sink, Spot};
use crate::text::{Word, decode, lines, words};

const FORM: Param = Param::optional(
    "form",
    Kind::Choice(&["auto", "edges", "grid", "host-switch"]),
    "auto",
    "written form: \"grid\" if the switches are named x,y, else \"edges\"; \"host-switch\" keeps the endpoints",
)
.keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "graph-golf",
    aliases: &["edge-list", "edges"],
    summary: "Edge list: one cable `u v` per line, numbers from 0; `x,y x,y` on a grid; header `n m r` with hosts.",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, FORM, graph::SLOTS],
    example: "graph-golf(p=2)",
    restrictions: "Holds no bandwidth and no latency; only the host-switch form holds endpoints. Every switch needs an edge.",
    source: "Graph Golf, National Institute of Informatics; mnakao/ODP sample graphs",
    build: Format { extensions: &["edges", "edgelist", "txt"], begins: edges, read: Some(read), write: Some(write) },
};

/// Lines examined to recognise an edge list.
const LINES: usize = 100;

/// True if the first line is an edge, or a header of hosts and switches, and most lines after it are edges.
fn edges(head: &Head) -> bool {
    let vertex = |word: &str| word.split(',').all(digits);
    let edge = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        matches!(words[..], [u, v] | [u, v, "{}"] if vertex(u) && vertex(v))
    };
    let header = |line: &&str| line.split_whitespace().count() == 3 && line.split_whitespace().all(digits);
    let lines: Vec<&str> = head.lines().take(LINES).collect();
    let edges = lines.iter().filter(|line| edge(line)).count();
    lines.first().is_some_and(|line| edge(line) || header(line)) && 2 * edges >= lines.len()
}

const EDGE_HINT: &str = "write two vertices per line, such as `0 5` or `0,0 1,2`";

/// Reads an edge list. O(text).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let text = decode(bytes, place)?;
    let mut sink = Sink::new(place);
    let mut pairs = Vec::new();
    let mut header = None;
    for (number, line) in lines(text) {
        let mut found: Vec<Word> = words(number, line).take(4).collect();
        if found.is_empty() || found[0].text.starts_with('#') {
            continue;
        }
        if found.len() == 3 && found[2].text == "{}" {
            found.pop();
        }
        match found.len() {
            2 => pairs.push((found[0], found[1])),
            3 if pairs.is_empty() && header.is_none() => header = Some([found[0], found[1], found[2]]),
            n => {
                let count = if n > 3 { "more than 3".to_string() } else { n.to_string() };
                sink.say(
                    &codes::SYNTAX,
                    found[0].spot(),
                    format!("expected two vertices, got {count} words"),
                    EDGE_HINT,
                );
            }
        }
    }
    if pairs.is_empty() && sink.is_empty() {
        sink.say(&codes::NOTHING, Spot::Whole, "there is no edge in the file", EDGE_HINT);
    }
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let mut graph = Graph::default();
    let ends = match (header, pairs[0].0.text.contains(',')) {
        (Some(_), true) => {
            sink.say(&codes::SYNTAX, pairs[0].0.spot(), "a grid has no header of three numbers", EDGE_HINT);
            Vec::new()
        }
        (Some(header), false) => host_switch(&mut graph, &header, &pairs, &mut sink),
        (None, true) => grid(&mut graph, &pairs, &mut sink),
        (None, false) => plain(&mut graph, &pairs, &mut sink),
    };
    let defaults = Defaults::of(bound);
    if sink.is_empty() {
        for ((a, b), pair) in ends.iter().zip(&pairs) {
            if graph.edge(*a, *b, &defaults.wire, pair.0.spot(), &mut sink).is_none() {
                break;
            }
        }
        note_repeats(&mut graph);
    }
    graph.finish(&defaults, sink)
}

/// The vertex number of a word below `limit`.
fn vertex(word: &Word, limit: u64, sink: &mut Sink) -> u64 {
    match word.text.parse::<u64>() {
        Ok(v) if v < limit && word.text.bytes().all(|b| b.is_ascii_digit()) => v,
        _ => {
            let expected = format!("an integer in 0..{}", limit - 1);
            sink.must(&codes::VALUE, word.spot(), "vertex", &expected, word.text, EDGE_HINT);
            0
        }
    }
}

type Pairs<'a> = [(Word<'a>, Word<'a>)];
type Ends = Vec<(u32, u32)>;

fn plain(graph: &mut Graph, pairs: &Pairs, sink: &mut Sink) -> Ends {
    let ends: Vec<(u64, u64)> =
        pairs.iter().map(|(a, b)| (vertex(a, MAX_NODES, sink), vertex(b, MAX_NODES, sink))).collect();
    let count = ends.iter().map(|e| e.0.max(e.1)).max().map_or(0, |m| m + 1);
    // A vertex occurs twice per edge at most, so this also keeps one huge number from using much memory.
    if count > 2 * ends.len() as u64 {
        let sentence = format!(
            "the largest vertex is {}, but {} edges touch {} vertices at most",
            count - 1,
            ends.len(),
            2 * ends.len()
        );
        sink.say(&codes::MISSING, Spot::Whole, sentence, "number the vertices 0, 1, 2, ... without gaps");
    }
    if !sink.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; count as usize];
    ends.iter().for_each(|e| (seen[e.0 as usize], seen[e.1 as usize]) = (true, true));
    if let Some(gap) = seen.iter().position(|s| !s) {
        let sentence = format!("vertex {gap} of 0..{} has no edge", count - 1);
        sink.say(&codes::MISSING, Spot::Whole, sentence, "number the vertices 0, 1, 2, ... without gaps");
    }
    for v in 0..count {
        if graph.node(v.to_string(), Role::Switch, Spot::Whole, sink).is_none() {
            break;
        }
    }
    ends.into_iter().map(|e| (e.0 as u32, e.1 as u32)).collect()
}

fn grid(graph: &mut Graph, pairs: &Pairs, sink: &mut Sink) -> Ends {
    let point = |word: &Word, sink: &mut Sink| -> (u32, u32) {
        let parts: Vec<Option<u32>> = word.text.split(',').take(3).map(|p| p.parse().ok()).collect();
        match parts[..] {
            [Some(x), Some(y)] if !word.text.contains('+') => (x, y),
            _ => {
                sink.must(&codes::VALUE, word.spot(), "vertex", "x,y with integers from 0", word.text, EDGE_HINT);
                (0, 0)
            }
        }
    };
    let ends: Vec<_> = pairs.iter().map(|(a, b)| (point(a, sink), point(b, sink))).collect();
    let mut points: Vec<(u32, u32)> = ends.iter().flat_map(|e| [e.0, e.1]).collect();
    points.sort_unstable();
    points.dedup();
    let index: HashMap<(u32, u32), u32> = points.iter().enumerate().map(|(i, &p)| (p, i as u32)).collect();
    for (x, y) in points {
        if graph.node(format!("{x},{y}"), Role::Switch, Spot::Whole, sink).is_none() {
            break;
        }
    }
    ends.into_iter().map(|(a, b)| (index[&a], index[&b])).collect()
}

fn host_switch(graph: &mut Graph, header: &[Word; 3], pairs: &Pairs, sink: &mut Sink) -> Ends {
    let hosts = vertex(&header[0], MAX_NODES, sink);
    let switches = vertex(&header[1], MAX_NODES, sink);
    let radix = vertex(&header[2], MAX_NODES, sink);
    let total = hosts + switches;
    if switches == 0 {
        sink.say(
            &codes::NOTHING,
            header[1].spot(),
            "the header names no switch",
            "the header is `hosts switches radix`",
        );
    }
    if total > 2 * pairs.len() as u64 {
        let sentence = format!("{hosts} hosts and {switches} switches need more edges than the {} listed", pairs.len());
        sink.say(&codes::MISSING, header[0].spot(), sentence, "the header is `hosts switches radix`");
    }
    if !sink.is_empty() {
        return Vec::new();
    }
    let ends: Ends =
        pairs.iter().map(|(a, b)| (vertex(a, total, sink) as u32, vertex(b, total, sink) as u32)).collect();
    let mut degree = vec![0u64; total as usize];
    ends.iter().for_each(|e| {
        degree[e.0 as usize] += 1;
        degree[e.1 as usize] += 1;
    });
    for v in 0..total {
        let (role, number) = if v < hosts { (Role::Endpoint, v) } else { (Role::Switch, v - hosts) };
        if role == Role::Switch && degree[v as usize] > radix {
            let sentence = format!("switch {v} has {} ports, the header allows {radix}", degree[v as usize]);
            sink.say(&codes::VALUE, header[2].spot(), sentence, "the header is `hosts switches radix`");
        }
        if graph.node(number.to_string(), role, header[0].spot(), sink).is_none() {
            break;
        }
    }
    ends
}

fn note_repeats(graph: &mut Graph) {
    let mut ends: Vec<(u32, u32)> = graph.edges.iter().map(|e| (e.a.min(e.b), e.a.max(e.b))).collect();
    ends.sort_unstable();
    let repeats = ends.windows(2).filter(|w| w[0] == w[1]).count();
    if repeats > 0 {
        graph.notes.push(format!("{repeats} edges repeat an earlier one and are read as parallel cables"));
    }
}

/// Writes cables in order of (lower, higher) switch. O(cables).
fn write(network: &Network, (): (), bound: &Bound) -> Outcome<Vec<u8>> {
    let names: Vec<String> = (0..network.switches()).map(|s| network.switch_name(s)).collect();
    let on_grid = names.iter().all(|n| n.split_once(',').is_some_and(|(x, y)| coordinate(x) && coordinate(y)));
    let form = match bound.text("form") {
        "auto" if on_grid && !names.is_empty() => "grid",
        "auto" => "edges",
        other => other,
    };
    let cannot = |sentence: String, hint: &str| -> netloom_model::Faults {
        Fault::say(&codes::CANNOT_EXPRESS, network.label(), sentence).hint(hint).into()
    };
    if form == "grid" && !on_grid {
        return Err(cannot("the switches are not named x,y".into(), "use form=edges"));
    }
    let lone = (0..network.switches()).find(|&s| network.degree(s) == 0);
    if let (Some(s), true) = (lone, form != "host-switch") {
        return Err(cannot(format!("switch {s} has no cable, so an edge list does not name it"), "use graphml"));
    }
    let mut out = String::new();
    let shift = if form == "host-switch" { network.endpoints() } else { 0 };
    if form == "host-switch" {
        let used = |s: u32| u64::from(network.degree(s)) + network.endpoints_of(s).len() as u64;
        let radix = (0..network.switches()).map(used).max().unwrap_or(0);
        let edges = u64::from(network.cables()) + u64::from(network.endpoints());
        if u64::from(network.endpoints()) + u64::from(network.switches()) > 2 * edges {
            return Err(cannot("switches without cables outnumber the edges".into(), "use graphml"));
        }
        let _ = writeln!(out, "{} {} {radix}", network.endpoints(), network.switches());
        for (e, s) in network.endpoint_switch().iter().enumerate() {
            let _ = writeln!(out, "{e} {}", u64::from(*s) + u64::from(shift));
        }
    }
    for link in 0..network.switch_links() as usize {
        let (a, b) = (network.tails()[link], network.heads()[link]);
        if a < b && form == "grid" {
            let _ = writeln!(out, "{} {}", names[a as usize], names[b as usize]);
        } else if a < b {
            let _ = writeln!(out, "{} {}", u64::from(a) + u64::from(shift), u64::from(b) + u64::from(shift));
        }
    }
    Ok(out.into_bytes())
}

/// True for a coordinate that reads back as the same text.
fn coordinate(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|v| v.to_string() == text)
}
