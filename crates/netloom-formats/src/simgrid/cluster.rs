//! `<cluster>`: FLAT (a star), TORUS, FAT_TREE, DRAGONFLY.
//!
//! Source: SimGrid documentation, `<cluster>`; wiring as in its fat-tree and dragonfly zones.

use netloom_model::memory;
use netloom_model::network::{Grid, TreeShape};

use super::platform::{Platform, Speed, policy, quantity, required};
use super::units::Unit;
use crate::codes;
use crate::hostlist::{LIMIT, ranges};
use crate::limits::{MAX_LINKS, MAX_NODES, NAMED};
use crate::sink::{Sink, Spot};
use crate::xml::Element;

struct Cluster {
    id: String,
    /// Net point of every host, in order of the `radical` attribute.
    hosts: Vec<u32>,
    wire: Speed,
    spot: Spot,
}

/// Adds hosts, switches and links of one cluster; `None` if the sizes are beyond the limits.
pub fn read(platform: &mut Platform, element: &Element, spot: Spot, sink: &mut Sink) -> Option<()> {
    let Some(cluster) = hosts(platform, element, spot, sink)? else { return Some(()) };
    let (prefix, suffix) = (element.attr("prefix").unwrap_or_default(), element.attr("suffix").unwrap_or_default());
    let text = element.attr("topo_parameters").unwrap_or_default();
    if ["bb_bw", "bb_lat", "bb_sharing_policy"].iter().any(|name| element.attr(name).is_some()) {
        let sentence = "the backbone of cluster {} is read as its switch, without bandwidth and latency";
        platform.notes.push(sentence.replace("{}", &cluster.id));
    }
    let flat = matches!(element.attr("topology").as_deref(), None | Some("FLAT"));
    let unused = if flat { "topo_parameters" } else { "router_id" };
    if element.attr(unused).is_some_and(|value| !value.is_empty()) {
        platform.unused(unused, "of <cluster>");
    }
    match element.attr("topology").as_deref() {
        None | Some("FLAT") => {
            let router = element.attr("router_id").filter(|r| !r.is_empty());
            let name = router.unwrap_or_else(|| format!("{prefix}{}_router{suffix}", cluster.id).into());
            cluster.flat(platform, name.into_owned(), sink)
        }
        Some("TORUS") => cluster.torus(platform, &text, sink),
        Some("FAT_TREE") => cluster.fat_tree(platform, &text, sink),
        Some("DRAGONFLY") => cluster.dragonfly(platform, &text, sink),
        Some(other) => {
            let expected = "FLAT, TORUS, FAT_TREE or DRAGONFLY";
            sink.must(&codes::VALUE, spot, "topology", expected, other, "");
            Some(())
        }
    }
}

/// Hosts of a `<cabinet>`, each with a link to the router of its zone; `None` beyond the limits.
pub fn cabinet(platform: &mut Platform, element: &Element, router: u32, spot: Spot, sink: &mut Sink) -> Option<()> {
    let Some(cluster) = hosts(platform, element, spot, sink)? else { return Some(()) };
    cluster.hosts.iter().try_for_each(|&host| cluster.join(platform, host, router, 1, sink))
}

/// The hosts and the links of a cluster or a cabinet; `None` beyond the limits, `Some(None)` with a fault.
fn hosts(platform: &mut Platform, element: &Element, spot: Spot, sink: &mut Sink) -> Option<Option<Cluster>> {
    let id = required(element, "id", spot, sink);
    let (prefix, suffix) = (element.attr("prefix").unwrap_or_default(), element.attr("suffix").unwrap_or_default());
    let radical = required(element, "radical", spot, sink);
    let bandwidth = quantity(element, "bw", Unit::Bandwidth, None, spot, sink);
    let latency = quantity(element, "lat", Unit::Time, Some(0.0), spot, sink);
    let wire = Speed { bandwidth, latency, per: policy(element, "SPLITDUPLEX", spot, sink) };
    let numbers = match ranges(&radical, LIMIT) {
        Ok(numbers) => numbers,
        Err(why) => {
            sink.must(&codes::HOSTLIST, spot, "radical", "ranges such as 0-119", format!("{radical} ({why})"), "");
            return Some(None);
        }
    };
    let bytes = numbers.len() as u64 * (NAMED + 3 * (prefix.len() + suffix.len()) as u64);
    if let Err(fault) = memory::require(bytes, &sink.at(spot), "the cluster") {
        sink.push(fault);
        return None;
    }
    let mut hosts = Vec::new();
    for number in numbers {
        hosts.push(platform.point(format!("{prefix}{number}{suffix}"), true, spot, sink)?);
    }
    let cluster = Cluster { id, hosts, wire, spot };
    Some(Some(cluster))
}

