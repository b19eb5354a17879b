//! SMPI's time-independent traces (`smpirun -trace-ti`, `smpirun -replay`): a recorded application becomes
//! [`Programs`], and programs become a trace that SMPI replays.
//!
//! A trace is one file for all ranks, or an index that names one file per rank; a line is `rank action arguments`,
//! with counts in elements of a numbered datatype. The format has no communicators: every collective is over all ranks.
//!
//! Source: SimGrid 3.32, <https://simgrid.org/doc/3.32/app_smpi.html>; every form of line was recorded with its
//! `smpirun` and replayed there.

use netloom_model::{Bound, Collective, Fault, Outcome, Programs, Registry, Row};

use self::action::{Action, ActionLine, WrongAction};
pub use self::body::Collectives;
use self::body::{Body, Calls, Refused};
use self::files::{TraceFile, rank_of, rank_of_text, spoken};
use self::limits::{MAX_OPS, MAX_WORDS};
use self::wildcard::{Answers, Wildcards};
use crate::codes;
use crate::head::Head;
use crate::row::{Format, Held};
use crate::sink::Sink;
use crate::text::{Word, words};

mod action;
mod body;
mod datatypes;
mod files;
mod limits;
mod reduce_scatter;
mod requests;
mod smpi_default;
mod wildcard;
mod write;

#[cfg(test)]
mod tests;

pub use files::index;

/// Formats of programs.
pub static FORMATS: Registry<Format<Programs>> =
    Registry { kind: "formats", what: "format", rows: &[ROW], common: &[] };

const ROW: Row<Format<Programs>> = Row {
    name: "smpi-trace",
    aliases: &["time-independent-trace", "ti"],
    summary: "What every rank does, as SMPI records it and replays it: computation, messages, collectives.",
    params: &[],
    example: "smpi-trace",
    restrictions: "One file of all ranks, or an index and a file per rank. Collectives are of all ranks; those of some ranks are \
                   written as their messages.",
    source: "SimGrid 3.32, https://simgrid.org/doc/3.32/app_smpi.html",
    build: Format { extensions: &["trace"], begins: is_action, read: Some(from_files), write: Some(to_files) },
};

/// The input of a trace in addition to its first file.
#[derive(Clone, Copy)]
pub struct Replay<'a> {
    /// Name and bytes of the files that the index names.
    pub others: &'a [(&'a str, &'a [u8])],
    pub collectives: Collectives<'a>,
    /// Collectives that become the messages of SMPI's own default algorithm.
    pub by_smpi: &'a [Collective],
}

impl Held for Programs {
    type Given<'g> = Replay<'g>;
    type Onto<'g> = ();
    type Found = Programs;
    /// Name and bytes of every file, the index first.
    type Written = Vec<(String, Vec<u8>)>;
    const WHAT: &'static str = "programs";

    fn formats() -> &'static Registry<Format<Programs>> {
        &FORMATS
    }
}

/// True for a rank and a word after it that is no number.
fn is_action(head: &Head) -> bool {
    let words = head.first_words();
    words.len() > 1 && rank_of_text(words[0]).is_some() && words[1].starts_with(|c: char| c.is_ascii_alphabetic())
}

