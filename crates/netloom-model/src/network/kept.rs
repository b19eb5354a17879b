//! The byte form of networks: everything that makes two of them equal.

use super::{
    Combiners, Failed, Fly, Grid, LIMIT, LinkClass, Network, OtherDevice, Per, Rails, Structure, Subnet, TreeShape,
};
use crate::kept::{Kept, Rest, fields};

impl Kept for Per {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(Per::NAMES.iter().position(|row| row.0 == *self).map_or(u8::MAX, |at| at as u8));
    }
    fn get(from: &mut Rest<'_>) -> Option<Per> {
        Per::NAMES.get(usize::from(from.read::<u8>()?)).map(|row| row.0)
    }
}

fields!(LinkClass { name: String, bandwidth_bytes_per_s: f64, latency_s: f64, per: Per });
fields!(Combiners { first: u32, class: LinkClass });
fields!(Grid { dims: Vec<u32>, wrap: Vec<bool>, complete: bool });
fields!(TreeShape { down: Vec<u32>, up: Vec<u32>, parallel: Vec<u32> });
fields!(Rails {
    rails: u32,
    planes: u32,
    pods: u32,
    nodes: u32,
    gpus: u32,
    leaf_ports: u32,
    spines: u32,
    cores: u32,
    spine_ports: u32,
    radix: u32,
    oversubscription: Option<f64>,
});
fields!(Fly { radix: u32, stages: u32 });
fields!(Structure {
    family: String,
    grid: Option<Grid>,
    levels: Option<Vec<u8>>,
    tree: Option<TreeShape>,
    groups: Option<Vec<u32>>,
    chassis: Option<Vec<u32>>,
    rails: Option<Rails>,
    fly: Option<Fly>,
    jumps: Option<Vec<u32>>,
    ring: bool,
    transitive: bool,
    bisection_cables: Option<u64>,
});
fields!(Failed {
    whole: String,
    switches: Vec<u32>,
    cables: Vec<(u32, u32)>,
    degrees: Vec<u32>,
    places: Vec<u32>,
});
fields!(OtherDevice { lid: u32, guid: u64, switch: u32, port_of_switch: u32 });
fields!(Subnet {
    switch_guid: Vec<u64>,
    switch_lid: Vec<u32>,
    switch_ports: Vec<u32>,
    endpoint_node: Vec<u64>,
    endpoint_guid: Vec<u64>,
    endpoint_lid: Vec<u32>,
    endpoint_lmc: Vec<u8>,
    endpoint_port: Vec<u32>,
    port_of_endpoint: Vec<u32>,
    endpoint_bytes_per_s: Vec<f64>,
    port_of_link: Vec<u32>,
    best: Vec<(u32, u32, f64)>,
    others: Vec<OtherDevice>,
});

