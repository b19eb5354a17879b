//! SMPI's time-independent traces (`smpirun -trace-ti`, `smpirun -replay`): a recorded application becomes
//! [`Programs`], and programs become a trace that SMPI replays.
//!
//! A trace is one file for all ranks, or an index that names one file per rank; a line is `rank action arguments`,
//! with counts in elements of a numbered datatype. The format has no communicators: every collective is over all ranks.
//!
//! Source: SimGrid 3.32, <https://simgrid.org/doc/3.32/app_smpi.html>; every form of line was recorded with its
//! `smpirun` and replayed there.

use netloom_model::{Bound, Outcome, Programs, Row};

use self::action::{ActionLine, WrongAction};
use self::files::{TraceFile, TraceFiles, rank_of, rank_of_text, spoken};
use self::limits::MAX_WORDS;
use crate::codes;
use crate::head::Head;
use crate::recorded::{Choice, MAX_OPS, Recorded, Recording, Refused, Replay, WORLD};
use crate::row::Format;
use crate::sink::Sink;
use crate::text::{Word, words};

mod action;
mod datatypes;
mod files;
mod limits;
mod write;

#[cfg(test)]
mod tests;

pub use files::index;

pub const ROW: Row<Format<Programs>> = Row {
    name: "smpi-trace",
    aliases: &["smpi", "time-independent-trace", "ti"],
    summary: "What every rank does, as SMPI records it and replays it: computation, messages, collectives.",
    params: &[],
    example: "smpi-trace",
    restrictions: "One file of all ranks, or an index and a file per rank. Collectives are of all ranks; those of some ranks are \
                   written as their messages.",
    source: "SimGrid 3.32, https://simgrid.org/doc/3.32/app_smpi.html",
    build: Format { extensions: &["trace"], begins: is_action, read: Some(from_files), write: Some(to_files) },
};

/// True for a rank and a word after it that is no number.
fn is_action(head: &Head) -> bool {
    let words = head.first_words();
    words.len() > 1 && rank_of_text(words[0]).is_some() && words[1].starts_with(|c: char| c.is_ascii_alphabetic())
}

fn from_files(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Recorded> {
    let files = TraceFiles::open(place, bytes, replay.others)?;
    programs(place, files, replay.choice)
}

fn to_files(programs: &Programs, (): (), _bound: &Bound) -> Outcome<Vec<(String, Vec<u8>)>> {
    write::write(programs)
}

/// Programs from the files of a trace: one, or an index and those that it names. O(text + ranks) time; of the text one file
/// is held at a time, of the actions those of the ranks that are not complete, and the loops of the others.
///
/// Waits are resolved to the request that they mean, tests to waits where they succeeded, receives from any source to
/// the one rank whose messages fit. Collectives with a count per rank (alltoallv, allgatherv, gatherv, scatterv)
/// become one burst of messages as SMPI's own default sends them; reducescatter with unequal counts the messages of
/// recursive halving, or from 512 KiB in all on pairwise, as in MPICH. Those with equal counts on all ranks become the
/// collective itself.
///
/// # Errors
/// `NL-F001` beyond 100 Mi actions that are held; `NL-F003` and `NL-F009` for arguments; `NL-F020` for an action that
/// cannot be replayed; `NL-F021` if the ranks enter different collectives; `NL-F022` for a receive from any source that
/// several ranks' messages fit; and the faults of `collectives`. All of one file together, up to 20.
fn programs(place: &str, mut files: TraceFiles<'_>, choice: Choice<'_>) -> Outcome<Recorded> {
    let ranks = files.ranks();
    let mut recording = Recording::new(place, ranks, choice.by_smpi, choice.scale)?;
    if files.has_wildcards {
        foresee(&mut files, &mut recording)?;
    }
    files.for_each(|files, number, part| {
        let mut sink = Sink::new(part.place);
        for_each_line(part, |rank, line| {
            let line = ActionLine { rank, ranks, element_bytes: recording.element_bytes(rank), ..line };
            match line.parse() {
                Err(wrong) => say(&mut sink, &wrong),
                Ok(event) => {
                    if let Err(refused) = recording.add(rank, WORLD, event) {
                        sink_refused(&mut sink, line.action, &refused);
                    }
                }
            }
            if recording.is_full() {
                sink.say(
                    &codes::TOO_LARGE,
                    line.action.spot(),
                    format!("more than {MAX_OPS} actions"),
                    "cut the trace",
                );
            }
            !recording.is_full()
        });
        files.ended(number).for_each(|rank| recording.close(rank));
        if sink.is_empty() { Ok(()) } else { Err(sink.fail()) }
    })?;
    recording.finish(choice)
}

/// The meaning of receives from any source. O(text log messages), and only if there are any.
fn foresee(files: &mut TraceFiles<'_>, recording: &mut Recording) -> Outcome<()> {
    let ranks = recording.ranks();
    files.for_each(|_, _, part| {
        for_each_line(part, |rank, line| {
            // Sizes do not matter here; a wrong line is reported when the programs are built.
            let found = ActionLine { rank, ranks, ..line }.parse();
            found.iter().for_each(|event| recording.foresee(rank, WORLD, event));
            true
        });
        Ok(())
    })?;
    recording.resolve();
    Ok(())
}

/// Calls `visit` with every line of actions until it returns false.
fn for_each_line(part: &TraceFile<'_>, mut visit: impl FnMut(u32, ActionLine<'_, '_>) -> bool) {
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

fn sink_refused(sink: &mut Sink, at: Word, refused: &Refused) {
    let (row, expected, hint) = refused.says();
    sink.must(row, at.spot(), "", &expected, at.text, hint);
}
