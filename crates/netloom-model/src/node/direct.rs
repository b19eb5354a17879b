//! Direct links between the seats of a node, such as NVLinks from GPU to GPU.

use super::{InnerLink, wrong};
use crate::fault::{Fault, Faults, Outcome, codes};
use crate::units::Quantity;

/// Most pairs of seats that a node joins.
const MOST: usize = 1 << 16;
const EXPECTED: &str = "pairs of seats and the bandwidth each way, such as \"0-1,0-2:400 Gbps; 1>2:200 Gbps\"";

/// Two seats with a link of their own. Either way has its own bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direct {
    /// The lower seat first.
    pub seats: (u32, u32),
    /// From the lower to the higher seat, and back; none where messages take the levels.
    pub bytes_per_s: [Option<f64>; 2],
    pub latency_s: f64,
}

impl Direct {
    /// From the lower to the higher seat, or `back`. A way that no message takes is as the other one.
    pub(super) fn way(&self, back: bool) -> InnerLink {
        let [there, and_back] = self.bytes_per_s;
        let bandwidth = if back { and_back.or(there) } else { there.or(and_back) };
        InnerLink { bandwidth_bytes_per_s: bandwidth.unwrap_or(f64::INFINITY), latency_s: self.latency_s }
    }
}

/// Links in order of their seats.
pub(super) fn check(links: &[Direct], seats: u32) -> Outcome<()> {
    let mut faults = Faults::none();
    let mut refuse = |expected: &str, got: String| faults.push(wrong("links", "", expected, got));
    if links.len() > MOST {
        return Err(Fault::say(&codes::TOO_LARGE, "node.links", format!("has more than {MOST} pairs of seats")).into());
    }
    for Direct { seats: (a, b), bytes_per_s, latency_s } in links {
        if a >= b || *b >= seats {
            let expected = format!("links between two of the seats 0 to {}", seats - 1);
            refuse(&expected, format!("{a}-{b}"));
        }
        if bytes_per_s.iter().flatten().any(|bandwidth| bandwidth.is_nan() || *bandwidth <= 0.0) {
            refuse("bandwidths above 0", format!("0 for {a}-{b}"));
        }
        if !latency_s.is_finite() || *latency_s < 0.0 {
            refuse("links with a latency >= 0", format!("{latency_s} for {a}-{b}"));
        }
    }
    for pair in links.windows(2).filter(|pair| pair[0].seats == pair[1].seats) {
        let (a, b) = pair[0].seats;
        refuse("one bandwidth for each pair of seats", format!("two for {a}-{b}"));
    }
    faults.or(())
}

/// Reads `0-1,2-3:640 Gbps; 0>2:320 Gbps`: pairs of seats with a bandwidth. `-` is both ways, `>` is one. O(text log text).
///
/// # Errors
/// `NL-A007` for other text and for a way that is given twice; `NL-A008` for a bandwidth without a known unit.
pub(super) fn parse(text: &str, latency_s: f64) -> Outcome<Vec<Direct>> {
    let mut ways: Vec<((u32, u32), f64)> = Vec::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (pairs, bandwidth) = part.split_once(':').ok_or_else(|| bad(part))?;
        let bandwidth = Quantity::BytesPerSecond.parse("node.links", bandwidth.trim())?;
        for pair in pairs.split(',').map(str::trim) {
            let one_way = pair.contains('>');
            let (a, b) = pair.split_once(if one_way { '>' } else { '-' }).ok_or_else(|| bad(pair))?;
            let seat = |word: &str| {
                let digits = word.trim();
                let all = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                digits.parse::<u32>().ok().filter(|_| all).ok_or_else(|| bad(pair))
            };
            let (a, b) = (seat(a)?, seat(b)?);
            if a == b {
                return Err(wrong("links", "", "links between two different seats", pair.to_string()).into());
            }
            ways.push(((a, b), bandwidth));
            ways.extend((!one_way).then_some(((b, a), bandwidth)));
        }
        if ways.len() > 2 * MOST {
            let sentence = format!("has more than {MOST} pairs of seats");
            return Err(Fault::say(&codes::TOO_LARGE, "node.links", sentence).into());
        }
    }
    ways.sort_by_key(|way| way.0);
    if let Some(twice) = ways.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let (a, b) = twice[0].0;
        return Err(wrong("links", "", "one bandwidth from a seat to another", format!("two from {a} to {b}")).into());
    }
    ways.sort_by_key(|((a, b), _)| (*a.min(b), *a.max(b), a > b));
    let mut made: Vec<Direct> = Vec::new();
    for ((a, b), bandwidth) in ways {
        let seats = (a.min(b), a.max(b));
        if made.last().is_none_or(|last| last.seats != seats) {
            made.push(Direct { seats, bytes_per_s: [None; 2], latency_s });
        }
        if let Some(last) = made.last_mut() {
            last.bytes_per_s[usize::from(a > b)] = Some(bandwidth);
        }
    }
    Ok(made)
}

fn bad(got: &str) -> Faults {
    let got: String = got.chars().take(60).collect();
    wrong("links", "", EXPECTED, format!("\"{got}\"")).into()
}
