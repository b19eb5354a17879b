//! Numbers of an InfiniBand subnet: GUIDs, LIDs and ports, in which its forwarding tables are written.

use super::Network;

/// GUIDs, LIDs and ports of a network's switches, endpoints and links. A port of a host adapter is an endpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subnet {
    /// Node GUID of each switch.
    pub switch_guid: Vec<u64>,
    pub switch_lid: Vec<u32>,
    /// Ports of each switch, those without a cable included.
    pub switch_ports: Vec<u32>,
    /// Node GUID of the adapter that each endpoint is a port of.
    pub endpoint_node: Vec<u64>,
    /// Port GUID of each endpoint.
    pub endpoint_guid: Vec<u64>,
    /// Base LID of each endpoint.
    pub endpoint_lid: Vec<u32>,
    /// Each endpoint has 2^lmc consecutive LIDs.
    pub endpoint_lmc: Vec<u8>,
    /// The adapter's own port number of each endpoint.
    pub endpoint_port: Vec<u32>,
    /// Port of its switch that each endpoint is on.
    pub port_of_endpoint: Vec<u32>,
    /// Bandwidth of each endpoint's link; the network has one for all.
    pub endpoint_bytes_per_s: Vec<f64>,
    /// Port that each switch link leaves its switch by.
    pub port_of_link: Vec<u32>,
    /// Switch, port and the bandwidth that its cable could carry, where the file says it: that of the link or more.
    pub best: Vec<(u32, u32, f64)>,
    /// What is in the subnet and not in the network, such as aggregation nodes of switches.
    pub others: Vec<OtherDevice>,
}

/// A device on a port of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherDevice {
    pub lid: u32,
    /// Of its port.
    pub guid: u64,
    pub switch: u32,
    pub port_of_switch: u32,
}

impl Subnet {
    /// GUIDs of networks that have none begin here: locally administered, so that none is a device's own.
    pub const FIRST_GUID: u64 = 0x0200_0000_0000_0000;

    /// Numbers for a network that has none: port 0 is the switch itself, then its cables in the order of links, then its
    /// endpoints; LIDs count switches from 1, then endpoints; the device of LID `l` has the GUID [`Subnet::FIRST_GUID`]
    /// and 256 `l` more, an endpoint's port the next one, as ibsim counts them. Ports of failed cables stay theirs.
    /// O(links + endpoints).
    pub fn numbered(network: &Network) -> Subnet {
        let (n, endpoints) = (network.switches(), network.endpoints());
        let guid = |lid: &u32| Subnet::FIRST_GUID + 256 * u64::from(*lid);
        let switch_lid: Vec<u32> = (1..=n).collect();
        let endpoint_lid: Vec<u32> = (0..endpoints).map(|e| n + 1 + e).collect();
        let mut port_of_endpoint = vec![0; endpoints as usize];
        let mut port_of_link = Vec::with_capacity(network.switch_links() as usize);
        let cables = |switch: u32| match network.failed() {
            Some(failed) => failed.degrees[switch as usize],
            None => network.degree(switch),
        };
        for switch in 0..n {
            port_of_link.extend(network.out_links(switch).map(|link| 1 + network.place(link)));
            for (place, &endpoint) in (1..).zip(network.endpoints_of(switch)) {
                port_of_endpoint[endpoint as usize] = cables(switch) + place;
            }
        }
        let ports = |s: u32| cables(s) + network.endpoints_of(s).len() as u32;
        Subnet {
            switch_guid: switch_lid.iter().map(guid).collect(),
            switch_ports: (0..n).map(ports).collect(),
            endpoint_node: endpoint_lid.iter().map(guid).collect(),
            endpoint_guid: endpoint_lid.iter().map(|lid| guid(lid) + 1).collect(),
            endpoint_lmc: vec![0; endpoints as usize],
            endpoint_port: vec![1; endpoints as usize],
            endpoint_bytes_per_s: vec![network.endpoint_class().bandwidth_bytes_per_s; endpoints as usize],
            best: Vec::new(),
            others: Vec::new(),
            switch_lid,
            endpoint_lid,
            port_of_endpoint,
            port_of_link,
        }
    }

    /// The same without some switch links; `keep` is asked in the order of links.
    pub(super) fn with_links(&self, keep: impl Fn(usize) -> bool) -> Subnet {
        let kept = self.port_of_link.iter().enumerate().filter(|(link, _)| keep(*link));
        Subnet { port_of_link: kept.map(|(_, port)| *port).collect(), ..self.clone() }
    }
}