impl Kept for Network {
    const LEAST: usize = 81;
    fn put(&self, out: &mut Vec<u8>) {
        self.label.put(out);
        self.offsets.put(out);
        self.heads.put(out);
        self.reverse.put(out);
        self.class_of.put(out);
        self.classes.put(out);
        self.endpoint_switch.put(out);
        self.endpoint_class.put(out);
        self.combiners.put(out);
        self.switch_names.put(out);
        self.endpoint_names.put(out);
        self.structure.put(out);
        self.failed.put(out);
        self.seats.put(out);
        self.hosts.put(out);
        self.tables.put(out);
        self.subnet.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Network> {
        let (label, offsets) = from.read::<(String, Vec<u32>)>()?;
        let (heads, reverse, class_of) = from.read::<(Vec<u32>, Vec<u32>, Vec<u16>)>()?;
        if !are_rows(&offsets, heads.len()) {
            return None;
        }
        let tails = (0..).zip(offsets.windows(2)).flat_map(|(s, ends)| (ends[0]..ends[1]).map(move |_| s)).collect();
        let (classes, endpoint_switch, endpoint_class) = from.read::<(_, Vec<u32>, _)>()?;
        let n = offsets.len() - 1;
        if endpoint_switch.iter().any(|s| *s as usize >= n) {
            return None;
        }
        let (endpoint_offsets, endpoint_order) = super::endpoints_by_switch(&endpoint_switch, n);
        let combiners: Option<Box<Combiners>> = from.read()?;
        let (switch_names, endpoint_names, structure) = from.read()?;
        let (failed, seats, hosts) = from.read()?;
        let (tables, subnet) = from.read()?;
        let made = Network {
            label,
            offsets,
            heads,
            tails,
            reverse,
            class_of,
            classes,
            endpoint_switch,
            endpoint_offsets,
            endpoint_order,
            combiners,
            endpoint_class,
            switch_names,
            endpoint_names,
            structure,
            failed,
            seats,
            hosts,
            tables,
            subnet,
        };
        made.is_sound().then_some(made)
    }
}

/// CSR row starts of so many links.
fn are_rows(offsets: &[u32], links: usize) -> bool {
    offsets.first() == Some(&0)
        && offsets.is_sorted()
        && offsets.last().is_some_and(|last| *last as usize == links)
        && links as u64 <= LIMIT
}

impl Network {
    /// True if every number that indexes something is within it, and lists have one item for each thing that they are of.
    fn is_sound(&self) -> bool {
        let (n, links, endpoints) = (self.switches(), self.heads.len(), self.endpoints() as usize);
        let switches = n as usize;
        let rows = (0..n).all(|switch| self.neighbours(switch).is_sorted());
        let paired = links == self.reverse.len()
            && links == self.class_of.len()
            && self.heads.iter().all(|head| *head < n)
            && self.reverse.iter().enumerate().all(|(link, &back)| {
                let back = back as usize;
                back < links
                    && self.reverse[back] as usize == link
                    && (self.tails[back], self.heads[back]) == (self.heads[link], self.tails[link])
            })
            && self.class_of.iter().all(|class| usize::from(*class) < self.classes.len());
        let speeds = |class: &LinkClass| class.bandwidth_bytes_per_s > 0.0 && class.latency_s >= 0.0;
        let names = |names: &[String], of: usize| names.is_empty() || names.len() == of;
        rows && paired
            && self.classes.iter().chain([&self.endpoint_class]).all(speeds)
            && self.combiners.as_ref().is_none_or(|own| own.first as usize <= endpoints && speeds(&own.class))
            && self.seats >= 1
            && names(&self.switch_names, switches)
            && names(&self.endpoint_names, endpoints)
            && self.hosts.as_ref().is_none_or(|hosts| hosts.host_of_endpoint().len() == endpoints)
            && self.is_known(switches, links)
            && self.subnet.as_ref().is_none_or(|subnet| subnet.is_of(switches, endpoints, links))
            && self.tables.iter().all(|tables| {
                let leads = |link: &u32| *link == crate::Forwarding::NONE || (*link as usize) < links;
                tables.switches() == n
                    && tables.endpoints() as usize == endpoints
                    && (0..tables.columns()).all(|column| tables.column(column).iter().all(leads))
            })
    }

    /// As [`Network::is_sound`], of its structure and its failures.
    fn is_known(&self, switches: usize, links: usize) -> bool {
        let Structure { grid, levels, groups, chassis, .. } = &self.structure;
        let each = |list: &Option<Vec<u32>>| list.as_ref().is_none_or(|list| list.len() == switches);
        let product = |grid: &Grid| grid.dims.iter().try_fold(1u64, |all, extent| all.checked_mul(u64::from(*extent)));
        let even = |grid: &Grid| grid.wrap.len() == grid.dims.len() && product(grid) == Some(switches as u64);
        let tree = self.structure.tree.as_ref();
        each(groups)
            && each(chassis)
            && levels.as_ref().is_none_or(|levels| levels.len() == switches)
            && grid.as_ref().is_none_or(even)
            && self.structure.fly.is_none_or(|fly| self.is_fly(fly))
            && tree.is_none_or(|tree| tree.down.len() == tree.up.len() && tree.up.len() == tree.parallel.len())
            && self.failed.as_ref().is_none_or(|failed| {
                let there = |switch: &u32| (*switch as usize) < switches;
                failed.degrees.len() == switches
                    && failed.places.len() == links
                    && failed.switches.is_sorted()
                    && failed.switches.iter().all(there)
                    && failed.cables.iter().all(|(a, b)| there(a) && there(b))
            })
    }
}

impl Network {
    /// True if there are as many switches as a butterfly has.
    fn is_fly(&self, fly: Fly) -> bool {
        let width = fly.stages.checked_sub(1).and_then(|above| fly.radix.checked_pow(above));
        let all = |width: u32| u64::from(width) * (u64::from(fly.stages) + u64::from(fly.radix));
        fly.radix > 0 && width.is_some_and(|width| all(width) == u64::from(self.switches()))
    }
}

impl Subnet {
    /// True if its lists have one item for each switch, endpoint and switch link.
    fn is_of(&self, switches: usize, endpoints: usize, links: usize) -> bool {
        let of_switches = [self.switch_guid.len(), self.switch_lid.len(), self.switch_ports.len()];
        let of_endpoints = [
            self.endpoint_node.len(),
            self.endpoint_guid.len(),
            self.endpoint_lid.len(),
            self.endpoint_lmc.len(),
            self.endpoint_port.len(),
            self.port_of_endpoint.len(),
            self.endpoint_bytes_per_s.len(),
        ];
        of_switches == [switches; 3] && of_endpoints == [endpoints; 7] && self.port_of_link.len() == links
    }
}
