//! Parameters that patterns share.

use netloom_model::units::Quantity;
use netloom_model::{Bound, Fault, Kind, Outcome, Param};

use crate::codes;

pub(crate) const BYTES: Param =
    Param::optional("bytes", Kind::Quantity(Quantity::Bytes), "1", "bytes of one message").keyword_only();
pub(crate) const SEED: Param =
    Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "seed of the random choices").keyword_only();

/// The parameter `bytes` as a whole number.
pub(crate) fn bytes(bound: &Bound) -> Outcome<u64> {
    whole_bytes(bound, "bytes")
}

/// A parameter of bytes as a whole number.
///
/// # Errors
/// `NL-A007` a fraction, or above 2^53.
pub(crate) fn whole_bytes(bound: &Bound, name: &str) -> Outcome<u64> {
    let bytes = bound.float(name);
    if bytes.fract() != 0.0 || bytes > (1u64 << 53) as f64 {
        return Err(bound.fault(name, "a whole number of bytes, at most 2^53").into());
    }
    Ok(bytes as u64)
}

/// The fault that a pattern is not defined on `ranks` ranks.
pub(crate) fn wrong_ranks(bound: &Bound, expected: &str, ranks: u32) -> Fault {
    Fault::new(&codes::PATTERN_RANKS, format!("ranks of {}", bound.owner), expected, ranks)
}
