//! Faults and results of reading the formats of free graphs: edge lists, GraphML, node-link, anynet.

use netloom_model::{Call, Network};

use crate::fixtures::ends;

fn read(format: &str, text: &str) -> crate::Read {
    crate::read::<Network>(text.as_bytes(), "f", Some(&Call::parse(format).unwrap()), ()).unwrap()
}

fn check(format: &str, cases: &[(&str, &str)]) {
    for (text, want) in cases {
        let got = crate::read::<Network>(text.as_bytes(), "f", Some(&Call::parse(format).unwrap()), ())
            .map(|r| format!("{r:?}"));
        let got = got.unwrap_or_else(|faults| faults.to_string());
        assert!(got.contains(want), "{text}\n  {got}\n  wanted {want}");
    }
}

#[test]
fn edge_lists() {
    let network = read("graph-golf(p=2)", "# petersen's rim\n0 1\n1 2\n2 3 {}\n3 0\n").network;
    assert_eq!((network.switches(), network.cables(), network.endpoints()), (4, 4, 8));
    let doubled = read("graph-golf", "0 1\n1 0\n");
    assert_eq!((doubled.network.cables(), doubled.notes.len()), (2, 1));
    check(
        "graph-golf",
        &[
            ("", "NL-F004 f: there is no edge"),
            ("0 1\n0\n", "NL-F003 f:2:1: expected two vertices, got 1 words"),
            ("0 1 2 3\n", "got more than 3 words"),
            ("0 1\n1 -2\n", "NL-F009 f:2:3 vertex must be"),
            ("0 1\n1 x\n", "vertex must be an integer in 0..8388607, got \"x\""),
            ("0 1.5", "got \"1.5\""),
            ("0 99999999999999999999", "NL-F009 f:1:3 vertex"),
            ("0 8000000", "the largest vertex is 8000000, but 1 edges touch 2 vertices at most"),
            ("0 1\n2 4\n1 2\n", "NL-F010 f: vertex 3 of 0..4 has no edge"),
            ("0 1\n1 1\n", "NL-F008 f:2:1: a link joins \"1\" to itself"),
            ("0,0 1\n", "NL-F009 f:1:5 vertex must be x,y"),
            ("0 1 9\n0,0 0,1\n", "a grid has no header"),
        ],
    );
}

#[test]
fn grid_and_host_switch_edge_lists() {
    let text = "0,0 0,1\n0,1 1,0\n";
    let network = read("graph-golf", text).network;
    assert_eq!(network.switch_name(2), "1,0");
    assert_eq!(crate::write(&network, &Call::bare("graph-golf"), ()).unwrap(), text.as_bytes());
    let network = read("graph-golf", "3 2 3\n0 3\n1 3\n2 4\n3 4\n").network;
    assert_eq!((network.switches(), network.endpoint_switch().to_vec()), (2, vec![0, 0, 1]));
    check(
        "graph-golf",
        &[
            ("3 2 2\n0 3\n1 3\n2 4\n3 4\n", "NL-F009 f:1:5: switch 3 has 3 ports, the header allows 2"),
            ("3 2 3\n0 3\n1 3\n2 4\n3 9\n", "NL-F009 f:5:3 vertex must be an integer in 0..4"),
            ("3 2 3\n0 3\n1 3\n0 4\n3 4\n", "NL-F012 f:4:1: endpoint \"0\" has a second link"),
            ("3 2 3\n0 1\n1 3\n2 4\n3 4\n", "NL-F012 f:2:1: a link joins the endpoints"),
            ("0 0 3\n0 0\n", "NL-F004 f:1:3: the header names no switch"),
            ("8000000 8000000 8000000\n0 1\n", "need more edges than the 1 listed"),
        ],
    );
}

const GRAPHML: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="bandwidth" attr.type="string"><default>10 Gbps</default></key>
  <key id="d1" for="all" attr.name="kind" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="a"/><node id="b &amp; c"/><node id="n"><data key="d1">endpoint</data></node>
    <edge source="a" target="b &amp; c"/>
    <edge id="x" source="b &amp; c" target="a"><data key="d0">100&#32;Gbps</data></edge>
    <edge source="n" target="a"/>
  </graph>
</graphml>
"#;

#[test]
fn graphml_reads_keys_defaults_and_references() {
    let network = read("graphml", GRAPHML).network;
    assert_eq!((network.switches(), network.cables(), network.endpoints()), (2, 2, 1));
    assert_eq!(network.switch_name(1), "b & c");
    let mut bandwidths: Vec<f64> = (0..2).map(|l| network.class(l).bandwidth_bytes_per_s).collect();
    bandwidths.sort_by(f64::total_cmp);
    assert_eq!(bandwidths, [1.25e9, 12.5e9]);
    assert_eq!(network.endpoint_class().bandwidth_bytes_per_s, 1.25e9);
}

