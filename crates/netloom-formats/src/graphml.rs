//! GraphML: nodes `switch` or `endpoint`, links with `bandwidth`, `latency`, `class`.
//!
//! Source: GraphML primer (<http://graphml.graphdrawing.org/primer/graphml-primer.html>).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::{Bound, Network, Outcome, Row};

use crate::codes;
use crate::graph::attributes::{self, WireText, number};
use crate::graph::{self, Defaults, Graph, Role, any_per, is_directed, structure, unfold};
use crate::limits::MAX_NAME;
use crate::network_file::Read;
use crate::noted::Fate::{Label, Noted as Unused, Refused, Used};
use crate::noted::{self, Noted};
use crate::row::Format;
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
                   document type, no entities. Of a directed edge the other direction must be listed too. Structure is kept: a \
                   generator's call, failures, seats, levels, groups, chassis, grids.",
    source: "GraphML primer, graphml.graphdrawing.org",
    build: Format {
        extensions: &["graphml", "xml"],
        begins: |head| head.has_element("graphml"),
        read: Some(read),
        write: Some(write),
    },
};

/// Attributes that have a meaning here, in the order of [`Data`].
const FIELDS: [(&str, &str); 15] = [
    ("node", attributes::KIND),
    ("node", structure::OF_NODE[0]),
    ("node", structure::OF_NODE[1]),
    ("node", structure::OF_NODE[2]),
    ("edge", attributes::BANDWIDTH),
    ("edge", attributes::LATENCY),
    ("edge", attributes::CLASS),
    ("edge", attributes::PER),
    ("graph", structure::OF_GRAPH[0]),
    ("graph", structure::OF_GRAPH[1]),
    ("graph", structure::OF_GRAPH[2]),
    ("graph", structure::OF_GRAPH[3]),
    ("graph", structure::OF_GRAPH[4]),
    ("graph", structure::OF_GRAPH[5]),
    ("graph", structure::OF_GRAPH[6]),
];

/// Value of each of [`FIELDS`].
type Data<'t> = [Option<&'t str>; 15];

/// The elements and attributes of GraphML, with those of its extension for parsers.
const ELEMENTS: &[noted::ElementRow] = &[
    ("graphml", Used, &[]),
    ("desc", Label, &[]),
    ("key", Used, &[("id", Used), ("for", Used), ("attr.name", Used), ("attr.type", Label), ("yfiles.type", Label)]),
    ("default", Used, &[]),
    ("data", Used, &[("key", Used), ("id", Label)]),
    (
        "graph",
        Used,
        &[
            ("id", Label),
            ("edgedefault", Used),
            ("parse.nodeids", Label),
            ("parse.edgeids", Label),
            ("parse.order", Label),
            ("parse.nodes", Label),
            ("parse.edges", Label),
            ("parse.maxindegree", Label),
            ("parse.maxoutdegree", Label),
        ],
    ),
    ("node", Used, &[("id", Used), ("parse.indegree", Label), ("parse.outdegree", Label)]),
    ("port", Unused, &[("name", Unused)]),
    (
        "edge",
        Used,
        &[
            ("id", Label),
            ("source", Used),
            ("target", Used),
            ("directed", Used),
            ("sourceport", Unused),
            ("targetport", Unused),
        ],
    ),
    ("hyperedge", Refused, &[("id", Label)]),
    ("endpoint", Unused, &[]),
    ("locator", Refused, &[]),
];

/// The `<key>` elements: the field of each id, or its name where that has no meaning here, and the fields' defaults; and
/// what is not used.
struct Keys<'t> {
    fields: HashMap<Cow<'t, str>, Result<usize, Cow<'t, str>>>,
    defaults: Data<'t>,
    noted: Noted,
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
            let mut keys = keys(&tree, sink);
            for other in tree.children(root).filter(|c| !c.is("graph") && !c.is("key")) {
                if keys.noted.element(ELEMENTS, &tree, other, sink) {
                    keys.noted.unused("", "data of the file");
                }
            }
            read_graph(&tree, element, &mut keys, defaults, graph, sink);
            graph.notes.append(&mut keys.noted.into_notes());
        }
    }
    Ok(())
}

