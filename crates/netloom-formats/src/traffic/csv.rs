//! A table with a header, `src,dst,bytes,messages`, or a square of numbers.

use std::fmt::Write as _;

use netloom_model::traffic::Start;
use netloom_model::units::Quantity;
use netloom_model::{Bound, Outcome, Row, Traffic};

use super::gather::{Gather, RANKS, WHOLE, rank, whole};
use crate::codes;
use crate::limits::MAX_RANKS;
use crate::row::Format;
use crate::sink::Spot;
use crate::text::{decode, lines};

pub const ROW: Row<Format<Traffic>> = Row {
    name: "traffic-csv",
    aliases: &["csv", "matrix-csv"],
    summary: "Table of messages with the header src,dst,bytes and, if wanted, messages and time; or a square of bytes per pair.",
    params: &[],
    example: "traffic-csv",
    restrictions: "Fields are separated by commas, semicolons or tabs; quoted ones may hold these (RFC 4180). Each line has as many \
                   fields as the header. Without a column messages each line is one; time (or start_s) is when it starts, in \
                   seconds or with a unit. Other columns are noted. A file of numbers alone is a square: line i, field j is bytes \
                   from rank i to rank j.",
    source: "netloom; RFC 4180",
    build: Format { extensions: &["csv", "tsv"], begins: |_| false, read: Some(read), write: Some(write) },
};

/// O(flows).
fn write(traffic: &Traffic, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    if !traffic.starts().is_empty() {
        let mut out = format!("# ranks: {}\nsrc,dst,bytes,messages,time\n", traffic.ranks);
        for Start { start_s, flow } in traffic.starts() {
            let _ = writeln!(out, "{},{},{},{},{start_s:?}", flow.src, flow.dst, flow.bytes, flow.messages);
        }
        return Ok(out.into_bytes());
    }
    let mut out = format!("# ranks: {}\nsrc,dst,bytes,messages\n", traffic.ranks);
    for flow in traffic.flows() {
        let _ = writeln!(out, "{},{},{},{}", flow.src, flow.dst, flow.bytes, flow.messages);
    }
    Ok(out.into_bytes())
}

/// O(text).
fn read(bytes: &[u8], place: &str, (): (), _bound: &Bound) -> Outcome<Traffic> {
    let text = decode(bytes, place)?;
    let mut gather = Gather::new(place);
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    for (number, line) in lines(text).take_while(|l| l.1.trim().is_empty() || is_comment(l.1)) {
        if let Some(said) = line.trim_start().strip_prefix("# ranks:") {
            match said.trim().parse::<u32>() {
                Ok(ranks) if u64::from(ranks) <= MAX_RANKS => gather.at_least(ranks),
                _ => gather.sink.must(&codes::VALUE, Spot::At(number, 1), "ranks", "at most 2^24", said.trim(), ""),
            }
        }
    }
    let mut filled = lines(text).filter(|l| !l.1.trim().is_empty() && !is_comment(l.1)).peekable();
    let Some(&(_, first)) = filled.peek() else { return gather.finish() };
    let separator = [',', ';', '\t'].into_iter().find(|c| Fields::of(first, *c).count() > 1).unwrap_or(',');
    if Fields::of(first, separator).all(|field| field.is_ok_and(|field| field.parse::<f64>().is_ok())) {
        square(filled, separator, &mut gather);
    } else {
        table(filled, separator, &mut gather);
    }
    gather.finish()
}

/// The fields of a line, without surrounding blanks and quotes. A quote within quotes is doubled, and stays so: no field
/// that is read has one.
struct Fields<'a> {
    rest: Option<&'a str>,
    separator: char,
}

impl<'a> Fields<'a> {
    fn of(line: &'a str, separator: char) -> Fields<'a> {
        Fields { rest: Some(line), separator }
    }
}

impl<'a> Iterator for Fields<'a> {
    /// The reason why a field is none.
    type Item = Result<&'a str, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take()?;
        let Some(quoted) = rest.trim_start_matches([' ', '\t']).strip_prefix('"') else {
            let (field, behind) = rest.split_once(self.separator).map_or((rest, None), |(field, b)| (field, Some(b)));
            self.rest = behind;
            return Some(if field.contains('"') {
                Err("a quote inside a field that is not quoted")
            } else {
                Ok(field.trim())
            });
        };
        let mut at = 0;
        let end = loop {
            let Some(found) = quoted[at..].find('"') else {
                return Some(Err("a quoted field that does not end on its line"));
            };
            if !quoted[at + found + 1..].starts_with('"') {
                break at + found;
            }
            at += found + 2;
        };
        let behind = quoted[end + 1..].trim_start_matches([' ', '\t'].as_slice());
        // A tab that parts fields is no blank.
        let behind = if self.separator == '\t' { quoted[end + 1..].trim_start_matches(' ') } else { behind };
        match behind.strip_prefix(self.separator) {
            _ if behind.trim().is_empty() && !behind.starts_with(self.separator) => {}
            Some(more) => self.rest = Some(more),
            None => return Some(Err("text behind the end of a quoted field")),
        }
        Some(Ok(quoted[..end].trim()))
    }
}

/// The fields of a line in `out`, of which there must be `wanted`.
fn split<'a>(
    line: &'a str,
    separator: char,
    wanted: Option<usize>,
    spot: Spot,
    out: &mut Vec<&'a str>,
    gather: &mut Gather,
) -> bool {
    out.clear();
    for field in Fields::of(line, separator) {
        match field {
            Ok(field) => out.push(field),
            Err(what) => {
                gather.sink.say(&codes::SYNTAX, spot, format!("there is {what}"), "double a quote within quotes");
                return false;
            }
        }
    }
    if let Some(wanted) = wanted.filter(|wanted| *wanted != out.len()) {
        let sentence = format!("{} fields where the header has {wanted} columns", out.len());
        let hint = "quote a field that holds a separator, and write numbers without one for thousands";
        gather.sink.say(&codes::SYNTAX, spot, sentence, hint);
        return false;
    }
    true
}

