//! How flows share a link: the weight and the cap of a flow, from its route.

use std::str::FromStr;

/// How flows share a full link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sharing {
    /// Equal rates: plain max-min fairness.
    Equal,
    /// Weight 1 / latency of the route: as in SimGrid's CM02, after TCP's bias against long round trips. A route
    /// without latency has weight 1.
    Rtt,
    /// Weight 1 / (latency + `weight_s_bytes` · Σ 1/bandwidth): SimGrid's SMPI and LV08 models.
    Smpi { weight_s_bytes: f64 },
}

/// `network/weight-S` of SimGrid's SMPI model, bytes.
pub const SMPI_WEIGHT_S_BYTES: f64 = 8775.0;
/// `network/TCP-gamma` of SimGrid: the largest TCP window, bytes.
pub const SMPI_TCP_WINDOW_BYTES: f64 = 4_194_304.0;
/// Share of a flow's rate that its acknowledgements use in the reverse direction (SimGrid's `network/crosstraffic`).
pub const SMPI_CROSS_TRAFFIC: f64 = 0.05;

impl Sharing {
    /// Names for the user.
    pub const NAMES: [&'static str; 3] = ["equal", "rtt", "smpi"];

    /// Weight of a flow over a route with this latency and this sum of 1/bandwidth.
    pub fn weight(self, latency_s: f64, inverse_bandwidth: f64) -> f64 {
        let penalty = match self {
            Sharing::Equal => 1.0,
            Sharing::Rtt => latency_s,
            Sharing::Smpi { weight_s_bytes } => latency_s + weight_s_bytes * inverse_bandwidth,
        };
        if penalty > 0.0 { 1.0 / penalty } else { 1.0 }
    }
}

impl FromStr for Sharing {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "equal" => Ok(Sharing::Equal),
            "rtt" => Ok(Sharing::Rtt),
            "smpi" => Ok(Sharing::Smpi { weight_s_bytes: SMPI_WEIGHT_S_BYTES }),
            _ => Err(()),
        }
    }
}

/// Rate that a TCP window allows over a round trip of twice the latency; unbounded without window or latency.
pub fn window_cap(window_bytes: f64, latency_s: f64) -> f64 {
    if window_bytes > 0.0 && latency_s > 0.0 { window_bytes / (2.0 * latency_s) } else { f64::INFINITY }
}
