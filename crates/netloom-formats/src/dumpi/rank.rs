//! One rank: its calls become events.

use std::collections::HashMap;

use netloom_model::{CodeRow, Collective};

use super::call::{Call, Status};
use super::datatypes::Datatypes;
use super::sources::ANY;
use super::steps::{NULL, SELF, WORLD, step};
use crate::codes;
use crate::recorded::{self as records, ANY_TAG, Event, Key, NO_PROCESS, UNDEFINED};

/// What is wrong with a call: the code, what is expected, what it has, the remedy.
pub struct Wrong(pub &'static CodeRow, pub String, pub String, pub &'static str);

type Checked<T> = Result<T, Wrong>;

/// Added to the tags of messages on MPI_COMM_SELF, which are sent on the communicator of all.
const SELF_TAG: i64 = 1 << 40;

/// A message of a request that can be started again.
#[derive(Clone, Copy)]
struct Kept {
    sends: bool,
    group: u32,
    peer: i64,
    tag: i64,
    bytes: u64,
}

/// A rank as far as it was read.
pub struct RankCalls<'a> {
    rank: u32,
    pub datatypes: Datatypes<'a>,
    /// Of the communicators that it creates, by step, the number in the recording.
    made: &'a [Option<u32>],
    came: &'a [Option<Status>],
    communicators: HashMap<i64, Option<u32>>,
    kept: HashMap<i64, Kept>,
    /// Requests that nothing has waited for, and whether one of them was given away.
    open: HashMap<i64, u32>,
    is_given_away: bool,
    steps: usize,
    receives: usize,
    /// Waits for what no recorded call started.
    pub unknown_waits: u64,
}

