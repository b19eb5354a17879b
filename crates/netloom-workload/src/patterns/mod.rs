//! Traffic patterns: who sends how much to whom, without order. One row per pattern; all sizes are checked before anything
//! is allocated.

mod fixed;
mod mix;
mod random;
mod stencil;

#[cfg(test)]
mod tests;

use netloom_model::param::find;
use netloom_model::traffic::{FLOW_LIMIT, Flow};
use netloom_model::units::Quantity;
use netloom_model::{Bound, Call, Fault, Kind, Outcome, Param, Traffic};

use crate::codes;
use crate::collectives::RANK_LIMIT;

pub use mix::mix;

/// A registered pattern.
#[derive(Clone, Copy, Debug)]
pub struct PatternRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub summary: &'static str,
    pub params: &'static [Param],
    /// A call that works.
    pub example: &'static str,
    /// Numbers of ranks that it takes; empty if any.
    pub restrictions: &'static str,
    pub source: &'static str,
    /// Number of ranks that the arguments themselves say, if they do.
    pub(crate) implied: fn(&Bound) -> Option<u64>,
    pub(crate) make: fn(u32, &Bound) -> Outcome<Traffic>,
}

static PATTERNS: &[PatternRow] = &[
    random::UNIFORM,
    fixed::ALL_PAIRS,
    random::PERMUTATION,
    random::RANDOM_PAIRS,
    fixed::TRANSPOSE,
    fixed::BIT_REVERSE,
    fixed::BIT_COMPLEMENT,
    fixed::SHUFFLE,
    fixed::SHIFT,
    fixed::TORNADO,
    fixed::NEAREST_RING,
    stencil::STENCIL,
    mix::MIX,
];

/// Every pattern.
pub fn patterns() -> &'static [PatternRow] {
    PATTERNS
}

impl PatternRow {
    /// Every name the row answers to, the registered one first.
    pub fn names(&self) -> Vec<&'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied()).collect()
    }

    /// The traffic on `ranks` ranks.
    ///
    /// # Errors
    /// `NL-P001` a number of ranks that the pattern does not take, `NL-P002` too many flows or bytes, and those of the
    /// pattern's own arguments.
    pub fn build(&self, ranks: u32, bound: &Bound) -> Outcome<Traffic> {
        (self.make)(ranks, bound)
    }
}

/// The row of a name or alias.
///
/// # Errors
/// `NL-A002` with the nearest name.
pub fn find_pattern(name: &str) -> Outcome<&'static PatternRow> {
    find("pattern", name, PATTERNS, PatternRow::names)
}

/// Row and arguments of a call, under the registered name.
///
/// # Errors
/// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
pub fn bind_pattern(call: &Call) -> Outcome<(&'static PatternRow, Bound)> {
    let row = find_pattern(&call.name)?;
    let call = Call { name: row.name.to_string(), ..call.clone() };
    Ok((row, Bound::bind(row.params, &call)?))
}

/// The traffic of `call` on `ranks` ranks; without `ranks` on as many as the arguments say (`stencil(8,8)`: 64).
///
/// # Errors
/// All of the call's; `NL-P001` if the number of ranks is missing, out of 1 to 2^24, or not one that the pattern takes.
pub fn build_pattern(call: &Call, ranks: Option<i64>) -> Outcome<Traffic> {
    let (row, bound) = bind_pattern(call)?;
    let implied = (row.implied)(&bound).map(|p| i64::try_from(p).unwrap_or(i64::MAX));
    let Some(ranks) = ranks.or(implied) else {
        return Err(Fault::say(&codes::PATTERN_RANKS, row.name, "the number of ranks is missing").into());
    };
    if !(1..=RANK_LIMIT).contains(&ranks) {
        let expected = format!("an integer in 1..{RANK_LIMIT}");
        return Err(Fault::new(&codes::PATTERN_RANKS, "ranks", expected, ranks).into());
    }
    row.build(ranks as u32, &bound)
}

pub(crate) const TEMPLATE: PatternRow = PatternRow {
    name: "",
    aliases: &[],
    summary: "",
    params: &[],
    example: "",
    restrictions: "",
    source: "",
    implied: |_| None,
    make: |ranks, _| Ok(Traffic::new("", ranks, Vec::new())),
};

pub(crate) const BYTES: Param =
    Param::optional("bytes", Kind::Quantity(Quantity::Bytes), "1", "bytes of one message").keyword_only();
pub(crate) const SEED: Param =
    Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "seed of the random choices").keyword_only();

/// The parameter `bytes` as a whole number.
pub(crate) fn bytes(bound: &Bound) -> Outcome<u64> {
    let bytes = bound.float("bytes");
    if bytes.fract() != 0.0 || bytes > (1u64 << 53) as f64 {
        return Err(bound.fault("bytes", "a whole number of bytes, at most 2^53").into());
    }
    Ok(bytes as u64)
}

/// Refuses more flows or bytes than traffic holds.
pub(crate) fn check_size(name: &str, messages: u128, bytes: u64) -> Outcome<()> {
    check_total(name, messages, messages.saturating_mul(bytes.into()))
}

/// [`check_size`] where the messages differ.
pub(crate) fn check_total(name: &str, messages: u128, total_bytes: u128) -> Outcome<()> {
    if messages <= u128::from(FLOW_LIMIT) && total_bytes < 1 << 63 {
        return Ok(());
    }
    let sentence = format!("{messages} messages with {total_bytes} bytes exceed {FLOW_LIMIT} flows or 2^63 bytes");
    Err(Fault::say(&codes::PATTERN_LARGE, name, sentence).hint("use fewer ranks, messages or bytes").into())
}

/// One message from every rank to each of `partners`; those to itself are dropped.
pub(crate) fn one_each<I: IntoIterator<Item = u32>>(
    ranks: u32,
    per_rank: u64,
    bound: &Bound,
    partners: impl Fn(u32) -> I,
) -> Outcome<Traffic> {
    let bytes = bytes(bound)?;
    check_size(&bound.owner, u128::from(ranks) * u128::from(per_rank), bytes)?;
    let flows =
        (0..ranks).flat_map(|src| partners(src).into_iter().map(move |dst| Flow { src, dst, messages: 1, bytes }));
    Ok(Traffic::new(bound.canonical().to_string(), ranks, flows.collect()))
}

/// The fault that a pattern is not defined on `ranks` ranks.
pub(crate) fn wrong_ranks(bound: &Bound, expected: &str, ranks: u32) -> Fault {
    Fault::new(&codes::PATTERN_RANKS, format!("ranks of {}", bound.owner), expected, ranks)
}
