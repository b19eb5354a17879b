//! Checks of background flows.

use crate::fault::{Fault, Faults, codes};
use crate::machine::Background;
use crate::network::Network;

/// What is impossible about background flows.
pub fn impossible(network: &Network, flows: &[Background]) -> Faults {
    let mut faults = Faults::none();
    for (at, flow) in flows.iter().enumerate() {
        let mut need = |what: &str, value: f64, good: bool, expected: &str| {
            if !good {
                faults.push(Fault::new(&codes::BAD_AMOUNT, format!("background[{at}]: {what}"), expected, value));
            }
        };
        let start = flow.start_s.is_finite() && flow.start_s >= 0.0;
        need("start_s", flow.start_s, start, "a finite number of at least 0");
        need("bytes", flow.bytes, flow.bytes >= 0.0, "at least 0");
        need("cap_bytes_per_s", flow.cap_bytes_per_s, flow.cap_bytes_per_s > 0.0, "above 0");
        for end in [flow.src, flow.dst] {
            need("endpoint", f64::from(end), end < network.endpoints(), "an endpoint of the network");
        }
    }
    faults
}