fn keys<'t>(tree: &'t Tree, sink: &mut Sink) -> Keys<'t> {
    let mut keys = Keys { fields: HashMap::new(), defaults: Data::default(), noted: Noted::new("GraphML") };
    for element in tree.children(tree.root()).filter(|c| c.is("key")) {
        let spot = tree.spot(element);
        keys.noted.element(ELEMENTS, tree, element, sink);
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
        if keys.fields.insert(id.clone(), field.ok_or(name)).is_some() {
            sink.say(&codes::DUPLICATE, spot, format!("two keys have the id {}", quoted(id)), "");
        }
    }
    keys
}

fn read_graph<'t>(
    tree: &'t Tree,
    element: &'t Element,
    keys: &mut Keys<'t>,
    defaults: &Defaults,
    graph: &mut Graph,
    sink: &mut Sink,
) {
    keys.noted.element(ELEMENTS, tree, element, sink);
    let own = data(tree, element, keys, "graph", sink);
    for (name, value) in structure::OF_GRAPH.iter().zip(&own[8..]) {
        value.iter().for_each(|text| _ = graph.said.graph(name, text));
    }
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
        } else if !child.is("edge") && !child.is("data") {
            keys.noted.element(ELEMENTS, tree, child, sink);
        }
    }
    for child in tree.children(element).filter(|c| c.is("edge")) {
        if read_edge(tree, child, keys, defaults, graph, &index, sink).is_none() {
            return;
        }
    }
}

/// The fields of a graph, a node or an edge, the first of each where one is repeated.
fn data<'t>(tree: &'t Tree, element: &'t Element, keys: &mut Keys<'t>, of: &str, sink: &mut Sink) -> Data<'t> {
    let mut found = Data::default();
    for child in tree.children(element) {
        if !child.is("data") {
            if of != "graph" && !child.is("graph") {
                keys.noted.element(ELEMENTS, tree, child, sink);
            }
            continue;
        }
        let Some(key) = child.attr("key") else {
            sink.say(&codes::MISSING, tree.spot(child), "a <data> has no key", "");
            continue;
        };
        match keys.fields.get(&key) {
            Some(Ok(field)) if FIELDS[*field].0 == of => {
                found[*field].get_or_insert(child.text.trim());
            }
            Some(Ok(field)) => keys.noted.unused(&format!("data of a {of}:"), FIELDS[*field].1),
            Some(Err(name)) => keys.noted.unused(&format!("data of a {of}:"), name),
            None => keys.noted.unused("data of the unknown key", &key),
        }
    }
    for ((value, default), field) in found.iter_mut().zip(keys.defaults).zip(FIELDS) {
        *value = value.or(default.filter(|_| field.0 == of));
    }
    found
}

fn read_node<'t>(
    tree: &'t Tree,
    element: &'t Element,
    keys: &mut Keys<'t>,
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
    keys.noted.element(ELEMENTS, tree, element, sink);
    let [kind, level, group, chassis, ..] = data(tree, element, keys, "node", sink);
    let role = attributes::role(kind, spot, sink);
    if role == Role::Switch {
        graph.said.switch([level, group, chassis]);
    }
    let number = graph.node(id.to_string(), role, spot, sink)?;
    if index.insert(id.clone(), number).is_some() {
        sink.say(&codes::DUPLICATE, spot, format!("two nodes have the id {}", quoted(id)), "rename one of them");
    }
    Some(())
}

