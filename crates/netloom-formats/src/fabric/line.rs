//! A line of a fabric's list: its parts, and what is wrong in one of them.

use std::collections::HashSet;

use netloom_model::CodeRow;

use super::devices::{HINT, LAST_LID, LAST_PORT};
use super::rate::Rate;
use crate::codes;
use crate::limits::MAX_FAULTS;
use crate::sink::{Sink, Spot};

/// What is wrong in a line.
#[derive(Debug)]
pub struct WrongPart<'t> {
    row: &'static CodeRow,
    /// The part's name; empty for the whole line.
    what: &'static str,
    expected: String,
    /// The part as written: a piece of the line.
    got: &'t str,
}

/// What a part of a line holds.
pub type LinePart<'t, T> = Result<T, WrongPart<'t>>;

impl<'t> WrongPart<'t> {
    /// A line that is nothing like `expected`.
    pub fn line(line: &'t str, expected: &str) -> WrongPart<'t> {
        WrongPart { row: &codes::SYNTAX, what: "", expected: expected.into(), got: line }
    }

    fn value(what: &'static str, expected: String, got: &'t str) -> WrongPart<'t> {
        WrongPart { row: &codes::VALUE, what, expected, got }
    }
}

/// A unicast LID, or 0 for none.
pub fn lid(text: &str) -> LinePart<'_, u32> {
    number("LID", text, 0, LAST_LID)
}

/// The number of a port, from 1.
pub fn port_number(text: &str) -> LinePart<'_, u32> {
    number("port", text, 1, LAST_PORT)
}

/// How many ports a device has.
pub fn port_count(text: &str) -> LinePart<'_, u32> {
    number("number of ports", text, 1, LAST_PORT)
}

/// The number of bits that a port's LIDs differ in.
pub fn lmc(text: &str) -> LinePart<'_, u8> {
    number("lmc", text, 0, 7).map(|lmc| lmc as u8)
}

fn number<'t>(what: &'static str, text: &'t str, least: u32, most: u32) -> LinePart<'t, u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let found = text.parse().ok().filter(|n| digits && (least..=most).contains(n));
    found.ok_or_else(|| WrongPart::value(what, format!("a number from {least} to {most}"), text))
}

/// `4xEDR`.
pub fn rate(text: &str) -> LinePart<'_, Rate> {
    Rate::parse(text).ok_or_else(|| WrongPart::value("rate", "a width and a speed such as 4xEDR".into(), text))
}

/// `4X` and `25.78125` or `EDR`, of which `example` is one.
pub fn rate_of<'t>(width: &'t str, speed: &'t str, example: &str) -> LinePart<'t, Rate> {
    let wrong = |what, text| WrongPart::value(what, format!("one that InfiniBand has, such as {example}"), text);
    match (Rate::of(width, speed), Rate::of(width, "SDR")) {
        (Some(rate), _) => Ok(rate),
        (None, None) => Err(wrong("width", width)),
        (None, Some(_)) => Err(wrong("speed", speed)),
    }
}

/// Says what is wrong in lines: a value that many lines have once.
#[derive(Default)]
pub struct Complaints {
    said: HashSet<(&'static str, String)>,
}

impl Complaints {
    /// `line` is the one that `wrong` was found in.
    pub fn say(&mut self, sink: &mut Sink, number: u32, line: &str, wrong: &WrongPart<'_>) {
        let known = self.said.len() < MAX_FAULTS && !self.said.insert((wrong.what, wrong.got.into()));
        if known && !wrong.what.is_empty() {
            return;
        }
        let before = (wrong.got.as_ptr() as usize).checked_sub(line.as_ptr() as usize);
        let column = before.and_then(|at| line.get(..at)).map_or(1, |before| before.chars().count() + 1);
        let spot = Spot::At(number, u32::try_from(column).unwrap_or(u32::MAX));
        let hint = if wrong.what.is_empty() { HINT } else { "print the fabric again, or correct this line" };
        sink.must(wrong.row, spot, wrong.what, &wrong.expected, wrong.got, hint);
    }
}
