//! GraphML: nodes `switch` or `endpoint`, links with `bandwidth`, `latency`, `class`.
//!
//! Source: GraphML primer (<http://graphml.graphdrawing.org/primer/graphml-primer.html>).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::{Bound, Network, Outcome, Row};

use crate::codes;
use crate::graph::attributes::{self, WireText, number};
use crate::graph::{self, Defaults, Graph, unfold};
use crate::limits::MAX_NAME;
use crate::network::Read;
use crate::registry::Format;
use crate::sink::{Sink, quoted};
use crate::text::decode;
use crate::xml::{Element, Tree, check_names, escape};

pub const ROW: Row<Format<Network>> = Row {
    name: "graphml",
    aliases: &[],
    summary: "GraphML as NetworkX, igraph, Gephi and yEd exchange it; parallel links and all attributes of links.",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, graph::SLOTS],
    example: "graphml",
    restrictions: "Nodes are switches unless their attribute `kind` is `endpoint`. No nested graphs, no hyperedges, no \
                   document type, no entities. A directed graph must list both directions of every link.",
    source: "GraphML primer, graphml.graphdrawing.org",
    build: Format {
        extensions: &["graphml", "xml"],
        begins: |head| head.has_element("graphml"),
        read: Some(read),
        write: Some(write),
    },
};

/// Attributes that have a meaning here, in the order of [`Data`].
const FIELDS: [(&str, &str); 4] = [
    ("node", attributes::KIND),
    ("edge", attributes::BANDWIDTH),
    ("edge", attributes::LATENCY),
    ("edge", attributes::CLASS),
];

/// Value of each of [`FIELDS`].
type Data<'t> = [Option<&'t str>; 4];

/// The `<key>` elements: the field of each id (which may be unknown here), and the fields' defaults.
#[derive(Default)]
struct Keys<'t> {
    fields: HashMap<Cow<'t, str>, Option<usize>>,
    defaults: Data<'t>,
}

/// Reads the first `<graph>`. O(text).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let text = decode(bytes, place)?;
    let mut sink = Sink::new(place);
    let defaults = Defaults::of(bound);
    let mut graph = Graph::default();
    read_document(text, &defaults, &mut graph, &mut sink)?;
    graph.finish(&defaults, sink)
}

fn read_document(text: &str, defaults: &Defaults, graph: &mut Graph, sink: &mut Sink) -> Outcome<()> {
    let tree = Tree::parse(text, sink.place())?;
    let root = tree.root();
    if !root.is("graphml") {
        sink.must(&codes::SYNTAX, tree.spot(root), "root element", "graphml", root.name(), "name the right format");
        return Ok(());
    }
    let mut graphs = tree.children(root).filter(|c| c.is("graph"));
    match graphs.next() {
        None => sink.say(&codes::NOTHING, tree.spot(root), "there is no <graph> in the file", ""),
        Some(element) => {
            let other = graphs.count();
            if other > 0 {
                graph.notes.push(format!("{other} graphs after the first are left out"));
            }
            let keys = keys(&tree, sink);
            read_graph(&tree, element, &keys, defaults, graph, sink);
        }
    }
    Ok(())
}

fn keys<'t>(tree: &'t Tree, sink: &mut Sink) -> Keys<'t> {
    let mut keys = Keys::default();
    for element in tree.children(tree.root()).filter(|c| c.is("key")) {
        let spot = tree.spot(element);
        let Some(id) = element.attr("id") else {
            sink.say(&codes::MISSING, spot, "a <key> has no id", "");
            continue;
        };
        let name = element.attr("attr.name").unwrap_or_else(|| id.clone());
        let domain = element.attr("for").unwrap_or(Cow::Borrowed("all"));
        let field = FIELDS.iter().position(|f| f.1 == name && (f.0 == domain || domain == "all"));
        let default = tree.children(element).find(|c| c.is("default"));
        if let (Some(field), Some(default)) = (field, default) {
            keys.defaults[field].get_or_insert(default.text.trim());
        }
        if keys.fields.insert(id.clone(), field).is_some() {
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

/// The fields of a node or an edge, the first of each where one is repeated.
fn data<'t>(tree: &'t Tree, element: &'t Element, keys: &Keys<'t>) -> Data<'t> {
    let mut found = Data::default();
    for child in tree.children(element).filter(|c| c.is("data")) {
        let field = child.attr("key").and_then(|k| keys.fields.get(&k).copied().flatten());
        if let Some(field) = field {
            found[field].get_or_insert(child.text.trim());
        }
    }
    for (value, default) in found.iter_mut().zip(keys.defaults) {
        *value = value.or(default);
    }
    found
}

fn read_node<'t>(
    tree: &'t Tree,
    element: &'t Element,
    keys: &Keys<'t>,
    graph: &mut Graph,
    index: &mut HashMap<Cow<'t, str>, u32>,
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
    let role = attributes::role(data(tree, element, keys)[0], spot, sink);
    let number = graph.node(id.to_string(), role, spot, sink)?;
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
    index: &HashMap<Cow<'_, str>, u32>,
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
    let [_, bandwidth, latency, class] = data(tree, element, keys);
    let text = WireText { class, bandwidth, latency };
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
fn write(network: &Network, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
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
