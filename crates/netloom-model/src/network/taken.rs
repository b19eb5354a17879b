//! Some switches of a network, with what joins them and what is on them, as a network of its own.

use super::{Network, Structure, builder::rows};

/// What became of a network of which some switches were taken.
pub(super) struct Taken {
    pub network: Network,
    /// New numbers of switches; `u32::MAX` for those left out.
    pub new: Vec<u32>,
    /// Old numbers of links and endpoints, in order.
    pub links: Vec<u32>,
    pub endpoints: Vec<u32>,
}

impl Network {
    /// `switches`, which are in order and have cables only to each other. Switches, endpoints and links are renumbered in
    /// their order; names, hosts, levels, groups and chassis go along, failures, tables and the subnet do not.
    /// O(switches + links + endpoints).
    pub(super) fn taken(&self, switches: &[u32]) -> Taken {
        let mut new = vec![u32::MAX; self.switches() as usize];
        (0..).zip(switches).for_each(|(at, s)| new[*s as usize] = at);
        let stays = |s: u32| new[s as usize] != u32::MAX;
        let links: Vec<u32> = (0..self.switch_links()).filter(|l| stays(self.tails[*l as usize])).collect();
        let ends = |l: &u32| (new[self.tails[*l as usize] as usize], new[self.heads[*l as usize] as usize]);
        let cables: Vec<(u32, u32, u16)> =
            links.iter().map(ends).filter(|(a, b)| a < b).map(|(a, b)| (a, b, 0)).collect();
        let (offsets, rows) = rows(&cables, switches.len());
        let endpoints: Vec<u32> = (0..self.endpoints()).filter(|e| stays(self.endpoint_switch[*e as usize])).collect();
        let endpoint_switch: Vec<u32> =
            endpoints.iter().map(|e| new[self.endpoint_switch[*e as usize] as usize]).collect();
        let mut endpoint_order: Vec<u32> = (0..endpoint_switch.len() as u32).collect();
        endpoint_order.sort_by_key(|e| endpoint_switch[*e as usize]);
        let mut endpoint_offsets = vec![0; switches.len() + 1];
        endpoint_switch.iter().for_each(|s| endpoint_offsets[*s as usize + 1] += 1);
        for s in 0..switches.len() {
            endpoint_offsets[s + 1] += endpoint_offsets[s];
        }
        fn of<T: Clone>(all: &[T], kept: &[u32]) -> Vec<T> {
            kept.iter().filter_map(|i| all.get(*i as usize).cloned()).collect()
        }
        let whole = &self.structure;
        let network = Network {
            offsets,
            heads: rows.heads,
            tails: rows.tails,
            reverse: rows.reverse,
            // Both directions of a cable keep their own class: links are in the order in which they were.
            class_of: of(&self.class_of, &links),
            switch_names: of(&self.switch_names, switches),
            endpoint_names: of(&self.endpoint_names, &endpoints),
            endpoint_switch,
            endpoint_offsets,
            endpoint_order,
            structure: Structure {
                levels: whole.levels.as_ref().map(|all| of(all, switches)),
                groups: whole.groups.as_ref().map(|all| of(all, switches)),
                chassis: whole.chassis.as_ref().map(|all| of(all, switches)),
                ..Structure::default()
            },
            hosts: self.hosts.as_ref().map(|hosts| hosts.taken(&endpoints).into()),
            failed: None,
            tables: Vec::new(),
            subnet: None,
            ..self.clone()
        };
        Taken { network, new, links, endpoints }
    }
}
