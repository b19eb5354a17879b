//! DUMPI, the traces of SST: a file a rank with every call of MPI, its arguments and times; binary, or as dumpi2ascii
//! prints them.
//!
//! Communicators are followed through the calls that create them, datatypes through those that build them. The time
//! between two calls is computation; calls that are not replayed are left out, and those that wait for others with their
//! time.
//!
//! Source: sst-dumpi (<https://github.com/sstsimulator/sst-dumpi>), docs/traceformat.dox.

use std::collections::BTreeMap;

use netloom_model::{Bound, Fault, Outcome, Programs, Row};

use crate::codes;
use crate::head::Head;
use crate::recorded::{Event, Recorded, Recording, Replay, WORLD};
use crate::row::Format;
use crate::text::decode;

mod ascii;
mod binary;
mod call;
mod communicators;
mod datatypes;
mod files;
mod layout;
mod rank;
mod sources;
mod steps;
#[cfg(test)]
mod tests;

use call::{Call, Status};
use files::RankFiles;
use layout::Functions;
use rank::{RankCalls, Wrong};
use sources::Sources;
use steps::GroupStep;

const SOURCE: &str = "sst-dumpi, https://github.com/sstsimulator/sst-dumpi, docs/traceformat.dox";
const NS_PER_S: f64 = 1e9;

pub const BINARY: Row<Format<Programs>> = Row {
    name: "dumpi",
    aliases: &[],
    summary: "Every call of MPI of each rank with its times, as SST's DUMPI records it.",
    params: &[],
    example: "dumpi",
    restrictions: "A file a rank next to each other, PREFIX-0000.bin and so on, given as PREFIX.meta or as any of them. \
                   Walk-sided messages, files and communicators between two groups are left out.",
    source: SOURCE,
    build: Format { extensions: &["meta", "bin"], begins: is_binary, read: Some(read_binary), write: None },
};

pub const ASCII: Row<Format<Programs>> = Row {
    name: "dumpi-ascii",
    aliases: &["dumpi2ascii"],
    summary: "The same as the text that dumpi2ascii prints.",
    params: &[],
    example: "dumpi-ascii",
    restrictions: "A file a rank next to each other, whose names end with the rank: PREFIX-0000.txt. See dumpi.",
    source: SOURCE,
    build: Format { extensions: &["ascii"], begins: is_ascii, read: Some(read_ascii), write: None },
};

fn is_binary(head: &Head) -> bool {
    head.bytes.starts_with(binary::MAGIC) || files::is_meta(&head.text)
}

fn is_ascii(head: &Head) -> bool {
    head.text.contains(ascii::ENTERING)
}

