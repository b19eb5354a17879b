//! DUMPI's binary files, one a rank: calls one after another, most significant byte first, and at the end an index of the
//! parts: among them the sizes of datatypes.

use netloom_model::{Fault, Outcome};

use super::call::{Call, Status};
use super::layout::{Argument, Functions, Shape};
use crate::codes;

/// The first eight bytes, and those before the index.
pub const MAGIC: &[u8; 8] = b"\xff\xaa\xddDUMPI";
/// The number that ends the calls.
const END: u16 = 293;
/// Bits of the mask of a call.
const STATUSES: u8 = 3;
const CPU_TIME: u8 = 4;
const WALL_TIME: u8 = 8;
const THREAD: u8 = 0x40;
const COUNTERS: u8 = 0x80;
const NS: i64 = 1_000_000_000;
/// Seconds are counted in 16 bits and begin again.
const TURN_S: i64 = 1 << 16;

/// A file whose index was read.
pub struct BinaryFile<'a> {
    place: &'a str,
    bytes: &'a [u8],
    body: usize,
    version: [u8; 3],
    /// Bytes of a datatype, by number.
    pub sizes: Vec<u64>,
}

impl<'a> BinaryFile<'a> {
    /// # Errors
    /// `NL-F003` without its index, or where that points outside of the file.
    pub fn open(bytes: &'a [u8], place: &'a str) -> Outcome<BinaryFile<'a>> {
        // Its parts were added one after another: sizes, addresses, counters, then header, body, footer, keyvals.
        let words = (5..=8).rev().find(|words| {
            let from = bytes.len().checked_sub(8 * words);
            from.and_then(|from| bytes.get(from..from + 8)) == Some(MAGIC)
        });
        let Some(words) = words.filter(|_| bytes.starts_with(MAGIC)) else {
            return Err(Fault::say(&codes::SYNTAX, place, "is cut: the index at its end is missing")
                .hint("copy the file again, or let the program reach MPI_Finalize")
                .into());
        };
        let mut index = CallBytes { bytes, at: bytes.len() - 8 * (words - 1), place };
        let mut parts = [0; 7];
        for part in parts.iter_mut().skip(8 - words) {
            *part = usize::try_from(index.u64()?).unwrap_or(usize::MAX);
        }
        let [sizes, _, _, header, body, ..] = parts;
        let mut head = CallBytes { bytes, at: header, place };
        let version = if header > 0 { [head.u8()?, head.u8()?, head.u8()?] } else { [0; 3] };
        let mut made = BinaryFile { place, bytes, body, version, sizes: Vec::new() };
        if sizes > 0 {
            let mut at = CallBytes { bytes, at: sizes, place };
            let count = at.count(4)?;
            made.sizes = (0..count).map(|_| at.i32().map(|size| size.max(0) as u64)).collect::<Outcome<_>>()?;
        }
        Ok(made)
    }

    /// Calls `visit` with each call.
    ///
    /// # Errors
    /// `NL-F003` where it is cut, `NL-F013` for a function whose arguments are not known, those of `visit`.
    pub fn for_each(&self, functions: &Functions, mut visit: impl FnMut(&Call) -> Outcome<()>) -> Outcome<()> {
        let mut bytes = CallBytes { bytes: self.bytes, at: self.body, place: self.place };
        let mut clocks = [Clock::new(bytes.i32()?), Clock::new(bytes.i32()?)];
        let mut call = Call::default();
        for at in 0.. {
            let number = bytes.u16()?;
            if number == END {
                break;
            }
            let known = functions.numbered(number);
            let Some((name, arguments)) = known.and_then(|one| Some((one.name, one.arguments.as_ref()?))) else {
                let sentence = match known {
                    Some(known) => format!("call {at} is MPI_{}, whose arguments are not read", known.name),
                    None => format!("call {at} has the unknown number {number}"),
                };
                return Err(Fault::say(&codes::UNSUPPORTED, self.place, sentence).into());
            };
            call.start(name, at);
            let mask = bytes.u8()?;
            if mask & THREAD != 0 {
                call.thread = bytes.u16()?;
            }
            for (bit, clock) in [CPU_TIME, WALL_TIME].into_iter().zip(&mut clocks) {
                if mask & bit != 0 {
                    call.time = Some((clock.read(&mut bytes)?, clock.read(&mut bytes)?));
                }
            }
            if mask & COUNTERS != 0 {
                let counters = bytes.u8()?;
                bytes.skip(16 * usize::from(counters))?;
            }
            for argument in arguments {
                if !argument.at_root || call.is_root() {
                    self.argument(argument, mask, &mut bytes, &mut call)?;
                }
            }
            visit(&call)?;
        }
        Ok(())
    }

    fn argument(&self, argument: &Argument, mask: u8, bytes: &mut CallBytes<'_>, call: &mut Call) -> Outcome<()> {
        let name = argument.name;
        match argument.shape {
            Shape::Byte => call.put(name, [bytes.u8()?.into()]),
            Shape::Short => call.put(name, [bytes.u16()?.into()]),
            Shape::Int => call.put(name, [bytes.i32()?.into()]),
            Shape::Long => bytes.skip(8)?,
            Shape::Bytes => {
                let count = bytes.count(1)?;
                bytes.skip(count)?;
            }
            Shape::Shorts => {
                let count = bytes.count(2)?;
                call.put(name, []);
                for _ in 0..count {
                    call.put_more([bytes.u16()?.into()]);
                }
            }
            Shape::SinceMinor(minor) if !self.has_version(minor) => call.put(name, [bytes.i32()?.into()]),
            Shape::Ints | Shape::SinceMinor(_) => {
                call.put(name, []);
                bytes.ints(call)?;
            }
            Shape::Rows => {
                let rows = bytes.count(4)?;
                call.put(name, []);
                for _ in 0..rows {
                    bytes.ints(call)?;
                }
            }
            Shape::Statuses if mask & STATUSES == 0 => {}
            Shape::Statuses => {
                let has_tag = self.has_version(3);
                let count = bytes.count(if has_tag { 14 } else { 10 })?;
                for _ in 0..count {
                    bytes.skip(4)?;
                    let source = bytes.i32()?.into();
                    bytes.skip(2)?;
                    let tag = if has_tag { Some(bytes.i32()?.into()) } else { None };
                    call.statuses.push(Status { source, tag });
                }
            }
            Shape::Text => bytes.text()?,
            Shape::Texts | Shape::Arguments(_) => {
                let count = bytes.count(4)?;
                if argument.shape == Shape::Arguments(true) && !self.has_version(2) {
                    bytes.skip(4)?;
                }
                (0..count).try_for_each(|_| bytes.text())?;
            }
        }
        Ok(())
    }

    /// Whether it was written by version 0.6.`minor` or later.
    fn has_version(&self, minor: u8) -> bool {
        self.version >= [0, 6, minor]
    }
}

