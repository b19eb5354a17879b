//! Node-link JSON as NetworkX writes it: `{"nodes": [{"id"}], "links" or "edges": [{"source", "target"}]}`.
//!
//! Source: NetworkX reference, `networkx.node_link_data`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Fault, Network, Outcome, Param, Row};
use serde_json::{Map, Value};

use crate::codes;
use crate::graph::attributes::{self, WireText, number};
use crate::graph::{self, Defaults, Graph, Role, any_per, is_directed, structure, unfold};
use crate::limits::{MAX_ITEMS, MAX_NAME};
use crate::network_file::Read;
use crate::noted::Noted;
use crate::row::Format;
use crate::sink::{Sink, Spot, quoted};
use crate::text::decode;

const LIST: Param = Param::optional(
    "list",
    Kind::Choice(&["edges", "links"]),
    "edges",
    "what the written list of links is called: \"edges\" since NetworkX 3.6, \"links\" before",
)
.keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "node-link",
    aliases: &["networkx", "json"],
    summary: "Node-link JSON as `networkx.node_link_data` and D3 exchange it; parallel links and all attributes of links.",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, LIST, graph::SLOTS],
    example: "node-link(list=links)",
    restrictions: "Nodes are switches unless their attribute `kind` is `endpoint`. A directed graph must list both \
                   directions of every link. Links name nodes by id, not by position. Structure is kept: a generator's call, \
                   failures, seats, levels, groups, chassis, grids.",
    source: "NetworkX reference, node_link_data",
    build: Format {
        extensions: &["json"],
        begins: |head| head.text.trim_start().starts_with('{'),
        read: Some(read),
        write: Some(write),
    },
};

/// Reads one graph. O(text).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let text = decode(bytes, place)?;
    let document = parse(text, place)?;
    let mut sink = Sink::new(place);
    let defaults = Defaults::of(bound);
    let mut graph = Graph { directed: document.get("directed") == Some(&Value::Bool(true)), ..Graph::default() };
    let nodes = list(&document, &["nodes"], &mut sink);
    let (links_name, links) = match document.get("links") {
        Some(_) => ("links", list(&document, &["links"], &mut sink)),
        None => ("edges", list(&document, &["edges", "links"], &mut sink)),
    };
    let mut noted = Noted::new("node-link");
    let unread = |key: &&String| !["directed", "multigraph", "graph", "nodes", links_name].contains(&key.as_str());
    document.keys().filter(unread).for_each(|key| noted.unused("key", key));
    if let Some(directed) = document.get("directed").filter(|value| !value.is_boolean()) {
        sink.must(&codes::VALUE, Spot::Whole, "directed", "true or false", shown(directed), "");
    }
    if let Some(Value::Object(of_graph)) = document.get("graph") {
        for (name, value) in of_graph {
            let text = value.as_str().map_or_else(|| shown(value), str::to_string);
            if name != "name" && !graph.said.graph(name, &text) {
                noted.unused("attribute of the graph:", name);
            }
        }
    }
    let mut index = HashMap::new();
    for (i, node) in nodes.iter().enumerate() {
        note_others(node, "node", &NODE, &mut noted);
        if read_node(node, Spot::Item("nodes", i), &mut graph, &mut index, &mut sink).is_none() {
            return Err(sink.fail());
        }
    }
    for (i, link) in links.iter().enumerate() {
        note_others(link, "link", &LINK, &mut noted);
        if read_link(link, Spot::Item(links_name, i), &defaults, &mut graph, &index, &mut sink).is_none() {
            return Err(sink.fail());
        }
    }
    drop(document);
    graph.notes.append(&mut noted.into_notes());
    graph.finish(&defaults, sink)
}

/// Attributes of nodes and links that are read; the key only numbers parallel links.
const NODE: [&str; 5] = ["id", attributes::KIND, structure::OF_NODE[0], structure::OF_NODE[1], structure::OF_NODE[2]];
const LINK: [&str; 7] =
    ["source", "target", "key", attributes::CLASS, attributes::BANDWIDTH, attributes::LATENCY, attributes::PER];

fn note_others(item: &Value, of: &str, known: &[&str], noted: &mut Noted) {
    let Value::Object(fields) = item else { return };
    for name in fields.keys().filter(|name| !known.contains(&name.as_str())) {
        noted.unused(if of == "node" { "attribute of a node:" } else { "attribute of a link:" }, name);
    }
}

