//! Background flows and their checks.

use crate::fault::{Fault, Faults, codes};
use crate::network::Network;

/// A background flow: no job waits for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    pub src: u32,
    pub dst: u32,
    /// Infinite for a flow that never ends.
    pub bytes: f64,
    pub start_s: f64,
    /// Largest rate in bytes per second; may be infinite.
    pub cap_bytes_per_s: f64,
}

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