fn square<'a>(rows: impl Iterator<Item = (u32, &'a str)>, separator: char, gather: &mut Gather) {
    let (mut columns, mut src) = (0u32, 0u32);
    let mut fields = Vec::new();
    for (number, line) in rows {
        let spot = Spot::At(number, 1);
        if gather.is_full() || !split(line, separator, None, spot, &mut fields, gather) {
            return;
        }
        if src == 0 {
            columns = fields.len().min(MAX_RANKS as usize) as u32;
        }
        if fields.len() != columns as usize || src >= columns {
            let found = if src >= columns { "one line more".into() } else { format!("{} fields", fields.len()) };
            let sentence = format!("a square of {columns} columns has {found}");
            let hint = "give n lines of n numbers, or a list of messages with the header src,dst,bytes";
            return gather.sink.say(&codes::SYNTAX, spot, sentence, hint);
        }
        for (dst, field) in (0u32..).zip(&fields) {
            match whole(field) {
                Some(0) => {}
                Some(bytes) => gather.push(src, dst, 1, bytes, spot),
                None => {
                    let what = format!("field {} of row {src}", dst + 1);
                    gather.sink.must(&codes::VALUE, spot, &what, WHOLE, field, "");
                }
            }
        }
        src += 1;
    }
    gather.at_least(columns);
    if src != columns {
        let sentence = format!("a square of {columns} columns has {src} lines");
        let hint = "give n lines of n numbers, or a list of messages with the header src,dst,bytes";
        gather.sink.say(&codes::SYNTAX, Spot::Whole, sentence, hint);
    }
}

/// Columns that have a meaning, by all their names.
const COLUMNS: [&[&str]; 5] = [
    &["src", "source"],
    &["dst", "destination"],
    &["bytes", "size_bytes"],
    &["messages"],
    &["time", "start_s", "time_s", "start"],
];

/// The place of each column; columns without a meaning are noted, those with the same one refused.
fn columns(header: &[&str], spot: Spot, gather: &mut Gather) -> [Option<usize>; 5] {
    let mut found = [None; 5];
    for (at, name) in header.iter().enumerate() {
        match COLUMNS.iter().position(|names| names.contains(name)) {
            None => gather.noted.unused("column", if name.is_empty() { "without a name" } else { name }),
            Some(of) if found[of].is_some() => {
                let sentence = format!("two columns say {}", COLUMNS[of].join(" or "));
                gather.sink.say(&codes::DUPLICATE, spot, sentence, "keep one of them");
            }
            Some(of) => found[of] = Some(at),
        }
    }
    found
}

fn table<'a>(mut rows: impl Iterator<Item = (u32, &'a str)>, separator: char, gather: &mut Gather) {
    let Some((line, header)) = rows.next() else { return };
    let (mut fields, spot) = (Vec::new(), Spot::At(line, 1));
    if !split(header, separator, None, spot, &mut fields, gather) {
        return;
    }
    let wanted = fields.len();
    let [Some(src), Some(dst), Some(bytes), messages, time] = columns(&fields, spot, gather) else {
        let sentence = "the first line must name the columns src, dst and bytes";
        return gather.sink.say(&codes::MISSING, spot, sentence, "write the header src,dst,bytes");
    };
    // Where the decimal mark is a comma, 1.000 is a thousand: it may be either.
    let whole = |text: &str| whole(text).filter(|_| separator != ';' || !is_either(text));
    for (number, line) in rows {
        if gather.is_full() {
            return;
        }
        let spot = Spot::At(number, 1);
        if !split(line, separator, Some(wanted), spot, &mut fields, gather) {
            continue;
        }
        let (src, dst, bytes) = (fields[src], fields[dst], fields[bytes]);
        let messages = messages.map_or("1", |at| fields[at]);
        let before = gather.flows();
        match (rank(src, 0), rank(dst, 0), whole(bytes), whole(messages)) {
            (Some(_), Some(_), Some(1..), Some(0)) => {
                gather.sink.must(&codes::VALUE, spot, "messages", "one or more where bytes are sent", 0, "");
            }
            (Some(src), Some(dst), Some(bytes), Some(messages)) => gather.push(src, dst, messages, bytes, spot),
            (None, _, _, _) => gather.sink.must(&codes::VALUE, spot, "src", RANKS, src, ""),
            (_, None, _, _) => gather.sink.must(&codes::VALUE, spot, "dst", RANKS, dst, ""),
            (_, _, None, _) => gather.sink.must(&codes::VALUE, spot, "bytes", WHOLE, bytes, ""),
            _ => gather.sink.must(&codes::VALUE, spot, "messages", "whole numbers, zero or more", messages, ""),
        }
        if let (Some(at), true) = (time, gather.flows() > before) {
            let start = Quantity::Seconds.parse("time", fields[at]).ok().filter(|s| s.is_finite());
            match start {
                Some(seconds) => gather.starts_at(seconds),
                None => {
                    let expected = "seconds, or a number with a unit such as 5 us";
                    gather.sink.must(&codes::VALUE, spot, "time", expected, fields[at], "");
                }
            }
        }
    }
}

/// Whether a number has exactly three digits behind its point.
fn is_either(text: &str) -> bool {
    text.trim().rsplit_once('.').is_some_and(|(_, end)| end.len() == 3 && end.bytes().all(|c| c.is_ascii_digit()))
}