/// The document as an object, its number of values bounded before they are created.
fn parse(text: &str, place: &str) -> Outcome<Map<String, Value>> {
    // Each value but the first follows one of these characters; those inside strings only make the bound safer.
    let signs = text.bytes().filter(|b| matches!(b, b',' | b':' | b'[' | b'{')).count() as u64;
    if signs > 2 * MAX_ITEMS {
        let sentence = format!("about {signs} values exceed the {} that are read", 2 * MAX_ITEMS);
        return Err(Fault::say(&codes::TOO_LARGE, place, sentence).hint("use graph-golf or graphml").into());
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(other) => {
            let got = shown(&other);
            Err(Fault::new(&codes::SYNTAX, place, "an object with \"nodes\" and \"edges\"", got)
                .hint("write it with networkx.node_link_data")
                .into())
        }
        Err(e) => {
            let place = format!("{place}:{}:{}", e.line(), e.column());
            let full = e.to_string();
            let sentence = full.split(" at line ").next().unwrap_or_default();
            let deep = sentence.contains("recursion limit");
            let row = if deep { &codes::TOO_DEEP } else { &codes::SYNTAX };
            let shown = quoted(sentence);
            Err(Fault::say(row, place, format!("not JSON: {}", shown.trim_matches('"')))
                .hint("write it with networkx.node_link_data and json.dump")
                .into())
        }
    }
}

fn list<'d>(document: &'d Map<String, Value>, names: &[&str], sink: &mut Sink) -> &'d [Value] {
    match names.iter().find_map(|n| document.get(*n)) {
        Some(Value::Array(items)) => items,
        Some(other) => {
            let got = shown(other);
            sink.must(&codes::SYNTAX, Spot::Whole, names[0], "a list", got, "");
            &[]
        }
        None => {
            let sentence = format!("there is no list \"{}\"", names.join("\" or \""));
            sink.say(&codes::MISSING, Spot::Whole, sentence, "write the file with networkx.node_link_data");
            &[]
        }
    }
}

/// A value for a message, shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(items) => format!("an object of {}", items.len()),
        other => other.to_string(),
    }
}

/// Display name of an id (integer, text, or a list of these as NetworkX has for tuples) and the key that distinguishes
/// `3` from `"3"`.
fn identity(value: Option<&Value>, spot: Spot, what: &str, sink: &mut Sink) -> Option<(String, String)> {
    let plain = |v: &Value| matches!(v, Value::String(_)) || v.is_i64() || v.is_u64();
    let name = match value {
        Some(Value::String(text)) => text.clone(),
        Some(v) if plain(v) => v.to_string(),
        Some(Value::Array(items)) if items.len() <= 32 && items.iter().all(plain) => {
            let parts: Vec<String> =
                items.iter().map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_string)).collect();
            parts.join(",")
        }
        Some(other) => {
            sink.must(&codes::VALUE, spot, what, "an integer, a text or a list of these", shown(other), "");
            return None;
        }
        None => {
            sink.say(&codes::MISSING, spot, format!("has no \"{what}\""), "links name nodes by id");
            return None;
        }
    };
    if name.is_empty() || name.len() > MAX_NAME {
        sink.say(&codes::NAME, spot, format!("an id has {} bytes; allowed are 1 to {MAX_NAME}", name.len()), "");
        return None;
    }
    Some((name, value.map(Value::to_string).unwrap_or_default()))
}

fn read_node(
    node: &Value,
    spot: Spot,
    graph: &mut Graph,
    index: &mut HashMap<String, u32>,
    sink: &mut Sink,
) -> Option<()> {
    let Value::Object(fields) = node else {
        sink.must(&codes::SYNTAX, spot, "", "an object with an \"id\"", shown(node), "");
        return Some(());
    };
    let Some((name, key)) = identity(fields.get("id"), spot, "id", sink) else { return Some(()) };
    let kind = fields.get(attributes::KIND).map(|v| v.as_str().map_or_else(|| shown(v), str::to_string));
    let role = attributes::role(kind.as_deref(), spot, sink);
    if role == Role::Switch {
        let text = structure::OF_NODE
            .map(|name| fields.get(name).map(|v| v.as_str().map_or_else(|| shown(v), str::to_string)));
        graph.said.switch(text.each_ref().map(Option::as_deref));
    }
    let number = graph.node(name.clone(), role, spot, sink)?;
    if index.insert(key, number).is_some() {
        sink.say(&codes::DUPLICATE, spot, format!("two nodes have the id {}", quoted(name)), "rename one of them");
    }
    Some(())
}

