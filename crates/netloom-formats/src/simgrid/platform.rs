//! The elements of a platform file: net points, links, routes.

use std::collections::HashMap;

use netloom_model::Outcome;
use netloom_model::network::{Per, Structure};

use super::table::ELEMENTS;
use super::units::Unit;
use super::{cluster, zone};
use crate::codes;
use crate::limits::{MAX_ITEMS, MAX_LINKS, MAX_NAME, MAX_NODES};
use crate::noted::Noted;
use crate::sink::{Sink, Spot, quoted};
use crate::text::decode;
use crate::xml::{Element, Tree};

/// A host or a router.
pub struct Point {
    pub name: String,
    pub host: bool,
    /// `state="OFF"`.
    pub off: bool,
    pub spot: Spot,
}

/// A `<link>`.
pub struct Link {
    pub wire: Speed,
    /// `state="OFF"`.
    pub off: bool,
    pub name: String,
    pub spot: Spot,
}

/// Bandwidth, latency, and what has the bandwidth of a link that is used in both directions.
#[derive(Clone, Copy, PartialEq)]
pub struct Speed {
    pub bandwidth: f64,
    pub latency: f64,
    pub per: Per,
}

/// The direction in which a route passes a link: `UP` from its first end to its second.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Up,
    Down,
    Open,
}

/// A `<route>` or `<zoneRoute>` between points (gateways), as a piece of `Platform::passes`.
pub struct Route {
    pub from: u32,
    pub to: u32,
    pub passes: std::ops::Range<usize>,
    pub both_ways: bool,
}

/// All zones, flattened.
pub struct Platform {
    pub points: Vec<Point>,
    pub links: Vec<Link>,
    pub routes: Vec<Route>,
    pub passes: Vec<(u32, Way)>,
    pub notes: Vec<String>,
    /// Structure of the switches in order, if the platform is one cluster.
    pub structure: Structure,
    point_of: HashMap<String, u32>,
    link_of: HashMap<String, u32>,
    noted: Noted,
}

const ZONES: &[&str] = &["Full", "Floyd", "Dijkstra", "DijkstraCache", "None"];

/// Reads the elements; faults so far are in the sink. O(text).
///
/// # Errors
/// A file that is not text or not XML, a root that is not a platform of version 4.
pub fn parse<'p>(bytes: &[u8], place: &'p str) -> Outcome<(Platform, Sink<'p>)> {
    let text = decode(bytes, place)?;
    let tree = Tree::parse(text, place)?;
    let mut sink = Sink::new(place);
    let root = tree.root();
    if !root.is("platform") {
        sink.must(&codes::SYNTAX, tree.spot(root), "root element", "platform", root.name(), "name the right format");
        return Err(sink.fail());
    }
    let version = root.attr("version").unwrap_or_default();
    if version != "4" && !version.starts_with("4.") {
        let hint = "convert the file with simgrid_update_xml";
        sink.must(&codes::UNSUPPORTED, tree.spot(root), "version", "4 or 4.1", version, hint);
        return Err(sink.fail());
    }
    let mut platform = Platform {
        points: Vec::new(),
        links: Vec::new(),
        routes: Vec::new(),
        passes: Vec::new(),
        notes: Vec::new(),
        structure: Structure::default(),
        point_of: HashMap::new(),
        link_of: HashMap::new(),
        noted: Noted::new("SimGrid"),
    };
    platform.noted.element(ELEMENTS, &tree, root, &mut sink);
    // A zone may name points and links that come later in the file, so routes are read in a second pass.
    let _ = platform.define(&tree, root, &mut sink).and_then(|()| platform.route_all(&tree, root, &mut sink));
    platform.summarise(&tree, root);
    Ok((platform, sink))
}

