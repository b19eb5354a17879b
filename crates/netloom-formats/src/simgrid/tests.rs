use netloom_model::{Call, Network};

use crate::Read;

pub const CLUSTERS: &str = r#"<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="a" prefix="a-" radical="0-3" suffix=".x" speed="1Gf" bw="125MBps" lat="50us"/>
    <cluster id="b" prefix="b-" radical="0-1,7" suffix=".x" speed="1Gf" bw="1GBps" lat="50us" bb_bw="2GBps" bb_lat="1us"/>
    <link id="between" bandwidth="10Gbps" latency="1ms" sharing_policy="SPLITDUPLEX"/>
    <zoneRoute src="a" dst="b" gw_src="a-a_router.x" gw_dst="b-b_router.x">
      <link_ctn id="between" direction="UP"/>
    </zoneRoute>
  </zone>
</platform>
"#;

/// Hosts in a chain of links without routers: A -1- (m) -2- B, A -1- (m) -3- C, B -2- (m) -3- C.
pub const SHARED_LINKS: &str = r#"<platform version="4">
  <zone id="z" routing="Full">
    <host id="A" speed="1f"/><host id="B" speed="1f"/><host id="C" speed="1f"/>
    <link id="1" bandwidth="1MBps" latency="1ms"/>
    <link id="2" bandwidth="2MBps" latency="2ms"/>
    <link id="3" bandwidth="3MBps" latency="3ms"/>
    <link id="spare" bandwidth="3MBps" latency="3ms"/>
    <route src="A" dst="B"><link_ctn id="1"/><link_ctn id="2"/></route>
    <route src="A" dst="C"><link_ctn id="1"/><link_ctn id="3"/></route>
    <route src="B" dst="C"><link_ctn id="2"/><link_ctn id="3"/></route>
  </zone>
</platform>
"#;

fn read(text: &str) -> Read {
    crate::read::<Network>(text.as_bytes(), "p.xml", Some(&Call::bare("simgrid")), ()).unwrap()
}

fn fault(text: &str) -> String {
    crate::read::<Network>(text.as_bytes(), "p.xml", Some(&Call::bare("simgrid")), ()).unwrap_err().to_string()
}

fn cluster(attributes: &str) -> Network {
    let radical = r#"prefix="n" suffix="" speed="1Gf" bw="1GBps" lat="1us""#;
    read(&format!(r#"<platform version="4.1"><cluster id="c" {radical} {attributes}/></platform>"#)).network
}

fn degrees(network: &Network) -> Vec<u32> {
    let mut out: Vec<u32> = (0..network.switches()).map(|s| network.degree(s)).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Switch of each endpoint, distance by breadth-first search.
fn hops(network: &Network, from: u32, to: u32) -> u32 {
    let (start, goal) = (network.endpoint_switch()[from as usize], network.endpoint_switch()[to as usize]);
    let mut distance = vec![u32::MAX; network.switches() as usize];
    let mut queue = std::collections::VecDeque::from([start]);
    distance[start as usize] = 0;
    while let Some(s) = queue.pop_front() {
        for &t in network.neighbours(s) {
            if distance[t as usize] == u32::MAX {
                distance[t as usize] = distance[s as usize] + 1;
                queue.push_back(t);
            }
        }
    }
    distance[goal as usize]
}

#[test]
fn two_flat_clusters_joined_by_a_zone_route() {
    let read = read(CLUSTERS);
    let network = read.network;
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (2, 7, 1));
    assert_eq!(network.endpoint_name(6), "b-7.x");
    assert_eq!(network.switch_name(0), "a-a_router.x");
    assert_eq!(network.class(0).bandwidth_bytes_per_s, 1.25e9);
    assert_eq!(network.endpoint_class().bandwidth_bytes_per_s, 125e6);
    assert!(read.notes.iter().any(|n| n.contains("backbone")), "{:?}", read.notes);
    assert!(read.notes.iter().any(|n| n.contains("slowest")), "{:?}", read.notes);
}

#[test]
fn links_meet_where_routes_pass_from_one_to_the_next() {
    let read = read(SHARED_LINKS);
    let network = read.network;
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (1, 3, 0));
    assert_eq!(network.switch_name(0), "joint0");
    assert_eq!(network.endpoint_class().bandwidth_bytes_per_s, 1e6);
    assert!(read.notes.iter().any(|n| n.contains("half duplex")), "{:?}", read.notes);
    assert!(read.notes.iter().any(|n| n.starts_with("1 links are in no route")), "{:?}", read.notes);
}

#[test]
fn hosts_that_forward_become_switches() {
    let text = r#"<platform version="4.1"><zone id="z" routing="Floyd">
      <host id="A" speed="1f"/><host id="B" speed="1f"/><host id="C" speed="1f"/>
      <link id="ab" bandwidth="1GBps" latency="1us"/><link id="ba" bandwidth="1GBps" latency="1us"/>
      <link id="bc" bandwidth="2GBps" latency="2us"/>
      <route src="A" dst="B" symmetrical="NO"><link_ctn id="ab"/></route>
      <route src="B" dst="A" symmetrical="NO"><link_ctn id="ba"/></route>
      <route src="B" dst="C"><link_ctn id="bc"/></route></zone></platform>"#;
    let network = read(text).network;
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (3, 3, 2));
    assert_eq!(hops(&network, 0, 2), 2);
    assert_eq!((network.endpoint_class().bandwidth_bytes_per_s, network.endpoint_class().latency_s), (3e9, 0.0));
}

