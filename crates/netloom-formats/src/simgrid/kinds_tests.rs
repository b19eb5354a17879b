//! Links that are shared, not shared or off, and zones of hosts with links of their own.

use netloom_model::network::Per;
use netloom_model::{Call, LinkClass, Network};

use crate::Read;

fn read(inner: &str) -> Read {
    let text = format!("<platform version=\"4.1\">{inner}</platform>");
    crate::read::<Network>(text.as_bytes(), "p.xml", Some(&Call::bare("simgrid")), ()).unwrap()
}

/// Two routers with a host each, joined by a link of these attributes over the passes of a route.
fn pair(link: &str, routes: &str) -> Read {
    read(&format!(
        "<zone id=\"z\" routing=\"Floyd\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>
         <router id=\"r\"/><router id=\"s\"/>
         <link id=\"la\" bandwidth=\"4GBps\" sharing_policy=\"SPLITDUPLEX\"/>
         <link id=\"lb\" bandwidth=\"4GBps\" sharing_policy=\"SPLITDUPLEX\"/>{link}
         <route src=\"a\" dst=\"r\"><link_ctn id=\"la\"/></route><route src=\"b\" dst=\"s\"><link_ctn id=\"lb\"/></route>
         {routes}</zone>"
    ))
}

const BOTH: &str = "<route src=\"r\" dst=\"s\"><link_ctn id=\"m\"/></route>";

fn between(read: &Read) -> [LinkClass; 2] {
    [0, 1].map(|switch| {
        let link = read.network.out_links(switch).next().unwrap();
        read.network.class(link).clone()
    })
}

#[test]
fn the_policy_says_what_has_the_bandwidth() {
    for (policy, per, word) in [
        ("", Per::Cable, "half duplex (SHARED)"),
        ("sharing_policy=\"SHARED\"", Per::Cable, "half duplex (SHARED)"),
        ("sharing_policy=\"FATPIPE\"", Per::Flow, "FATPIPE"),
        ("sharing_policy=\"SPLITDUPLEX\"", Per::Direction, ""),
    ] {
        let found = pair(&format!("<link id=\"m\" bandwidth=\"1GBps\" {policy}/>"), BOTH);
        assert_eq!(between(&found).map(|class| class.per), [per; 2], "{policy}");
        let said = found.notes.iter().filter(|note| note.starts_with("1 cables between switches")).count();
        assert_eq!(said, usize::from(!word.is_empty()), "{:?}", found.notes);
        assert!(found.notes.iter().any(|note| note.contains(word)), "{:?}", found.notes);
    }
}

#[test]
fn a_link_for_each_direction_is_shared_by_none() {
    let links =
        "<link id=\"m\" bandwidth=\"1GBps\" latency=\"1us\"/><link id=\"n\" bandwidth=\"3GBps\" latency=\"2us\"/>";
    let routes = "<route src=\"r\" dst=\"s\" symmetrical=\"NO\"><link_ctn id=\"m\"/></route>
                  <route src=\"s\" dst=\"r\" symmetrical=\"NO\"><link_ctn id=\"n\"/></route>";
    let found = pair(links, routes);
    let [there, back] = between(&found);
    assert_eq!((there.bandwidth_bytes_per_s, there.latency_s, there.per), (1e9, 1e-6, Per::Direction));
    assert_eq!((back.bandwidth_bytes_per_s, back.latency_s, back.per), (3e9, 2e-6, Per::Direction));
    assert!(found.notes.iter().any(|note| note.starts_with("1 cables differ")), "{:?}", found.notes);
}

#[test]
fn what_is_off_is_left_out() {
    let found = pair("<link id=\"m\" bandwidth=\"1GBps\" state=\"OFF\"/>", BOTH);
    assert_eq!((found.network.switches(), found.network.cables(), found.network.endpoints()), (2, 0, 2));
    assert!(found.notes.iter().any(|note| note.starts_with("1 links have state=\"OFF\"")), "{:?}", found.notes);
    let off = "<zone id=\"z\" routing=\"Floyd\"><host id=\"a\" speed=\"1f\" state=\"OFF\"/><host id=\"b\" speed=\"1f\"/>
        <router id=\"r\"/><link id=\"la\" bandwidth=\"4GBps\"/><link id=\"lb\" bandwidth=\"4GBps\"/>
        <route src=\"a\" dst=\"r\"><link_ctn id=\"la\"/></route><route src=\"b\" dst=\"r\"><link_ctn id=\"lb\"/></route></zone>";
    let found = read(off);
    assert_eq!((found.network.switches(), found.network.endpoints()), (1, 1));
    assert_eq!(found.network.endpoint_name(0), "b");
}

#[test]
fn a_cluster_zone_is_a_router_with_its_hosts() {
    let found = read(
        "<zone id=\"z\" routing=\"Cluster\"><host id=\"h\" speed=\"1f\"/><host id=\"g\" speed=\"1f\"/>
         <link id=\"u\" bandwidth=\"2GBps\" latency=\"3us\" sharing_policy=\"SPLITDUPLEX\"/>
         <link id=\"v\" bandwidth=\"2GBps\" latency=\"3us\" sharing_policy=\"SPLITDUPLEX\"/>
         <host_link id=\"h\" up=\"u_UP\" down=\"u_DOWN\"/><host_link id=\"g\" up=\"v_UP\" down=\"v_DOWN\"/>
         <cabinet id=\"q\" prefix=\"q\" radical=\"0-2\" suffix=\"\" speed=\"1f\" bw=\"2GBps\" lat=\"3us\"/></zone>",
    );
    let network = found.network;
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (1, 5, 0));
    assert_eq!((network.switch_name(0), network.endpoint_name(4)), ("z_router".into(), "q2".into()));
    let class = network.endpoint_class();
    assert_eq!((class.bandwidth_bytes_per_s, class.latency_s, class.per), (2e9, 3e-6, Per::Direction));
    // One link for both directions, and one for each.
    let shared = read(
        "<zone id=\"z\" routing=\"Cluster\"><host id=\"h\" speed=\"1f\"/><router id=\"r\"/><link id=\"u\" bandwidth=\"2GBps\"/>
         <host_link id=\"h\" up=\"u\" down=\"u\"/></zone>",
    );
    assert_eq!(shared.network.endpoint_class().per, Per::Cable);
    let each = read(
        "<zone id=\"z\" routing=\"Cluster\"><host id=\"h\" speed=\"1f\"/><router id=\"r\"/><link id=\"u\" bandwidth=\"2GBps\"/>
         <link id=\"d\" bandwidth=\"1GBps\"/><host_link id=\"h\" up=\"u\" down=\"d\"/></zone>",
    );
    let class = each.network.endpoint_class();
    assert_eq!((class.per, class.bandwidth_bytes_per_s), (Per::Direction, 1e9));
    assert!(each.notes.iter().any(|note| note.contains("slowest")), "{:?}", each.notes);
}
