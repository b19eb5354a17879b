//! Traffic patterns: messages and bytes from rank to rank, without order. One row per pattern; all sizes are checked
//! before anything is allocated. A row generates its messages rank by rank wherever it can; [`build_pattern`] collects
//! them into a list, [`stream_pattern`] generates them on demand.

mod fixed;
mod grid;
mod hot;
mod lines;
mod made;
mod mix;
mod near;
mod random;
mod stencil;

#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use netloom_model::units::Quantity;
use netloom_model::{Bound, Call, Fault, Kind, Outcome, Param, Registry, Row, Sends, Traffic};

use crate::codes;
use crate::collectives::RANK_LIMIT;

use made::Made;
pub use mix::mix;

/// The type that a pattern's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Number of ranks given by the arguments, if any.
    pub(crate) implied: fn(&Bound) -> Option<u64>,
    pub(crate) make: fn(u32, &Bound) -> Outcome<Made>,
}

/// A pattern; its restrictions give the valid numbers of ranks.
pub type PatternRow = Row<Pattern>;

/// Every pattern.
pub static PATTERNS: Registry<Pattern> = Registry {
    kind: "patterns",
    what: "pattern",
    rows: &[
        random::UNIFORM,
        fixed::ALL_PAIRS,
        hot::HOT_SPOT,
        random::PERMUTATION,
        random::RANDOM_PAIRS,
        fixed::TRANSPOSE,
        fixed::BIT_REVERSE,
        fixed::BIT_COMPLEMENT,
        fixed::SHUFFLE,
        fixed::SHIFT,
        fixed::TORNADO,
        fixed::OPPOSITE,
        fixed::NEAREST_RING,
        stencil::STENCIL,
        stencil::STENCIL_CORNERS,
        stencil::WAVE_FRONT,
        near::UNSTRUCTURED_MESH,
        near::NEAR_NEIGHBOUR,
        near::SPREAD,
        lines::MANY_TO_MANY,
        mix::MIX,
    ],
};

impl Pattern {
    /// The traffic on `ranks` ranks.
    ///
    /// # Errors
    /// `NL-P001` a number of ranks that the pattern does not take, `NL-P002` too many flows or bytes, and those of the
    /// pattern's own arguments.
    pub fn list(&self, ranks: u32, bound: &Bound) -> Outcome<Traffic> {
        (self.make)(ranks, bound)?.list(&bound.owner)
    }

    /// The same messages, generated rank by rank.
    ///
    /// # Errors
    /// As [`Pattern::list`], except that no list has to fit where the pattern needs none.
    pub fn stream(&self, ranks: u32, bound: &Bound) -> Outcome<Arc<dyn Sends>> {
        Ok((self.make)(ranks, bound)?.sends())
    }
}

/// The traffic of `call` on `ranks` ranks; without `ranks` on the number given by the arguments (`stencil(8,8)`: 64).
///
/// # Errors
/// All of the call's; `NL-P001` if the number of ranks is missing, out of 1 to 2^24, or not one that the pattern takes.
pub fn build_pattern(call: &Call, ranks: Option<i64>) -> Outcome<Traffic> {
    let (row, bound, ranks) = on_ranks(call, ranks)?;
    row.list(ranks, &bound)
}

/// The traffic of `call` as a stream: nothing proportional to ranks × messages is held, so all-to-all on 2^24 ranks
/// works as well as a shift. Patterns drawn over all ranks at once (`uniform`, `mix`) stay lists; permutations hold 4 bytes
/// per rank; all others hold nothing.
///
/// # Errors
/// As [`build_pattern`], without the limit of 2^27 flows where no list is needed.
///
/// ```
/// use netloom_model::Call;
/// let sends = netloom_workload::stream_pattern(&Call::parse("many-to-many(180,128,384)")?, None)?;
/// let mut partners = Vec::new();
/// sends.for_each(0, &mut |to, _, _| partners.push(to));
/// assert_eq!((partners.len(), partners[0], sends.ranks()), (127, 384, 8_847_360));
/// # Ok::<(), netloom_model::Faults>(())
/// ```
pub fn stream_pattern(call: &Call, ranks: Option<i64>) -> Outcome<Arc<dyn Sends>> {
    let (row, bound, ranks) = on_ranks(call, ranks)?;
    row.stream(ranks, &bound)
}

/// Row, arguments and number of ranks.
fn on_ranks(call: &Call, ranks: Option<i64>) -> Outcome<(&'static PatternRow, Bound, u32)> {
    let (row, bound) = PATTERNS.bind(call)?;
    let implied = (row.implied)(&bound).map(|p| i64::try_from(p).unwrap_or(i64::MAX));
    let Some(ranks) = ranks.or(implied) else {
        return Err(Fault::say(&codes::PATTERN_RANKS, row.name, "the number of ranks is missing").into());
    };
    if !(1..=RANK_LIMIT).contains(&ranks) {
        let expected = format!("an integer in 1..{RANK_LIMIT}");
        return Err(Fault::new(&codes::PATTERN_RANKS, "ranks", expected, ranks).into());
    }
    Ok((row, bound, ranks as u32))
}

pub(crate) const TEMPLATE: PatternRow = PatternRow {
    name: "",
    aliases: &[],
    summary: "",
    params: &[],
    example: "",
    restrictions: "",
    source: "",
    build: Pattern { implied: |_| None, make: |ranks, _| Ok(Made::List(Traffic::new("", ranks, Vec::new()))) },
};

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
