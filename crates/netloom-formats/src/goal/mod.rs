//! GOAL, the schedules of LogGOPSim: for each rank operations that send, receive or compute, and which of them has to
//! end, or to start, before another one starts. As text and in binary.
//!
//! A message is a blocking one of its operation: when it ends is decided by the calibration. Computation occupies its
//! `cpu` of the rank, one operation at a time; `nic` is not modelled.
//!
//! Source: Hoefler, Schneider & Lumsdaine, LogGOPSim, HPDC 2010; the grammar of its `txt2bin` and its `Parser.hpp`.

use std::borrow::Cow;
use std::collections::HashMap;

use netloom_model::units::Quantity;
use netloom_model::{Kind as Type, Outcome, Param, Programs, Row};

use crate::head::Head;
use crate::recorded::{ANY_SOURCE, ANY_TAG, Event, Recorded, Recording, Replay, Task, TaskGraph, WORLD, Work, order};
use crate::row::Format;
use crate::sink::{Sink, Spot};

mod binary;
#[cfg(test)]
mod tests;
mod text;
mod write;

const SOURCE: &str = "Hoefler et al., LogGOPSim, HPDC 2010; https://github.com/spcl/LogGOPSim";
const SPEED: Param = Param::optional(
    "speed",
    Type::Quantity(Quantity::FlopsPerSecond),
    "\"100 Gflops\"",
    "written: turns counted operations into nanoseconds",
);

pub const TEXT: Row<Format<Programs>> = Row {
    name: "goal",
    aliases: &[],
    summary: "Operations of each rank that send, receive or compute, and what each waits for; of LogGOPSim.",
    params: &[SPEED],
    example: "goal",
    restrictions: "Times are whole nanoseconds. Collectives are written as their messages; nic is not read.",
    source: SOURCE,
    build: Format { extensions: &["goal"], begins: is_text, read: Some(text::read), write: Some(write::text) },
};

pub const BINARY: Row<Format<Programs>> = Row {
    name: "goal-binary",
    aliases: &[],
    summary: "The same in binary, as txt2bin of LogGOPSim makes it.",
    params: &[SPEED],
    example: "goal-binary",
    restrictions: "That of a machine whose numbers begin with their lowest byte. See goal.",
    source: SOURCE,
    build: Format { extensions: &["bin"], begins: is_binary, read: Some(binary::read), write: Some(write::binary) },
};

fn is_text(head: &Head) -> bool {
    text::without_comments(&head.text).split_whitespace().next() == Some("num_ranks")
}

fn is_binary(head: &Head) -> bool {
    head.bytes.starts_with(&binary::MAGIC.to_le_bytes())
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Calc {
        ns: u64,
    },
    Send {
        to: u32,
        tag: u32,
        bytes: u64,
    },
    /// From any rank, with any tag, where none is named.
    Receive {
        from: Option<u32>,
        tag: Option<u32>,
        bytes: u64,
    },
}

/// An operation of a rank.
#[derive(Clone, Debug, PartialEq)]
struct Operation {
    kind: Kind,
    cpu: u8,
    nic: u8,
    /// Where it stands, for messages.
    spot: Spot,
}

/// `later` starts after `earlier` has ended, or has started.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dependency {
    earlier: u32,
    later: u32,
    on_start: bool,
}

/// The operations of a rank.
#[derive(Clone, Debug, Default, PartialEq)]
struct Operations {
    all: Vec<Operation>,
    dependencies: Vec<Dependency>,
}

impl Kind {
    fn event(self) -> Event {
        match self {
            Kind::Calc { ns } => Event::Sleep(ns as f64 / 1e9),
            Kind::Send { to, tag, bytes } => Event::Send { to: to.into(), tag: tag.into(), bytes, starts: None },
            Kind::Receive { from, tag, bytes } => Event::Receive {
                from: from.map_or(ANY_SOURCE, i64::from),
                tag: tag.map_or(ANY_TAG, i64::from),
                bytes,
                starts: None,
            },
        }
    }
}

