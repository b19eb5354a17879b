//! The list of patterns, and the messages of a call into it.

use std::sync::Arc;

use netloom_model::{Bound, Call, Fault, Outcome, Registry, Sends, Traffic};

use super::row::{Pattern, PatternRow};
use super::{fixed, hot, lines, mix, near, random, stencil};
use crate::codes;
use crate::collectives::RANK_LIMIT;

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
    common: &[],
};

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
