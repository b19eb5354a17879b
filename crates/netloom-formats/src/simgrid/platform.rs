//! What a platform file describes, all zones flattened: net points, links, routes.

use std::collections::HashMap;

use netloom_model::network::{Per, Structure};

use super::table::ELEMENTS;
use super::units::Unit;
use crate::codes;
use crate::limits::{MAX_LINKS, MAX_NAME, MAX_NODES};
use crate::noted::Noted;
use crate::sink::{Sink, Spot, quoted};
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

/// A link on a route.
#[derive(Clone, Copy)]
pub struct Pass {
    pub link: u32,
    pub way: Way,
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
    pub passes: Vec<Pass>,
    pub notes: Vec<String>,
    /// Structure of the switches in order, if the platform is one cluster.
    pub structure: Structure,
    point_of: HashMap<String, u32>,
    link_of: HashMap<String, u32>,
    noted: Noted,
}

impl Platform {
    /// A platform of nothing.
    pub fn new() -> Platform {
        Platform {
            points: Vec::new(),
            links: Vec::new(),
            routes: Vec::new(),
            passes: Vec::new(),
            notes: Vec::new(),
            structure: Structure::default(),
            point_of: HashMap::new(),
            link_of: HashMap::new(),
            noted: Noted::new("SimGrid"),
        }
    }

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
        self.passes.push(Pass { link, way: Way::Up });
        self.routes.push(Route { from: a, to: b, passes: start..start + 1, both_ways: true });
        Some(())
    }

    /// A `<link>`; `None` if there are too many.
    pub fn link(&mut self, name: String, wire: Speed, off: bool, spot: Spot, sink: &mut Sink) -> Option<u32> {
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

    /// A link by its id, or by that of one half of a link with both directions: `l_UP`, `l_DOWN`.
    pub fn link_called(&self, name: &str, what: &str, spot: Spot, sink: &mut Sink) -> Option<Pass> {
        let half = |end: &str| name.strip_suffix(end).and_then(|whole| self.link_of.get(whole)).copied();
        if let Some(&link) = self.link_of.get(name) {
            return Some(Pass { link, way: Way::Open });
        }
        let pass = |end: &str, way: Way| half(end).map(|link| Pass { link, way });
        let found = pass("_UP", Way::Up).or_else(|| pass("_DOWN", Way::Down));
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
    pub fn one_way(&mut self, from: u32, to: u32, pass: Pass) {
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

    /// Moves what was counted to the notes.
    pub fn end_count(&mut self) {
        self.notes.append(&mut std::mem::replace(&mut self.noted, Noted::new("SimGrid")).into_notes());
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

pub fn check_name(name: &str, spot: Spot, sink: &mut Sink) {
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
