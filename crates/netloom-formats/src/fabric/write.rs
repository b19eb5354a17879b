//! Writes the form of `ibnetdiscover`, which ibsim reads as well.

use std::collections::HashSet;
use std::fmt::Write as _;

use netloom_model::{Bound, Network, Outcome, Subnet};

use super::rate::Rate;
use crate::forwarding::require_numbers;

/// O(links + endpoints).
pub fn write(network: &Network, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    require_numbers(network, super::ROW.name)?;
    let subnet = network.subnet().map_or_else(|| Subnet::numbered(network), |own| own.as_ref().clone());
    let mut seen = HashSet::new();
    let several = subnet.endpoint_node.iter().filter(|node| !seen.insert(**node)).copied().collect();
    let names = Names { network, subnet: &subnet, several };
    let mut out = String::from("# Topology file: written by netloom\n");
    for switch in 0..network.switches() {
        names.switch(switch, &mut out);
    }
    let mut adapters: Vec<u32> = (0..network.endpoints()).collect();
    adapters.sort_by_key(|e| subnet.endpoint_node[*e as usize]);
    for ports in adapters.chunk_by(|a, b| subnet.endpoint_node[*a as usize] == subnet.endpoint_node[*b as usize]) {
        names.adapter(ports, &mut out);
    }
    Ok(out.into_bytes())
}

/// A name in quotes in a comment.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '"' { '_' } else { c }).collect()
}

struct Names<'n> {
    network: &'n Network,
    subnet: &'n Subnet,
    /// Adapters with several ports.
    several: HashSet<u64>,
}

impl Names<'_> {
    fn host(&self, endpoint: u32) -> String {
        let name = self.network.endpoint_name(endpoint);
        let several = self.several.contains(&self.subnet.endpoint_node[endpoint as usize]);
        let host = name.rsplit_once(':').filter(|_| several).map_or(name.as_str(), |split| split.0);
        plain(host)
    }
    fn rate(&self, endpoint: u32) -> String {
        Rate::at_least(self.subnet.endpoint_bytes_per_s[endpoint as usize]).word()
    }

    fn switch(&self, switch: u32, out: &mut String) {
        let (network, subnet, at) = (self.network, self.subnet, switch as usize);
        let (guid, lid, ports) = (subnet.switch_guid[at], subnet.switch_lid[at], subnet.switch_ports[at].max(1));
        let name = plain(&network.switch_name(switch));
        let _ = writeln!(out, "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{guid:x}\nswitchguid=0x{guid:x}({guid:x})");
        let _ = writeln!(out, "Switch\t{ports} \"S-{guid:016x}\"\t\t# \"{name}\" base port 0 lid {lid} lmc 0");
        let mut lines: Vec<(u32, String)> = Vec::new();
        for link in network.out_links(switch) {
            let (head, back) = (network.heads()[link as usize], network.reverse()[link as usize]);
            let (guid, lid) = (subnet.switch_guid[head as usize], subnet.switch_lid[head as usize]);
            let (port, name) = (subnet.port_of_link[back as usize], plain(&network.switch_name(head)));
            let rate = Rate::at_least(network.class(link).bandwidth_bytes_per_s).word();
            let line = format!("\"S-{guid:016x}\"[{port}]\t\t# \"{name}\" lid {lid} {rate}");
            lines.push((subnet.port_of_link[link as usize], line));
        }
        for &endpoint in network.endpoints_of(switch) {
            let e = endpoint as usize;
            let (node, guid, port) = (subnet.endpoint_node[e], subnet.endpoint_guid[e], subnet.endpoint_port[e]);
            let (name, lid, rate) = (self.host(endpoint), subnet.endpoint_lid[e], self.rate(endpoint));
            let line = format!("\"H-{node:016x}\"[{port}]({guid:x}) \t\t# \"{name}\" lid {lid} {rate}");
            lines.push((subnet.port_of_endpoint[e], line));
        }
        lines.sort();
        for (port, line) in lines {
            let _ = writeln!(out, "[{port}]\t{line}");
        }
    }

    fn adapter(&self, endpoints: &[u32], out: &mut String) {
        let (network, subnet) = (self.network, self.subnet);
        let Some(&first) = endpoints.first() else { return };
        let node = subnet.endpoint_node[first as usize];
        let ports = endpoints.iter().map(|e| subnet.endpoint_port[*e as usize]).max().unwrap_or(1);
        let _ = writeln!(out, "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{node:x}\ncaguid=0x{node:x}");
        let _ = writeln!(out, "Ca\t{ports} \"H-{node:016x}\"\t\t# \"{}\"", self.host(first));
        for &endpoint in endpoints {
            let (e, switch) = (endpoint as usize, network.endpoint_switch()[endpoint as usize]);
            let (port, guid, lid, lmc) =
                (subnet.endpoint_port[e], subnet.endpoint_guid[e], subnet.endpoint_lid[e], subnet.endpoint_lmc[e]);
            let (to, to_port) = (subnet.switch_guid[switch as usize], subnet.port_of_endpoint[e]);
            let (name, to_lid) = (plain(&network.switch_name(switch)), subnet.switch_lid[switch as usize]);
            let _ = writeln!(
                out,
                "[{port}]({guid:x}) \t\"S-{to:016x}\"[{to_port}]\t\t# lid {lid} lmc {lmc} \"{name}\" lid {to_lid} {}",
                self.rate(endpoint)
            );
        }
    }
}
