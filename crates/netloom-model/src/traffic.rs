//! Who sends how much to whom, without order: the weighted guest graph of mapping and of the hop metrics.

use crate::fault::{Fault, Outcome, codes};
use crate::program::Programs;

/// All messages from one rank to another, summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub src: u32,
    pub dst: u32,
    pub messages: u64,
    pub bytes: u64,
}

/// A flow that starts at a time of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    pub start_s: f64,
    pub flow: Flow,
}

/// Flows sorted by (src, dst), each pair once.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    pub label: String,
    pub ranks: u32,
    flows: Vec<Flow>,
    starts: Vec<Start>,
    /// Messages of ranks to themselves, and their bytes: no flow has them.
    pub own: (u64, u128),
    /// What a file says and is not in it, a sentence each.
    pub notes: Vec<String>,
    /// Extent of each axis and whether it is periodic, if the ranks form a Cartesian grid (row-major).
    pub grid: Option<(Vec<u32>, Vec<bool>)>,
}

/// Most flows that are held explicitly (24 bytes each).
pub const FLOW_LIMIT: u64 = 1 << 27;

impl Traffic {
    /// Sorts and merges. Flows from a rank to itself are counted and dropped: they use no link. O(flows log flows).
    pub fn new(label: impl Into<String>, ranks: u32, mut flows: Vec<Flow>) -> Traffic {
        let stays = flows.iter().filter(|f| f.src == f.dst);
        let own = stays.fold((0u64, 0u128), |(messages, bytes), f| {
            (messages.saturating_add(f.messages), bytes + u128::from(f.bytes))
        });
        flows.retain(|f| f.src != f.dst);
        flows.sort_unstable_by_key(|f| (f.src, f.dst));
        flows.dedup_by(|next, kept| {
            let same = (next.src, next.dst) == (kept.src, kept.dst);
            if same {
                kept.messages += next.messages;
                kept.bytes += next.bytes;
            }
            same
        });
        Traffic { label: label.into(), ranks, flows, starts: Vec::new(), own, notes: Vec::new(), grid: None }
    }

    /// Flows that each start at a time of their own, finite and at least 0. In order of time; what knows no time sees them
    /// as [`Traffic::new`] makes them. O(flows log flows).
    pub fn timed(label: impl Into<String>, ranks: u32, mut starts: Vec<Start>) -> Traffic {
        starts.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        let made = Traffic::new(label, ranks, starts.iter().map(|s| s.flow).collect());
        starts.retain(|s| s.flow.src != s.flow.dst);
        Traffic { starts, ..made }
    }

    /// Flows given by the user, as (source, destination, messages, bytes) rows.
    ///
    /// # Errors
    /// `NL-A007` naming the first row with a rank beyond `ranks`, or with messages or bytes below zero; `NL-A009` if there
    /// are more than 2^27 rows or a sum exceeds 2^63.
    pub fn from_rows(label: impl Into<String>, ranks: u32, rows: &[[i64; 4]]) -> Outcome<Traffic> {
        let label = label.into();
        if rows.len() as u64 > FLOW_LIMIT {
            return Err(
                Fault::say(&codes::TOO_LARGE, label, format!("{} flows exceed {FLOW_LIMIT}", rows.len())).into()
            );
        }
        let rank = |r: i64| u32::try_from(r).ok().filter(|&r| r < ranks);
        let mut flows = Vec::with_capacity(rows.len());
        let (mut messages, mut bytes) = (0i64, 0i64);
        for (at, &[src, dst, count, size]) in rows.iter().enumerate() {
            let place = format!("{label}[{at}]");
            let (Some(src), Some(dst)) = (rank(src), rank(dst)) else {
                let expected = format!("from and to a rank in 0..{ranks} (exclusive)");
                return Err(Fault::new(&codes::BAD_VALUE, place, expected, format!("{src} to {dst}")).into());
            };
            if count < 0 || size < 0 {
                let got = format!("{count} messages and {size} bytes");
                return Err(Fault::new(&codes::BAD_VALUE, place, "zero or more messages and bytes", got).into());
            }
            let sums = messages.checked_add(count).zip(bytes.checked_add(size));
            let Some(sums) = sums else {
                return Err(Fault::say(&codes::TOO_LARGE, place, "the sum over all flows exceeds 2^63").into());
            };
            (messages, bytes) = sums;
            flows.push(Flow { src, dst, messages: count as u64, bytes: size as u64 });
        }
        Ok(Traffic::new(label, ranks, flows))
    }

    /// The messages of programs, without order.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^27 different messages, or if a sum exceeds 2^63.
    pub fn of_programs(programs: &Programs) -> Outcome<Traffic> {
        let mut flows: Vec<Flow> = Vec::new();
        let (mut bytes, mut messages, mut fits) = (0u64, 0u64, true);
        programs.for_each_message(|src, dst, size, times| {
            let sums = size.checked_mul(times).and_then(|b| bytes.checked_add(b)).zip(messages.checked_add(times));
            match sums {
                Some((b, m)) if b < 1 << 63 && m < 1 << 63 && (flows.len() as u64) < FLOW_LIMIT => {
                    (bytes, messages) = (b, m);
                    flows.push(Flow { src, dst, messages: times, bytes: size * times });
                }
                _ => fits = false,
            }
        });
        if !fits {
            let sentence = format!("its messages exceed the {FLOW_LIMIT} that can be held as a list, or 2^63 bytes");
            return Err(Fault::say(&codes::TOO_LARGE, &programs.label, sentence).hint("use fewer ranks").into());
        }
        Ok(Traffic::new(programs.label.clone(), programs.ranks(), flows))
    }

    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }
    /// The flows with their times, in order of time; empty if all start together.
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }
    pub fn messages(&self) -> u64 {
        self.flows.iter().map(|f| f.messages).sum()
    }
    pub fn bytes(&self) -> u64 {
        self.flows.iter().map(|f| f.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_checked_and_merged() {
        let t = Traffic::from_rows("t", 3, &[[0, 1, 2, 8], [0, 1, 1, 4], [2, 2, 9, 9]]).unwrap();
        assert_eq!(t.flows(), [Flow { src: 0, dst: 1, messages: 3, bytes: 12 }]);
        for bad in [[0, 3, 1, 1], [-1, 0, 1, 1], [0, 1, -1, 1], [0, 1, 1, -1]] {
            assert!(Traffic::from_rows("t", 3, &[bad]).is_err());
        }
        assert!(Traffic::from_rows("t", 3, &[[0, 1, i64::MAX, 1], [0, 1, 1, 1]]).is_err());
    }
}
