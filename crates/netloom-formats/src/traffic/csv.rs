//! A table with a header, `src,dst,bytes,messages`, or a square of numbers.

use std::fmt::Write as _;

use netloom_model::{Bound, Outcome, Row, Traffic};

use super::{Gather, RANKS, WHOLE, rank, whole};
use crate::codes;
use crate::limits::MAX_RANKS;
use crate::registry::Format;
use crate::sink::Spot;
use crate::text::{decode, lines};

pub const ROW: Row<Format<Traffic>> = Row {
    name: "traffic-csv",
    aliases: &["csv", "matrix-csv"],
    summary: "Table of messages with the header src,dst,bytes and, if wanted, messages; or a square of bytes per pair.",
    params: &[],
    example: "traffic-csv",
    restrictions: "Fields are parted by commas, semicolons or tabs, also where they are quoted. Without a column messages each line is \
                   one. A file of numbers alone is a square: line i, field j is bytes from rank i to rank j.",
    source: "netloom",
    build: Format { extensions: &["csv", "tsv"], begins: |_| false, read: Some(read), write: Some(write) },
};

/// O(flows).
fn write(traffic: &Traffic, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
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
    let separator = [',', ';', '\t'].into_iter().find(|c| first.contains(*c)).unwrap_or(',');
    if first.split(separator).all(|field| bare(field).parse::<f64>().is_ok()) {
        square(filled, separator, &mut gather);
    } else {
        table(filled, separator, &mut gather);
    }
    gather.finish()
}

/// A field without surrounding blanks and quotes.
fn bare(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|f| f.strip_suffix('"')).unwrap_or(field).trim()
}

fn square<'a>(rows: impl Iterator<Item = (u32, &'a str)>, separator: char, gather: &mut Gather) {
    let (mut columns, mut src) = (0u32, 0u32);
    for (number, line) in rows {
        if gather.is_full() {
            return;
        }
        let fields = line.split(separator).count() as u64;
        if src == 0 {
            columns = fields.min(MAX_RANKS) as u32;
        }
        if fields != u64::from(columns) || src >= columns {
            let found = if src >= columns { "one line more".into() } else { format!("{fields} fields") };
            let sentence = format!("a square of {columns} columns has {found}");
            let hint = "give n lines of n numbers, or a list of messages the header src,dst,bytes";
            return gather.sink.say(&codes::SYNTAX, Spot::At(number, 1), sentence, hint);
        }
        for (dst, field) in (0u32..).zip(line.split(separator)) {
            let spot = Spot::At(number, 1);
            match whole(bare(field)) {
                Some(0) => {}
                Some(bytes) => gather.push(src, dst, 1, bytes, spot),
                None => {
                    let what = format!("field {} of row {src}", dst + 1);
                    gather.sink.must(&codes::VALUE, spot, &what, WHOLE, field.trim(), "");
                }
            }
        }
        src += 1;
    }
    gather.at_least(columns);
    if src != columns {
        let sentence = format!("a square of {columns} columns has {src} lines");
        let hint = "give n lines of n numbers, or a list of messages the header src,dst,bytes";
        gather.sink.say(&codes::SYNTAX, Spot::Whole, sentence, hint);
    }
}

fn table<'a>(mut rows: impl Iterator<Item = (u32, &'a str)>, separator: char, gather: &mut Gather) {
    let Some((header_line, header)) = rows.next() else { return };
    let header: Vec<&str> = header.split(separator).map(bare).collect();
    let column = |names: [&str; 2]| header.iter().position(|h| names.contains(h));
    let found = (column(["src", "source"]), column(["dst", "destination"]), column(["bytes", "size_bytes"]));
    let (Some(src_at), Some(dst_at), Some(bytes_at)) = found else {
        let sentence = "the first line must name the columns src, dst and bytes";
        return gather.sink.say(&codes::MISSING, Spot::At(header_line, 1), sentence, "write the header src,dst,bytes");
    };
    let messages_at = header.iter().position(|h| *h == "messages");
    for (number, line) in rows {
        if gather.is_full() {
            return;
        }
        let spot = Spot::At(number, 1);
        let (mut src, mut dst, mut bytes, mut messages) = ("", "", "", if messages_at.is_some() { "" } else { "1" });
        for (at, field) in line.split(separator).enumerate() {
            match at {
                _ if at == src_at => src = bare(field),
                _ if at == dst_at => dst = bare(field),
                _ if at == bytes_at => bytes = bare(field),
                _ if Some(at) == messages_at => messages = bare(field),
                _ => {}
            }
        }
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
    }
}
