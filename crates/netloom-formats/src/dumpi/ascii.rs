//! The text that dumpi2ascii prints of a file: of each call a line of its begin, one for each argument and one of its end.

use netloom_model::{Fault, Outcome};

use super::call::{Call, Status};
use super::layout::Functions;
use crate::codes;
use crate::text::lines;

pub const ENTERING: &str = " entering at walltime ";
const RETURNING: &str = " returning at walltime ";
const NS: i64 = 1_000_000_000;

/// A file.
pub struct TextFile<'a> {
    place: &'a str,
    text: &'a str,
    pub sizes: Vec<u64>,
}

impl<'a> TextFile<'a> {
    pub fn open(text: &'a str, place: &'a str) -> TextFile<'a> {
        let mut sizes: Vec<u64> = Vec::new();
        for (_, line) in lines(text) {
            // "Datatype 9 (MPI_INT) has size 4".
            let Some((number, rest)) = line.strip_prefix("Datatype ").and_then(|rest| rest.split_once(' ')) else {
                continue;
            };
            let size = rest.rsplit_once(" has size ").and_then(|(_, size)| size.trim().parse().ok());
            let number = number.parse::<u16>().ok().map(usize::from);
            if let (Some(number), Some(size)) = (number, size) {
                sizes.resize(sizes.len().max(number + 1), 0);
                sizes[number] = size;
            }
        }
        TextFile { place, text, sizes }
    }

    /// Calls `visit` with each call.
    ///
    /// # Errors
    /// `NL-F003` for a call that does not end or a time that is none, `NL-F013` for an unknown function, those of `visit`.
    pub fn for_each(&self, functions: &Functions, mut visit: impl FnMut(&Call) -> Outcome<()>) -> Outcome<()> {
        let mut call = Call::default();
        let mut open: Option<(Times, u64)> = None;
        for (number, line) in lines(self.text) {
            if let Some((name, rest)) = line.split_once(ENTERING) {
                let begin = self.times(number, rest)?;
                if let Some((_, before)) = open {
                    return Err(self.wrong(before, "a call that returns", "one that does not"));
                }
                let name = name.trim().strip_prefix("MPI_").unwrap_or(name.trim());
                let Some(known) = functions.named(name) else {
                    let sentence = format!("MPI_{name:.40} is no function that is known");
                    return Err(Fault::say(&codes::UNSUPPORTED, format!("{}:{number}:1", self.place), sentence).into());
                };
                call.start(known.name, number.into());
                open = Some((begin, number.into()));
            } else if let Some((_, rest)) = line.split_once(RETURNING) {
                let end = self.times(number, rest)?;
                let Some((begin, _)) = open.take() else {
                    return Err(self.wrong(number.into(), "a call that was entered", "one that returns"));
                };
                let wall = (begin.wall_ns, end.wall_ns);
                let time = if wall == (0, 0) { (begin.cpu_ns, end.cpu_ns) } else { wall };
                call.time = (time != (0, 0)).then_some(time);
                call.thread = begin.thread;
                visit(&call)?;
            } else if open.is_some() {
                argument(line, functions, &mut call);
            }
        }
        match open {
            Some((_, number)) => Err(self.wrong(number, "a call that returns", "the end of the file")),
            None => Ok(()),
        }
    }

    fn wrong(&self, line: u64, expected: &str, got: &str) -> netloom_model::Faults {
        let place = format!("{}:{line}:1", self.place);
        Fault::new(&codes::SYNTAX, place, expected, got).hint("make it again with dumpi2ascii").into()
    }

    /// `S.NNNNNNNNN, cputime S.N seconds in thread T.`
    fn times(&self, line: u32, text: &str) -> Outcome<Times> {
        let read = || {
            let (wall, rest) = text.split_once(", cputime ")?;
            let (cpu, rest) = rest.split_once(" seconds in thread ")?;
            let thread = rest.trim_end().trim_end_matches('.').parse().ok()?;
            Some(Times { wall_ns: ns(wall)?, cpu_ns: ns(cpu)?, thread })
        };
        read().ok_or_else(|| self.wrong(line.into(), "times as dumpi2ascii prints them", "something else"))
    }
}

#[derive(Clone, Copy)]
struct Times {
    wall_ns: i64,
    cpu_ns: i64,
    thread: u16,
}

/// Seconds with nine digits after the point.
fn ns(text: &str) -> Option<i64> {
    let (seconds, rest) = text.split_once('.')?;
    let seconds: i64 = seconds.parse::<i32>().ok()?.into();
    let rest: i64 = rest.parse::<u32>().ok()?.into();
    Some(seconds * NS + rest)
}

/// `type name=number (word)`, `type name[n]=[number, ...]`, or statuses.
fn argument(line: &str, functions: &Functions, call: &mut Call) {
    let Some((left, value)) = line.split_once('=').filter(|(left, _)| !left.starts_with(['[', ','])) else {
        // Lists of lists go on in lines of their own.
        call.put_more(numbers(line));
        return;
    };
    if value.starts_with("[{") {
        call.statuses = value.split('}').filter_map(status).collect();
        return;
    }
    let name = left.split('[').next().unwrap_or(left).split_whitespace().last().unwrap_or("");
    let known = functions.named(call.name).and_then(|one| one.arguments.as_ref());
    let own = known.into_iter().flatten().find(|one| one.name == name);
    let Some(own) = own.filter(|own| !own.name.is_empty()) else { return };
    match value.starts_with('[') {
        true => call.put(own.name, numbers(value)),
        false => call.put(own.name, numbers(value).take(1)),
    }
}

/// All whole numbers of a text; the names of constants in brackets are none.
fn numbers(text: &str) -> impl Iterator<Item = i64> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    words.filter_map(|word| word.parse::<i64>().ok())
}

/// `{bytes=4, cancelled=0, source=3, tag=7, error=0`
fn status(text: &str) -> Option<Status> {
    let value = |name: &str| {
        let (_, rest) = text.split_once(name)?;
        rest.split([',', '}']).next()?.trim().parse::<i64>().ok()
    };
    Some(Status { source: value("source=")?, tag: value("tag=") })
}