impl Platform {
    /// A host or router; `None` if there are too many.
    pub fn point(&mut self, name: String, host: bool, spot: Spot, sink: &mut Sink) -> Option<u32> {
        if self.points.len() as u64 >= MAX_NODES {
            sink.say(&codes::TOO_LARGE, spot, format!("more than {MAX_NODES} hosts and routers"), "");
            return None;
        }
        check_name(&name, spot, sink);
        let number = self.points.len() as u32;
        if self.point_of.insert(name.clone(), number).is_some() {
            let sentence = format!("two hosts or routers have the id {}", quoted(&name));
            sink.say(&codes::DUPLICATE, spot, sentence, "rename one of them");
        }
        self.points.push(Point { name, host, off: false, spot });
        Some(number)
    }

    /// A link named only by this program.
    pub fn cable(&mut self, a: u32, b: u32, wire: Speed, spot: Spot, sink: &mut Sink) -> Option<()> {
        let link = self.link(String::new(), wire, false, spot, sink)?;
        let start = self.passes.len();
        self.passes.push((link, Way::Up));
        self.routes.push(Route { from: a, to: b, passes: start..start + 1, both_ways: true });
        Some(())
    }

    fn link(&mut self, name: String, wire: Speed, off: bool, spot: Spot, sink: &mut Sink) -> Option<u32> {
        if self.links.len() as u64 >= MAX_LINKS {
            sink.say(&codes::TOO_LARGE, spot, format!("more than {MAX_LINKS} links"), "");
            return None;
        }
        let number = self.links.len() as u32;
        if !name.is_empty() && self.link_of.insert(name.clone(), number).is_some() {
            sink.say(&codes::DUPLICATE, spot, format!("two links have the id {}", quoted(&name)), "rename one of them");
        }
        self.links.push(Link { wire, off, name, spot });
        Some(number)
    }

    /// What is inside an element of the file. Routes are left to [`Platform::route_all`].
    pub fn define(&mut self, tree: &Tree, parent: &Element, sink: &mut Sink) -> Option<()> {
        for child in tree.children(parent) {
            self.define_one(tree, child, sink)?;
        }
        Some(())
    }

    pub fn define_one(&mut self, tree: &Tree, child: &Element, sink: &mut Sink) -> Option<()> {
        let spot = tree.spot(child);
        if !ELEMENTS.iter().any(|known| known.0 == child.name()) {
            let sentence = format!("the element <{}> is not read", quoted(child.name()).trim_matches('"'));
            sink.say(&codes::UNSUPPORTED, spot, sentence, "describe the part by hosts, routers, links and routes");
            return Some(());
        }
        if !self.noted.element(ELEMENTS, tree, child, sink) {
            return Some(());
        }
        match child.name() {
            "zone" | "AS" => {
                let routing = child.attr("routing").unwrap_or_default();
                if routing == "Cluster" {
                    return zone::define(self, tree, child, sink);
                }
                if !ZONES.contains(&&*routing) {
                    let hint = match &*routing {
                        "Vivaldi" => "a Vivaldi zone computes latencies from coordinates: give links and routes",
                        "Wifi" => "wireless links are not read: give links and routes",
                        _ => "name the routing of the zone",
                    };
                    let expected = "Full, Floyd, Dijkstra or Cluster";
                    sink.must(&codes::UNSUPPORTED, spot, "routing", expected, routing, hint);
                }
                return self.define(tree, child, sink);
            }
            "host" | "router" => {
                let name = required(child, "id", spot, sink);
                let off = child.is("host") && state(child, spot, sink);
                let number = self.point(name, child.is("host"), spot, sink)?;
                self.points[number as usize].off = off;
            }
            "link" => {
                let name = required(child, "id", spot, sink);
                check_name(&name, spot, sink);
                let bandwidth = quantity(child, "bandwidth", Unit::Bandwidth, None, spot, sink);
                let latency = quantity(child, "latency", Unit::Time, Some(0.0), spot, sink);
                let per = policy(child, "SHARED", spot, sink);
                let off = state(child, spot, sink);
                self.link(name, Speed { bandwidth, latency, per }, off, spot, sink)?;
            }
            "cluster" => cluster::read(self, child, spot, sink)?,
            "route" | "ASroute" | "zoneRoute" => return Some(()),
            name => {
                let sentence = format!("<{name}> has a meaning only in a zone with routing=\"Cluster\"");
                sink.say(&codes::UNSUPPORTED, spot, sentence, "put it into such a zone");
            }
        }
        // Properties, disks and the like.
        for inner in tree.children(child) {
            self.noted.element(ELEMENTS, tree, inner, sink);
        }
        Some(())
    }

