//! A record in another size: longer messages, faster ranks, a part of its time.

use netloom_model::{Fault, Op, Outcome};

use super::event::Event;
use super::region::Region;
use crate::codes;

/// As a last rank: that of the record.
const EVERY: u32 = u32::MAX;

/// Factors on what a record says, and the part of it that is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// On the time and the operations of ranks `first..=last`; of others it is 1.
    pub compute: Vec<(u32, u32, f64)>,
    /// On the bytes of messages and collectives; whole bytes are left.
    pub bytes: f64,
    /// What is taken of it.
    pub region: Region,
}

impl Default for Scale {
    fn default() -> Scale {
        Scale { compute: Vec::new(), bytes: 1.0, region: Region::default() }
    }
}

impl Scale {
    /// # Errors
    /// `NL-F009` for a factor that is no number of 0 to 10^6, and for ranks that are not there.
    pub fn check(&self, ranks: u32, place: &str) -> Outcome<()> {
        let fits = |factor: f64| (0.0..=1e6).contains(&factor);
        let factors = self.compute.iter().map(|(_, _, factor)| *factor).chain([self.bytes]);
        let wrong =
            factors.into_iter().find(|factor| !fits(*factor)).map(|factor| ("factors of 0 to 1e6", factor.to_string()));
        let within = |last: u32| last < ranks || last == EVERY;
        let outside = self.compute.iter().find(|(first, last, _)| first > last || *first >= ranks || !within(*last));
        let outside = outside.map(|(first, last, _)| ("ranks of the trace", format!("{first}-{last}")));
        match wrong.or(outside) {
            Some((expected, got)) => Err(Fault::new(&codes::VALUE, place, expected, got).into()),
            None => Ok(()),
        }
    }

    fn of_rank(&self, rank: u32) -> f64 {
        // The last one that names it counts.
        let own = self.compute.iter().rev().find(|(first, last, _)| (*first..=*last).contains(&rank));
        own.map_or(1.0, |(_, _, factor)| *factor)
    }

    pub fn size(&self, bytes: u64) -> u64 {
        if self.bytes == 1.0 { bytes } else { (bytes as f64 * self.bytes).round() as u64 }
    }

    /// The event with its messages in their new size.
    pub fn event(&self, mut event: Event) -> Event {
        if self.bytes == 1.0 {
            return event;
        }
        let all = |counts: &mut Vec<u64>| counts.iter_mut().for_each(|bytes| *bytes = self.size(*bytes));
        match &mut event {
            Event::Send { bytes, .. } | Event::Receive { bytes, .. } | Event::Collective { bytes, .. } => {
                *bytes = self.size(*bytes);
            }
            Event::Exchange { sent, received, .. } => {
                (*sent, *received) = (self.size(*sent), self.size(*received));
            }
            Event::Alltoallv { sent, received } => [sent, received].into_iter().for_each(all),
            Event::Allgatherv(counts) | Event::ReduceScatterv { counts, .. } => all(counts),
            Event::Gatherv { own, counts, .. } | Event::Scatterv { own, counts, .. } => {
                *own = self.size(*own);
                all(counts);
            }
            Event::Apart { event, .. } => {
                let own = std::mem::replace(&mut **event, Event::Nothing);
                **event = self.event(own);
            }
            _ => {}
        }
        event
    }

    /// The actions of a rank with its computation scaled.
    pub fn compute(&self, rank: u32, ops: &mut [Op]) {
        let factor = self.of_rank(rank);
        if factor == 1.0 {
            return;
        }
        for op in ops {
            match op {
                Op::Compute { flops: amount } | Op::Sleep { seconds: amount } => *amount *= factor,
                _ => {}
            }
        }
    }
}
