//! What the switches of a network do with the messages of a collective: combine them, pass them on, or neither.

use std::collections::HashMap;

use netloom_model::{Combining, Network};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Combines,
    /// A GPU or a NIC that is a switch of the network.
    Passes,
    Closed,
}

pub struct Kinds(Vec<Kind>);

impl Kinds {
    /// For a job on these endpoints: a switch inside a node combines where the node has several of them. O(switches + links).
    pub fn of(network: &Network, combining: Combining, endpoints: &[u32]) -> Kinds {
        let linked = network.hosts().filter(|hosts| hosts.are_linked());
        let mut members = HashMap::new();
        for host in linked.into_iter().flat_map(|hosts| endpoints.iter().map(|endpoint| hosts.host(*endpoint))) {
            *members.entry(host).or_insert(0u32) += 1;
        }
        let kind = |switch: u32| {
            let combines = |does: bool| if does { Kind::Combines } else { Kind::Closed };
            if let Some(host) = network.host_of_switch(switch) {
                return combines(combining.in_nodes() && members.get(&host).is_some_and(|count| *count > 1));
            }
            let Some(hosts) = linked else { return combines(combining.in_fabric()) };
            if !network.endpoints_of(switch).is_empty() {
                return Kind::Passes;
            }
            let around = network.neighbours(switch).iter().filter_map(|next| network.endpoints_of(*next).first());
            let mut around: Vec<u32> = around.map(|endpoint| hosts.host(*endpoint)).collect();
            around.dedup();
            // What joins the GPUs of one node to something else is its NIC.
            if around.len() == 1 { Kind::Passes } else { combines(combining.in_fabric()) }
        };
        Kinds((0..network.switches()).map(kind).collect())
    }

    pub fn combines(&self, switch: u32) -> bool {
        self.0[switch as usize] == Kind::Combines
    }

    pub fn passes(&self, switch: u32) -> bool {
        self.0[switch as usize] == Kind::Passes
    }

    pub fn is_open(&self, switch: u32) -> bool {
        self.0[switch as usize] != Kind::Closed
    }
}
