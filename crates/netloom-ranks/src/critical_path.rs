//! The critical path of a simulated run: the chain of computation and messages that the last rank had to wait for, and
//! the parts of its time.
//!
//! It is found backwards. From the end of the last rank, computation and overhead lead to their own start. A wait leads
//! to the message that ended it, through its transfer and its latency, and from there to the side that was ready last.
//! Time that no message and no work explains is waiting: a transfer that both sides had requested but that had not
//! begun.
//!
//! The transfer of a message is cut into the time that it would have taken alone and the rest, which is contention. In
//! reality both are spread over the whole transfer; the segments show the time alone first.

use crate::trace::{Activity, Interval, MessageTrace, Trace};

/// No message.
const NONE: u32 = u32::MAX;

/// Times this close, as a share of the whole run, are one moment: rounding of sums of times, far below any latency.
const MOMENT: f64 = 1e-12;

/// Kind of a stretch of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    Compute,
    /// Combines what has arrived with its own.
    Combine,
    /// Copies in its memory.
    Copy,
    /// Enters a collective.
    Call,
    /// Time of a processor for a message, at the sender or the receiver.
    Overhead,
    /// Until the rank or the NIC may start another message.
    Gap,
    /// Handshake of a message that is not eager.
    Rendezvous,
    /// Latency that software adds to a message.
    Software,
    /// Latency of the route.
    Latency,
    /// The transfer, as long as it would have taken alone.
    Bandwidth,
    /// Added by sharing links with other transfers.
    Contention,
    /// A message was requested on both sides but had not begun, or the trace does not show the cause of the wait.
    Waiting,
}

impl Stretch {
    pub const ALL: [Stretch; 12] = [
        Stretch::Compute,
        Stretch::Combine,
        Stretch::Copy,
        Stretch::Call,
        Stretch::Overhead,
        Stretch::Gap,
        Stretch::Rendezvous,
        Stretch::Software,
        Stretch::Latency,
        Stretch::Bandwidth,
        Stretch::Contention,
        Stretch::Waiting,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stretch::Compute => "compute",
            Stretch::Combine => "combine",
            Stretch::Copy => "copy",
            Stretch::Call => "call",
            Stretch::Overhead => "overhead",
            Stretch::Gap => "gap",
            Stretch::Rendezvous => "rendezvous",
            Stretch::Software => "software",
            Stretch::Latency => "latency",
            Stretch::Bandwidth => "bandwidth",
            Stretch::Contention => "contention",
            Stretch::Waiting => "waiting",
        }
    }
}

/// One stretch of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The rank that computes, or waits for the message.
    pub rank: u32,
    /// `u32::MAX` if none.
    pub message: u32,
    pub kind: Stretch,
    pub start_s: f64,
    pub end_s: f64,
}

/// The parts of the run's time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CriticalPath {
    /// End of the last rank. Messages that no rank waits for do not count.
    pub total_s: f64,
    /// Without gaps from 0 to `total_s`.
    pub segments: Vec<Segment>,
}

impl CriticalPath {
    /// Seconds of `kind` on the path; over all kinds they sum to `total_s`, up to rounding.
    pub fn share_s(&self, kind: Stretch) -> f64 {
        // An empty sum of floats is -0.
        self.segments.iter().filter(|s| s.kind == kind).map(|s| s.end_s - s.start_s).sum::<f64>() + 0.0
    }
}

/// Critical path of `trace`; of several ranks that end last, the first. `alone_s(message)` is the time that the transfer
/// would take alone, without latency: bytes / least bandwidth of its route.
///
/// O(intervals + segments · log intervals).
pub fn critical_path(trace: &Trace, alone_s: &dyn Fn(u32) -> f64) -> CriticalPath {
    let mut last: Option<&Interval> = None;
    for interval in &trace.intervals {
        let later = last.is_none_or(|l| (interval.end_s, l.rank) > (l.end_s, interval.rank));
        if interval.rank < trace.ranks && later {
            last = Some(interval);
        }
    }
    let Some(last) = last else { return CriticalPath::default() };
    let rows = Rows::new(trace);
    let mut walk = Walk {
        trace,
        alone_s,
        left: rows.all(),
        rows,
        moment: MOMENT * last.end_s,
        rank: last.rank,
        at: last.end_s,
        segments: Vec::new(),
    };
    while walk.at > 0.0 {
        walk.step();
    }
    walk.segments.reverse();
    CriticalPath { total_s: last.end_s, segments: walk.segments }
}

/// The intervals of each rank in order of time.
struct Rows {
    offsets: Vec<usize>,
    order: Vec<u32>,
}

impl Rows {
    fn new(trace: &Trace) -> Rows {
        let ranks = trace.ranks as usize;
        let mut offsets = vec![0; ranks + 1];
        let known = |i: &Interval| (i.rank as usize) < ranks;
        for interval in trace.intervals.iter().filter(|i| known(i)) {
            offsets[interval.rank as usize + 1] += 1;
        }
        for r in 0..ranks {
            offsets[r + 1] += offsets[r];
        }
        let mut next = offsets.clone();
        let mut order = vec![0; offsets[ranks]];
        for (i, interval) in trace.intervals.iter().enumerate().filter(|(_, i)| known(i)) {
            order[next[interval.rank as usize]] = i as u32;
            next[interval.rank as usize] += 1;
        }
        Rows { offsets, order }
    }

