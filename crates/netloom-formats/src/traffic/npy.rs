//! NumPy's `.npy`: bytes per pair of ranks as a square array. The header is read by hand; nothing in the file is executed,
//! and arrays of Python objects are refused.

use netloom_model::{Bound, CodeRow, Fault, Faults, Outcome, Row, Traffic};

use super::gather::{Gather, MATRIX, WHOLE, fits, only_bytes, whole_real};
use crate::codes;
use crate::limits::{MAX_BYTES, MAX_RANKS};
use crate::row::Format;
use crate::sink::{Spot, quoted};

pub const ROW: Row<Format<Traffic>> = Row {
    name: "npy",
    aliases: &["numpy"],
    summary: "NumPy array of bytes per pair of ranks: two dimensions, integers or reals, C or Fortran order.",
    params: &[],
    example: "npy",
    restrictions: MATRIX,
    source: "NumPy enhancement proposal 1: a simple file format for NumPy arrays",
    build: Format {
        extensions: &["npy"],
        begins: |head| head.bytes.starts_with(MAGIC),
        read: Some(read),
        write: Some(write),
    },
};

/// First bytes of the file.
pub const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest header: shapes and types of numbers need less.
const MAX_HEADER: usize = 1 << 16;

/// O(ranks²), 8 bytes each.
fn write(traffic: &Traffic, (): (), _bound: &Bound) -> Outcome<Vec<u8>> {
    only_bytes(traffic, ROW.name)?;
    let n = traffic.ranks as usize;
    fits(8 * (n as u128) * (n as u128) + 128, ROW.name)?;
    let mut head = format!("{{'descr': '<u8', 'fortran_order': False, 'shape': ({n}, {n}), }}");
    // Magic, version, length and header together fill whole blocks of 64 bytes.
    let filled = (MAGIC.len() + 4 + head.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
    while head.len() + 1 < filled {
        head.push(' ');
    }
    head.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((head.len() as u16).to_le_bytes());
    out.extend(head.bytes());
    let start = out.len();
    out.resize(start + 8 * n * n, 0);
    for flow in traffic.flows() {
        let at = start + 8 * (flow.src as usize * n + flow.dst as usize);
        out[at..at + 8].copy_from_slice(&flow.bytes.to_le_bytes());
    }
    Ok(out)
}

/// O(entries).
fn read(bytes: &[u8], place: &str, (): (), _bound: &Bound) -> Outcome<Traffic> {
    if bytes.len() > MAX_BYTES {
        let sentence = format!("{} bytes exceed the {} MiB that are read", bytes.len(), MAX_BYTES >> 20);
        return Err(Fault::say(&codes::TOO_LARGE, place, sentence).into());
    }
    let (head, start) = header(bytes, place)?;
    let data = &bytes[start..];
    let n = head.ranks as usize;
    let size = head.cell.bytes as usize;
    // At most 2^24 squared times 8: no overflow.
    let wanted = n as u64 * n as u64 * size as u64;
    if data.len() as u64 != wanted {
        let expected = format!("{wanted} bytes for {n} x {n} numbers of {size}");
        let place = format!("{place}: data from byte {start}");
        return Err(Fault::new(&codes::SYNTAX, place, expected, format!("{} bytes", data.len()))
            .hint("check that the file is complete")
            .into());
    }
    let mut gather = Gather::new(place);
    gather.at_least(head.ranks);
    for (at, cell) in data.chunks_exact(size).enumerate() {
        let (major, minor) = ((at / n) as u32, (at % n) as u32);
        let (src, dst) = if head.fortran { (minor, major) } else { (major, minor) };
        match head.cell.whole(cell) {
            Some(0) => {}
            Some(number) => gather.push(src, dst, 1, number, Spot::Whole),
            None => {
                let what = format!("entry [{src}, {dst}]");
                gather.sink.must(&codes::VALUE, Spot::Whole, &what, WHOLE, head.cell.show(cell), "");
            }
        }
        if gather.is_full() {
            break;
        }
    }
    gather.finish()
}

struct NpyHead {
    cell: Cell,
    fortran: bool,
    ranks: u32,
}

/// A number of the array.
#[derive(Clone, Copy)]
struct Cell {
    /// `u`, `i` or `f`.
    kind: u8,
    bytes: u8,
    big_endian: bool,
}

impl Cell {
    /// The cell of `<u8`, `>f4`, `|i1`; `=` never occurs in a file.
    fn of(descr: &str) -> Option<Cell> {
        let [order, kind, digits @ ..] = descr.as_bytes() else { return None };
        let bytes = std::str::from_utf8(digits).ok()?.parse().ok()?;
        let known = match kind {
            b'u' | b'i' => matches!(bytes, 1 | 2 | 4 | 8),
            b'f' => matches!(bytes, 4 | 8),
            _ => false,
        };
        let ordered = matches!(order, b'<' | b'>') || (*order == b'|' && bytes == 1);
        (known && ordered).then_some(Cell { kind: *kind, bytes, big_endian: *order == b'>' })
    }

    /// The bits, lowest first.
    fn bits(self, cell: &[u8]) -> u64 {
        let shift = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.big_endian { cell.iter().fold(0, shift) } else { cell.iter().rev().fold(0, shift) }
    }

    fn real(self, cell: &[u8]) -> f64 {
        let bits = self.bits(cell);
        if self.bytes == 4 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
    }

    /// The value with the sign of the width.
    fn signed(self, cell: &[u8]) -> i64 {
        let unused = 64 - 8 * u32::from(self.bytes);
        (self.bits(cell) << unused) as i64 >> unused
    }

    fn whole(self, cell: &[u8]) -> Option<u64> {
        match self.kind {
            b'f' => whole_real(self.real(cell)),
            b'i' => u64::try_from(self.signed(cell)).ok(),
            _ => Some(self.bits(cell)).filter(|n| *n < 1 << 63),
        }
    }

    fn show(self, cell: &[u8]) -> String {
        match self.kind {
            b'f' => self.real(cell).to_string(),
            b'i' => self.signed(cell).to_string(),
            _ => self.bits(cell).to_string(),
        }
    }
}

fn say(row: &CodeRow, place: &str, byte: usize, sentence: &str, hint: &str) -> Faults {
    Fault::say(row, format!("{place}: byte {byte}"), sentence).hint(hint).into()
}

/// The header and the offset of the data.
fn header(bytes: &[u8], place: &str) -> Outcome<(NpyHead, usize)> {
    let short =
        || say(&codes::SYNTAX, place, bytes.len(), "the file ends within its header", "save it with numpy.save");
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(say(&codes::SYNTAX, place, 0, "does not begin as a NumPy array does", "save it with numpy.save"));
    };
    let (length, at) = match *rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 10),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 12),
        [version @ (0 | 4..), ..] => {
            let sentence = format!("format version {version} is not known");
            return Err(say(&codes::UNSUPPORTED, place, MAGIC.len(), &sentence, "save it with numpy.save"));
        }
        _ => return Err(short()),
    };
    if length > MAX_HEADER {
        let sentence = format!("a header of {length} bytes exceeds {MAX_HEADER}");
        return Err(say(&codes::TOO_LARGE, place, at - 4, &sentence, "save plain numbers with numpy.save"));
    }
    let text = bytes.get(at..at + length).ok_or_else(short)?;
    Ok((dictionary(text, place, at)?, at + length))
}

