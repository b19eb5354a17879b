//! What Python gives in parts, as values of the core.

use netloom_model as model;
use netloom_net::metrics::Bisection;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::fault::OrRaise;
use crate::objects::Network;

/// A network of equal links with so many bytes and seconds.
pub fn of_edges(
    py: Python<'_>,
    label: &str,
    switches: u32,
    edges: &PyReadonlyArray2<'_, i64>,
    endpoint_switch: &PyReadonlyArray1<'_, i64>,
    (bandwidth_bytes_per_s, latency_s): (f64, f64),
) -> PyResult<Network> {
    let mut builder = model::NetworkBuilder::new(label, switches);
    let class = builder.class("link", bandwidth_bytes_per_s, latency_s);
    builder.endpoint_link(bandwidth_bytes_per_s, latency_s);
    // Numbers out of range become a switch that does not exist, which `build` reports.
    let number = |v: i64| u32::try_from(v).unwrap_or(u32::MAX);
    for row in edges.as_array().rows() {
        if row.len() == 2 {
            builder.cable(number(row[0]), number(row[1]), class);
        }
    }
    for &switch in endpoint_switch.as_array() {
        builder.endpoint(number(switch));
    }
    Ok(Network::new(builder.build().or_raise(py)?, Vec::new()))
}

/// The cut that somebody found before.
pub fn known_cut((cables, lower, exact, method, equal_endpoints): (u64, u64, bool, String, Option<u64>)) -> Bisection {
    Bisection { cables, lower, exact, method, equal_endpoints }
}