fn from_files(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Programs> {
    let files: Vec<(&str, &[u8])> = std::iter::once((place, bytes)).chain(replay.others.iter().copied()).collect();
    read_by_smpi(&files, replay.collectives, replay.by_smpi)
}

fn to_files(programs: &Programs, (): (), _bound: &Bound) -> Outcome<Vec<(String, Vec<u8>)>> {
    write::write(programs)
}

/// Programs from the files of a trace: `(name, bytes)`, an index among them or not. O(text + ranks).
///
/// Waits are resolved to the request that they mean, tests to waits where they succeeded, receives from any source to
/// the one rank whose messages fit. Collectives with a count per rank (alltoallv, allgatherv, gatherv, scatterv)
/// become one burst of messages as SMPI's own default sends them; reducescatter with unequal counts the messages of
/// recursive halving, or from 512 KiB in all on pairwise, as in MPICH. Those with equal counts on all ranks become the
/// collective itself.
///
/// # Errors
/// `NL-F001` beyond 1 GiB, 2^20 ranks or 2^26 actions; `NL-F004` without actions; `NL-F010` for a rank or a file that
/// is missing; `NL-F003` and `NL-F009` for arguments; `NL-F020` for an action that cannot be replayed; `NL-F021` if the
/// ranks enter different collectives; `NL-F022` for a receive from any source that several ranks' messages fit; and the
/// faults of `collectives`. All of one file together, up to 20.
#[cfg(test)]
fn read(files: &[(&str, &[u8])], collectives: Collectives) -> Outcome<Programs> {
    read_by_smpi(files, collectives, &[])
}

/// Reads as [`read`] does, but collectives of the kinds `by_smpi` become the messages of SMPI's own default algorithm, by which its
/// replay takes the same time; `collectives` is not called for these.
///
/// # Errors
/// Those of [`read`].
fn read_by_smpi(files: &[(&str, &[u8])], collectives: Collectives, by_smpi: &[Collective]) -> Outcome<Programs> {
    if files.is_empty() {
        return Err(Fault::say(&codes::NOTHING, "trace", "no file is given").into());
    }
    let parts = files::parts(files)?;
    let ranks = files::ranks(&parts)?;
    let answers = wildcards(&parts, ranks);
    let mut bodies: Vec<Body> = (0..ranks).map(Body::new).collect();
    let mut calls = Calls::new(by_smpi);
    let mut ops = 0usize;
    for part in &parts {
        let mut sink = Sink::new(part.place);
        for_each_line(part, |rank, line| {
            let body = &mut bodies[rank as usize];
            let before = body.ops.len();
            let found = ActionLine { rank, ranks, element_bytes: body.element_bytes, ..line }.parse();
            match found {
                Err(wrong) => say(&mut sink, &wrong),
                Ok(action) => {
                    if let Err(refused) = body.add(action, &mut calls, &answers, ranks) {
                        sink_refused(&mut sink, line.action, refused);
                    }
                }
            }
            ops += body.ops.len() - before;
            if ops > MAX_OPS {
                sink.say(
                    &codes::TOO_LARGE,
                    line.action.spot(),
                    format!("more than {MAX_OPS} actions"),
                    "cut the trace",
                );
            }
            ops <= MAX_OPS
        });
        if !sink.is_empty() {
            return Err(sink.fail());
        }
    }
    agree(&bodies, &calls, parts[0].place)?;
    let calls = calls.schedules(ranks, collectives)?;
    Programs::new(files[0].0, bodies.into_iter().map(Body::finish).collect(), calls)
}

/// The meaning of receives from any source. O(text log messages), and only if there are any.
fn wildcards(parts: &[TraceFile], ranks: u32) -> Answers {
    let any = |part: &TraceFile| ["-333", "-444", "-555"].iter().any(|word| part.text.contains(word));
    if !parts.iter().any(any) {
        return Answers::default();
    }
    let mut wildcards = Wildcards::default();
    for part in parts {
        for_each_line(part, |rank, line| {
            // Sizes do not matter here; a wrong line is reported when the programs are built.
            let found = ActionLine { rank, ranks, ..line }.parse();
            found.iter().for_each(|action: &Action| wildcards.count(rank, action));
            true
        });
    }
    wildcards.resolve()
}

/// Calls `visit` with every line of actions until it returns false.
fn for_each_line(part: &TraceFile, mut visit: impl FnMut(u32, ActionLine<'_, '_>) -> bool) {
    let mut found: Vec<Word> = Vec::new();
    for (number, line) in spoken(part.text) {
        found.clear();
        found.extend(words(number, line).take(MAX_WORDS));
        let Some(rank) = found.first().and_then(rank_of) else { continue };
        // A line of one word: the rank itself is then refused as an action.
        let action = found.get(1).copied().unwrap_or(found[0]);
        let arguments = found.get(2..).unwrap_or_default();
        if !visit(rank, ActionLine { action, arguments, rank, ranks: 0, element_bytes: 1 }) {
            return;
        }
    }
}

fn say(sink: &mut Sink, wrong: &WrongAction) {
    sink.must(wrong.row, wrong.at.spot(), "", &wrong.expected, wrong.at.text, &wrong.hint);
}

fn sink_refused(sink: &mut Sink, at: Word, refused: Refused) {
    let (row, expected, hint) = match refused {
        Refused::Disagrees(before) => (
            &codes::DISAGREE,
            format!("{before}, which other ranks enter here"),
            "collectives on a part of the ranks (sub-communicators) look like this; the trace cannot hold them",
        ),
        Refused::UnknownRequest => {
            (&codes::UNKNOWN_ID, "a request that was started".to_string(), "isend and irecv start one")
        }
        Refused::NoSingleSender => (
            &codes::AMBIGUOUS,
            "a receive that the messages of exactly one rank fit".to_string(),
            "the trace does not record which message came: name the source",
        ),
        Refused::TooManyCalls => {
            (&codes::TOO_LARGE, "one of fewer different collectives".to_string(), "cut the trace, or the ranks")
        }
    };
    sink.must(row, at.spot(), "", &expected, at.text, hint);
}

/// All ranks enter the same number of collectives.
fn agree(bodies: &[Body], calls: &Calls, place: &str) -> Outcome<()> {
    match bodies.iter().enumerate().find(|(_, body)| body.entered != calls.entered()) {
        None => Ok(()),
        Some((rank, body)) => {
            let (got, all) = (body.entered, calls.entered());
            let sentence = format!("rank {rank} enters {got} collectives, another rank {all}");
            let hint = "a trace cannot hold collectives of a part of the ranks (sub-communicators)";
            Err(Fault::say(&codes::DISAGREE, place, sentence).hint(hint).into())
        }
    }
}
