//! The files of a trace: one for all ranks, or an index that names one per rank.

use std::collections::HashSet;

use netloom_model::{Fault, Outcome};

use crate::codes;
use crate::recorded::{MAX_RANKS, Others};
use crate::sink::Sink;
use crate::text::{Word, decode, lines, words};

/// A file of actions.
pub struct TraceFile<'a> {
    pub place: &'a str,
    pub text: &'a str,
}

/// Lines with content.
pub fn spoken(text: &str) -> impl Iterator<Item = (u32, &str)> {
    lines(text).filter(|(_, line)| !matches!(line.trim_start().as_bytes().first(), None | Some(b'#')))
}

/// True for a list of files: a line of actions begins with a rank and has at least two words.
fn is_index(text: &str) -> bool {
    spoken(text).next().is_some_and(|(number, line)| {
        let mut found = words(number, line);
        let first = found.next();
        first.is_none_or(|word| word.text.parse::<u32>().is_err()) || found.next().is_none()
    })
}

/// The files that an index names, in order; None for a file of actions.
///
/// # Errors
/// `NL-F001`, `NL-F002`; `NL-F001` for more than 2^20 names.
pub fn index(bytes: &[u8], place: &str) -> Outcome<Option<Vec<String>>> {
    let text = decode(bytes, place)?;
    if !is_index(text) {
        return Ok(None);
    }
    let names: Vec<String> =
        spoken(text).take(MAX_RANKS as usize + 1).map(|(_, line)| line.trim().to_string()).collect();
    if names.len() > MAX_RANKS as usize {
        return Err(Fault::say(&codes::TOO_LARGE, place, format!("more than {MAX_RANKS} files")).into());
    }
    Ok(Some(names))
}

/// The files of a trace, read one after another, as often as that is needed.
pub struct TraceFiles<'a> {
    place: &'a str,
    bytes: &'a [u8],
    others: Others<'a>,
    /// Of each file, the first one among them, whether it is an index.
    lists: Vec<bool>,
    /// Whether a receive names no source or no tag.
    pub has_wildcards: bool,
    /// Of each rank, the last file with one of its actions.
    last: Vec<Option<usize>>,
}

impl<'a> TraceFiles<'a> {
    /// Goes through all of them once. O(text).
    ///
    /// # Errors
    /// Those of reading them; files that are not text or missing in the folder of their index; `NL-F009` for a line that
    /// does not begin with a rank below 2^20, `NL-F004` without actions, `NL-F010` for a rank without any.
    pub fn open(place: &'a str, bytes: &'a [u8], others: Others<'a>) -> Outcome<TraceFiles<'a>> {
        let mut made = TraceFiles { place, bytes, others, lists: Vec::new(), has_wildcards: false, last: Vec::new() };
        let names = index(bytes, place)?;
        made.lists.push(names.is_some());
        made.require(names.unwrap_or_default())?;
        let mut within = Vec::new();
        made.each(|made, number, name, bytes| {
            if number > 0 {
                let names = index(bytes, name)?;
                made.lists.push(names.is_some());
                within.extend(names.unwrap_or_default());
            }
            if made.lists[number] {
                Ok(())
            } else {
                made.see(number, &TraceFile { place: name, text: decode(bytes, name)? })
            }
        })?;
        made.require(within)?;
        made.complete()?;
        Ok(made)
    }

    pub fn ranks(&self) -> u32 {
        self.last.len() as u32
    }

    /// The ranks of which nothing comes after this file.
    pub fn ended(&self, number: usize) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.last).filter(move |(_, last)| **last == Some(number)).map(|(rank, _)| rank)
    }

    /// Calls `visit` with the files of actions and their numbers.
    ///
    /// # Errors
    /// Those of reading, and of `visit`.
    pub fn for_each(&mut self, mut visit: impl FnMut(&Self, usize, &TraceFile<'_>) -> Outcome<()>) -> Outcome<()> {
        self.each(|files, number, place, bytes| {
            if files.lists[number] {
                Ok(())
            } else {
                visit(files, number, &TraceFile { place, text: decode(bytes, place)? })
            }
        })
    }

    fn each(&mut self, mut visit: impl FnMut(&mut Self, usize, &str, &[u8]) -> Outcome<()>) -> Outcome<()> {
        let (place, bytes, others) = (self.place, self.bytes, self.others);
        visit(self, 0, place, bytes)?;
        for (number, name) in others.names.iter().enumerate() {
            visit(self, number + 1, name, &(others.read)(number)?)?;
        }
        Ok(())
    }

    /// Refuses names of files that are not there.
    fn require(&self, names: Vec<String>) -> Outcome<()> {
        let others = self.others.names.iter().map(String::as_str);
        let given: HashSet<&str> = others.chain([self.place]).map(last_part).collect();
        let Some(name) = names.iter().find(|name| !given.contains(last_part(name))) else { return Ok(()) };
        let sentence = format!("names {}, which is not given", crate::sink::quoted(name));
        let hint = "give the files that it lists, too; a line of a trace is: rank action arguments";
        Err(Fault::say(&codes::MISSING, self.place, sentence).hint(hint).into())
    }

    /// Notes the ranks of a file.
    fn see(&mut self, number: usize, part: &TraceFile<'_>) -> Outcome<()> {
        self.has_wildcards |= ["-333", "-444", "-555"].iter().any(|word| part.text.contains(word));
        let mut sink = Sink::new(part.place);
        for (line, text) in spoken(part.text) {
            let Some(word) = words(line, text).next() else { continue };
            match rank_of(&word) {
                Some(rank) => {
                    let rank = rank as usize;
                    if self.last.len() <= rank {
                        self.last.resize(rank + 1, None);
                    }
                    self.last[rank] = Some(number);
                }
                None => {
                    let expected = format!("a rank in 0..{MAX_RANKS} (exclusive)");
                    let hint = "a line of a trace is: rank action arguments";
                    sink.must(&codes::VALUE, word.spot(), "first word", &expected, word.text, hint);
                }
            }
        }
        if sink.is_empty() { Ok(()) } else { Err(sink.fail()) }
    }

    /// Refuses a trace without actions, or without those of a rank.
    fn complete(&self) -> Outcome<()> {
        let whole =
            self.lists.iter().zip(std::iter::once(self.place).chain(self.others.names.iter().map(String::as_str)));
        let place = whole.into_iter().find(|(is_list, _)| !**is_list).map_or("trace", |(_, name)| name);
        match self.last.iter().position(Option::is_none) {
            _ if self.last.is_empty() => Err(Fault::say(&codes::NOTHING, place, "holds no action").into()),
            Some(rank) => {
                let sentence = format!("rank {rank} of {} has no action", self.last.len());
                Err(Fault::say(&codes::MISSING, place, sentence).hint("give the traces of all ranks").into())
            }
            None => Ok(()),
        }
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The rank that a line begins with.
pub fn rank_of(word: &Word) -> Option<u32> {
    rank_of_text(word.text)
}

pub fn rank_of_text(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&rank| rank < MAX_RANKS)
}