/// `{'descr': '<u8', 'fortran_order': False, 'shape': (4, 4), }`, in any order.
fn dictionary(text: &[u8], place: &str, start: usize) -> Outcome<NpyHead> {
    let mut words = Literals { text, at: 0 };
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    let parsed = (|| {
        words.take(b'{')?;
        while words.peek()? != b'}' {
            let key = words.quoted()?;
            words.take(b':')?;
            match key {
                "descr" => descr = Some(words.until_comma()?),
                "fortran_order" => fortran = Some(words.word()?),
                "shape" => shape = Some(words.numbers()?),
                _ => return None,
            }
            if words.peek()? == b',' {
                words.take(b',')?;
            }
        }
        Some(())
    })();
    let cell = descr.and_then(|d| d.strip_prefix('\'')?.strip_suffix('\'')).and_then(Cell::of);
    if let (Some(descr), None) = (descr, cell) {
        let expected = "integers or reals: u1 to u8, i1 to i8, f4, f8";
        let fault = Fault::new(&codes::UNSUPPORTED, format!("{place}: dtype"), expected, quoted(descr));
        return Err(fault.hint("convert with .astype(\"u8\"); Python objects are never read").into());
    }
    let (Some(()), Some(cell), Some(fortran @ ("True" | "False")), Some(shape)) = (parsed, cell, fortran, shape) else {
        let sentence = "the header is not one of descr, fortran_order and shape";
        return Err(say(&codes::SYNTAX, place, start + words.at, sentence, "save it with numpy.save"));
    };
    match shape[..] {
        [rows, columns] if rows == columns && (1..=MAX_RANKS).contains(&rows) => {
            Ok(NpyHead { cell, fortran: fortran == "True", ranks: rows as u32 })
        }
        _ => {
            let got = shape.iter().take(8).map(u64::to_string).collect::<Vec<_>>().join(" x ");
            let place = format!("{place}: shape");
            Err(Fault::new(&codes::VALUE, place, "a square of 1 to 2^24 ranks", format!("({got})")).into())
        }
    }
}

/// The subset of Python literals used in headers.
struct Literals<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Literals<'a> {
    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }
    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }
    fn span(&mut self, keep: impl Fn(u8) -> bool) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|b| !keep(*b))?;
        self.at += length;
        std::str::from_utf8(&rest[..length]).ok()
    }
    fn quoted(&mut self) -> Option<&'a str> {
        self.take(b'\'')?;
        let found = self.span(|b| b != b'\'')?;
        self.take(b'\'')?;
        Some(found)
    }
    fn word(&mut self) -> Option<&'a str> {
        self.peek()?;
        self.span(|b| b.is_ascii_alphanumeric())
    }
    /// A quoted text, or else the rest of the header, for the message.
    fn until_comma(&mut self) -> Option<&'a str> {
        if self.peek()? != b'\'' {
            let rest = std::str::from_utf8(&self.text[self.at..]).ok()?;
            self.at = self.text.len();
            return Some(rest);
        }
        let start = self.at;
        self.quoted()?;
        std::str::from_utf8(&self.text[start..self.at]).ok()
    }
    fn numbers(&mut self) -> Option<Vec<u64>> {
        self.take(b'(')?;
        let mut out = Vec::new();
        while self.peek()? != b')' {
            out.push(self.word()?.parse().ok()?);
            if self.peek()? == b',' {
                self.take(b',')?;
            }
        }
        self.take(b')')?;
        Some(out)
    }
}
