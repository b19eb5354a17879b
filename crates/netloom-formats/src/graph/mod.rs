//! The labelled graph that every network format reads into and writes from, and how it becomes a [`Network`].
//!
//! Nodes have names from the file and are switches or endpoints; edges connect names. Each endpoint is connected to one
//! switch. Switches, endpoints and classes are numbered so that the same graph always gives the same network: nodes in
//! the order of the file, classes in the order of (name, bandwidth, latency).

pub mod attributes;
mod classes;
mod finish;
pub mod structure;
mod unfold;

#[cfg(test)]
mod tests;

use netloom_model::param::{Kind, Param};
use netloom_model::units::Quantity;
use netloom_model::{Bound, Structure};

use crate::sink::Spot;

pub use classes::Classes;
pub use unfold::{any_per, is_directed, unfold, unique};

/// Class, bandwidth and latency of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    pub class: String,
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
}

/// Role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Switch,
    Endpoint,
}

/// A node of the file.
#[derive(Clone, Debug)]
pub struct Node {
    pub name: String,
    pub role: Role,
    pub spot: Spot,
}

/// A link of the file between nodes by index.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub a: u32,
    pub b: u32,
    /// Index into [`Graph::classes`].
    pub class: u32,
    /// The class of the link from `b` to `a`.
    pub back: u32,
    /// True for one direction, which another edge must complete.
    pub one_way: bool,
    pub spot: Spot,
}

/// A file's content before it is checked as a network.
#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Endpoint and its switch where the file has no link between them.
    pub homes: Vec<(u32, u32)>,
    pub classes: Classes,
    /// True while every edge that comes is one direction, so that cables must come in opposite pairs.
    pub directed: bool,
    pub structure: Structure,
    /// What the file says of the structure.
    pub said: structure::Said,
    pub notes: Vec<String>,
}

/// The caller's values for parts that the file leaves open.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Endpoints on every switch, if the file has no endpoints.
    pub per_switch: u32,
    pub wire: Wire,
    /// Link of endpoints without a link in the file.
    pub endpoint: Option<(f64, f64)>,
}

/// Class of links without one in the file.
pub const PLAIN_CLASS: &str = "link";

impl Defaults {
    /// Takes the parameters `p`, `bandwidth`, `latency`, any of which a format may lack.
    pub fn of(bound: &Bound) -> Defaults {
        let wire = Wire {
            class: PLAIN_CLASS.into(),
            bandwidth_bytes_per_s: bound.float("bandwidth"),
            latency_s: bound.float("latency"),
        };
        Defaults { per_switch: bound.size("p"), wire, endpoint: None }
    }
}

/// `p`: endpoints per switch.
pub const P: Param = Param::optional(
    "p",
    Kind::Int { min: 0, max: 1 << 16 },
    "1",
    "endpoints on every switch, where the file names no endpoint",
);
/// `slots`: seats for ranks on each endpoint of the file. `Network::finish` of [`crate::row::Held`] makes them.
pub const SLOTS: Param = Param::optional(
    "slots",
    Kind::Int { min: 1, max: 1 << 16 },
    "1",
    "ranks that run on one endpoint of the file: it is read as that many endpoints, called host:0, host:1, ...",
)
.keyword_only();
/// Bandwidth of links without one in the file.
pub const BANDWIDTH: Param = Param::optional(
    "bandwidth",
    Kind::Quantity(Quantity::BytesPerSecond),
    "\"100 Gbps\"",
    "bandwidth of each direction of a link, where the file gives none",
)
.keyword_only();
/// Latency of links without one in the file.
pub const LATENCY: Param = Param::optional(
    "latency",
    Kind::Quantity(Quantity::Seconds),
    "\"100 ns\"",
    "latency of a link, where the file gives none",
)
.keyword_only();