    fn route_all(&mut self, tree: &Tree, parent: &Element, sink: &mut Sink) -> Option<()> {
        for child in tree.children(parent) {
            match child.name() {
                "zone" | "AS" => {
                    self.route_all(tree, child, sink)?;
                    if child.attr("routing").as_deref() == Some("Cluster") {
                        zone::routes(self, tree, child, sink);
                    }
                }
                "route" => self.route(tree, child, "src", "dst", sink)?,
                "zoneRoute" | "ASroute" => self.route(tree, child, "gw_src", "gw_dst", sink)?,
                _ => {}
            }
        }
        Some(())
    }

    fn route(&mut self, tree: &Tree, element: &Element, src: &str, dst: &str, sink: &mut Sink) -> Option<()> {
        let spot = tree.spot(element);
        let mut end = |which: &str| {
            let name = required(element, which, spot, sink);
            let found = self.point_of.get(&name).copied();
            if found.is_none() && !name.is_empty() {
                let hint = "gateways of a cluster are its router, prefix + id + _router + suffix";
                sink.must(&codes::UNKNOWN_ID, spot, which, "the id of a host or router", name, hint);
            }
            found
        };
        let ends = (end(src), end(dst));
        let both_ways = match element.attr("symmetrical").as_deref() {
            None | Some("YES" | "yes") => true,
            Some("NO" | "no") => false,
            Some(other) => {
                sink.must(&codes::VALUE, spot, "symmetrical", "YES or NO", other, "");
                true
            }
        };
        let start = self.passes.len();
        for pass in tree.children(element) {
            if !self.noted.element(ELEMENTS, tree, pass, sink) || !pass.is("link_ctn") {
                continue;
            }
            if self.passes.len() as u64 >= 2 * MAX_ITEMS {
                sink.say(&codes::TOO_LARGE, spot, "the routes pass too many links", "use a Floyd zone");
                return None;
            }
            if let Some(pass) = self.pass(tree, pass, sink) {
                self.passes.push(pass);
            }
        }
        if let (Some(from), Some(to)) = ends {
            self.routes.push(Route { from, to, passes: start..self.passes.len(), both_ways });
        }
        Some(())
    }

    fn pass(&self, tree: &Tree, element: &Element, sink: &mut Sink) -> Option<(u32, Way)> {
        let spot = tree.spot(element);
        let name = required(element, "id", spot, sink);
        let way = match element.attr("direction").as_deref() {
            None | Some("NONE") => Way::Open,
            Some("UP") => Way::Up,
            Some("DOWN") => Way::Down,
            Some(other) => {
                sink.must(&codes::VALUE, spot, "direction", "UP, DOWN or NONE", other, "");
                Way::Open
            }
        };
        let (link, half) = self.link_called(&name, "link_ctn id", spot, sink)?;
        Some((link, if half == Way::Open { way } else { half }))
    }

    /// A link by its id, or by that of one half of a link with both directions: `l_UP`, `l_DOWN`.
    pub fn link_called(&self, name: &str, what: &str, spot: Spot, sink: &mut Sink) -> Option<(u32, Way)> {
        let half = |end: &str| name.strip_suffix(end).and_then(|whole| self.link_of.get(whole)).copied();
        if let Some(&link) = self.link_of.get(name) {
            return Some((link, Way::Open));
        }
        let found = half("_UP").map(|l| (l, Way::Up)).or_else(|| half("_DOWN").map(|l| (l, Way::Down)));
        if found.is_none() && !name.is_empty() {
            let hint = "define the link before the routes";
            sink.must(&codes::UNKNOWN_ID, spot, what, "the id of a link", name, hint);
        }
        found
    }

