//! What is changed of a record, and the part of it that is taken.

use netloom_formats::recorded::{Border, Region, Scale};
use pyo3::prelude::*;

/// Factors on a record: first and last rank with that of their computation, and that of all bytes; where the part that
/// is taken begins and ends.
pub type Factors = (Vec<(u32, u32, f64)>, f64, (Option<GivenBorder>, Option<GivenBorder>));

/// A time in seconds, or a call or mark by its name and number.
#[derive(FromPyObject)]
pub enum GivenBorder {
    Seconds(f64),
    Call(String, u32),
}

fn edge(border: GivenBorder) -> Border {
    match border {
        GivenBorder::Seconds(seconds) => Border::Seconds(seconds),
        GivenBorder::Call(name, number) => Border::Call { name, number },
    }
}

/// Without factors, a record as it is.
pub fn scaled(factors: Option<Factors>) -> Scale {
    factors.map_or_else(Scale::default, |(compute, bytes, (begin, end))| {
        let region = Region { begin: begin.map(edge), end: end.map(edge) };
        Scale { compute, bytes, region }
    })
}