fn read_binary(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Recorded> {
    let others = replay.others.all(place)?;
    let files = RankFiles::of(bytes, place, &others)?;
    let open = |&(name, bytes): &(_, _)| binary::BinaryFile::open(bytes, name).map(Part::Binary);
    let parts: Vec<Part> = files.ranks.iter().map(open).collect::<Outcome<_>>()?;
    read(place, &parts, &files, replay)
}

fn read_ascii(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Recorded> {
    let others = replay.others.all(place)?;
    let files = RankFiles::of(bytes, place, &others)?;
    let open = |&(name, bytes): &(_, _)| Ok(Part::Text(ascii::TextFile::open(decode(bytes, name)?, name)));
    let parts: Vec<Part> = files.ranks.iter().map(open).collect::<Outcome<_>>()?;
    read(place, &parts, &files, replay)
}

/// The file of a rank.
enum Part<'a> {
    Binary(binary::BinaryFile<'a>),
    Text(ascii::TextFile<'a>),
}

impl Part<'_> {
    fn sizes(&self) -> &[u64] {
        match self {
            Part::Binary(file) => &file.sizes,
            Part::Text(file) => &file.sizes,
        }
    }

    fn for_each(&self, functions: &Functions, visit: impl FnMut(&Call) -> Outcome<()>) -> Outcome<()> {
        match self {
            Part::Binary(file) => file.for_each(functions, visit),
            Part::Text(file) => file.for_each(functions, visit),
        }
    }
}

/// Calls that are not replayed, and what came of those that are.
#[derive(Default)]
struct Remarks {
    left_out: BTreeMap<&'static str, u64>,
    unknown_waits: u64,
    has_threads: bool,
    is_untimed: bool,
    is_reordered: bool,
    first_to_last_ns: i64,
}

/// Programs of the files. O(bytes); each file is gone through twice, and once more where receives name no source and no
/// status tells it.
fn read(place: &str, parts: &[Part], files: &RankFiles, replay: Replay<'_>) -> Outcome<Recorded> {
    let functions = Functions::new();
    let mut recording = Recording::new(place, parts.len() as u32, replay.choice.by_smpi, replay.choice.scale)?;
    let mut said = Remarks::default();
    let (mut steps, mut came) = (Vec::new(), Vec::new());
    for part in parts {
        let (own, sources) = seen(part, &functions, &mut said)?;
        steps.push(own);
        came.push(sources);
    }
    let made = communicators::resolve(place, &steps, &mut recording)?;
    drop(steps);
    let rank = |number: usize| RankCalls::new(number as u32, parts[number].sizes(), &made[number], &came[number]);
    if came.iter().flatten().any(|one| one.is_none_or(|one| one.tag.is_none())) {
        for (number, part) in parts.iter().enumerate() {
            let (mut rank, mut events) = (rank(number), Vec::new());
            part.for_each(&functions, |call| {
                // What is wrong is said when the programs are built.
                let _ = rank.events(call, &mut events);
                events.drain(..).for_each(|(group, event)| recording.foresee(number as u32, group, &event));
                Ok(())
            })?;
        }
        recording.resolve();
    }
    for (number, part) in parts.iter().enumerate() {
        let mut one = Walk { place: files.ranks[number].0, number: number as u32, last_ns: None, first_ns: None };
        let mut rank = rank(number);
        let mut events = Vec::new();
        part.for_each(&functions, |call| one.add(call, &mut rank, &mut events, &mut recording, &mut said))?;
        said.unknown_waits += rank.unknown_waits;
        let first = one.first_ns.unwrap_or(0);
        said.first_to_last_ns = said.first_to_last_ns.max(one.last_ns.unwrap_or(first) - first);
        recording.close(number as u32);
    }
    recording.survey.span_s = said.first_to_last_ns as f64 / NS_PER_S;
    said.notes(&mut recording);
    recording.finish(replay.choice)
}

/// What a first look at a file gives: the steps of its communicators, and what receives from any source got.
fn seen(part: &Part, functions: &Functions, said: &mut Remarks) -> Outcome<(Vec<GroupStep>, Vec<Option<Status>>)> {
    let (mut own, mut sources) = (Vec::new(), Sources::default());
    part.for_each(functions, |call| {
        own.extend(steps::step(call));
        sources.see(call);
        said.has_threads |= call.thread != 0;
        said.is_untimed |= call.time.is_none();
        said.is_reordered |= call.name.ends_with("_create") && call.get("reorder").is_some_and(|flag| flag != 0);
        Ok(())
    })?;
    Ok((own, sources.came))
}

/// A rank on its way through its file.
struct Walk<'a> {
    place: &'a str,
    number: u32,
    first_ns: Option<i64>,
    last_ns: Option<i64>,
}

impl Walk<'_> {
    fn add(
        &mut self,
        call: &Call,
        rank: &mut RankCalls<'_>,
        events: &mut Vec<(u32, Event)>,
        recording: &mut Recording,
        said: &mut Remarks,
    ) -> Outcome<()> {
        let is_replayed = rank.events(call, events).map_err(|wrong| self.wrong(call, &wrong))?;
        if !is_replayed && is_local(call.name) {
            return Ok(());
        }
        let mut seconds = 0.0;
        if let Some((begin, end)) = call.time {
            let last = *self.last_ns.get_or_insert(begin);
            self.first_ns.get_or_insert(begin);
            if end < begin || (begin < last && !said.has_threads) {
                return Err(self.backwards(call));
            }
            seconds = (end - begin) as f64 / NS_PER_S;
            if begin > last && call.name != "Init" && call.name != "Init_thread" {
                recording.at(self.number, (last - self.first_ns.unwrap_or(last)) as f64 / NS_PER_S);
                let gap = Event::Sleep((begin - last) as f64 / NS_PER_S);
                self.put(call, WORLD, gap, recording)?;
            }
            recording.at(self.number, (begin - self.first_ns.unwrap_or(begin)) as f64 / NS_PER_S);
            self.last_ns = Some(last.max(end));
        }
        if !is_replayed {
            *said.left_out.entry(call.name).or_default() += 1;
        }
        if events.is_empty() {
            recording.mark(self.number, call.name);
        }
        // The time of a call is that of its first event.
        for (at, (group, event)) in events.drain(..).enumerate() {
            if at == 0 {
                recording.spend(self.number, &event, seconds);
            }
            self.put(call, group, event, recording)?;
        }
        Ok(())
    }

    fn put(&self, call: &Call, group: u32, event: Event, recording: &mut Recording) -> Outcome<()> {
        recording.add(self.number, group, event).map_err(|refused| {
            let (row, expected, hint) = refused.says();
            Fault::new(row, self.at(call), expected, "this one").hint(hint)
        })?;
        if recording.is_full() {
            return Err(Fault::say(&codes::TOO_LARGE, self.place, "too many actions").hint("cut the trace").into());
        }
        Ok(())
    }

    fn at(&self, call: &Call) -> String {
        format!("{}:{} MPI_{}", self.place, call.at, call.name)
    }

    fn wrong(&self, call: &Call, Wrong(row, expected, got, hint): &Wrong) -> netloom_model::Faults {
        Fault::new(row, self.at(call), expected, got).hint(*hint).into()
    }

    fn backwards(&self, call: &Call) -> netloom_model::Faults {
        let sentence = "begins before the call before it ended, or ends before it begins: the clock ran backwards";
        let hint = "record it with a clock that does not go back";
        Fault::say(&codes::VALUE, self.at(call), sentence).hint(hint).into()
    }
}