    /// A point by its id.
    pub fn point_called(&self, name: &str) -> Option<u32> {
        self.point_of.get(name).copied()
    }

    /// A route in one direction over one link.
    pub fn one_way(&mut self, from: u32, to: u32, pass: (u32, Way)) {
        let start = self.passes.len();
        self.passes.push(pass);
        self.routes.push(Route { from, to, passes: start..start + 1, both_ways: false });
    }

    /// Counts what the network does not depend on.
    pub fn unused(&mut self, kind: &str, name: &str) {
        self.noted.unused(kind, name);
    }

    /// Counts what is in the element and not used; true if its content matters.
    pub fn heed(&mut self, tree: &Tree, element: &Element, sink: &mut Sink) -> bool {
        self.noted.element(ELEMENTS, tree, element, sink)
    }

    /// Notes about the file as a whole; the torus shape counts only if there is nothing else.
    fn summarise(&mut self, tree: &Tree, root: &Element) {
        self.notes.append(&mut std::mem::replace(&mut self.noted, Noted::new("SimGrid")).into_notes());
        let mut at = root;
        while let [only] = tree.children(at).collect::<Vec<_>>()[..] {
            if only.is("cluster") {
                return;
            }
            at = only;
        }
        self.structure = Structure::default();
    }
}

/// What has the bandwidth of a link; `default` where the attribute is absent.
pub fn policy(element: &Element, default: &str, spot: Spot, sink: &mut Sink) -> Per {
    let said = element.attr("sharing_policy");
    match said.as_deref().unwrap_or(default) {
        "SHARED" => Per::Cable,
        "SPLITDUPLEX" | "FULLDUPLEX" => Per::Direction,
        "FATPIPE" => Per::Flow,
        other => {
            let expected = "SHARED, SPLITDUPLEX or FATPIPE";
            sink.must(&codes::UNSUPPORTED, spot, "sharing_policy", expected, other, "wireless links are not read");
            Per::Direction
        }
    }
}

/// True for what is off.
fn state(element: &Element, spot: Spot, sink: &mut Sink) -> bool {
    match element.attr("state").as_deref() {
        None | Some("ON") => false,
        Some("OFF") => true,
        Some(other) => {
            sink.must(&codes::VALUE, spot, "state", "ON or OFF", other, "");
            false
        }
    }
}

fn check_name(name: &str, spot: Spot, sink: &mut Sink) {
    if name.len() > MAX_NAME {
        sink.say(&codes::NAME, spot, format!("an id of {} bytes exceeds {MAX_NAME}", name.len()), "shorten it");
    }
}

pub fn required(element: &Element, name: &str, spot: Spot, sink: &mut Sink) -> String {
    let value = element.attr(name).unwrap_or_default().into_owned();
    if value.is_empty() {
        let sentence = format!("<{}> has no {name}", quoted(element.name()).trim_matches('"'));
        sink.say(&codes::MISSING, spot, sentence, "");
    }
    value
}

pub fn quantity(element: &Element, name: &str, unit: Unit, default: Option<f64>, spot: Spot, sink: &mut Sink) -> f64 {
    match (element.attr(name), default) {
        (Some(text), _) => match unit.parse(&text) {
            Some(value) => value,
            None => {
                sink.must(&codes::VALUE, spot, name, unit.expected(), text, "write a number and a SimGrid unit");
                1.0
            }
        },
        (None, Some(default)) => default,
        (None, None) => {
            required(element, name, spot, sink);
            1.0
        }
    }
}
