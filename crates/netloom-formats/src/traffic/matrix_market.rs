//! Matrix Market: bytes per pair of ranks as a sparse or a full matrix.

use std::fmt::Write as _;

use netloom_model::{Bound, Outcome, Row, Traffic};

use super::gather::{Gather, MATRIX, WHOLE, only_bytes, rank, whole};
use crate::codes;
use crate::limits::MAX_RANKS;
use crate::row::Format;
use crate::sink::{Spot, quoted};
use crate::text::{decode, lines};

pub const ROW: Row<Format<Traffic>> = Row {
    name: "matrix-market",
    aliases: &["mtx"],
    summary: "Square matrix of bytes per pair of ranks: coordinate or array, integer or real, general or symmetric.",
    params: &[],
    example: "matrix-market",
    restrictions: MATRIX,
    source: "Boisvert, Pozo & Remington, The Matrix Market exchange formats, NISTIR 5935, 1996",
    build: Format {
        extensions: &["mtx"],
        begins: |head| head.bytes.starts_with(BANNER.as_bytes()),
        read: Some(read),
        write: Some(write),
    },
};

/// First bytes of the file.
pub const BANNER: &str = "%%MatrixMarket";

/// O(flows).
fn write(traffic: &Traffic, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    only_bytes(traffic, ROW.name)?;
    let (n, flows) = (traffic.ranks, traffic.flows());
    let mut out = format!("{BANNER} matrix coordinate integer general\n{n} {n} {}\n", flows.len());
    for flow in flows {
        let _ = writeln!(out, "{} {} {}", flow.src + 1, flow.dst + 1, flow.bytes);
    }
    Ok(out.into_bytes())
}

/// Interpretation of the entries.
struct MatrixShape {
    coordinate: bool,
    symmetric: bool,
    ranks: u32,
    entries: u64,
}

/// O(text).
fn read(bytes: &[u8], place: &str, (): (), _bound: &Bound) -> Outcome<Traffic> {
    let text = decode(bytes, place)?;
    let mut gather = Gather::new(place);
    let mut all = lines(text);
    let banner = all.next().map_or("", |l| l.1);
    let mut filled = all.filter(|l| !l.1.trim().is_empty() && !l.1.starts_with('%'));
    if let Some((coordinate, symmetric)) = banner_says(banner, &mut gather)
        && let Some(shape) = size(filled.next(), coordinate, symmetric, &mut gather)
    {
        gather.at_least(shape.ranks);
        let seen = if coordinate { sparse(filled, &shape, &mut gather) } else { full(filled, &shape, &mut gather) };
        if seen != shape.entries && gather.sink.is_empty() {
            let sentence = format!("{seen} entries where the size line says {}", shape.entries);
            gather.sink.say(&codes::SYNTAX, Spot::Whole, sentence, "check that the file is complete");
        }
    }
    gather.finish()
}

/// Whether the entries have coordinates and whether they are mirrored.
fn banner_says(line: &str, gather: &mut Gather) -> Option<(bool, bool)> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let spot = Spot::At(1, 1);
    let ["%%matrixmarket", "matrix", form, field, symmetry] = words[..] else {
        let sentence = format!("{} is not the banner of a matrix", quoted(line));
        let hint = "the first line must be %%MatrixMarket matrix coordinate integer general, or alike";
        gather.sink.say(&codes::SYNTAX, spot, sentence, hint);
        return None;
    };
    let allowed: [(&str, &[&str], &str); 3] = [
        (form, &["coordinate", "array"], "form"),
        (field, &["integer", "unsigned-integer", "real", "double"], "field"),
        (symmetry, &["general", "symmetric"], "symmetry"),
    ];
    let before = gather.sink.is_empty();
    for (word, words, what) in allowed {
        if !words.contains(&word) {
            let hint = "write the bytes between ranks as a real or integer matrix";
            gather.sink.must(&codes::UNSUPPORTED, spot, what, &words.join(", "), word, hint);
        }
    }
    (before && gather.sink.is_empty()).then_some((form == "coordinate", symmetry == "symmetric"))
}

