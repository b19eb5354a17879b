//! Writes a platform: one Floyd zone, endpoints as hosts, switches as routers, cables as SPLITDUPLEX links.

use std::fmt::Write as _;

use netloom_model::{Bound, LinkClass, Network, Outcome};

use super::units::Unit;
use crate::graph::attributes::number;
use crate::graph::unfold;
use crate::xml::{check_names, escape};

const HEAD: &str = r#"<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
"#;

/// O(nodes + links).
pub fn write(network: &Network, (): (), bound: &Bound) -> Outcome<Vec<u8>> {
    let names = unfold(network)?;
    check_names(names.switches.iter().chain(&names.endpoints), network.label())?;
    let speed = bound.text("speed");
    if Unit::Speed.parse(speed).is_none() {
        return Err(bound.fault("speed", Unit::Speed.expected()).into());
    }
    let cables = merged(network);
    let mut out = String::from(HEAD);
    if cables.len() < network.cables() as usize {
        let _ = writeln!(out, "  <!-- parallel cables are one link of their summed bandwidth -->");
    }
    out.push_str("  <zone id=\"network\" routing=\"Floyd\">\n");
    for name in &names.endpoints {
        let _ = writeln!(out, "    <host id=\"{}\" speed=\"{speed}\"/>", escape(name));
    }
    for name in &names.switches {
        let _ = writeln!(out, "    <router id=\"{}\"/>", escape(name));
    }
    let link = |out: &mut String, id: &str, bandwidth: f64, latency: f64| {
        let (bandwidth, latency) = (number(bandwidth), number(latency));
        let _ = writeln!(
            out,
            "    <link id=\"{id}\" bandwidth=\"{bandwidth}Bps\" latency=\"{latency}s\" sharing_policy=\"SPLITDUPLEX\"/>"
        );
    };
    for (i, cable) in cables.iter().enumerate() {
        link(&mut out, &format!("cable{i}"), cable.2, cable.3);
    }
    let LinkClass { bandwidth_bytes_per_s, latency_s, .. } = *network.endpoint_class();
    for e in 0..network.endpoints() {
        link(&mut out, &format!("endpoint-link{e}"), bandwidth_bytes_per_s, latency_s);
    }
    let route = |out: &mut String, src: &str, dst: &str, id: &str| {
        let (src, dst) = (escape(src), escape(dst));
        let _ =
            writeln!(out, "    <route src=\"{src}\" dst=\"{dst}\"><link_ctn id=\"{id}\" direction=\"UP\"/></route>");
    };
    for (i, cable) in cables.iter().enumerate() {
        route(&mut out, &names.switches[cable.0 as usize], &names.switches[cable.1 as usize], &format!("cable{i}"));
    }
    for (e, &s) in network.endpoint_switch().iter().enumerate() {
        route(&mut out, &names.endpoints[e], &names.switches[s as usize], &format!("endpoint-link{e}"));
    }
    out.push_str("  </zone>\n</platform>\n");
    Ok(out.into_bytes())
}

/// One entry per connected pair of switches: lower, higher, summed bandwidth, largest latency.
fn merged(network: &Network) -> Vec<(u32, u32, f64, f64)> {
    let mut out: Vec<(u32, u32, f64, f64)> = Vec::new();
    for link in 0..network.switch_links() {
        let (a, b) = (network.tails()[link as usize], network.heads()[link as usize]);
        let class = network.class(link);
        match out.last_mut() {
            _ if a > b => {}
            Some(last) if (last.0, last.1) == (a, b) => {
                last.2 += class.bandwidth_bytes_per_s;
                last.3 = last.3.max(class.latency_s);
            }
            _ => out.push((a, b, class.bandwidth_bytes_per_s, class.latency_s)),
        }
    }
    out
}