/// True for a call whose time is the rank's own; others wait for ranks, or for a file.
fn is_local(name: &str) -> bool {
    let begins = ["Comm_create", "Comm_dup", "Comm_split", "Comm_spawn", "Comm_accept", "Comm_connect", "Comm_join"];
    let waits = ["Cart_create", "Cart_sub", "Graph_create", "Put", "Get", "Accumulate", "Probe", "Iprobe", "Cancel"];
    let kinds = ["Intercomm_", "Win_", "File_", "IO_"];
    let ends = ["Init", "Init_thread", "Finalize", "Comm_disconnect"];
    let keyvals = name.ends_with("keyval") || name.ends_with("errhandler");
    keyvals
        || !(begins.iter().chain(&kinds).any(|one| name.starts_with(one))
            || waits.iter().chain(&ends).any(|one| name == *one))
}

impl Remarks {
    fn notes(&self, recording: &mut Recording) {
        let left_out = self.left_out.iter().filter(|(name, _)| !matches!(**name, "Init" | "Init_thread" | "Finalize"));
        let listed: Vec<String> = left_out.map(|(name, calls)| format!("MPI_{name} {calls}")).collect();
        if !listed.is_empty() {
            let note = format!("calls that are not replayed, left out with their time: {}", listed.join(", "));
            recording.survey.note(&note);
        }
        if self.unknown_waits > 0 {
            let note = "waits for requests that no recorded call started (DUMPI records no non-blocking collectives)";
            recording.survey.note(&format!("{note}, left out: {}", self.unknown_waits));
        }
        if self.has_threads {
            recording
                .survey
                .note("the calls of the threads of a rank are taken one after another, as they are recorded");
        }
        if self.is_untimed {
            recording.survey.note("calls without times: no computation between them");
        }
        if self.is_reordered {
            recording.survey.note("grids that may have reordered their ranks are taken as if they kept the order");
        }
    }
}
