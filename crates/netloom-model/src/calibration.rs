//! Cost of a message beyond the latency and bandwidth of its route.

use crate::fault::{Fault, Faults, Outcome, codes};
use crate::sharing::Sharing;
use crate::software::{Overhead, Overheads, Software, row};

/// Rows of (above bytes, factor), ascending: the row with the largest threshold strictly below a size counts.
pub type Factors = Vec<(u64, f64)>;

/// How messages become flows. A message of `B` bytes with envelope (`E = B + envelope_bytes`) first waits
/// latency factor(E) · Σ latency, then moves E / bandwidth factor(E) bytes through its links: a factor of 0.8 makes the
/// flow 1.25 times longer and leaves the capacity of the links unchanged, as SimGrid does.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    pub sharing: Sharing,
    /// Share of a flow's rate that it uses in the reverse direction.
    pub cross_traffic: f64,
    /// A flow's rate is at most this / (2 · Σ latency); 0 for no bound.
    pub tcp_window_bytes: f64,
    pub envelope_bytes: u64,
    pub latency_factors: Factors,
    pub bandwidth_factors: Factors,
    /// A blocking send of fewer bytes returns at once (eager), one of more when its transfer ends (rendezvous).
    pub sender_returns_below_bytes: u64,
    /// An eager message of fewer bytes moves when it is sent, any other when its receive is posted too.
    pub starts_early_below_bytes: u64,
    pub send_overhead: Overheads,
    pub nonblocking_send_overhead: Overheads,
    pub receive_overhead: Overheads,
    /// Time to combine a byte that arrives with one's own, seconds.
    pub combine_s_per_byte: f64,
    /// Between two ranks of one endpoint.
    pub loopback_latency_s: f64,
    /// May be infinite.
    pub loopback_bandwidth_bytes_per_s: f64,
}

impl Default for Calibration {
    /// No correction; SimGrid's CM02 sharing; eager below 64 KiB, where a message still waits for its receive.
    fn default() -> Self {
        Calibration {
            sharing: Sharing::Rtt,
            cross_traffic: 0.0,
            tcp_window_bytes: 0.0,
            envelope_bytes: 0,
            latency_factors: Vec::new(),
            bandwidth_factors: Vec::new(),
            sender_returns_below_bytes: 65536,
            starts_early_below_bytes: 0,
            send_overhead: Vec::new(),
            nonblocking_send_overhead: Vec::new(),
            receive_overhead: Vec::new(),
            combine_s_per_byte: 0.0,
            loopback_latency_s: 0.0,
            loopback_bandwidth_bytes_per_s: f64::INFINITY,
        }
    }
}

impl Calibration {
    pub fn latency_factor(&self, size: u64) -> f64 {
        row(&self.latency_factors, |r| r.0, size).map_or(1.0, |r| r.1)
    }

    /// Bytes that a message of `bytes` sends over its links.
    pub fn moved_bytes(&self, bytes: u64) -> f64 {
        let size = bytes.saturating_add(self.envelope_bytes);
        size as f64 / row(&self.bandwidth_factors, |r| r.0, size).map_or(1.0, |r| r.1)
    }

    /// The part that concerns the ranks, for ranks of this speed.
    pub fn software(&self, flops_per_s: f64) -> Software {
        let overhead = |rows: &Overheads| Overhead { rows: rows.clone(), envelope_bytes: self.envelope_bytes };
        Software {
            sender_returns_below_bytes: self.sender_returns_below_bytes,
            starts_early_below_bytes: self.starts_early_below_bytes,
            send: overhead(&self.send_overhead),
            nonblocking_send: overhead(&self.nonblocking_send_overhead),
            receive: overhead(&self.receive_overhead),
            combine_s_per_byte: self.combine_s_per_byte,
            flops_per_s,
        }
    }

    /// # Errors
    /// `NL-E011` for every number out of its range.
    pub fn check(&self) -> Outcome<()> {
        let mut faults = Faults::none();
        let mut need = |name: &str, value: f64, good: bool, expected: &str| {
            if !good {
                faults.push(Fault::new(&codes::BAD_AMOUNT, format!("calibration: {name}"), expected, value));
            }
        };
        let amount = |v: f64| v.is_finite() && v >= 0.0;
        need("cross_traffic", self.cross_traffic, (0.0..=1.0).contains(&self.cross_traffic), "between 0 and 1");
        let least = "a finite number of at least 0";
        for (name, value) in [
            ("tcp_window_bytes", self.tcp_window_bytes),
            ("combine_s_per_byte", self.combine_s_per_byte),
            ("loopback_latency_s", self.loopback_latency_s),
        ] {
            need(name, value, amount(value), least);
        }
        if let Sharing::Smpi { weight_s_bytes } = self.sharing {
            need("weight_s_bytes", weight_s_bytes, amount(weight_s_bytes), least);
        }
        let bandwidth = self.loopback_bandwidth_bytes_per_s;
        need("loopback_bandwidth_bytes_per_s", bandwidth, bandwidth > 0.0, "above 0");
        for (_, factor) in &self.latency_factors {
            need("latency_factors", *factor, amount(*factor), least);
        }
        for (_, factor) in &self.bandwidth_factors {
            need("bandwidth_factors", *factor, amount(*factor) && *factor > 0.0, "a finite number above 0");
        }
        for (_, fixed, each) in
            self.send_overhead.iter().chain(&self.nonblocking_send_overhead).chain(&self.receive_overhead)
        {
            need("overheads", *fixed, amount(*fixed), least);
            need("overheads", *each, amount(*each), least);
        }
        faults.or(())
    }
}