/// `;`-separated lists of numbers, each 1 to 2^24; `None` with a fault otherwise.
fn numbers(text: &str, lists: &[usize], what: &str, spot: Spot, sink: &mut Sink) -> Option<Vec<Vec<u64>>> {
    let parts: Vec<Option<Vec<u64>>> = text
        .split(';')
        .take(16)
        .map(|list| {
            list.split(',').take(64).map(|n| n.trim().parse().ok().filter(|n| (1..=MAX_NODES).contains(n))).collect()
        })
        .collect();
    let parts: Option<Vec<Vec<u64>>> = parts.into_iter().collect();
    let fits = |p: &Vec<Vec<u64>>| p.len() == lists.len() && p.iter().zip(lists).all(|(l, &n)| n == 0 || l.len() == n);
    if parts.as_ref().is_none_or(|p| !fits(p)) {
        sink.must(&codes::VALUE, spot, "topo_parameters", what, text, "all numbers are 1 or more");
        return None;
    }
    parts
}

/// The product, if at most `limit`.
fn product(numbers: &[u64], limit: u64) -> Option<u64> {
    numbers.iter().try_fold(1u64, |p, &n| p.checked_mul(n).filter(|&p| p <= limit))
}

impl Cluster {
    /// True if the radical names `wanted` hosts.
    fn counts(&self, wanted: Option<u64>, sink: &mut Sink) -> bool {
        let fits = wanted == Some(self.hosts.len() as u64);
        if !fits {
            let wanted = wanted.map_or_else(|| format!("more than {MAX_NODES}"), |n| n.to_string());
            let sentence = format!("topo_parameters describe {wanted} hosts, radical names {}", self.hosts.len());
            sink.say(&codes::VALUE, self.spot, sentence, "make both the same");
        }
        fits
    }

    fn join(&self, platform: &mut Platform, a: u32, b: u32, factor: u64, sink: &mut Sink) -> Option<()> {
        let wire = Speed { bandwidth: self.wire.bandwidth * factor as f64, ..self.wire };
        platform.cable(a, b, wire, self.spot, sink)
    }

    fn switch(&self, platform: &mut Platform, what: &str, number: u64, sink: &mut Sink) -> Option<u32> {
        platform.point(format!("{}_{what}{number}", self.id), false, self.spot, sink)
    }

    fn flat(&self, platform: &mut Platform, router: String, sink: &mut Sink) -> Option<()> {
        let router = platform.point(router, false, self.spot, sink)?;
        self.hosts.iter().try_for_each(|&h| self.join(platform, h, router, 1, sink))
    }

    /// The first dimension varies fastest; each host has a link to the next in every dimension of 2 or more.
    fn torus(&self, platform: &mut Platform, text: &str, sink: &mut Sink) -> Option<()> {
        let Some(lists) = numbers(text, &[0], "the extents, such as 4,4,2", self.spot, sink) else { return Some(()) };
        let dims = &lists[0];
        if !self.counts(product(dims, MAX_NODES), sink) {
            return Some(());
        }
        let mut stride = 1u64;
        for &extent in dims {
            for i in 0..self.hosts.len() as u64 {
                let at = (i / stride) % extent;
                let next = i - at * stride + ((at + 1) % extent) * stride;
                if next != i {
                    self.join(platform, self.hosts[i as usize], self.hosts[next as usize], 1, sink)?;
                }
            }
            stride *= extent;
        }
        let dims: Vec<u32> = dims.iter().rev().map(|&d| d as u32).collect();
        // Two hosts in a dimension of extent 2 have a link in each direction: that is a doubled mesh line, not a ring.
        let wrap = dims.iter().map(|&d| d > 2).collect();
        platform.structure.grid = Some(Grid { dims, wrap, complete: false });
        Some(())
    }

