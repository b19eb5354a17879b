//! GraphML: nodes `switch` or `endpoint`, links with `bandwidth`, `latency`, `class`.
//!
//! Source: GraphML primer (<http://graphml.graphdrawing.org/primer/graphml-primer.html>).

use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::{Bound, Network, Outcome};

use crate::codes;
use crate::graph::attributes::{self, WireText, number};
use crate::graph::{self, Defaults, Graph, unfold};
use crate::limits::MAX_NAME;
use crate::registry::{FormatRow, Read, Reader, Writer};
use crate::sink::{Sink, quoted};
use crate::text::decode;
use crate::xml::{Element, Tree, check_names, escape};

pub static ROW: FormatRow = FormatRow {
    name: "graphml",
    aliases: &[],
    extensions: &["graphml", "xml"],
    summary: "GraphML as NetworkX, igraph, Gephi and yEd exchange it; parallel links and all attributes of links.",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY],
    example: "graphml",
    restrictions: "Nodes are switches unless their attribute `kind` is `endpoint`. No nested graphs, no hyperedges, no \
                   document type, no entities. A directed graph must list both directions of every link.",
    source: "GraphML primer, graphml.graphdrawing.org",
    read: Some(Reader::Network(read)),
    write: Some(Writer::Network(write)),
};

/// The `<key>` elements.
#[derive(Default)]
struct Keys {
    /// Id of a key to what it belongs to and the attribute's name.
    ids: HashMap<String, (String, String)>,
    /// The same pair to the first default in the file.
    defaults: HashMap<(String, String), String>,
}

/// Reads the first `<graph>`. O(text).
fn read(bytes: &[u8], place: &str, bound: &Bound) -> Outcome<Read> {
    let text = decode(bytes, place)?;
    let tree = Tree::parse(text, place)?;
    let mut sink = Sink::new(place);
    let root = tree.root();
    if !root.is("graphml") {
        let got = root.name();
        sink.must(&codes::SYNTAX, tree.spot(root), "root element", "graphml", got, "name the right format");
        return Err(sink.fail());
    }
    let keys = keys(&tree, &mut sink);
    let defaults = Defaults::of(bound);
    let mut graph = Graph::default();
    let mut graphs = tree.children(root).filter(|c| c.is("graph"));
    match graphs.next() {
        None => sink.say(&codes::NOTHING, tree.spot(root), "there is no <graph> in the file", ""),
        Some(element) => {
            let other = graphs.count();
            if other > 0 {
                graph.notes.push(format!("{other} graphs after the first are left out"));
            }
            read_graph(&tree, element, &keys, &defaults, &mut graph, &mut sink);
        }
    }
    graph.finish(&defaults, sink)
}

fn keys(tree: &Tree, sink: &mut Sink) -> Keys {
    let mut keys = Keys::default();
    for element in tree.children(tree.root()).filter(|c| c.is("key")) {
        let spot = tree.spot(element);
        let Some(id) = element.attr("id") else {
            sink.say(&codes::MISSING, spot, "a <key> has no id", "");
            continue;
        };
        let name = element.attr("attr.name").unwrap_or_else(|| id.clone());
        let domain = element.attr("for").unwrap_or_else(|| "all".into());
        if let Some(default) = tree.children(element).find(|c| c.is("default")) {
            let text = default.text.trim().to_string();
            keys.defaults.entry((domain.clone(), name.clone())).or_insert(text);
        }
        if keys.ids.insert(id.clone(), (domain, name)).is_some() {
            sink.say(&codes::DUPLICATE, spot, format!("two keys have the id {}", quoted(id)), "");
        }
    }
    keys
}

fn read_graph(tree: &Tree, element: &Element, keys: &Keys, defaults: &Defaults, graph: &mut Graph, sink: &mut Sink) {
    match element.attr("edgedefault").as_deref() {
        Some("undirected") => {}
        Some("directed") => graph.directed = true,
        other => {
            let got = other.unwrap_or("nothing");
            sink.must(&codes::VALUE, tree.spot(element), "edgedefault", "undirected or directed", got, "");
        }
    }
    let mut index = HashMap::new();
    for child in tree.children(element) {
        let spot = tree.spot(child);
        if child.is("node") {
            if read_node(tree, child, keys, graph, &mut index, sink).is_none() {
                return;
            }
        } else if child.is("hyperedge") {
            sink.say(&codes::UNSUPPORTED, spot, "a hyperedge is not a link", "make it a switch with links");
        } else if child.is("graph") {
            sink.say(&codes::UNSUPPORTED, spot, "a graph inside a graph is not read", "flatten the file");
        }
    }
    for child in tree.children(element).filter(|c| c.is("edge")) {
        if read_edge(tree, child, keys, defaults, graph, &index, sink).is_none() {
            return;
        }
    }
}