fn size(line: Option<(u32, &str)>, coordinate: bool, symmetric: bool, gather: &mut Gather) -> Option<MatrixShape> {
    let Some((number, line)) = line else {
        gather.sink.say(&codes::MISSING, Spot::Whole, "there is no size line", "check that the file is complete");
        return None;
    };
    let spot = Spot::At(number, 1);
    let numbers: Vec<Option<u64>> = line.split_whitespace().map(|w| w.parse().ok()).collect();
    let (rows, columns, listed) = match numbers[..] {
        [Some(rows), Some(columns), Some(listed)] if coordinate => (rows, columns, Some(listed)),
        [Some(rows), Some(columns)] if !coordinate => (rows, columns, None),
        _ => {
            let expected = if coordinate { "rows columns entries" } else { "rows columns" };
            gather.sink.must(&codes::SYNTAX, spot, "size line", expected, line.trim(), "");
            return None;
        }
    };
    if rows != columns || !(1..=MAX_RANKS).contains(&rows) {
        let expected = "a square of 1 to 2^24 ranks";
        gather.sink.must(&codes::VALUE, spot, "matrix", expected, format!("{rows} x {columns}"), "");
        return None;
    }
    let entries = listed.unwrap_or(if symmetric { rows * (rows + 1) / 2 } else { rows * rows });
    Some(MatrixShape { coordinate, symmetric, ranks: rows as u32, entries })
}

/// Reads lines of row, column and bytes, counted from 1. Returns the number of lines.
fn sparse<'a>(rows: impl Iterator<Item = (u32, &'a str)>, shape: &MatrixShape, gather: &mut Gather) -> u64 {
    let mut seen = 0;
    for (number, line) in rows {
        if gather.is_full() {
            break;
        }
        seen += 1;
        let spot = Spot::At(number, 1);
        let mut words = line.split_whitespace();
        let (row, column, value) = (words.next(), words.next(), words.next());
        let index = |word: Option<&str>| word.and_then(|w| rank(w, 1)).filter(|r| *r < shape.ranks);
        match (index(row), index(column), value.and_then(whole)) {
            _ if words.next().is_some() || value.is_none() => {
                gather.sink.must(&codes::SYNTAX, spot, "entry", "row column bytes", line.trim(), "");
            }
            (Some(i), Some(j), Some(bytes)) => entry(i, j, bytes, shape, spot, gather),
            (Some(_), Some(_), None) => {
                gather.sink.must(&codes::VALUE, spot, "entry", WHOLE, value.unwrap_or_default(), "");
            }
            _ => {
                let expected = format!("row and column in 1..{} (inclusive)", shape.ranks);
                gather.sink.must(&codes::VALUE, spot, "entry", &expected, line.trim(), "");
            }
        }
    }
    seen
}

/// One number per line, column by column; of a symmetric matrix from the diagonal down. Returns the number of lines.
fn full<'a>(rows: impl Iterator<Item = (u32, &'a str)>, shape: &MatrixShape, gather: &mut Gather) -> u64 {
    let (mut seen, mut i, mut j) = (0, 0u32, 0u32);
    for (number, line) in rows {
        if gather.is_full() || j >= shape.ranks {
            return seen + 1;
        }
        seen += 1;
        let spot = Spot::At(number, 1);
        match whole(line.trim()) {
            Some(bytes) => entry(i, j, bytes, shape, spot, gather),
            None => gather.sink.must(&codes::VALUE, spot, "entry", WHOLE, line.trim(), ""),
        }
        i += 1;
        if i == shape.ranks {
            j += 1;
            i = if shape.symmetric { j } else { 0 };
        }
    }
    seen
}

fn entry(i: u32, j: u32, bytes: u64, shape: &MatrixShape, spot: Spot, gather: &mut Gather) {
    if shape.symmetric && shape.coordinate && j > i {
        let sentence = format!("entry ({}, {}) lies above the diagonal of a symmetric matrix", i + 1, j + 1);
        gather.sink.say(&codes::SYNTAX, spot, sentence, "list the lower triangle only");
    } else if bytes > 0 {
        gather.push(i, j, 1, bytes, spot);
        if shape.symmetric && i != j {
            gather.push(j, i, 1, bytes, spot);
        }
    }
}