    /// XGFT: a node of level `l` is identified by one digit per level, child digits from `l` on and parent digits
    /// below.
    fn fat_tree(&self, platform: &mut Platform, text: &str, sink: &mut Sink) -> Option<()> {
        let what = "levels;down1,down2;up1,up2;parallel1,parallel2";
        let Some(lists) = numbers(text, &[1, 0, 0, 0], what, self.spot, sink) else { return Some(()) };
        let levels = lists[0][0] as usize;
        if lists[1..].iter().any(|l| l.len() != levels) {
            sink.must(&codes::VALUE, self.spot, "topo_parameters", &format!("{levels} numbers per list"), text, "");
            return Some(());
        }
        let (down, up, parallel) = (&lists[1], &lists[2], &lists[3]);
        if up[0] != 1 {
            let sentence = format!("each host has {} parents; an endpoint is connected to one switch", up[0]);
            sink.say(&codes::UNSUPPORTED, self.spot, sentence, "use 1 as the first number of parents");
            return Some(());
        }
        if !self.counts(product(down, MAX_NODES), sink) {
            return Some(());
        }
        let (mut below, mut level_of) = (self.hosts.clone(), Vec::new());
        for level in 0..levels {
            let radices = |l: usize| -> Vec<u64> { up[..l].iter().chain(&down[l..]).copied().collect() };
            let (low, high) = (radices(level), radices(level + 1));
            let links = product(&low, MAX_NODES).and_then(|n| product(&[n, up[level], parallel[level]], MAX_LINKS));
            let Some(count) = product(&high, MAX_NODES).filter(|_| links.is_some()) else {
                sink.say(&codes::TOO_LARGE, self.spot, "the fat tree has too many switches or links", "");
                return None;
            };
            let mut above = Vec::new();
            level_of.resize(level_of.len() + count as usize, level as u8);
            for i in 0..count {
                above.push(self.switch(platform, &format!("level{}_", level + 1), i, sink)?);
            }
            // Bandwidth of parallel host links adds up, since an endpoint has one link.
            let (copies, factor) = if level == 0 { (1, parallel[0]) } else { (parallel[level], 1) };
            let stride: u64 = low[..level].iter().product();
            for (i, &child) in below.iter().enumerate() {
                let i = i as u64;
                let (inner, outer) = (i % stride, i / stride / down[level]);
                for digit in 0..up[level] {
                    let parent = above[(inner + stride * (digit + up[level] * outer)) as usize];
                    for _ in 0..copies {
                        self.join(platform, child, parent, factor, sink)?;
                    }
                }
            }
            below = above;
        }
        let of = |list: &[u64], top| list.iter().map(|&n| n as u32).chain(top).collect();
        let (up, parallel) = (of(&up[1..], Some(0)), of(&parallel[1..], Some(1)));
        platform.structure.tree = Some(TreeShape { down: of(down, None), up, parallel });
        platform.structure.levels = Some(level_of);
        Some(())
    }

    /// Groups of chassis of routers: all routers of a chassis are connected (green), routers of one slot across chassis
    /// (black), and router `j` of group `i` with router `i` of group `j` (blue). `n` links there are one link of
    /// `n`-fold bandwidth, as SimGrid builds them.
    fn dragonfly(&self, platform: &mut Platform, text: &str, sink: &mut Sink) -> Option<()> {
        let what = "groups,links;chassis,links;routers,links;nodes";
        let Some(lists) = numbers(text, &[2, 2, 2, 1], what, self.spot, sink) else { return Some(()) };
        let (groups, chassis, blades, nodes) = (lists[0][0], lists[1][0], lists[2][0], lists[3][0]);
        if !self.counts(product(&[groups, chassis, blades, nodes], MAX_NODES), sink) {
            return Some(());
        }
        let per_group = chassis * blades;
        let pairs = |n: u64| n.saturating_mul(n - 1) / 2;
        let local = pairs(blades).saturating_mul(chassis).saturating_add(pairs(chassis).saturating_mul(blades));
        if local.saturating_mul(groups).saturating_add(pairs(groups)) > MAX_LINKS {
            sink.say(&codes::TOO_LARGE, self.spot, "the dragonfly has too many links", "");
            return None;
        }
        if groups > per_group {
            let sentence = format!("{groups} groups need {groups} routers each, there are {per_group}");
            sink.say(&codes::VALUE, self.spot, sentence, "a group's router j holds its link to group j");
            return Some(());
        }
        let mut routers = Vec::new();
        for i in 0..groups * per_group {
            let router = self.switch(platform, "router", i, sink)?;
            for n in 0..nodes {
                self.join(platform, self.hosts[(i * nodes + n) as usize], router, 1, sink)?;
            }
            routers.push(router);
        }
        let router = |g: u64, c: u64, b: u64| routers[(g * per_group + c * blades + b) as usize];
        for g in 0..groups {
            for c in 0..chassis {
                for (a, b) in (0..blades).flat_map(|a| (a + 1..blades).map(move |b| (a, b))) {
                    self.join(platform, router(g, c, a), router(g, c, b), lists[2][1], sink)?;
                }
                for (d, b) in (c + 1..chassis).flat_map(|d| (0..blades).map(move |b| (d, b))) {
                    self.join(platform, router(g, c, b), router(g, d, b), lists[1][1], sink)?;
                }
            }
            for h in g + 1..groups {
                self.join(platform, router(g, 0, h), router(h, 0, g), lists[0][1], sink)?;
            }
        }
        let routers = 0..groups * per_group;
        platform.structure.groups = Some(routers.clone().map(|router| (router / per_group) as u32).collect());
        platform.structure.chassis = Some(routers.map(|router| (router / blades) as u32).collect());
        Some(())
    }
}
