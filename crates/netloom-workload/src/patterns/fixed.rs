//! Patterns without choice: the partners of a rank follow from its number. Definitions as in Dally & Towles,
//! "Principles and practices of interconnection networks", 2004, table 3.1.

use netloom_model::{Bound, Kind, Outcome, Param};

use super::grid;
use super::made::{Everyone, alike, one_each};
use super::params::{BYTES, wrong_ranks};
use super::row::{Pattern, PatternRow, TEMPLATE};

pub(crate) const ALL_PAIRS: PatternRow = PatternRow {
    name: "all-pairs",
    aliases: &["all-to-all"],
    summary: "One message from every rank to every other: the exact mean of uniform traffic.",
    params: &[BYTES],
    example: "all-pairs",
    source: "Cui 2024 §5.3, in the limit",
    build: Pattern { make: |p, bound| alike(p, u64::from(p) - 1, 1, bound, Everyone(p)), ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const TRANSPOSE: PatternRow = PatternRow {
    name: "transpose",
    summary: "Rank i·n + j sends to j·n + i.",
    params: &[BYTES],
    example: "transpose",
    restrictions: "a square number n·n of ranks",
    source: "Dally & Towles 2004, table 3.1",
    build: Pattern {
        make: |p, bound| {
            let n = p.isqrt();
            if n * n != p {
                let hint = format!("nearest: {} or {}", n * n, u64::from(n + 1) * u64::from(n + 1));
                return Err(wrong_ranks(bound, "a square number", p).hint(hint).into());
            }
            one_each(p, 1, bound, move |r| [r % n * n + r / n])
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

pub(crate) const BIT_REVERSE: PatternRow = PatternRow {
    name: "bit-reverse",
    aliases: &["bit-reversal"],
    summary: "The destination's bits are the source's, backwards.",
    params: &[BYTES],
    example: "bit-reverse",
    restrictions: "a power of two",
    source: "Dally & Towles 2004, table 3.1",
    build: Pattern {
        make: |p, bound| {
            let bits = bits(p, bound)?;
            one_each(p, 1, bound, move |r| [if bits == 0 { 0 } else { r.reverse_bits() >> (32 - bits) }])
        },
        ..TEMPLATE.build
    },
};

pub(crate) const BIT_COMPLEMENT: PatternRow = PatternRow {
    name: "bit-complement",
    summary: "Rank r sends to p - 1 - r.",
    params: &[BYTES],
    example: "bit-complement",
    restrictions: "a power of two",
    source: "Dally & Towles 2004, table 3.1",
    build: Pattern {
        make: |p, bound| {
            bits(p, bound)?;
            one_each(p, 1, bound, move |r| [p - 1 - r])
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

pub(crate) const SHUFFLE: PatternRow = PatternRow {
    name: "shuffle",
    summary: "The destination's bits are the source's, rotated left by one.",
    params: &[BYTES],
    example: "shuffle",
    restrictions: "a power of two",
    source: "Dally & Towles 2004, table 3.1",
    build: Pattern {
        make: |p, bound| {
            let bits = bits(p, bound)?;
            one_each(p, 1, bound, move |r| [(r << 1 | r >> bits.saturating_sub(1)) & (p - 1)])
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

pub(crate) const SHIFT: PatternRow = PatternRow {
    name: "shift",
    summary: "Rank r sends to r + k.",
    params: &[
        Param::optional("k", Kind::Int { min: -(1 << 24), max: 1 << 24 }, "1", "distance; negative: downwards"),
        BYTES,
    ],
    example: "shift(k=1)",
    source: "cyclic shift",
    build: Pattern {
        make: |p, bound| {
            let k = bound.int("k").rem_euclid(i64::from(p)) as u64;
            one_each(p, 1, bound, move |r| [((u64::from(r) + k) % u64::from(p)) as u32])
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

pub(crate) const TORNADO: PatternRow = PatternRow {
    name: "tornado",
    summary: "Rank r sends almost half way round, to r + ceil(p/2) - 1; on a row-major grid on every axis.",
    params: &[
        Param::optional(
            "dims",
            Kind::Ints { min: 1, max: 1 << 24, least: 0, most: usize::MAX },
            "",
            "extent of each axis; a ring without any",
        )
        .variadic(),
        BYTES,
    ],
    example: "tornado",
    restrictions: "with axes as many ranks as the grid has points",
    source: "Dally & Towles 2004, table 3.1",
    build: Pattern {
        implied: |bound| (!bound.ints("dims").is_empty()).then(|| grid::points(bound)),
        make: |p, bound| {
            let dims = if bound.ints("dims").is_empty() { vec![p] } else { grid::extents(p, bound)? };
            one_each(p, 1, bound, move |r| [half_round(r, &dims)])
        },
    },
    ..TEMPLATE
};

pub(crate) const OPPOSITE: PatternRow = PatternRow {
    name: "opposite",
    aliases: &["diagonal"],
    summary: "Rank r sends to p - 1 - r; the middle one of an odd number stays silent.",
    params: &[BYTES],
    example: "opposite",
    source: "Jain 2016 §6.2.4 (Perm: the rank placed diagonally opposite in linear rank space)",
    build: Pattern { make: |p, bound| one_each(p, 1, bound, move |r| [p - 1 - r]), ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const NEAREST_RING: PatternRow = PatternRow {
    name: "nearest-ring",
    aliases: &["neighbours", "ring-neighbours"],
    summary: "Every rank sends to r + 1 and r - 1; of two ranks each to the other once.",
    params: &[BYTES],
    example: "nearest-ring",
    source: "periodic one-dimensional stencil",
    build: Pattern {
        make: |p, bound| {
            one_each(p, 2, bound, move |r| {
                let (right, left) = ((r + 1) % p, (r + p - 1) % p);
                std::iter::once(right).chain((left != right).then_some(left))
            })
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

/// The point that is almost half way round on every axis.
fn half_round(rank: u32, dims: &[u32]) -> u32 {
    let (mut left, mut stride, mut to) = (rank, 1, 0);
    for extent in dims.iter().rev() {
        let at = u64::from(left % extent) + u64::from(extent.div_ceil(2) - 1);
        to += (at % u64::from(*extent)) as u32 * stride;
        (left, stride) = (left / extent, stride * extent);
    }
    to
}

/// log2 of a power of two.
fn bits(p: u32, bound: &Bound) -> Outcome<u32> {
    if p.is_power_of_two() {
        return Ok(p.trailing_zeros());
    }
    let (below, above) = (1u32 << p.ilog2(), 2u32 << p.ilog2());
    Err(wrong_ranks(bound, "a power of two", p).hint(format!("nearest: {below} or {above}")).into())
}
