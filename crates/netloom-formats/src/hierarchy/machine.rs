//! What is read of a machine.

use netloom_model::{CodeRow, Fault, Faults};

/// Levels below a node that a node description has, outermost first.
pub const NAMES: [&str; 4] = ["sockets", "numa", "caches", "cores"];

/// Units of each of [`NAMES`] in each unit around it: one number for all, or one for each of them in order.
pub type Counts = [Vec<u32>; 4];

/// A machine whose nodes are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// Nodes, if the text counts them.
    pub nodes: Option<u32>,
    /// 1 for a level that tells nothing apart.
    pub counts: Counts,
    /// True if the innermost level is of GPUs and not of cores.
    pub gpus: bool,
    /// Bytes per second of the link of one unit of the innermost level, if the text tells.
    pub speed_bytes_per_s: Option<f64>,
    /// Direct links between units of the innermost level, as a node's `links`; empty without any.
    pub links: String,
    /// What the operating system calls the first CPU of each core that may be used, in the order of the cores; empty if the
    /// text does not tell.
    pub cpus: Vec<u32>,
    /// CPUs that may be used, those of one core included, and those that are there and may not: offline, or not allowed.
    pub usable: Vec<u32>,
    pub closed: Vec<u32>,
    /// Network devices for messages, if the text lists devices.
    pub nics: u32,
    /// Parts of the text that the levels do not hold; one sentence each.
    pub notes: Vec<String>,
}

/// Units of the innermost level.
fn seats(counts: &Counts) -> u64 {
    let inside = |units: u64, own: &Vec<u32>| match own[..] {
        [one] => units.saturating_mul(u64::from(one)),
        _ => own.iter().map(|n| u64::from(*n)).sum(),
    };
    counts.iter().fold(1, inside)
}

/// Counts that are the same everywhere.
pub fn even(counts: [u32; 4]) -> Counts {
    counts.map(|n| vec![n])
}

/// Most units of a machine.
pub const LIMIT: u64 = 1 << 20;

impl Hierarchy {
    /// Counts alone.
    pub fn of(nodes: Option<u32>, counts: Counts) -> Hierarchy {
        let (links, cpus, usable, closed, notes) = Default::default();
        Hierarchy { nodes, counts, gpus: false, speed_bytes_per_s: None, links, cpus, usable, closed, nics: 1, notes }
    }

    /// Units of the innermost level.
    pub fn seats(&self) -> u64 {
        seats(&self.counts)
    }
}

/// "`place`: `sentence`".
pub fn refuse(row: &CodeRow, place: &str, sentence: impl Into<String>, hint: &str) -> Faults {
    Fault::say(row, place, sentence).hint(hint).into()
}