/// Seconds from a beginning.
struct Clock {
    from_s: i64,
    last_s: i64,
}

impl Clock {
    fn new(from_s: i32) -> Clock {
        Clock { from_s: from_s.into(), last_s: 0 }
    }

    /// The next time in nanoseconds. Seconds that fall by more than half of their range began again.
    fn read(&mut self, bytes: &mut CallBytes<'_>) -> Outcome<i64> {
        let short = i64::from(bytes.u16()?);
        let mut seconds = self.last_s - self.last_s.rem_euclid(TURN_S) + short;
        if seconds < self.last_s - TURN_S / 2 {
            seconds += TURN_S;
        }
        self.last_s = self.last_s.max(seconds);
        Ok((self.from_s + seconds) * NS + i64::from(bytes.u32()?))
    }
}

/// Bytes that are read one after another.
struct CallBytes<'a> {
    bytes: &'a [u8],
    at: usize,
    place: &'a str,
}

impl CallBytes<'_> {
    fn cut(&self) -> netloom_model::Faults {
        let sentence = format!("is cut, or wrong, at byte {}", self.at.min(self.bytes.len()));
        Fault::say(&codes::SYNTAX, self.place, sentence).hint("copy the file of this rank again").into()
    }

    fn take<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let found = *found.ok_or_else(|| self.cut())?;
        self.at += N;
        Ok(found)
    }

    fn u8(&mut self) -> Outcome<u8> {
        self.take::<1>().map(|[one]| one)
    }
    fn u16(&mut self) -> Outcome<u16> {
        self.take().map(u16::from_be_bytes)
    }
    fn u32(&mut self) -> Outcome<u32> {
        self.take().map(u32::from_be_bytes)
    }
    fn i32(&mut self) -> Outcome<i32> {
        self.take().map(i32::from_be_bytes)
    }
    fn u64(&mut self) -> Outcome<u64> {
        self.take().map(u64::from_be_bytes)
    }

    fn skip(&mut self, bytes: usize) -> Outcome<()> {
        match self.at.checked_add(bytes).filter(|at| *at <= self.bytes.len()) {
            Some(at) => self.at = at,
            None => return Err(self.cut()),
        }
        Ok(())
    }

    /// The number of items of a list, each of at least so many bytes, which must be there.
    fn count(&mut self, each: usize) -> Outcome<usize> {
        let count = self.u32()? as usize;
        let left = self.bytes.len() - self.at;
        if count > left / each { Err(self.cut()) } else { Ok(count) }
    }

    fn ints(&mut self, call: &mut Call) -> Outcome<()> {
        for _ in 0..self.count(4)? {
            call.put_more([self.i32()?.into()]);
        }
        Ok(())
    }

    fn text(&mut self) -> Outcome<()> {
        let length = self.count(1)?;
        self.skip(length)
    }
}
