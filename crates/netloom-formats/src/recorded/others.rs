//! The files of a trace next to its first one, and parts of that: read when they are needed, and not held longer.

use std::borrow::Cow;

use netloom_model::{Fault, Outcome};

use super::limits::MAX_TOTAL_BYTES;
use crate::codes;

/// A part of a file: its first byte, and how many; fewer at the end of the file.
pub type Window<'a> = &'a dyn Fn(u64, u64) -> Outcome<Vec<u8>>;

/// Files by name, and what reads one by its number.
#[derive(Clone, Copy)]
pub struct Others<'a> {
    pub names: &'a [String],
    pub read: &'a dyn Fn(usize) -> Outcome<Vec<u8>>,
    /// The first file, where it is too long to be given whole.
    pub window: Option<Window<'a>>,
}

impl<'a> Others<'a> {
    /// No other file.
    pub const NONE: Others<'static> = Others { names: &[], read: &|_| Ok(Vec::new()), window: None };

    /// Names and bytes of all of them, for formats whose files depend on each other.
    ///
    /// # Errors
    /// Those of reading; `NL-F001` beyond 1 GiB.
    pub fn all(&self, place: &str) -> Outcome<Vec<(&'a str, Vec<u8>)>> {
        let (mut made, mut left) = (Vec::with_capacity(self.names.len()), MAX_TOTAL_BYTES);
        for (number, name) in self.names.iter().enumerate() {
            let bytes = (self.read)(number)?;
            left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
                let sentence = format!("has files of more than {} MiB together", MAX_TOTAL_BYTES >> 20);
                Fault::say(&codes::TOO_LARGE, place, sentence).hint("cut the trace")
            })?;
            made.push((name.as_str(), bytes));
        }
        Ok(made)
    }

    /// A part of the first file, of which `whole` was given.
    ///
    /// # Errors
    /// Those of reading.
    pub fn part<'b>(&self, whole: &'b [u8], first: u64, count: u64) -> Outcome<Cow<'b, [u8]>> {
        if let Some(window) = self.window {
            return window(first, count).map(Cow::Owned);
        }
        let at = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(whole.len());
        Ok(Cow::Borrowed(&whole[at(first)..at(first.saturating_add(count))]))
    }
}
