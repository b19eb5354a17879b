//! Turns bytes into lines and words with positions.

use netloom_model::{Fault, Outcome};

use crate::codes;
use crate::limits::MAX_BYTES;
use crate::sink::Spot;

/// The file as text, without a byte order mark.
///
/// # Errors
/// `NL-F001` beyond 256 MiB; `NL-F002` for bytes that are not UTF-8 or a NUL, with line and column.
pub fn decode<'a>(bytes: &'a [u8], place: &str) -> Outcome<&'a str> {
    if bytes.len() > MAX_BYTES {
        let sentence = format!("{} bytes exceed the {} MiB that are read", bytes.len(), MAX_BYTES >> 20);
        return Err(Fault::say(&codes::TOO_LARGE, place, sentence).into());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bad = |at: usize, what: &str| -> netloom_model::Faults {
        let before = &bytes[..at];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
        Fault::say(&codes::ENCODING, format!("{place}:{line}:{column}"), what)
            .hint("save the file as UTF-8 text; binary formats are not read")
            .into()
    };
    match std::str::from_utf8(bytes) {
        Err(e) => Err(bad(e.valid_up_to(), &format!("byte 0x{:02x} is not UTF-8", bytes[e.valid_up_to()]))),
        Ok(text) => match bytes.iter().position(|&b| b == 0) {
            Some(at) => Err(bad(at, "a NUL character is not text")),
            None => Ok(text),
        },
    }
}

/// A word of a line with its place.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    pub line: u32,
    pub column: u32,
}

impl Word<'_> {
    pub fn spot(&self) -> Spot {
        Spot::At(self.line, self.column)
    }
}

/// Lines from 1, without their ends.
pub fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1u32..).zip(text.lines())
}

/// Words of a line between white space, with their columns (in characters, from 1).
pub fn words(line_number: u32, line: &str) -> impl Iterator<Item = Word<'_>> {
    let (mut at, mut column) = (0usize, 1u32);
    std::iter::from_fn(move || {
        let rest = &line[at..];
        let blank = rest.find(|c: char| !c.is_whitespace())?;
        column = column.saturating_add(rest[..blank].chars().count() as u32);
        let start = at + blank;
        let length = line[start..].find(char::is_whitespace).unwrap_or(line.len() - start);
        let word = Word { text: &line[start..start + length], line: line_number, column };
        column = column.saturating_add(word.text.chars().count() as u32);
        at = start + length;
        Some(word)
    })
}

/// Turns byte offsets into line and column.
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// O(text); 4 bytes per line. Texts are shorter than 4 GiB ([`MAX_BYTES`]).
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 as u32 + 1));
        LineIndex { starts }
    }
    /// Column in bytes, from 1.
    pub fn spot(&self, offset: u64) -> Spot {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        let line = self.starts.partition_point(|&s| s <= offset).max(1);
        Spot::At(line as u32, offset - self.starts[line - 1] + 1)
    }
}

/// Names that one sentence lists.
const LISTED: usize = 3;

/// The first names, and how many more there are.
pub fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let listed = names.take(LISTED).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{listed} and {more} more") } else { listed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_are_placed() {
        let message = |bytes: &[u8]| decode(bytes, "f").unwrap_err().to_string();
        assert!(message(b"ab\nc\xffd").contains("NL-F002 f:2:2: byte 0xff"), "{}", message(b"ab\nc\xffd"));
        assert!(message(b"ab\nc\0d").contains("f:2:2"));
        assert_eq!(decode(b"\xef\xbb\xbfhi", "f").unwrap(), "hi");
    }

    #[test]
    fn words_know_their_columns() {
        let found: Vec<_> = words(3, "  é0 1\tx").map(|w| (w.text, w.column)).collect();
        assert_eq!(found, [("é0", 3), ("1", 6), ("x", 8)]);
        assert_eq!(LineIndex::new("a\nbc\n").spot(3), Spot::At(2, 2));
    }
}
