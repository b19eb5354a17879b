//! Makes a graph from routes over links: the ends of links that meet.

use std::collections::HashMap;

use netloom_model::Outcome;
use netloom_model::network::Per;

use super::platform::{Link, Pass, Platform, Route, Speed, Way};
use crate::graph::{Defaults, Graph, PLAIN_CLASS, Role, Wire};
use crate::network_file::Read;
use crate::sink::{Sink, Spot};

/// Union-find over net points and the two ends of every link.
struct Meetings {
    parent: Vec<u32>,
    points: u32,
}

impl Meetings {
    fn new(points: usize, links: usize) -> Self {
        Meetings { parent: (0..(points + 2 * links) as u32).collect(), points: points as u32 }
    }
    fn end(&self, link: u32, second: bool) -> u32 {
        self.points + 2 * link + u32::from(second)
    }
    fn find(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }
    /// The lower number represents both, so points represent the ends that meet them.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }
    fn meet(&mut self, a: u32, b: u32) -> bool {
        self.find(a) == self.find(b)
    }
}

/// A link with the places that it connects.
struct Cable {
    a: u32,
    b: u32,
    /// Speed from `a` to `b`, and back.
    there: Speed,
    back: Speed,
    spot: Spot,
}

/// Builds the network. O(passes + links).
///
/// # Errors
/// Those in `sink` and those of [`Graph::finish`].
pub fn network(mut platform: Platform, per_switch: u32, sink: Sink) -> Outcome<Read> {
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let mut meetings = Meetings::new(platform.points.len(), platform.links.len());
    let mut used = vec![Used::default(); platform.links.len()];
    // Routes over one link, or with stated directions, fix the ends; the others build on them.
    let settled =
        |r: &Route| r.passes.len() < 2 || platform.passes[r.passes.clone()].iter().all(|p| p.way != Way::Open);
    let (first, second): (Vec<&Route>, Vec<&Route>) = platform.routes.iter().partition(|r| settled(r));
    for route in first.into_iter().chain(second) {
        walk(route, &platform.passes[route.passes.clone()], &mut meetings, &mut used);
    }
    let cables = cables(&platform.links, &mut meetings, &used, &mut platform.notes);
    let fastest = platform.links.iter().map(|l| l.wire.bandwidth).fold(0.0, f64::max);
    let fastest = if fastest > 0.0 { fastest } else { 12.5e9 };
    graph(platform, meetings, &cables, per_switch, fastest, sink)
}

/// The directions in which routes pass a link.
#[derive(Clone, Copy, Default)]
struct Used {
    up: bool,
    down: bool,
}

/// Follows one route from its first point, merging the ends that touch.
fn walk(route: &Route, passes: &[Pass], meetings: &mut Meetings, used: &mut [Used]) {
    let mut at = route.from;
    for (i, &Pass { link, way }) in passes.iter().enumerate() {
        let (first, second) = (meetings.end(link, false), meetings.end(link, true));
        let up = match way {
            Way::Up => true,
            Way::Down => false,
            Way::Open if meetings.meet(at, first) => true,
            Way::Open if meetings.meet(at, second) => false,
            Way::Open => {
                let next = passes.get(i + 1).map(|n| n.link);
                !leads_on(first, next, route.to, meetings) || leads_on(second, next, route.to, meetings)
            }
        };
        let (enter, leave) = if up { (first, second) } else { (second, first) };
        meetings.join(at, enter);
        let marks = &mut used[link as usize];
        marks.up |= up || route.both_ways;
        marks.down |= !up || route.both_ways;
        at = leave;
    }
    if !passes.is_empty() {
        meetings.join(at, route.to);
    }
}

/// True if a link's end is known to touch the next link of the route, or the route's destination after the last.
fn leads_on(end: u32, next: Option<u32>, to: u32, meetings: &mut Meetings) -> bool {
    match next {
        None => meetings.meet(end, to),
        Some(link) => {
            let (first, second) = (meetings.end(link, false), meetings.end(link, true));
            meetings.meet(end, first) || meetings.meet(end, second)
        }
    }
}

/// Cables: links used in both directions, and pairs of opposite one-way links, each of which has its direction alone.
fn cables(links: &[Link], meetings: &mut Meetings, used: &[Used], notes: &mut Vec<String>) -> Vec<Cable> {
    let mut out: Vec<Cable> = Vec::new();
    let mut waiting: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    let (mut unused, mut loops, mut alone, mut off) = (0u64, Vec::new(), 0u64, Vec::new());
    for (i, link) in links.iter().enumerate() {
        let ways = used[i];
        let mut ends = (meetings.end(i as u32, false), meetings.end(i as u32, true));
        ends = (meetings.find(ends.0), meetings.find(ends.1));
        if !ways.up && !ways.down {
            unused += 1;
            continue;
        }
        if ends.0 == ends.1 {
            loops.push(link.name.as_str());
            continue;
        }
        if link.off {
            off.push(link.name.as_str());
            continue;
        }
        let mut wire = link.wire;
        if !(ways.up && ways.down) {
            let (from, to) = if ways.up { ends } else { (ends.1, ends.0) };
            if wire.per == Per::Cable {
                wire.per = Per::Direction;
            }
            alone += 1;
            if let Some(other) = waiting.get_mut(&(to, from)).and_then(Vec::pop) {
                alone -= 2;
                out[other].back = wire;
                continue;
            }
            waiting.entry((from, to)).or_default().push(out.len());
            ends = (from, to);
        }
        out.push(Cable { a: ends.0, b: ends.1, there: wire, back: wire, spot: link.spot });
    }
    if let Some(first) = off.first() {
        let shown = crate::sink::quoted(first);
        notes.push(format!("{} links have state=\"OFF\" and are left out, the first is {shown}", off.len()));
    }
    if unused > 0 {
        notes.push(format!("{unused} links are in no route and are left out"));
    }
    if alone > 0 {
        notes.push(format!("{alone} links are used in one direction only; they are read as full-duplex cables"));
    }
    if let Some(first) = loops.first() {
        let shown = crate::sink::quoted(first);
        notes
            .push(format!("{} links have both ends on one switch and are left out, the first is {shown}", loops.len()));
    }
    out
}

