//! Widths and speeds of InfiniBand links, and what they carry.

/// A speed: its name, the signalling rate of a lane that `iblinkinfo` prints, and the data that a lane carries, in Gb/s.
struct LaneSpeed {
    name: &'static str,
    signal_gbps: f64,
    data_gbps: f64,
}

/// Rates of a lane after encoding: 8b/10b up to QDR, 64b/66b from FDR10 to EDR; from HDR the nominal rate of the forward error
/// correction. Source: InfiniBand Trade Association, roadmap; InfiniBand Architecture Specification 1.5, volume 2.
const SPEEDS: &[LaneSpeed] = &[
    LaneSpeed { name: "SDR", signal_gbps: 2.5, data_gbps: 2.0 },
    LaneSpeed { name: "DDR", signal_gbps: 5.0, data_gbps: 4.0 },
    LaneSpeed { name: "QDR", signal_gbps: 10.0, data_gbps: 8.0 },
    LaneSpeed { name: "FDR10", signal_gbps: 10.3125, data_gbps: 10.0 },
    LaneSpeed { name: "FDR", signal_gbps: 14.0625, data_gbps: 14.0625 * 64.0 / 66.0 },
    LaneSpeed { name: "EDR", signal_gbps: 25.78125, data_gbps: 25.0 },
    LaneSpeed { name: "HDR", signal_gbps: 53.125, data_gbps: 50.0 },
    LaneSpeed { name: "NDR", signal_gbps: 106.25, data_gbps: 100.0 },
    LaneSpeed { name: "XDR", signal_gbps: 212.5, data_gbps: 200.0 },
];
const WIDTHS: &[u8] = &[1, 2, 4, 8, 12];

/// Lanes and the number of their speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate {
    lanes: u8,
    speed: u8,
}

impl Rate {
    /// `4x` and `EDR`, or `4X` and `25.78125`.
    pub fn of(width: &str, speed: &str) -> Option<Rate> {
        let lanes = width.strip_suffix(['x', 'X'])?.parse().ok().filter(|lanes| WIDTHS.contains(lanes))?;
        let named = |s: &LaneSpeed| s.name == speed;
        let signal: Option<f64> = speed.parse().ok();
        let speed = SPEEDS.iter().position(|s| named(s) || signal == Some(s.signal_gbps))?;
        Some(Rate { lanes, speed: speed as u8 })
    }

    /// `4xEDR`.
    pub fn parse(text: &str) -> Option<Rate> {
        let (width, speed) = text.split_at_checked(text.find(['x', 'X'])? + 1)?;
        Rate::of(width, speed)
    }

    /// The slowest rate of four lanes that has this bandwidth, else of any width, else the fastest of four lanes.
    pub fn at_least(bytes_per_s: f64) -> Rate {
        let all = |lanes: u8| (0..SPEEDS.len() as u8).map(move |speed| Rate { lanes, speed });
        let enough = |rate: &Rate| rate.bytes_per_s() >= bytes_per_s * (1.0 - 1e-9);
        let exact = WIDTHS.iter().flat_map(|w| all(*w)).find(|r| (r.bytes_per_s() / bytes_per_s - 1.0).abs() < 1e-9);
        let of_four = || all(4).find(enough);
        let fastest = Rate { lanes: 4, speed: SPEEDS.len() as u8 - 1 };
        all(4)
            .find(|r| (r.bytes_per_s() / bytes_per_s - 1.0).abs() < 1e-9)
            .or(exact)
            .or_else(of_four)
            .unwrap_or(fastest)
    }

    /// Data of one direction.
    pub fn bytes_per_s(self) -> f64 {
        f64::from(self.lanes) * SPEEDS[usize::from(self.speed)].data_gbps * 1e9 / 8.0
    }
    /// Whether it carries less: fewer lanes may carry more.
    pub fn is_below(self, other: Rate) -> bool {
        self.bytes_per_s() < other.bytes_per_s()
    }
    /// `4x EDR`, as `ibnetdiscover -p` writes it.
    pub fn name(self) -> String {
        format!("{}x {}", self.lanes, SPEEDS[usize::from(self.speed)].name)
    }
    /// `4xEDR`, as `ibnetdiscover` writes it.
    pub fn word(self) -> String {
        format!("{}x{}", self.lanes, SPEEDS[usize::from(self.speed)].name)
    }
}
