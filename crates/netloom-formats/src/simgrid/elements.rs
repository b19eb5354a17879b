//! A platform file, element by element.

use netloom_model::Outcome;
use netloom_model::network::Structure;

use super::platform::{Pass, Platform, Route, Speed, Way, check_name, policy, quantity, required};
use super::table::ELEMENTS;
use super::units::Unit;
use super::{cluster, zone};
use crate::codes;
use crate::limits::MAX_ITEMS;
use crate::sink::{Sink, Spot, quoted};
use crate::text::decode;
use crate::xml::{Element, Tree};

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
    let mut platform = Platform::new();
    platform.heed(&tree, root, &mut sink);
    // A zone may name points and links that come later in the file, so routes are read in a second pass.
    let _ = platform.define(&tree, root, &mut sink).and_then(|()| platform.route_all(&tree, root, &mut sink));
    platform.summarise(&tree, root);
    Ok((platform, sink))
}

impl Platform {
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
        if !self.heed(tree, child, sink) {
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
            self.heed(tree, inner, sink);
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
            let found = self.point_called(&name);
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
            if !self.heed(tree, pass, sink) || !pass.is("link_ctn") {
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

    fn pass(&self, tree: &Tree, element: &Element, sink: &mut Sink) -> Option<Pass> {
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
        let half = self.link_called(&name, "link_ctn id", spot, sink)?;
        Some(if half.way == Way::Open { Pass { way, ..half } } else { half })
    }

    /// Notes about the file as a whole; the torus shape counts only if there is nothing else.
    fn summarise(&mut self, tree: &Tree, root: &Element) {
        self.end_count();
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
