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
    /// Sorts and merges. Flows from a rank to itself are counted and dropped: they use no link. Those without messages and
    /// bytes are nothing. O(flows log flows).
    pub fn new(label: impl Into<String>, ranks: u32, mut flows: Vec<Flow>) -> Traffic {
        let stays = flows.iter().filter(|f| f.src == f.dst);
        let own = stays.fold((0u64, 0u128), |(messages, bytes), f| {
            (messages.saturating_add(f.messages), bytes + u128::from(f.bytes))
        });
        flows.retain(is_sent);
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
        starts.retain(|s| is_sent(&s.flow));
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

/// Whether a flow goes to another rank and is anything.
fn is_sent(flow: &Flow) -> bool {
    flow.src != flow.dst && (flow.messages, flow.bytes) != (0, 0)
}

/// In which order ranks send flows that all start together. The first partner of a rank is the next one after it, and
/// those before it come last, as in exchanges of MPI libraries. On a grid of ranks the same holds on every axis, so that
/// all ranks send in one direction after another. In the order of partners, all would send to the same few ranks at the
/// same time.
pub struct Turns {
    /// Places of flows by when they are sent, rank by rank; empty where ranks form no grid and each begins after itself.
    order: Vec<u32>,
}

impl Turns {
    /// O(flows log partners).
    pub fn of(traffic: &Traffic) -> Turns {
        let Some((extents, _)) = &traffic.grid else { return Turns { order: Vec::new() } };
        let flows = traffic.flows();
        let mut order: Vec<u32> = (0..flows.len() as u32).collect();
        order.sort_by_cached_key(|&at| (flows[at as usize].src, apart(&flows[at as usize], extents)));
        Turns { order }
    }

    /// Place of the flow that a rank sends as its number `at`. `first`: place of the first of its flows, `own`: all.
    pub fn place(&self, first: usize, own: &[Flow], at: usize) -> usize {
        match self.order.get(first + at) {
            Some(place) => *place as usize,
            None => first + (own.partition_point(|flow| flow.dst < flow.src) + at) % own.len(),
        }
    }

    /// All flows, rank by rank.
    pub fn flows<'a>(&'a self, traffic: &'a Traffic) -> impl Iterator<Item = &'a Flow> {
        let flows = traffic.flows();
        let mut first = 0;
        flows.chunk_by(|a, b| a.src == b.src).flat_map(move |own| {
            let begin = first;
            first += own.len();
            (0..own.len()).map(move |at| &flows[self.place(begin, own, at)])
        })
    }
}

/// How far apart the ends of a flow are, upwards around every axis, as the number of a point of the grid.
fn apart(flow: &Flow, extents: &[u32]) -> u64 {
    let (mut src, mut dst, mut found, mut size) = (flow.src, flow.dst, 0u64, 1u64);
    for &extent in extents.iter().rev() {
        let along = (dst % extent + extent - src % extent) % extent;
        found += u64::from(along) * size;
        (src, dst, size) = (src / extent, dst / extent, size * u64::from(extent));
    }
    found
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

    fn sent(traffic: &Traffic) -> Vec<(u32, u32)> {
        Turns::of(traffic).flows(traffic).map(|flow| (flow.src, flow.dst)).collect()
    }

    #[test]
    fn a_rank_begins_after_itself() {
        let flow = |(src, dst)| Flow { src, dst, messages: 1, bytes: 1 };
        let pairs = [(0, 1), (0, 3), (2, 0), (2, 1), (2, 3), (3, 1)];
        let mut traffic = Traffic::new("some", 4, pairs.map(flow).to_vec());
        assert_eq!(sent(&traffic), [(0, 1), (0, 3), (2, 3), (2, 0), (2, 1), (3, 1)]);
        let lines = [(0, 1), (0, 2), (3, 1), (3, 2), (1, 0), (1, 3), (2, 3), (2, 0)];
        traffic = Traffic::new("square", 4, lines.map(flow).to_vec());
        traffic.grid = Some((vec![2, 2], vec![false; 2]));
        assert_eq!(sent(&traffic), [(0, 1), (0, 2), (1, 0), (1, 3), (2, 3), (2, 0), (3, 2), (3, 1)]);
    }
}