    fn all(&self) -> Vec<usize> {
        self.offsets.windows(2).map(|w| w[1] - w[0]).collect()
    }

    fn of(&self, rank: u32) -> &[u32] {
        &self.order[self.offsets[rank as usize]..self.offsets[rank as usize + 1]]
    }
}

/// The backward walk: the path is known after time `at`, when it is on `rank`.
struct Walk<'a> {
    trace: &'a Trace,
    alone_s: &'a dyn Fn(u32) -> f64,
    rows: Rows,
    /// Per rank, the number of its first intervals not used yet: the walk ends even if times are equal.
    left: Vec<usize>,
    moment: f64,
    rank: u32,
    at: f64,
    /// Backwards.
    segments: Vec<Segment>,
}

impl Walk<'_> {
    /// Through one interval, and the message that ended it.
    fn step(&mut self) {
        let rank = self.rank as usize;
        let before = self.before(self.at).min(self.left[rank]);
        let Some(&found) = before.checked_sub(1).and_then(|i| self.rows.of(self.rank).get(i)) else {
            return self.back(Stretch::Waiting, NONE, 0.0);
        };
        self.left[rank] = before - 1;
        let interval = self.trace.intervals[found as usize];
        self.back(Stretch::Waiting, NONE, interval.end_s);
        match interval.activity {
            Activity::Compute => self.back(Stretch::Compute, NONE, interval.start_s),
            Activity::Call => self.back(Stretch::Call, NONE, interval.start_s),
            Activity::Combine => self.back(Stretch::Combine, NONE, interval.start_s),
            Activity::Copy => self.back(Stretch::Copy, NONE, interval.start_s),
            Activity::Overhead => self.back(Stretch::Overhead, interval.message, interval.start_s),
            Activity::WaitSend | Activity::WaitReceive | Activity::Wait => {
                match self.trace.messages.get(interval.message as usize) {
                    Some(&m) if m.finish_s > interval.start_s && m.finish_s <= self.at + self.moment => {
                        self.through(interval.message, m);
                    }
                    _ => self.back(Stretch::Waiting, NONE, interval.start_s),
                }
            }
        }
    }

    /// From the end of a wait through the message that ended it, to the side that was ready last.
    fn through(&mut self, number: u32, message: MessageTrace) {
        self.back(Stretch::Waiting, number, message.finish_s);
        let alone = (self.alone_s)(number);
        // Also for NaN.
        let alone = if alone > 0.0 { alone } else { 0.0 };
        self.back(Stretch::Contention, number, message.flow_s + alone);
        self.back(Stretch::Bandwidth, number, message.flow_s);
        self.back(Stretch::Latency, number, message.begun_s);
        self.back(Stretch::Software, number, message.begun_s - message.software_s);
        self.back(Stretch::Rendezvous, number, message.begun_s - message.software_s - message.handshake_s);
        self.back(Stretch::Gap, number, message.start_s);
        let sent = self.ready(message.src, message.posted_send_s);
        let received = self.ready(message.dst, message.posted_receive_s);
        let (rank, ready) = match (sent, received) {
            (Some(s), Some(r)) if r > s => (message.dst, r),
            (Some(s), _) => (message.src, s),
            (None, Some(r)) => (message.dst, r),
            (None, None) => return self.back(Stretch::Waiting, number, 0.0),
        };
        self.back(Stretch::Waiting, number, ready);
        self.rank = rank;
    }

    /// When a side that posted at `posted` finished its software part, if that was before the message began.
    fn ready(&self, rank: u32, posted: f64) -> Option<f64> {
        if rank >= self.trace.ranks || posted.is_nan() || posted > self.at + self.moment {
            return None;
        }
        let row = self.rows.of(rank);
        let holds = row.partition_point(|&i| self.trace.intervals[i as usize].end_s <= posted);
        let work = row.get(holds).map(|&i| self.trace.intervals[i as usize]);
        let done = match work {
            Some(i) if i.activity == Activity::Overhead && i.start_s <= posted + self.moment => i.end_s,
            _ => posted,
        };
        Some(done.min(self.at))
    }

    /// Number of intervals of the rank that begin before `at`.
    fn before(&self, at: f64) -> usize {
        self.rows.of(self.rank).partition_point(|&i| self.trace.intervals[i as usize].start_s < at)
    }

    /// Moves to `start_s`, if that is earlier, and records the kind.
    fn back(&mut self, kind: Stretch, message: u32, start_s: f64) {
        let start_s = start_s.max(0.0);
        if start_s < self.at {
            self.segments.push(Segment { rank: self.rank, message, kind, start_s, end_s: self.at });
            self.at = start_s;
        }
    }
}

#[cfg(test)]
mod tests;
