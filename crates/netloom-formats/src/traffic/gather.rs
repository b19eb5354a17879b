//! What the readers and writers of traffic share: flows as they are found, numbers as they are written, limits.

use netloom_model::traffic::{Flow, Start};
use netloom_model::{Fault, Outcome, Traffic};

use crate::codes;
use crate::limits::{MAX_BYTES, MAX_FLOWS, MAX_RANKS};
use crate::noted::Noted;
use crate::sink::{Sink, Spot};

/// A square matrix of bytes, row to column; 0 is no message.
pub(super) const MATRIX: &str =
    "Entry (i, j) is bytes from rank i to rank j in one message; 0 means no message. Whole numbers only.";

/// Flows as found in a file.
pub(super) struct Gather<'p> {
    flows: Vec<Flow>,
    /// Start of each flow in seconds, if the file has times.
    starts: Vec<f64>,
    pub noted: Noted,
    messages: u64,
    bytes: u64,
    /// The highest named rank plus one.
    ranks: u32,
    pub sink: Sink<'p>,
    full: bool,
}

impl<'p> Gather<'p> {
    pub fn new(place: &'p str) -> Self {
        let (flows, starts) = (Vec::new(), Vec::new());
        Gather {
            flows,
            starts,
            noted: Noted::new("traffic"),
            messages: 0,
            bytes: 0,
            ranks: 0,
            sink: Sink::new(place),
            full: false,
        }
    }

    /// Sets the number of ranks given by the file.
    pub fn at_least(&mut self, ranks: u32) {
        self.ranks = self.ranks.max(ranks);
    }

    /// Number of flows so far.
    pub fn flows(&self) -> usize {
        self.flows.len()
    }

    /// True if the rest of the file can be skipped.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// `messages` messages of `bytes` bytes together. Ranks are below 2^24.
    pub fn push(&mut self, src: u32, dst: u32, messages: u64, bytes: u64, spot: Spot) {
        if self.full {
            return;
        }
        let sums = self.messages.checked_add(messages).zip(self.bytes.checked_add(bytes));
        let trouble = match sums {
            _ if self.flows.len() as u64 >= MAX_FLOWS => format!("more than {MAX_FLOWS} messages"),
            Some((m, b)) if m < 1 << 63 && b < 1 << 63 => {
                (self.messages, self.bytes) = (m, b);
                self.at_least(src.max(dst) + 1);
                self.flows.push(Flow { src, dst, messages, bytes });
                return;
            }
            _ => "all bytes or messages together exceed 2^63".into(),
        };
        self.full = true;
        self.sink.say(&codes::TOO_LARGE, spot, trouble, "cut the file to the part that is needed");
    }

    /// The flow pushed last starts at this time.
    pub fn starts_at(&mut self, seconds: f64) {
        self.starts.resize(self.flows.len(), seconds);
    }

    /// # Errors
    /// `NL-F004` if the file names no rank, and earlier faults.
    pub fn finish(mut self) -> Outcome<Traffic> {
        if self.ranks == 0 && self.sink.is_empty() {
            self.sink.say(&codes::NOTHING, Spot::Whole, "the file names no rank", "check that the file is complete");
        }
        if !self.sink.is_empty() {
            return Err(self.sink.fail());
        }
        let mut notes = self.noted.into_notes();
        let mut traffic = if self.starts.is_empty() {
            Traffic::new(self.sink.place(), self.ranks, self.flows)
        } else {
            let starts = self.flows.into_iter().zip(self.starts).map(|(flow, start_s)| Start { start_s, flow });
            Traffic::timed(self.sink.place(), self.ranks, starts.collect())
        };
        if !traffic.starts().is_empty() {
            let count = traffic.starts().len();
            notes.push(format!(
                "{count} flows start at times of their own in simulated time; hops, loads and bounds know no time and take \
                 them together"
            ));
        }
        traffic.notes = notes;
        Ok(traffic)
    }
}

/// A whole number from 0 to below 2^63, written as an integer, or up to 2^53 as a real: `4096`, `4096.0`, `4.096e3`.
pub(super) fn whole(text: &str) -> Option<u64> {
    match text.parse::<u64>() {
        Ok(number) => Some(number).filter(|n| *n < 1 << 63),
        Err(_) => text.parse::<f64>().ok().and_then(whole_real),
    }
}

pub(super) fn whole_real(number: f64) -> Option<u64> {
    let fits = (0.0..=(1u64 << 53) as f64).contains(&number) && number.fract() == 0.0;
    fits.then_some(number as u64)
}

/// A rank counted from `base`.
pub(super) fn rank(text: &str, base: u32) -> Option<u32> {
    text.parse::<u32>().ok()?.checked_sub(base).filter(|r| u64::from(*r) < MAX_RANKS)
}

pub(super) const WHOLE: &str = "whole numbers of bytes, zero or more";
pub(super) const RANKS: &str = "ranks from 0 to below 2^24";

/// Refuses traffic that a matrix of bytes cannot express.
///
/// # Errors
/// `NL-F018` for messages of zero bytes, and for flows with times of their own.
pub(super) fn only_bytes(traffic: &Traffic, format: &str) -> Outcome<()> {
    if !traffic.starts().is_empty() {
        let sentence = format!("{} flows start at times of their own", traffic.starts().len());
        return Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint("write traffic-csv").into());
    }
    match traffic.flows().iter().find(|f| f.bytes == 0) {
        None => Ok(()),
        Some(flow) => {
            let sentence = format!("messages of no bytes from {} to {} have no entry in a matrix", flow.src, flow.dst);
            Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint("write traffic-csv").into())
        }
    }
}

/// Refuses files that could not be read again.
///
/// # Errors
/// `NL-F001`.
pub(super) fn fits(bytes: u128, format: &str) -> Outcome<()> {
    if bytes <= MAX_BYTES as u128 {
        return Ok(());
    }
    let sentence = format!("{bytes} bytes exceed the {} MiB that are read", MAX_BYTES >> 20);
    Err(Fault::say(&codes::TOO_LARGE, format, sentence).hint("write traffic-csv or matrix-market").into())
}