fn read_edge<'t>(
    tree: &'t Tree,
    element: &'t Element,
    keys: &mut Keys<'t>,
    defaults: &Defaults,
    graph: &mut Graph,
    index: &HashMap<Cow<'_, str>, u32>,
    sink: &mut Sink,
) -> Option<()> {
    let spot = tree.spot(element);
    keys.noted.element(ELEMENTS, tree, element, sink);
    let by_default = graph.directed;
    let directed = match element.attr("directed").as_deref() {
        None => by_default,
        Some("true") => true,
        Some("false") => false,
        Some(other) => {
            sink.must(&codes::VALUE, spot, "directed", "true or false", other, "");
            by_default
        }
    };
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
    let [_, _, _, _, bandwidth, latency, class, per, ..] = data(tree, element, keys, "edge", sink);
    let text = WireText { class, bandwidth, latency };
    let wire = text.wire(&defaults.wire, spot, sink);
    let per = attributes::per(per, spot, sink);
    // The edge decides, not the graph.
    graph.directed = directed;
    let added = graph.edge_per(a, b, [(&wire, per); 2], spot, sink);
    graph.directed = by_default;
    added
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="bandwidth" for="edge" attr.name="bandwidth" attr.type="double"/>
  <key id="latency" for="edge" attr.name="latency" attr.type="double"/>
  <key id="class" for="edge" attr.name="class" attr.type="string"/>
"#;

/// Writes nodes, cables, endpoint links. O(nodes + links).
fn write(network: &Network, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    let names = unfold(network)?;
    check_names(names.switches.iter().chain(&names.endpoints), network.label())?;
    check_names(network.classes().iter().map(|c| &c.name), network.label())?;
    let of_graph = structure::of_graph(network);
    check_names(of_graph.iter().map(|(_, text)| text), network.label())?;
    let mut out = String::from(HEAD);
    let per = any_per(network);
    let mut key = |name: &str, of: &str, kind: &str| {
        let _ = writeln!(out, "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    };
    if per {
        key(attributes::PER, "edge", "string");
    }
    let of_switches = structure::of_switches(network.structure());
    of_switches.iter().for_each(|(name, _)| key(name, "node", "int"));
    of_graph.iter().for_each(|(name, _)| key(name, "graph", "string"));
    let directed = is_directed(network);
    let _ = writeln!(out, "  <graph edgedefault=\"{}\">", if directed { "directed" } else { "undirected" });
    for (name, text) in &of_graph {
        let _ = writeln!(out, "    <data key=\"{name}\">{}</data>", escape(text));
    }
    for (kind, list) in [("switch", &names.switches), ("endpoint", &names.endpoints)] {
        for (number, name) in (0..).zip(list) {
            let _ = write!(out, "    <node id=\"{}\"><data key=\"kind\">{kind}</data>", escape(name));
            for (attribute, of) in of_switches.iter().filter(|_| kind == "switch") {
                let _ = write!(out, "<data key=\"{attribute}\">{}</data>", of(number));
            }
            out.push_str("</node>\n");
        }
    }
    let mut id = 0;
    let mut edge = |a: &str, b: &str, class: &netloom_model::LinkClass| {
        let _ = write!(
            out,
            "    <edge id=\"{id}\" source=\"{}\" target=\"{}\"><data key=\"bandwidth\">{}</data><data \
             key=\"latency\">{}</data><data key=\"class\">{}</data>",
            escape(a),
            escape(b),
            number(class.bandwidth_bytes_per_s),
            number(class.latency_s),
            escape(&class.name)
        );
        if per {
            let _ = write!(out, "<data key=\"per\">{}</data>", class.per.name());
        }
        out.push_str("</edge>\n");
        id += 1u64;
    };
    for link in 0..network.switch_links() {
        let (a, b) = (network.tails()[link as usize], network.heads()[link as usize]);
        if a < b || directed {
            edge(&names.switches[a as usize], &names.switches[b as usize], network.class(link));
        }
    }
    for (e, &s) in network.endpoint_switch().iter().enumerate() {
        let (switch, endpoint) = (&names.switches[s as usize], &names.endpoints[e]);
        edge(switch, endpoint, network.endpoint_class());
        if directed {
            edge(endpoint, switch, network.endpoint_class());
        }
    }
    out.push_str("  </graph>\n</graphml>\n");
    Ok(out.into_bytes())
}
