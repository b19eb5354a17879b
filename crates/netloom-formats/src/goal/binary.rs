//! GOAL in binary: a number that marks it, ranks, largest cpu and NIC, where each rank's part begins and ends, then of
//! each rank its operations of 39 bytes and the operations that depend on each.

use std::borrow::Cow;

use netloom_model::{Bound, Fault, Outcome};

use super::{Dependency, Kind, Operation, Operations, programs};
use crate::codes;
use crate::limits::MAX_BYTES;
use crate::recorded::{MAX_RANKS, Recorded, Replay};
use crate::sink::Spot;

/// The first eight bytes.
pub const MAGIC: u64 = 4223;
/// Bytes before the table of parts.
pub const HEADER: usize = 8 + 4 + 2;
/// Bytes of an operation.
pub const OPERATION: usize = 39;
pub const SEND: u8 = 1;
pub const RECEIVE: u8 = 2;
pub const CALC: u8 = 3;

/// Programs of a schedule in binary. O(bytes) time; one rank is held at a time.
///
/// # Errors
/// `NL-F003` where it is cut or points outside of itself, `NL-F001` beyond 2^20 ranks, those of the operations.
pub fn read(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Recorded> {
    let mut whole = Bytes { bytes, at: 8, base: 0, place };
    let ranks = whole.u32()?;
    if ranks > MAX_RANKS {
        return Err(Fault::say(&codes::TOO_LARGE, place, format!("{ranks} ranks exceed {MAX_RANKS}")).into());
    }
    let table = replay.others.part(bytes, HEADER as u64, 16 * u64::from(ranks))?;
    let table = Bytes { bytes: &table, at: 0, base: HEADER as u64, place };
    let part = |rank: u32| {
        let mut own = Bytes { at: 16 * rank as usize, ..table };
        let (begin, end) = (own.u64()?, own.u64()?);
        // Places are counted from behind the mark.
        let place_of = |at: u64| at.checked_add(8).filter(|at| *at <= i64::MAX as u64);
        let (Some(begin), Some(end)) = (place_of(begin), place_of(end)) else {
            return Err(whole.cut("the part of a rank"));
        };
        let length = end.saturating_sub(begin);
        if length > MAX_BYTES as u64 {
            let sentence = format!("the {length} bytes of rank {rank} exceed {} MiB", MAX_BYTES >> 20);
            return Err(Fault::say(&codes::TOO_LARGE, place, sentence).hint("cut the schedule").into());
        }
        let part = replay.others.part(bytes, begin, length)?;
        if (part.len() as u64) < length {
            return Err(Bytes { bytes: &part, at: part.len(), base: begin, place }.cut("the part of a rank"));
        }
        Bytes { bytes: &part, at: 0, base: begin, place }.operations(rank, ranks).map(Cow::Owned)
    };
    programs(ranks, place, part, replay)
}

/// Bytes that are read one after another.
#[derive(Clone, Copy)]
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where they stand in the file.
    base: u64,
    place: &'a str,
}

impl Bytes<'_> {
    fn cut(&self, what: &str) -> netloom_model::Faults {
        let at = self.base.saturating_add(self.at.min(self.bytes.len()) as u64);
        let sentence = format!("is cut at byte {at}, in {what}");
        Fault::say(&codes::SYNTAX, self.place, sentence).hint("make it again with txt2bin").into()
    }

    fn take<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        match found {
            Some(found) => {
                self.at += N;
                Ok(*found)
            }
            None => Err(self.cut("a number")),
        }
    }

    fn u8(&mut self) -> Outcome<u8> {
        self.take::<1>().map(|[one]| one)
    }
    fn u32(&mut self) -> Outcome<u32> {
        self.take().map(u32::from_le_bytes)
    }
    fn u64(&mut self) -> Outcome<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn skip(&mut self, bytes: usize) -> Outcome<()> {
        self.at = self.at.saturating_add(bytes);
        if self.at <= self.bytes.len() { Ok(()) } else { Err(self.cut("a list")) }
    }

    fn operations(mut self, rank: u32, ranks: u32) -> Outcome<Operations> {
        let (count, free) = (self.u32()?, self.u32()?);
        self.skip(4 * free as usize)?;
        if u64::from(count) * OPERATION as u64 > self.bytes.len() as u64 {
            return Err(self.cut("the operations of a rank"));
        }
        let mut made = Operations::default();
        // Of each operation, the lists of those that start after its end, and after its start.
        let mut lists = Vec::with_capacity(count as usize);
        for number in 0..count {
            self.skip(4)?;
            let (kind, peer, size) = (self.u8()?, self.u32()?, self.u64()?);
            let (tag, cpu, nic) = (self.u32()?, self.u8()?, self.u8()?);
            lists.push([(self.u32()?, self.u32()?), (self.u32()?, self.u32()?)]);
            let any = |value: u32| (value != u32::MAX).then_some(value);
            let kind = match kind {
                CALC => Kind::Calc { ns: size },
                SEND => Kind::Send { to: peer, tag, bytes: size },
                RECEIVE => Kind::Receive { from: any(peer), tag: any(tag), bytes: size },
                other => return Err(self.wrong(rank, number, "an operation that is 1, 2 or 3", other.into())),
            };
            let peer = match kind {
                Kind::Send { to, .. } => Some(to),
                Kind::Receive { from, .. } => from,
                Kind::Calc { .. } => None,
            };
            if peer.is_some_and(|peer| peer >= ranks) || (size > i64::MAX as u64 && !matches!(kind, Kind::Calc { .. }))
            {
                let expected = format!("a message of below 2^63 bytes with a rank in 0..{ranks} (exclusive)");
                return Err(self.wrong(rank, number, &expected, peer.unwrap_or(0)));
            }
            made.all.push(Operation { kind, cpu, nic, spot: Spot::Item("operations", number as usize) });
        }
        let first = self.at;
        let length = (self.bytes.len() - first) as u64 / 4;
        for (earlier, both) in (0u32..).zip(lists) {
            for (at, (count, from)) in both.into_iter().enumerate() {
                if count > 0 && u64::from(count) + u64::from(from) > length {
                    return Err(self.cut("the list of dependencies"));
                }
                self.at = first + 4 * from as usize;
                for _ in 0..count {
                    let later = self.u32()?;
                    if later as usize >= made.all.len() {
                        return Err(self.wrong(rank, earlier, "dependencies on operations of the rank", later));
                    }
                    made.dependencies.push(Dependency { earlier, later, on_start: at == 1 });
                }
            }
        }
        Ok(made)
    }

    fn wrong(&self, rank: u32, number: u32, expected: &str, got: u32) -> netloom_model::Faults {
        let place = format!("{}: rank {rank}, operation {number}", self.place);
        Fault::new(&codes::VALUE, place, expected, got).hint("make it again with txt2bin").into()
    }
}
