//! One line of a trace: `rank action arguments`, counts already in bytes.
//!
//! Forms as SimGrid 3.32 records them, and as its replay takes them where that is more lenient.

use netloom_model::{CodeRow, Collective, fault};

use super::datatypes::size_of;
use crate::codes;
use crate::recorded::{ANY_SOURCE, ANY_TAG, Event, Key, NO_PROCESS, UNDEFINED};
use crate::text::Word;

/// The fault of a line.
pub struct WrongAction<'a> {
    pub row: &'static CodeRow,
    pub at: Word<'a>,
    pub expected: String,
    pub hint: String,
}

/// The tag of SMPI's own sendrecv, which the trace does not record.
const EXCHANGE_TAG: i64 = 0;

type Parsed<'a, T> = Result<T, Box<WrongAction<'a>>>;

/// The arguments of one line.
pub struct ActionLine<'w, 'a> {
    pub action: Word<'a>,
    pub arguments: &'w [Word<'a>],
    pub rank: u32,
    pub ranks: u32,
    pub element_bytes: u64,
}

impl<'a> ActionLine<'_, 'a> {
    fn wrong<T>(&self, at: Word<'a>, expected: impl Into<String>) -> Parsed<'a, T> {
        Err(Box::new(WrongAction { row: &codes::VALUE, at, expected: expected.into(), hint: String::new() }))
    }

    fn refuse<T>(&self, expected: &str, hint: impl Into<String>) -> Parsed<'a, T> {
        Err(Box::new(WrongAction {
            row: &codes::ACTION,
            at: self.action,
            expected: expected.into(),
            hint: hint.into(),
        }))
    }

    /// Refuses a number of arguments outside `least..=most`.
    fn count(&self, least: usize, most: usize) -> Parsed<'a, ()> {
        let got = self.arguments.len();
        if (least..=most).contains(&got) {
            return Ok(());
        }
        let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        let expected = format!("an action with {wanted} arguments instead of {got}");
        Err(Box::new(WrongAction { row: &codes::SYNTAX, at: self.action, expected, hint: String::new() }))
    }

    fn signed(&self, i: usize) -> Parsed<'a, i64> {
        let word = self.arguments[i];
        match word.text.parse::<i64>() {
            Ok(value) if i32::try_from(value).is_ok() => Ok(value),
            _ => self.wrong(word, "an integer of 32 bits"),
        }
    }

    /// A participating rank, or one of SMPI's codes for any or none.
    fn peer(&self, i: usize) -> Parsed<'a, i64> {
        let value = self.signed(i)?;
        if (0..i64::from(self.ranks)).contains(&value) || [UNDEFINED, ANY_SOURCE, NO_PROCESS].contains(&value) {
            return Ok(value);
        }
        self.wrong(self.arguments[i], format!("a rank in 0..{} (exclusive)", self.ranks))
    }

    fn tag(&self, i: usize) -> Parsed<'a, i64> {
        let value = self.signed(i)?;
        if value >= 0 || value == ANY_TAG {
            return Ok(value);
        }
        self.wrong(self.arguments[i], "a tag >= 0")
    }

    fn root(&self, i: usize) -> Parsed<'a, u32> {
        let Some(word) = self.arguments.get(i) else { return Ok(0) };
        match word.text.parse::<u32>() {
            Ok(root) if root < self.ranks => Ok(root),
            _ => self.wrong(*word, format!("a rank in 0..{} (exclusive)", self.ranks)),
        }
    }

    fn amount(&self, i: usize) -> Parsed<'a, f64> {
        let word = self.arguments[i];
        match word.text.parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
            _ => self.wrong(word, "a finite amount of at least 0"),
        }
    }

    /// Argument `i` times the size of the datatype whose number is argument `datatype`.
    fn bytes(&self, i: usize, datatype: usize) -> Parsed<'a, u64> {
        let word = self.arguments[i];
        let element = match self.arguments.get(datatype) {
            None => self.element_bytes,
            Some(number) => match number.text.parse::<i64>().ok().and_then(size_of) {
                Some(size) => size,
                // Zero elements of an unknown type are zero bytes.
                None if word.text == "0" => 0,
                None => {
                    let expected = "the number of a datatype that MPI defines".into();
                    let hint =
                        "the trace does not hold the size of a derived datatype: send bytes or basic types".into();
                    return Err(Box::new(WrongAction { row: &codes::ACTION, at: *number, expected, hint }));
                }
            },
        };
        match word.text.parse::<u64>().ok().and_then(|n| n.checked_mul(element)).filter(|&b| b <= i64::MAX as u64) {
            Some(bytes) => Ok(bytes),
            None => self.wrong(word, "a number of elements of less than 2^63 bytes together"),
        }
    }

    /// One count per rank, from argument `i` on.
    fn vector(&self, i: usize, datatype: usize) -> Parsed<'a, Vec<u64>> {
        (i..i + self.ranks as usize).map(|at| self.bytes(at, datatype)).collect()
    }

    fn key(&self) -> Parsed<'a, Key> {
        self.count(3, 3)?;
        Ok((self.signed(0)?, self.signed(1)?, self.signed(2)?))
    }

    fn uniform(&self, collective: Collective, bytes: u64, root: u32, flops: f64) -> Parsed<'a, Event> {
        Ok(Event::Collective { collective, bytes, root, flops, starts: None })
    }

    /// The content of the line.
    pub fn parse(&self) -> Parsed<'a, Event> {
        let n = self.ranks as usize;
        match self.action.text.to_ascii_lowercase().as_str() {
            // An argument of `init` says that elements without a datatype are doubles, its absence that they are bytes.
            "init" => Ok(Event::Init { element_bytes: if self.arguments.is_empty() { 1 } else { 8 } }),
            "finalize" | "comm_size" | "comm_dup" | "location" => Ok(Event::Nothing),
            "compute" => self.count(1, 1).and_then(|()| Ok(Event::Compute(self.amount(0)?))),
            "sleep" => self.count(1, 1).and_then(|()| Ok(Event::Sleep(self.amount(0)?))),
            "send" | "isend" => {
                self.count(3, 4)?;
                let (to, tag, bytes) = (self.peer(0)?, self.tag(1)?, self.bytes(2, 3)?);
                let starts = (self.action.text.len() == 5).then_some((i64::from(self.rank), to, tag));
                Ok(Event::Send { to, tag, bytes, starts })
            }
            "recv" | "irecv" => {
                self.count(3, 4)?;
                let (from, tag, bytes) = (self.peer(0)?, self.tag(1)?, self.bytes(2, 3)?);
                let starts = (self.action.text.len() == 5).then_some((from, i64::from(self.rank), tag));
                Ok(Event::Receive { from, tag, bytes, starts })
            }
            "sendrecv" => {
                self.count(4, 6)?;
                let (sent, received) = (self.bytes(0, 4)?, self.bytes(2, 5)?);
                let (to, from, tag) = (self.peer(1)?, self.peer(3)?, EXCHANGE_TAG);
                Ok(Event::Exchange { to, send_tag: tag, sent, from, receive_tag: tag, received })
            }
            "test" => Ok(Event::Test(self.key()?)),
            "wait" => Ok(Event::Wait(self.key()?)),
            "waitall" => Ok(Event::WaitAll),
            "barrier" => self.uniform(Collective::Barrier, 0, 0, 0.0),
            "bcast" => {
                self.count(1, 3)?;
                self.uniform(Collective::Broadcast, self.bytes(0, 2)?, self.root(1)?, 0.0)
            }
            "reduce" => {
                self.count(2, 4)?;
                self.uniform(Collective::Reduce, self.bytes(0, 3)?, self.root(2)?, self.amount(1)?)
            }
            name @ ("allreduce" | "scan" | "exscan") => {
                self.count(2, 3)?;
                let collective = match name {
                    "allreduce" => Collective::Allreduce,
                    "scan" => Collective::Scan,
                    _ => Collective::Exscan,
                };
                self.uniform(collective, self.bytes(0, 2)?, 0, self.amount(1)?)
            }
            name @ ("alltoall" | "allgather") => {
                self.count(2, 4)?;
                let collective = if name == "alltoall" { Collective::Alltoall } else { Collective::Allgather };
                self.uniform(collective, self.bytes(0, 2)?, 0, 0.0)
            }
            "gather" => self.gather(),
            "scatter" => {
                self.count(2, 5)?;
                let root = self.root(2)?;
                let bytes = if root == self.rank { self.bytes(0, 3)? } else { self.bytes(1, 4)? };
                self.uniform(Collective::Scatter, bytes, root, 0.0)
            }
            "alltoallv" => {
                self.count(2 * n + 2, 2 * n + 4)?;
                let (sent, received) = (self.vector(1, 2 * n + 2)?, self.vector(n + 2, 2 * n + 3)?);
                Ok(Event::Alltoallv { sent, received })
            }
            "allgatherv" => {
                self.count(n + 1, n + 3)?;
                self.bytes(0, n + 1)?;
                Ok(Event::Allgatherv(self.vector(1, n + 2)?))
            }
            "gatherv" => {
                self.count(n + 1, n + 4)?;
                let (own, counts) = (self.bytes(0, n + 2)?, self.vector(1, n + 3)?);
                Ok(Event::Gatherv { own, counts, root: self.root(n + 1)? })
            }
            "scatterv" => {
                self.count(n + 1, n + 4)?;
                let (counts, own) = (self.vector(0, n + 2)?, self.bytes(n, n + 3)?);
                Ok(Event::Scatterv { own, counts, root: self.root(n + 1)? })
            }
            "reducescatter" => {
                self.count(n + 1, n + 2)?;
                let (counts, flops) = (self.vector(0, n + 1)?, self.amount(n)?);
                let words = self.arguments[..n].iter().filter_map(|word| word.text.parse::<u64>().ok());
                let elements = words.fold(0u64, u64::saturating_add);
                Ok(Event::ReduceScatterv { counts, elements, flops })
            }
            other => self.unknown(other),
        }
    }

    /// `sent received root type type`; the recorder leaves `received` out where it is 0, which it may be on every rank
    /// but the root.
    fn gather(&self) -> Parsed<'a, Event> {
        self.count(2, 5)?;
        let short = self.arguments.len() == 4;
        let root = self.root(if short { 1 } else { 2 })?;
        let bytes = match (root == self.rank && !short, short) {
            (true, _) => self.bytes(1, 4)?,
            (false, true) => self.bytes(0, 2)?,
            (false, false) => self.bytes(0, 3)?,
        };
        self.uniform(Collective::Gather, bytes, root, 0.0)
    }

    fn unknown<T>(&self, name: &str) -> Parsed<'a, T> {
        match name {
            "waitany" | "waitsome" | "testall" | "testany" | "testsome" => self.refuse(
                "an action that names its request",
                "the trace does not say which one completed: use MPI_Waitall",
            ),
            "ssend" | "issend" => {
                self.refuse("a standard send", "synchronous sends are not replayed: use MPI_Send or MPI_Isend")
            }
            "comm_split" => self.refuse(
                "an action of all ranks",
                "a trace does not say which ranks a split communicator has: record an application on MPI_COMM_WORLD",
            ),
            "start" | "startall" => {
                self.refuse("a send or a receive", "persistent requests are recorded without their datatype")
            }
            "ibarrier" | "ibcast" | "ireduce" | "iallreduce" | "ialltoall" | "iallgather" | "igather" | "iscatter" => {
                self.refuse("a blocking collective", "non-blocking collectives are not replayed: use the blocking one")
            }
            _ => {
                let hint = match fault::nearest(name, NAMES.iter().copied()) {
                    Some(near) => format!("did you mean {near}?"),
                    None => "docs/reference/formats.md lists the actions that are read".into(),
                };
                self.refuse("an action that can be replayed", hint)
            }
        }
    }
}

/// The actions that can be read.
pub const NAMES: &[&str] = &[
    "init",
    "finalize",
    "comm_size",
    "comm_dup",
    "location",
    "compute",
    "sleep",
    "send",
    "isend",
    "recv",
    "irecv",
    "sendRecv",
    "test",
    "wait",
    "waitall",
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "scan",
    "exscan",
    "alltoall",
    "allgather",
    "gather",
    "scatter",
    "alltoallv",
    "allgatherv",
    "gatherv",
    "scatterv",
    "reducescatter",
];
