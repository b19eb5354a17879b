//! The files of a trace: one for all ranks, or an index that names one per rank.

use netloom_model::{Fault, Outcome};

use crate::codes;
use crate::recorded::{MAX_RANKS, MAX_TOTAL_BYTES};
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

/// The files of actions, without indices.
///
/// # Errors
/// Files that are not text, too large together, or missing in the folder of their index.
pub fn parts<'a>(files: &[(&'a str, &'a [u8])]) -> Outcome<Vec<TraceFile<'a>>> {
    let total: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    if total > MAX_TOTAL_BYTES {
        let sentence = format!("{total} bytes exceed the {} MiB that are read of one trace", MAX_TOTAL_BYTES >> 20);
        return Err(Fault::say(&codes::TOO_LARGE, files[0].0, sentence).into());
    }
    let mut parts = Vec::new();
    let mut named: Vec<(&str, String)> = Vec::new();
    for &(place, bytes) in files {
        match index(bytes, place)? {
            Some(names) => named.extend(names.into_iter().map(|name| (place, name))),
            None => parts.push(TraceFile { place, text: decode(bytes, place)? }),
        }
    }
    let given: std::collections::HashSet<&str> = parts.iter().map(|part| last(part.place)).collect();
    if let Some((place, name)) = named.iter().find(|(_, name)| !given.contains(last(name))) {
        let sentence = format!("names {}, which is not given", crate::sink::quoted(name));
        let hint = "give the files that it lists, too; a line of a trace is: rank action arguments";
        return Err(Fault::say(&codes::MISSING, *place, sentence).hint(hint).into());
    }
    Ok(parts)
}

fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Number of ranks: one more than the largest, each with an action.
///
/// # Errors
/// `NL-F009` for a line that does not begin with a rank below 2^20, `NL-F004` without actions, `NL-F010` for a rank
/// without any.
pub fn ranks(parts: &[TraceFile]) -> Outcome<u32> {
    let mut seen: Vec<bool> = Vec::new();
    for part in parts {
        let mut sink = Sink::new(part.place);
        for (number, line) in spoken(part.text) {
            let Some(word) = words(number, line).next() else { continue };
            match rank_of(&word) {
                Some(rank) => {
                    if seen.len() <= rank as usize {
                        seen.resize(rank as usize + 1, false);
                    }
                    seen[rank as usize] = true;
                }
                None => {
                    let expected = format!("a rank in 0..{MAX_RANKS} (exclusive)");
                    let hint = "a line of a trace is: rank action arguments";
                    sink.must(&codes::VALUE, word.spot(), "first word", &expected, word.text, hint);
                }
            }
        }
        if !sink.is_empty() {
            return Err(sink.fail());
        }
    }
    let place = parts.first().map_or("trace", |part| part.place);
    match seen.iter().position(|&there| !there) {
        _ if seen.is_empty() => Err(Fault::say(&codes::NOTHING, place, "holds no action").into()),
        Some(rank) => {
            let sentence = format!("rank {rank} of {} has no action", seen.len());
            Err(Fault::say(&codes::MISSING, place, sentence).hint("give the traces of all ranks").into())
        }
        None => Ok(seen.len() as u32),
    }
}

/// The rank that a line begins with.
pub fn rank_of(word: &Word) -> Option<u32> {
    rank_of_text(word.text)
}

pub fn rank_of_text(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&rank| rank < MAX_RANKS)
}
