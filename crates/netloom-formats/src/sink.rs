//! Collects the faults of one file: all of them, but not a flood.

use std::fmt::Display;

use netloom_model::{CodeRow, Fault, Faults};

use crate::limits::MAX_FAULTS;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The file as a whole.
    Whole,
    /// Line and column, both from 1.
    At(u32, u32),
    /// An item of a list without line numbers: `links[12]`.
    Item(&'static str, usize),
}

/// Faults of one file.
pub struct Sink<'a> {
    place: &'a str,
    faults: Faults,
    hidden: u64,
}

impl<'a> Sink<'a> {
    pub fn new(place: &'a str) -> Self {
        Sink { place, faults: Faults::none(), hidden: 0 }
    }
    pub fn place(&self) -> &'a str {
        self.place
    }
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// `file:3:5`, `file:links[12]`.
    pub fn at(&self, spot: Spot) -> String {
        match spot {
            Spot::Whole => self.place.to_string(),
            Spot::At(line, column) => format!("{}:{line}:{column}", self.place),
            Spot::Item(list, i) => format!("{}:{list}[{i}]", self.place),
        }
    }

    pub fn push(&mut self, fault: Fault) {
        if self.faults.0.len() < MAX_FAULTS {
            self.faults.push(fault);
        } else {
            self.hidden += 1;
        }
    }
    pub fn extend(&mut self, faults: Faults) {
        faults.0.into_iter().for_each(|f| self.push(f));
    }

    /// "`place what` must be `expected`, got `got`".
    pub fn must(&mut self, row: &CodeRow, spot: Spot, what: &str, expected: &str, got: impl Display, hint: &str) {
        if self.faults.0.len() >= MAX_FAULTS {
            self.hidden += 1;
            return;
        }
        let place = if what.is_empty() { self.at(spot) } else { format!("{} {what}", self.at(spot)) };
        let got: String = got.to_string().chars().take(2 * SHOW).collect();
        self.faults.push(Fault::new(row, place, expected, format!("\"{got}\"")).hint(hint));
    }

    /// "`place`: `sentence`".
    pub fn say(&mut self, row: &CodeRow, spot: Spot, sentence: impl Into<String>, hint: &str) {
        let fault = Fault::say(row, self.at(spot), sentence).hint(hint);
        self.push(fault);
    }

    /// All faults; for a reader that cannot go on.
    pub fn fail(mut self) -> Faults {
        if let (1.., Some(last)) = (self.hidden, self.faults.0.last_mut()) {
            let more = format!("(and {} more faults in this file)", self.hidden);
            last.hint = if last.hint.is_empty() { more } else { format!("{} {more}", last.hint) };
        }
        self.faults
    }
}

/// Longest piece of a file inside a sentence.
const SHOW: usize = 60;

/// A piece of the file for use in a message: in quotes, control characters escaped, shortened.
pub fn quoted(text: impl Display) -> String {
    let text = text.to_string();
    let mut out: String = text.chars().take(SHOW).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOW).is_some() {
        out.push_str("...");
    }
    format!("\"{}\"", out.replace("\\'", "'").replace("\\\"", "\""))
}