/// Programs of the operations of all ranks. `of` gives those of one, once or, with receives from any rank, twice: one rank
/// is held at a time.
///
/// # Errors
/// Those of `of`; `NL-F003` for operations that wait for each other, `NL-F009` for a peer that is not there, `NL-F022` for
/// a receive from any rank that several messages fit, and those of the recording.
fn programs<'o>(
    ranks: u32,
    place: &str,
    of: impl Fn(u32) -> Outcome<Cow<'o, Operations>>,
    replay: Replay<'_>,
) -> Outcome<Recorded> {
    let mut recording = Recording::new(place, ranks, replay.choice.by_smpi, replay.choice.scale)?;
    let mut sink = Sink::new(place);
    let open = |one: &Operation| matches!(one.kind, Kind::Receive { from, tag, .. } if from.is_none() || tag.is_none());
    let (mut any, mut on_nic) = (false, false);
    for rank in 0..ranks {
        let own = of(rank)?;
        any |= own.all.iter().any(open);
        on_nic |= own.all.iter().any(|one| one.nic > 0);
    }
    if any {
        for rank in 0..ranks {
            of(rank)?.all.iter().for_each(|one| recording.foresee(rank, WORLD, &one.kind.event()));
        }
        recording.resolve();
    }
    if on_nic {
        recording.survey.note("nic is not modelled: a rank sends through the NICs of its node");
    }
    for rank in 0..ranks {
        let own = of(rank)?;
        if let Some(graph) = graph(rank, &own, &mut recording, &mut sink) {
            own.all.iter().for_each(|one| recording.survey.count(&one.kind.event()));
            recording.put_graph(rank, &graph);
            recording.close(rank);
        }
        if recording.is_full() {
            sink.say(&crate::codes::TOO_LARGE, Spot::Whole, "too many operations", "cut the schedule");
            break;
        }
    }
    if sink.is_empty() { recording.finish(replay.choice) } else { Err(sink.fail()) }
}

/// The tasks of a rank; none where something is wrong, which the sink gets.
fn graph(rank: u32, own: &Operations, recording: &mut Recording, sink: &mut Sink) -> Option<TaskGraph> {
    let edges = own.dependencies.iter().map(|one| (one.earlier, one.later));
    let order = match order(own.all.len(), edges) {
        Ok(order) => order,
        Err(at) => {
            let hint = "let an operation require earlier ones only";
            let sentence = format!("an operation of rank {rank} waits for itself, through others");
            sink.say(&crate::codes::SYNTAX, own.all[at as usize].spot, sentence, hint);
            return None;
        }
    };
    let mut number = vec![0u32; own.all.len()];
    (0u32..).zip(&order).for_each(|(new, old)| number[*old as usize] = new);
    let mut tasks: Vec<Task> = Vec::with_capacity(order.len());
    for old in &order {
        let one = &own.all[*old as usize];
        let work = match one.kind {
            Kind::Calc { ns } => Ok(Work::Seconds { seconds: ns as f64 / 1e9, unit: one.cpu.into() }),
            _ => recording.message(rank, WORLD, &one.kind.event()),
        };
        match work {
            Ok(work) => tasks.push(Task { work, after: Vec::new(), after_start: Vec::new() }),
            Err(refused) => {
                let (row, expected, hint) = refused.says();
                sink.must(row, one.spot, "", &expected, format!("{:?}", one.kind), hint);
                return None;
            }
        }
    }
    for one in &own.dependencies {
        let task = &mut tasks[number[one.later as usize] as usize];
        let list = if one.on_start { &mut task.after_start } else { &mut task.after };
        list.push(number[one.earlier as usize]);
    }
    Some(TaskGraph { tasks })
}

/// Numbers by name.
type Labels<'a> = HashMap<&'a str, u32>;
