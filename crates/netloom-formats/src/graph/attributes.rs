//! Attributes of nodes and links in formats with free attributes (GraphML, node-link).

use netloom_model::network::Per;
use netloom_model::units::Quantity;

use super::{Role, Wire};
use crate::codes;
use crate::sink::{Sink, Spot};

pub const KIND: &str = "kind";
pub const BANDWIDTH: &str = "bandwidth";
pub const LATENCY: &str = "latency";
pub const CLASS: &str = "class";
pub const PER: &str = "per";

const ROLES: &[(&str, Role)] = &[
    ("switch", Role::Switch),
    ("router", Role::Switch),
    ("endpoint", Role::Endpoint),
    ("host", Role::Endpoint),
    ("node", Role::Endpoint),
    ("terminal", Role::Endpoint),
];

/// Role of a node from its `kind`; a node without one is a switch.
pub fn role(kind: Option<&str>, spot: Spot, sink: &mut Sink) -> Role {
    let Some(kind) = kind else { return Role::Switch };
    match ROLES.iter().find(|r| r.0 == kind.trim()) {
        Some(row) => row.1,
        None => {
            sink.must(&codes::VALUE, spot, KIND, "switch or endpoint", kind, "leave the attribute out for switches");
            Role::Switch
        }
    }
}

/// What has the bandwidth of a link: each direction, unless the file says otherwise.
pub fn per(text: Option<&str>, spot: Spot, sink: &mut Sink) -> Per {
    let Some(text) = text else { return Per::Direction };
    match Per::NAMES.into_iter().find(|(_, name)| *name == text.trim()) {
        Some((per, _)) => per,
        None => {
            sink.must(&codes::VALUE, spot, PER, "direction, cable or flow", text, "leave it out for full duplex");
            Per::Direction
        }
    }
}

/// Attributes of one link as text, each a number in SI or a number with a unit.
#[derive(Default)]
pub struct WireText<'t> {
    pub class: Option<&'t str>,
    pub bandwidth: Option<&'t str>,
    pub latency: Option<&'t str>,
}

impl WireText<'_> {
    /// The link, with `defaults` for absent attributes.
    pub fn wire(self, defaults: &Wire, spot: Spot, sink: &mut Sink) -> Wire {
        let bandwidth = quantity(Quantity::BytesPerSecond, self.bandwidth, defaults.bandwidth_bytes_per_s, spot, sink);
        let latency = quantity(Quantity::Seconds, self.latency, defaults.latency_s, spot, sink);
        if bandwidth == 0.0 {
            sink.must(&codes::VALUE, spot, BANDWIDTH, "above zero", 0, "remove a link that carries nothing");
        }
        let class = self.class.filter(|c| !c.is_empty()).unwrap_or(&defaults.class).to_string();
        Wire { class, bandwidth_bytes_per_s: bandwidth, latency_s: latency }
    }
}

fn quantity(kind: Quantity, text: Option<&str>, default: f64, spot: Spot, sink: &mut Sink) -> f64 {
    let Some(text) = text else { return default };
    let word = if kind == Quantity::Seconds { LATENCY } else { BANDWIDTH };
    match kind.parse(word, text) {
        Ok(value) => value,
        Err(mut faults) => {
            faults.0.iter_mut().for_each(|f| f.place = format!("{} {word}", sink.at(spot)));
            sink.extend(faults);
            default
        }
    }
}

/// A number as every format writes it: the shortest text that reads back as the same number.
pub fn number(value: f64) -> String {
    format!("{value:?}")
}