#[test]
fn torus_cluster_has_a_grid_and_its_links() {
    let network = cluster(r#"radical="0-23" topology="TORUS" topo_parameters="4,3,2""#);
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (24, 24, 72));
    assert_eq!(degrees(&network), [6]);
    let grid = network.structure().grid.clone().unwrap();
    assert_eq!((grid.dims, grid.wrap), (vec![2, 3, 4], vec![false, true, true]));
    // Host 0 and host 3 are neighbours around the first dimension of 4, which varies fastest.
    assert_eq!(hops(&network, 0, 3), 1);
    assert_eq!(hops(&network, 0, 2), 2);
    assert_eq!(hops(&network, 0, 23), 3);
}

#[test]
fn fat_tree_cluster_is_an_xgft() {
    let network = cluster(r#"radical="0-15" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2""#);
    // Four leaves, two spines, two cables between each leaf and each spine.
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (6, 16, 16));
    assert_eq!(hops(&network, 0, 3), 0);
    assert_eq!(hops(&network, 0, 4), 2);
    let network = cluster(r#"radical="0-7" topology="FAT_TREE" topo_parameters="3;2,2,2;1,2,2;1,1,1""#);
    assert_eq!((network.switches(), network.cables()), (4 + 4 + 4, 16));
    assert_eq!((hops(&network, 0, 2), hops(&network, 0, 4)), (2, 4));
    let structure = network.structure();
    assert_eq!(structure.levels.as_deref(), Some(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2][..]));
    let tree = structure.tree.clone().unwrap();
    assert_eq!((tree.down, tree.up, tree.parallel), (vec![2, 2, 2], vec![2, 2, 0], vec![1, 1, 1]));
}

#[test]
fn dragonfly_cluster_joins_every_pair_of_groups_once() {
    let network = cluster(r#"radical="0-71" topology="DRAGONFLY" topo_parameters="4,2;2,3;3,1;3""#);
    // 4 groups of 2 chassis of 3 routers of 3 hosts: 3 green per chassis, 3 black per group, 6 blue.
    assert_eq!((network.switches(), network.endpoints()), (24, 72));
    assert_eq!(network.cables(), 4 * (2 * 3 + 3) + 6);
    let mut bandwidths: Vec<f64> = network.classes().iter().map(|c| c.bandwidth_bytes_per_s).collect();
    bandwidths.sort_by(f64::total_cmp);
    assert_eq!(bandwidths, [1e9, 2e9, 3e9]);
    assert!(network.unreached().is_empty());
}

#[test]
fn what_is_not_read_is_named_with_its_place() {
    let zone = |inner: &str| {
        format!("<platform version=\"4.1\">\n <zone id=\"z\" routing=\"Full\">\n  {inner}</zone></platform>")
    };
    let cases = [
        ("<platform version=\"3\"/>".into(), "NL-F013 p.xml:1:1 version must be 4 or 4.1, got \"3\""),
        ("<graphml/>".into(), "NL-F003 p.xml:1:1 root element must be platform"),
        (zone("<host id=\"a\" speed=\"1f\"/><host id=\"a\" speed=\"1f\"/>"), "NL-F006 p.xml:3:28: two hosts"),
        (zone("<link id=\"l\" bandwidth=\"-3GBps\"/>"), "NL-F009 p.xml:3:3 bandwidth must be a bandwidth above zero"),
        (zone("<link id=\"l\" bandwidth=\"nanBps\"/>"), "got \"nanBps\""),
        (zone("<peer id=\"p\"/>"), "NL-F013 p.xml:3:3: the element <peer>"),
        (zone("<route src=\"a\" dst=\"b\"/>"), "NL-F007 p.xml:3:3 src must be the id of a host or router, got \"a\""),
        (zone("<cluster id=\"c\" radical=\"0-99999999999\" bw=\"1Bps\" lat=\"0s\"/>"), "NL-F015"),
        (
            zone(
                "<cluster id=\"c\" radical=\"0-3\" bw=\"1Bps\" topology=\"TORUS\" topo_parameters=\"4294967296,4294967296\"/>",
            ),
            "NL-F009",
        ),
        (
            zone("<cluster id=\"c\" radical=\"0-3\" bw=\"1Bps\" topology=\"TORUS\" topo_parameters=\"3,2\"/>"),
            "describe 6 hosts, radical names 4",
        ),
        (
            "<!DOCTYPE platform [<!ENTITY a \"b\">]><platform version=\"4.1\"/>".into(),
            "NL-F013 p.xml:1:1: a document type",
        ),
        (zone("<host id=\"&lol;\" speed=\"1f\"/>"), "NL-F013"),
        (zone(""), "NL-F004"),
        (format!("{}{}", "<a>".repeat(100), "</a>".repeat(100)), "NL-F005"),
    ];
    for (text, want) in cases {
        let got = fault(&text);
        assert!(got.contains(want), "{text}\n  {got}\n  wanted {want}");
    }
}