#[test]
fn graphml_faults() {
    let file = |from: &str, to: &str| {
        let changed = GRAPHML.replace(from, to);
        assert_ne!(changed, GRAPHML);
        changed
    };
    let directed = file("undirected", "directed");
    let cases = [
        (file("<node id=\"a\"/>", "<node id=\"a\"/><node id=\"a\"/>"), "NL-F006 f:6:19: two nodes have the id \"a\""),
        (file("<node id=\"a\"/>", ""), "NL-F007 f:7:5 source must be the id of a node, got \"a\""),
        (file("target=\"b &amp; c\"", "target=\"a\""), "NL-F008 f:7:5: a link joins \"a\" to itself"),
        (file("10 Gbps", "-1 Gbps"), "NL-A008 f:7:5 bandwidth must be a bandwidth"),
        (file("10 Gbps", "nan"), "NL-A008"),
        (file("10 Gbps", "0"), "NL-F009 f:7:5 bandwidth must be above zero"),
        (file(">endpoint<", ">toaster<"), "NL-F009 f:6:41 kind must be switch or endpoint, got \"toaster\""),
        (file("<edge source=\"n\" target=\"a\"/>", ""), "NL-F012 f:6:41: endpoint \"n\" has no link"),
        (file("<edge id", "<hyperedge/><edge id"), "NL-F013 f:8:5: a hyperedge"),
        (file("&amp;", "&bomb;"), "NL-F013"),
        (file("<graphml", "<!DOCTYPE g [<!ENTITY bomb \"b\">]><graphml"), "NL-F013 f:2:1: a document type"),
        (file("</graph>", ""), "NL-F003"),
        (file("100&#32;Gbps", "100<b/>"), "Network"),
        (file("edgedefault=\"undirected\"", ""), "NL-F009 f:5:3 edgedefault must be undirected or directed"),
        (directed, "NL-F011"),
        ("<graphml/>".into(), "NL-F004"),
        ("<svg/>".into(), "NL-F003 f:1:1 root element must be graphml, got \"svg\""),
        ("<graphml a='1' a='2'/>".into(), "NL-F006"),
        (format!("{}x", "<g>".repeat(1000)), "NL-F005"),
    ];
    for (text, want) in &cases {
        check("graphml", &[(text.as_str(), want)]);
    }
}

#[test]
fn directed_graphs_pair_up() {
    let text = r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}],
        "links": [{"source": 0, "target": 1}, {"source": 1, "target": 0}, {"source": 2, "target": 1}, {"source": 1, "target": 2}]}"#;
    let network = read("node-link(p=0)", text).network;
    assert_eq!(ends(&network), [(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert!(!network.has_names());
    check(
        "node-link",
        &[(
            &text.replace("\"source\": 2", "\"source\": 0"),
            "NL-F011 f:links[2]: the link from \"0\" to \"1\" has no reverse link",
        )],
    );
}

#[test]
fn node_link_faults() {
    let file = |nodes: &str, edges: &str| format!(r#"{{"nodes": [{nodes}], "edges": [{edges}]}}"#);
    let two = r#"{"id": 0}, {"id": "0"}"#;
    let edge = |more: &str| file(two, &format!(r#"{{"source": 0, "target": "0"{more}}}"#));
    let cases = [
        (edge(""), "Network"),
        (edge(r#", "bandwidth": -1"#), "NL-A008 f:edges[0] bandwidth must be a bandwidth"),
        (edge(r#", "bandwidth": {}"#), "NL-A008"),
        (edge(r#", "latency": "1 parsec""#), "NL-A008 f:edges[0] latency"),
        (file(two, r#"{"source": 0, "target": 7}"#), "NL-F007 f:edges[0] target must be the id of a node, got \"7\""),
        (file(two, r#"{"source": 0}"#), "NL-F010 f:edges[0]: has no \"target\""),
        (file(r#"{"id": 1}, {"id": 1}"#, ""), "NL-F006 f:nodes[1]: two nodes have the id \"1\""),
        (
            file(r#"{"id": null}"#, ""),
            "NL-F009 f:nodes[0] id must be an integer, a text or a list of these, got \"null\"",
        ),
        (file(r#"{"id": [0, 1]}, 5"#, ""), "NL-F003 f:nodes[1] must be an object"),
        ("{}".into(), "NL-F010 f: there is no list \"nodes\""),
        ("[1]".into(), "NL-F003 f must be an object with \"nodes\" and \"edges\", got a list of 1"),
        ("{\"nodes\": 1e999}".into(), "NL-F003 f:1:"),
        ("{\"nodes\": [,]}".into(), "NL-F003 f:1:12: not JSON: expected value"),
        ("[".repeat(100_000), "NL-F005"),
    ];
    for (text, want) in &cases {
        check("node-link", &[(text.as_str(), want)]);
    }
}

#[test]
fn anynet() {
    let read = read(
        "booksim(cycle=\"2 ns\")",
        "router 0 node 0 node 1 3 router 1 5\nrouter 1 node 2 router 0 5 router 2\nrouter 2 router 1\n",
    );
    let network = read.network;
    assert_eq!((network.switches(), network.endpoint_switch().to_vec()), (3, vec![0, 0, 1]));
    assert_eq!((network.class(0).latency_s, network.class(3).latency_s), (1e-8, 2e-9));
    assert!((network.endpoint_class().latency_s - 6e-9).abs() < 1e-20);
    check(
        "booksim",
        &[
            ("", "NL-F004"),
            ("router 0 node 0 router 1 5", "each way"),
            ("router 0 node 1", "NL-F010 f: there is no node 0, but a node 1"),
            ("router 0 node", "NL-F003 f:1:10: the line ends after \"node\""),
            ("router 0 host 1", "NL-F003 f:1:10 word must be router or node, got \"host\""),
            ("router 0 node -1", "NL-F009 f:1:15 node must be an integer"),
            ("router 0 router 1 0", "NL-F009 f:1:19 latency must be an integer in 1.."),
            ("router 0 router 1 99999999999999999999", "NL-F009"),
            ("router 0 router 0", "NL-F008"),
            ("router 0 router 1 router 1", "NL-F006 f:1:19"),
            ("node 0 node 1", "NL-F012 f:1:8: a link joins two nodes"),
            ("router 0 node 0\nrouter 1 node 0 router 0", "NL-F012"),
            ("router 4294967295 node 0", "NL-F009"),
        ],
    );
}