impl<'a> RankCalls<'a> {
    pub fn new(rank: u32, listed: &'a [u64], made: &'a [Option<u32>], came: &'a [Option<Status>]) -> RankCalls<'a> {
        RankCalls {
            rank,
            datatypes: Datatypes::new(listed),
            made,
            came,
            communicators: HashMap::from([(WORLD, Some(records::WORLD))]),
            kept: HashMap::new(),
            open: HashMap::new(),
            is_given_away: false,
            steps: 0,
            receives: 0,
            unknown_waits: 0,
        }
    }

    /// Adds the events of a call, with their communicators. False if it is none that is replayed.
    pub fn events(&mut self, call: &Call, to: &mut Vec<(u32, Event)>) -> Checked<bool> {
        self.datatypes.learn(call);
        if let Some(step) = step(call) {
            self.communicators.insert(step.new, self.made.get(self.steps).copied().flatten());
            self.steps += 1;
            return Ok(false);
        }
        match call.name {
            "Send" | "Bsend" | "Ssend" | "Rsend" => {
                let message = self.message(call, true)?;
                to.push(self.start(message, None));
            }
            "Recv" => {
                let message = self.message(call, false)?;
                to.push(self.start(message, None));
            }
            "Isend" | "Ibsend" | "Issend" | "Irsend" | "Irecv" => {
                let message = self.message(call, call.name != "Irecv")?;
                to.push(self.start(message, Some(number(call, "request")?)));
            }
            "Send_init" | "Bsend_init" | "Ssend_init" | "Rsend_init" | "Recv_init" => {
                let message = self.message(call, call.name != "Recv_init")?;
                self.kept.insert(number(call, "request")?, message);
            }
            "Start" => self.start_again(number(call, "request")?, to)?,
            "Startall" => {
                for request in call.list("requests") {
                    self.start_again(*request, to)?;
                }
            }
            "Request_free" => self.is_given_away |= self.open.contains_key(&number(call, "request")?),
            "Sendrecv" | "Sendrecv_replace" => to.push(self.exchange(call)?),
            "Wait" | "Waitall" | "Waitany" | "Waitsome" | "Test" | "Testall" | "Testany" | "Testsome" => {
                self.wait(call, to);
            }
            _ => return self.collective(call, to),
        }
        Ok(true)
    }

    fn collective(&mut self, call: &Call, to: &mut Vec<(u32, Event)>) -> Checked<bool> {
        let uniform = |collective: Collective, bytes: u64, root: u32| Event::Collective {
            collective,
            bytes,
            root,
            flops: 0.0,
            starts: None,
        };
        let whole = |rank: &Self| rank.bytes(call, "count", "datatype");
        // What the root gives or gets is in its own part of the arguments.
        let (own, at_root) = (("sendcount", "sendtype"), ("recvcount", "recvtype"));
        let event = match call.name {
            "Barrier" => uniform(Collective::Barrier, 0, 0),
            "Bcast" => uniform(Collective::Broadcast, whole(self)?, root(call)?),
            "Reduce" => uniform(Collective::Reduce, whole(self)?, root(call)?),
            "Allreduce" => uniform(Collective::Allreduce, whole(self)?, 0),
            "Scan" => uniform(Collective::Scan, whole(self)?, 0),
            "Exscan" => uniform(Collective::Exscan, whole(self)?, 0),
            "Gather" => {
                let (count, of) = if call.is_root() { at_root } else { own };
                uniform(Collective::Gather, self.bytes(call, count, of)?, root(call)?)
            }
            "Scatter" => {
                let (count, of) = if call.is_root() { own } else { at_root };
                uniform(Collective::Scatter, self.bytes(call, count, of)?, root(call)?)
            }
            "Allgather" => uniform(Collective::Allgather, self.bytes(call, "recvcount", "recvtype")?, 0),
            "Alltoall" => uniform(Collective::Alltoall, self.bytes(call, "recvcount", "recvtype")?, 0),
            "Allgatherv" => Event::Allgatherv(self.each(call, "recvcounts", "recvtype")?),
            "Alltoallv" => Event::Alltoallv {
                sent: self.each(call, "sendcounts", "sendtype")?,
                received: self.each(call, "recvcounts", "recvtype")?,
            },
            "Alltoallw" => Event::Alltoallv {
                sent: self.each_of_own(call, "sendcounts", "sendtypes")?,
                received: self.each_of_own(call, "recvcounts", "recvtypes")?,
            },
            "Gatherv" => {
                let counts = self.each(call, "recvcounts", "recvtype")?;
                let own = if call.is_root() { 0 } else { self.bytes(call, "sendcount", "sendtype")? };
                Event::Gatherv { own, counts, root: root(call)? }
            }
            "Scatterv" => {
                let counts = self.each(call, "sendcounts", "sendtype")?;
                let own = if call.is_root() { 0 } else { self.bytes(call, "recvcount", "recvtype")? };
                Event::Scatterv { own, counts, root: root(call)? }
            }
            "Reduce_scatter" => {
                let counts = self.each(call, "recvcounts", "datatype")?;
                let elements = call.list("recvcounts").iter().map(|count| count.unsigned_abs()).sum();
                Event::ReduceScatterv { counts, elements, flops: 0.0 }
            }
            _ => return Ok(false),
        };
        // Nothing to do for a rank alone.
        if number(call, "comm")? != SELF {
            to.push((self.group(call)?, event));
        }
        Ok(true)
    }

    fn message(&self, call: &Call, sends: bool) -> Checked<Kept> {
        let peer = number(call, if sends { "dest" } else { "source" })?;
        let bytes = self.bytes(call, "count", "datatype")?;
        let tag = number(call, "tag")?;
        if number(call, "comm")? == SELF && peer == 0 {
            return Ok(Kept { sends, group: records::WORLD, peer: self.rank.into(), tag: tag + SELF_TAG, bytes });
        }
        Ok(Kept { sends, group: self.group(call)?, peer, tag, bytes })
    }

    fn start_again(&mut self, request: i64, to: &mut Vec<(u32, Event)>) -> Checked<()> {
        let Some(&message) = self.kept.get(&request) else {
            let hint = "give the files of one run, whole";
            let expected = "a request that MPI_Send_init or MPI_Recv_init made".to_string();
            return Err(Wrong(&codes::UNKNOWN_ID, expected, request.to_string(), hint));
        };
        to.push(self.start(message, Some(request)));
        Ok(())
    }

    fn start(&mut self, message: Kept, request: Option<i64>) -> (u32, Event) {
        if let Some(request) = request {
            *self.open.entry(request).or_default() += 1;
        }
        let starts = request.map(key);
        let Kept { sends, group, peer, tag, bytes } = message;
        let event = if sends {
            Event::Send { to: if peer < 0 { NO_PROCESS } else { peer }, tag, bytes, starts }
        } else {
            let (from, tag) = self.source(peer, tag);
            Event::Receive { from, tag, bytes, starts }
        };
        (group, event)
    }

    /// Source and tag as the recording has them, with what came where the call names none.
    fn source(&mut self, from: i64, tag: i64) -> (i64, i64) {
        if from != ANY && tag != ANY {
            return (if from < 0 { NO_PROCESS } else { from }, tag);
        }
        let came = self.came.get(self.receives).copied().flatten();
        self.receives += 1;
        let source = came.map(|came| came.source);
        let tag = if tag == ANY { came.and_then(|came| came.tag).unwrap_or(ANY_TAG) } else { tag };
        match from {
            // Some libraries' number for no process is that for any source of DUMPI.
            ANY => (source.unwrap_or(UNDEFINED), tag),
            other => (if other < 0 { NO_PROCESS } else { other }, tag),
        }
    }

    fn exchange(&mut self, call: &Call) -> Checked<(u32, Event)> {
        let (count, of) = match call.name {
            "Sendrecv" => ("sendcount", "sendtype"),
            _ => ("count", "datatype"),
        };
        let sent = self.bytes(call, count, of)?;
        let received = if call.name == "Sendrecv" { self.bytes(call, "recvcount", "recvtype")? } else { sent };
        let to = number(call, "dest")?;
        let (from, receive_tag) = self.source(number(call, "source")?, number(call, "recvtag")?);
        let event = Event::Exchange {
            to: if to < 0 { NO_PROCESS } else { to },
            send_tag: number(call, "sendtag")?,
            sent,
            from,
            receive_tag,
            received,
        };
        Ok((self.group(call)?, event))
    }

    /// Waits for what a call completes; one wait where that is everything.
    fn wait(&mut self, call: &Call, to: &mut Vec<(u32, Event)>) {
        let mut waits = Vec::new();
        for (request, _) in call.completed() {
            match self.open.get_mut(&request) {
                Some(left) => {
                    *left -= 1;
                    if *left == 0 {
                        self.open.remove(&request);
                    }
                    waits.push(request);
                }
                // No request, or one that is not started at present.
                None if request <= NULL || self.kept.contains_key(&request) => {}
                None => self.unknown_waits += 1,
            }
        }
        if waits.len() > 1 && self.open.is_empty() && !self.is_given_away {
            to.push((records::WORLD, Event::WaitAll));
        } else {
            to.extend(waits.into_iter().map(|request| (records::WORLD, Event::Wait(key(request)))));
        }
    }

    fn group(&self, call: &Call) -> Checked<u32> {
        let handle = number(call, "comm")?;
        match self.communicators.get(&handle) {
            Some(Some(group)) => Ok(*group),
            Some(None) => {
                let expected = "a communicator within one group of ranks".to_string();
                let got = format!("{handle}, between two groups, or of processes that came later");
                Err(Wrong(&codes::UNSUPPORTED, expected, got, "such communicators are not read"))
            }
            None => {
                let hint = "give the files of one run, whole: the program that made them did not record its creation";
                let expected = "a communicator that a recorded call created".to_string();
                let got = if handle == SELF { "MPI_COMM_SELF".to_string() } else { handle.to_string() };
                Err(Wrong(&codes::UNKNOWN_ID, expected, got, hint))
            }
        }
    }

    fn size(&self, call: &Call, of: &str) -> Checked<u64> {
        self.datatype(number(call, of)?)
    }

    fn datatype(&self, number: i64) -> Checked<u64> {
        self.datatypes.size(number).ok_or_else(|| {
            let hint = "record it with sst-dumpi, which lists the sizes of datatypes";
            Wrong(&codes::UNKNOWN_ID, "a datatype whose size is recorded".to_string(), number.to_string(), hint)
        })
    }

    fn bytes(&self, call: &Call, count: &str, of: &str) -> Checked<u64> {
        multiplied(number(call, count)?, self.size(call, of)?)
    }

    fn each(&self, call: &Call, counts: &str, of: &str) -> Checked<Vec<u64>> {
        let size = if call.list(counts).is_empty() { 0 } else { self.size(call, of)? };
        call.list(counts).iter().map(|count| multiplied(*count, size)).collect()
    }

    fn each_of_own(&self, call: &Call, counts: &str, types: &str) -> Checked<Vec<u64>> {
        let both = call.list(counts).iter().zip(call.list(types));
        both.map(|(count, of)| multiplied(*count, self.datatype(*of)?)).collect()
    }
}

fn key(request: i64) -> Key {
    (request, 0, 0)
}

fn root(call: &Call) -> Checked<u32> {
    let root = number(call, "root")?;
    u32::try_from(root).map_err(|_| {
        let expected = "a root within the communicator".to_string();
        Wrong(&codes::VALUE, expected, root.to_string(), "communicators between two groups are not read")
    })
}

fn number(call: &Call, name: &str) -> Checked<i64> {
    call.get(name).ok_or_else(|| {
        let expected = format!("its argument {name}");
        Wrong(&codes::MISSING, expected, "none".to_string(), "make the file again")
    })
}

fn multiplied(count: i64, size: u64) -> Checked<u64> {
    let bytes = u64::try_from(count).ok().and_then(|count| count.checked_mul(size));
    bytes.filter(|bytes| *bytes <= i64::MAX as u64).ok_or_else(|| {
        let expected = "a count of at least 0, and less than 2^63 bytes".to_string();
        Wrong(&codes::VALUE, expected, count.to_string(), "the file is damaged")
    })
}
