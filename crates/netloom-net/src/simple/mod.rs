//! Simple: a latency and a bandwidth, and no topology.
//!
//! One switch joins the endpoints by links that nobody shares. With `serial` every endpoint has a switch of its own, its
//! NIC, whose link out is shared by what the endpoint sends.

#[cfg(test)]
mod tests;

use netloom_model::fault::Faults;
use netloom_model::network::{LinkClass, Per};
use netloom_model::units::Quantity;
use netloom_model::{Bound, Kind, Network, Outcome, Param};

use crate::codes;
use crate::common::{LIMIT, Speed, Speeds, begin, count, fault};
use crate::row::{Expected, Topology, TopologyRow};

static PARAMS: [Param; 4] = [
    Param::required("n", count(1), "endpoints"),
    Param::optional("alpha", Kind::Quantity(Quantity::Seconds), "\"1 us\"", "latency of every message").keyword_only(),
    Param::optional(
        "bandwidth",
        Kind::Quantity(Quantity::BytesPerSecond),
        "\"100 Gbps\"",
        "rate of every message, whatever else moves",
    )
    .keyword_only(),
    Param::optional("serial", Kind::Bool, "false", "the messages that an endpoint sends share its bandwidth")
        .keyword_only(),
];

pub const SIMPLE: TopologyRow = TopologyRow {
    name: "simple",
    aliases: &["alpha_beta", "loggp"],
    summary: "Simple: no topology; a message of b bytes takes alpha + b / bandwidth, alone or with its sender's others.",
    params: &PARAMS,
    example: "simple(4)",
    restrictions: "For simulated time, by flows and packets: it has no links to count, and hops, loads and offered load refuse it.",
    source: "Culler et al., LogP, 1993; Alexandrov et al., LogGP, 1995; Jain 2016, sections 2.5 and 5.3",
    build: Topology { network: build, expected },
};

fn is_serial(bound: &Bound) -> bool {
    bound.bool("serial")
}

fn expected(bound: &Bound) -> Expected {
    let n = u64::from(bound.size("n"));
    let (switches, switch_links) = if is_serial(bound) { (n + 1, n) } else { (1, 0) };
    let mut expected = Expected { switches, endpoints: n, switch_links, ..Expected::default() };
    if n <= LIMIT {
        expected.degree_min = Some(u32::from(is_serial(bound)));
        expected.degree_max = Some(switch_links as u32);
        expected.diameter = Some(if !is_serial(bound) { 0 } else { n.min(2) as u32 });
    }
    expected
}

/// O(endpoints).
fn build(bound: &Bound) -> Outcome<Network> {
    let (n, bandwidth_bytes_per_s, alpha) = (bound.size("n"), bound.float("bandwidth"), bound.float("alpha"));
    if bandwidth_bytes_per_s <= 0.0 {
        return Err(Faults::from(fault(bound, &codes::NO_BANDWIDTH, "bandwidth", "above 0")));
    }
    let speed = |latency_s: f64| Speed { bandwidth_bytes_per_s, latency_s };
    // Half on the way in, half on the way out; or all of it on the link of the NIC.
    let endpoint = speed(if is_serial(bound) { 0.0 } else { alpha / 2.0 });
    let speeds = Speeds { link: speed(0.0), global: speed(0.0), endpoint };
    let mut builder = begin(bound, "simple", &expected(bound), &speeds)?;
    builder.endpoint_link_per(bandwidth_bytes_per_s, endpoint.latency_s, Per::Flow);
    if is_serial(bound) {
        let of = |name: &str, latency_s: f64, per: Per| LinkClass {
            name: name.into(),
            bandwidth_bytes_per_s,
            latency_s,
            per,
        };
        let out = builder.class_of(of("nic", alpha, Per::Direction));
        let back = builder.class_of(of("free", 0.0, Per::Flow));
        (0..n).for_each(|at| builder.cable_each_way(at, n, out, back));
    }
    (0..n).for_each(|at| builder.endpoint(if is_serial(bound) { at } else { 0 }));
    builder.build()
}