fn read_link(
    link: &Value,
    spot: Spot,
    defaults: &Defaults,
    graph: &mut Graph,
    index: &HashMap<String, u32>,
    sink: &mut Sink,
) -> Option<()> {
    let Value::Object(fields) = link else {
        sink.must(&codes::SYNTAX, spot, "", "an object with \"source\" and \"target\"", shown(link), "");
        return Some(());
    };
    let end = |what: &str, sink: &mut Sink| -> Option<u32> {
        let (name, key) = identity(fields.get(what), spot, what, sink)?;
        let found = index.get(&key).copied();
        if found.is_none() {
            sink.must(&codes::UNKNOWN_ID, spot, what, "the id of a node", name, "add the node, or correct the id");
        }
        found
    };
    let (Some(a), Some(b)) = (end("source", sink), end("target", sink)) else { return Some(()) };
    let text = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(Cow::Borrowed(text.as_str())),
        Some(other) => Some(Cow::Owned(shown(other))),
    };
    let (class, bandwidth, latency) = (text(attributes::CLASS), text(attributes::BANDWIDTH), text(attributes::LATENCY));
    let wire = WireText { class: class.as_deref(), bandwidth: bandwidth.as_deref(), latency: latency.as_deref() };
    let wire = wire.wire(&defaults.wire, spot, sink);
    let per = attributes::per(text(attributes::PER).as_deref(), spot, sink);
    graph.edge_per(a, b, [(&wire, per); 2], spot, sink)
}

/// Writes one line per node and link. O(nodes + links).
fn write(network: &Network, (): (), bound: &Bound) -> Outcome<Vec<u8>> {
    let names = unfold(network)?;
    let json = |text: &str| Value::from(text).to_string();
    let switches: Vec<String> = names.switches.iter().map(|n| json(n)).collect();
    let endpoints: Vec<String> = names.endpoints.iter().map(|n| json(n)).collect();
    let (directed, per) = (is_directed(network), any_per(network));
    let of_graph = structure::of_graph(network).into_iter();
    let of_graph: Vec<String> = of_graph.map(|(name, text)| format!("\"{name}\": {}", json(&text))).collect();
    let of_switches = structure::of_switches(network.structure());
    let mut out = format!(
        "{{\"directed\": {directed}, \"multigraph\": true, \"graph\": {{{}}},\n\"nodes\": [",
        of_graph.join(", ")
    );
    let kinds = switches.iter().map(|n| (n, "switch")).chain(endpoints.iter().map(|n| (n, "endpoint")));
    for (i, (name, kind)) in kinds.enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}\n{{\"id\": {name}, \"kind\": \"{kind}\"");
        for (attribute, of) in of_switches.iter().filter(|_| kind == "switch") {
            let _ = write!(out, ", \"{attribute}\": {}", of(i as u32));
        }
        out.push('}');
    }
    let _ = write!(out, "\n],\n\"{}\": [", bound.text("list"));
    let mut first = true;
    let mut link = |a: &str, b: &str, key: u32, class: &netloom_model::LinkClass| {
        let comma = if std::mem::take(&mut first) { "" } else { "," };
        let (bandwidth, latency) = (number(class.bandwidth_bytes_per_s), number(class.latency_s));
        let _ = write!(
            out,
            "{comma}\n{{\"source\": {a}, \"target\": {b}, \"key\": {key}, \"bandwidth\": {bandwidth}, \"latency\": \
             {latency}, \"class\": {}",
            json(&class.name)
        );
        if per {
            let _ = write!(out, ", \"per\": \"{}\"", class.per.name());
        }
        out.push('}');
    };
    let mut before = (0, 0, 0);
    for l in 0..network.switch_links() {
        let (a, b) = (network.tails()[l as usize], network.heads()[l as usize]);
        if a < b || directed {
            // Parallel cables are neighbours in link order; the key distinguishes them.
            before = if (before.0, before.1) == (a, b) { (a, b, before.2 + 1) } else { (a, b, 0) };
            link(&switches[a as usize], &switches[b as usize], before.2, network.class(l));
        }
    }
    for (e, &s) in network.endpoint_switch().iter().enumerate() {
        link(&switches[s as usize], &endpoints[e], 0, network.endpoint_class());
        if directed {
            link(&endpoints[e], &switches[s as usize], 0, network.endpoint_class());
        }
    }
    out.push_str("\n]}\n");
    Ok(out.into_bytes())
}