/// Value of attribute `name` on an element, or the key's default.
fn data(tree: &Tree, element: &Element, keys: &Keys, domain: &str, name: &str) -> Option<String> {
    let fits = |key: &(String, String)| (key.0 == domain || key.0 == "all") && key.1 == name;
    let given = tree
        .children(element)
        .filter(|c| c.is("data"))
        .find(|d| d.attr("key").and_then(|k| keys.ids.get(&k)).is_some_and(fits))
        .map(|d| d.text.trim().to_string());
    let default = |domain: &str| keys.defaults.get(&(domain.to_string(), name.to_string())).cloned();
    given.or_else(|| default(domain)).or_else(|| default("all"))
}

fn read_node(
    tree: &Tree,
    element: &Element,
    keys: &Keys,
    graph: &mut Graph,
    index: &mut HashMap<String, u32>,
    sink: &mut Sink,
) -> Option<()> {
    let spot = tree.spot(element);
    let Some(id) = element.attr("id").filter(|id| !id.is_empty()) else {
        sink.say(&codes::MISSING, spot, "a <node> has no id", "");
        return Some(());
    };
    if id.len() > MAX_NAME {
        sink.say(&codes::NAME, spot, format!("an id of {} bytes exceeds {MAX_NAME}", id.len()), "shorten it");
        return Some(());
    }
    if let Some(nested) = tree.children(element).find(|c| c.is("graph")) {
        sink.say(&codes::UNSUPPORTED, tree.spot(nested), "a graph inside a node is not read", "flatten the file");
    }
    let role = attributes::role(data(tree, element, keys, "node", attributes::KIND).as_deref(), spot, sink);
    let number = graph.node(id.clone(), role, spot, sink)?;
    if index.insert(id.clone(), number).is_some() {
        sink.say(&codes::DUPLICATE, spot, format!("two nodes have the id {}", quoted(id)), "rename one of them");
    }
    Some(())
}

fn read_edge(
    tree: &Tree,
    element: &Element,
    keys: &Keys,
    defaults: &Defaults,
    graph: &mut Graph,
    index: &HashMap<String, u32>,
    sink: &mut Sink,
) -> Option<()> {
    let spot = tree.spot(element);
    let direction = element.attr("directed");
    if direction.is_some_and(|d| (d == "true") != graph.directed) {
        let sentence = "a graph that mixes directed and undirected links is not read";
        sink.say(&codes::UNSUPPORTED, spot, sentence, "use one edgedefault for all links");
        return Some(());
    }
    let mut end = |which: &str| -> Option<u32> {
        let Some(id) = element.attr(which) else {
            sink.say(&codes::MISSING, spot, format!("an <edge> has no {which}"), "");
            return None;
        };
        let found = index.get(&id).copied();
        if found.is_none() {
            sink.must(&codes::UNKNOWN_ID, spot, which, "the id of a node", id, "add the node, or correct the id");
        }
        found
    };
    let (Some(a), Some(b)) = (end("source"), end("target")) else { return Some(()) };
    let text = WireText {
        class: data(tree, element, keys, "edge", attributes::CLASS),
        bandwidth: data(tree, element, keys, "edge", attributes::BANDWIDTH),
        latency: data(tree, element, keys, "edge", attributes::LATENCY),
    };
    let wire = text.wire(&defaults.wire, spot, sink);
    graph.edge(a, b, &wire, spot, sink)
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="bandwidth" for="edge" attr.name="bandwidth" attr.type="double"/>
  <key id="latency" for="edge" attr.name="latency" attr.type="double"/>
  <key id="class" for="edge" attr.name="class" attr.type="string"/>
  <graph edgedefault="undirected">
"#;

/// Writes nodes, cables, endpoint links. O(nodes + links).
fn write(network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    let names = unfold(network)?;
    check_names(names.switches.iter().chain(&names.endpoints), network.label())?;
    check_names(network.classes().iter().map(|c| &c.name), network.label())?;
    let mut out = String::from(HEAD);
    for (kind, list) in [("switch", &names.switches), ("endpoint", &names.endpoints)] {
        for name in list {
            let _ = writeln!(out, "    <node id=\"{}\"><data key=\"kind\">{kind}</data></node>", escape(name));
        }
    }
    let mut edge = |id: u64, a: &str, b: &str, class: &netloom_model::LinkClass| {
        let _ = writeln!(
            out,
            "    <edge id=\"{id}\" source=\"{}\" target=\"{}\"><data key=\"bandwidth\">{}</data><data \
             key=\"latency\">{}</data><data key=\"class\">{}</data></edge>",
            escape(a),
            escape(b),
            number(class.bandwidth_bytes_per_s),
            number(class.latency_s),
            escape(&class.name)
        );
    };
    let mut id = 0;
    for link in 0..network.switch_links() {
        let (a, b) = (network.tails()[link as usize], network.heads()[link as usize]);
        if a < b {
            edge(id, &names.switches[a as usize], &names.switches[b as usize], network.class(link));
            id += 1;
        }
    }
    for (e, &s) in network.endpoint_switch().iter().enumerate() {
        edge(id, &names.switches[s as usize], &names.endpoints[e], network.endpoint_class());
        id += 1;
    }
    out.push_str("  </graph>\n</graphml>\n");
    Ok(out.into_bytes())
}