fn graph(
    platform: Platform,
    mut meetings: Meetings,
    cables: &[Cable],
    per_switch: u32,
    fastest: f64,
    mut sink: Sink,
) -> Outcome<Read> {
    let places = meetings.parent.len();
    let roots: Vec<u32> = (0..platform.points.len() as u32).map(|p| meetings.find(p)).collect();
    let mut hosts = vec![0u32; places];
    let mut routers = vec![false; places];
    for (point, &root) in platform.points.iter().zip(&roots) {
        hosts[root as usize] += u32::from(point.host);
        routers[root as usize] |= !point.host;
    }
    let mut degree = vec![0u32; places];
    let mut sends = vec![0.0; places];
    let mut towards_host = vec![false; places];
    for cable in cables {
        for (at, other, wire) in [(cable.a, cable.b, cable.there), (cable.b, cable.a, cable.back)] {
            degree[at as usize] += 1;
            sends[at as usize] += wire.bandwidth;
            towards_host[at as usize] |= hosts[other as usize] > 0;
        }
    }
    let leaf = |root: u32| {
        let r = root as usize;
        hosts[r] == 1 && !routers[r] && degree[r] == 1 && !towards_host[r]
    };
    let mut graph = Graph { notes: platform.notes, ..Graph::default() };
    let mut node_of: Vec<Option<u32>> = vec![None; places];
    let (mut own, mut widest) = (0u64, 0.0f64);
    let mut off = (0u64, vec![false; places]);
    for (point, &root) in platform.points.iter().zip(&roots) {
        if point.off {
            off.0 += 1;
            off.1[root as usize] |= point.host && leaf(root);
            if point.host {
                continue;
            }
        }
        if point.host && leaf(root) {
            node_of[root as usize] = graph.node(point.name.clone(), Role::Endpoint, point.spot, &mut sink);
            continue;
        }
        if node_of[root as usize].is_none() {
            let name = if point.host { format!("{}-switch", point.name) } else { point.name.clone() };
            node_of[root as usize] = graph.node(name, Role::Switch, point.spot, &mut sink);
        }
        let Some(switch) = node_of[root as usize] else { break };
        if point.host {
            own += 1;
            widest = widest.max(sends[root as usize]);
            let Some(end) = graph.node(point.name.clone(), Role::Endpoint, point.spot, &mut sink) else { break };
            graph.homes.push((end, switch));
        }
    }
    let mut joints = 0;
    for cable in cables.iter().filter(|c| !off.1[c.a as usize] && !off.1[c.b as usize]) {
        for root in [cable.a, cable.b] {
            if node_of[root as usize].is_none() && sink.is_empty() {
                node_of[root as usize] = graph.node(format!("joint{joints}"), Role::Switch, cable.spot, &mut sink);
                joints += 1;
            }
        }
        let (Some(a), Some(b)) = (node_of[cable.a as usize], node_of[cable.b as usize]) else { break };
        let wire =
            |of: Speed| Wire { class: PLAIN_CLASS.into(), bandwidth_bytes_per_s: of.bandwidth, latency_s: of.latency };
        let (there, back) = (wire(cable.there), wire(cable.back));
        let each = [(&there, cable.there.per), (&back, cable.back.per)];
        if graph.edge_per(a, b, each, cable.spot, &mut sink).is_none() {
            break;
        }
    }
    if off.0 > 0 {
        graph.notes.push(format!("{} hosts have state=\"OFF\" and are left out", off.0));
    }
    if own > 0 {
        graph.notes.push(format!(
            "{own} hosts forward or meet others without their own link; each is an endpoint on a switch, as fast as \
             all cables of a switch together"
        ));
    }
    if joints > 0 {
        graph.notes.push(format!("{joints} switches were added where links meet without a router"));
    }
    graph.structure = platform.structure;
    let wire = Wire { class: PLAIN_CLASS.into(), bandwidth_bytes_per_s: fastest, latency_s: 0.0 };
    // Such hosts have no injection limit in SimGrid.
    let endpoint = Some((widest.max(fastest), 0.0));
    graph.finish(&Defaults { per_switch, wire, endpoint }, sink)
}
