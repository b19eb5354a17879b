//! Traffic as a matrix or a list: bytes from rank to rank.

pub mod csv;
mod gather;
pub mod matrix_market;
pub mod npy;

#[cfg(test)]
mod csv_tests;
#[cfg(test)]
mod tests;

use netloom_model::{Fault, Outcome, Registry, Traffic};

use crate::codes;
use crate::limits::MAX_RANKS;
use crate::row::{Format, Held};

/// Formats of traffic.
pub static FORMATS: Registry<Format<Traffic>> =
    Registry { kind: "formats", what: "format", rows: &[csv::ROW, matrix_market::ROW, npy::ROW], common: &[] };

/// A file gives its number of ranks: the number of rows, or the highest rank plus one.
impl Held for Traffic {
    type Given<'g> = ();
    type Onto<'g> = ();
    type Found = Traffic;
    type Written = Vec<u8>;
    const WHAT: &'static str = "traffic";

    fn formats() -> &'static Registry<Format<Traffic>> {
        &FORMATS
    }
}

/// `traffic` of a file on `ranks` ranks, which may be more than the file names.
///
/// # Errors
/// `NL-F009` more ranks than `ranks`, or `ranks` out of 1 to 2^24.
pub fn on_ranks(mut traffic: Traffic, place: &str, ranks: i64) -> Outcome<Traffic> {
    if !(1..=MAX_RANKS as i64).contains(&ranks) {
        return Err(Fault::new(&codes::VALUE, "ranks", "an integer in 1..2^24", ranks).into());
    }
    if i64::from(traffic.ranks) > ranks {
        let expected = format!("traffic of at most {ranks} ranks, as many as the job has");
        return Err(Fault::new(&codes::VALUE, place, expected, format!("{} ranks", traffic.ranks)).into());
    }
    traffic.ranks = ranks as u32;
    Ok(traffic)
}
