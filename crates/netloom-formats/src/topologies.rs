//! Round trips of every registered topology through every format that can hold it.

use netloom_model::{Call, Network, Outcome};

use crate::fixtures::{ends, links};
use crate::network::FORMATS;

/// The examples of topologies, if small enough for a laptop.
fn examples() -> Vec<Network> {
    let rows = netloom_net::TOPOLOGIES.rows;
    let build = |text: &str| netloom_net::registry::build(&Call::parse(text).unwrap()).unwrap();
    rows.iter().map(|row| build(row.example)).filter(|n| n.links() < 100_000).collect()
}

fn again(network: &Network, format: &str) -> Outcome<Network> {
    let call = Call::parse(format).unwrap();
    Ok(crate::read::<Network>(&crate::write(network, &call, ())?, "file", Some(&call), ())?.network)
}

/// Connected pairs of switches, each once.
fn joined(network: &Network) -> Vec<(u32, u32)> {
    let mut out: Vec<_> = network.tails().iter().copied().zip(network.heads().iter().copied()).collect();
    out.dedup();
    out
}

#[test]
fn graph_formats_keep_every_topology() {
    let networks = examples();
    assert!(networks.len() > 15);
    for network in networks {
        for format in ["graphml(p=0)", "node-link(p=0)"] {
            let read = again(&network, format).unwrap();
            assert_eq!(links(&network), links(&read), "{} {format}", network.label());
            assert_eq!(network.endpoint_switch(), read.endpoint_switch(), "{} {format}", network.label());
            assert!(!read.has_names(), "{} {format}", network.label());
        }
        let read = again(&network, "graph-golf(form=host-switch,p=0)").unwrap();
        assert_eq!(network.heads(), read.heads(), "{}", network.label());
        assert_eq!(network.endpoint_switch(), read.endpoint_switch(), "{}", network.label());
        let read = again(&network, "ibnetdiscover").unwrap_or_else(|faults| panic!("{} {faults}", network.label()));
        assert_eq!(ends(&network), ends(&read), "{}", network.label());
        assert_eq!(network.endpoint_switch(), read.endpoint_switch(), "{}", network.label());
        let read = again(&network, "simgrid(p=0)").unwrap();
        assert_eq!(joined(&network), joined(&read), "{}", network.label());
        assert_eq!(network.endpoint_switch(), read.endpoint_switch(), "{}", network.label());
    }
}

#[test]
fn the_others_keep_it_or_say_why_not() {
    let mut held = std::collections::BTreeMap::new();
    for network in examples() {
        for format in ["booksim", "slurm"] {
            match again(&network, &format!("{format}(p=0)")) {
                Err(faults) => assert_eq!(faults.0[0].code, "NL-F018", "{} {format}: {faults}", network.label()),
                Ok(read) => {
                    *held.entry(format).or_insert(0) += 1;
                    assert_eq!(network.endpoints(), read.endpoints(), "{} {format}", network.label());
                    assert!(read.unreached().is_empty(), "{} {format}", network.label());
                }
            }
        }
    }
    assert!(held["booksim"] > 10 && held["slurm"] > 3, "{held:?}");
}

#[test]
fn every_network_format_took_part() {
    let formats: Vec<_> = FORMATS.rows.iter().filter(|r| r.write.is_some()).map(|r| r.name).collect();
    assert_eq!(
        formats,
        [
            "graph-golf",
            "graphml",
            "node-link",
            "simgrid",
            "slurm",
            "slurm-yaml",
            "booksim",
            "ibnetdiscover",
            "root-guids",
            "node-order"
        ]
    );
}
