//! All-to-all inside every line of a grid.

use netloom_model::{Bound, Kind, Outcome, Param};

use super::grid::{DIMS, RESTRICTION, extents, points};
use super::made::{Made, one_each};
use super::params::BYTES;
use super::row::{Pattern, PatternRow};

pub(crate) const MANY_TO_MANY: PatternRow = PatternRow {
    name: "many-to-many",
    aliases: &["m2m", "sub-all-to-all"],
    summary: "Ranks of a row-major grid send to every other rank of their line along one axis.",
    params: &[
        DIMS,
        Param::optional(
            "axis",
            Kind::Int { min: 0, max: 63 },
            "1",
            "axis of the lines, from 0; the last is the fastest",
        )
        .keyword_only(),
        BYTES,
    ],
    example: "many-to-many(4,4,4,axis=1,bytes=\"100 KiB\")",
    restrictions: RESTRICTION,
    source: "Jain 2016 §3.2.4 (M2M: 180×128×384 along Y, 100 KB), §4.2.1 (Sub A2A), §6.2.3 (A2A)",
    build: Pattern { implied: |bound| Some(points(bound)), make: many_to_many },
};

fn many_to_many(ranks: u32, bound: &Bound) -> Outcome<Made> {
    let dims = extents(ranks, bound)?;
    let axis = bound.int("axis") as usize;
    let Some(&extent) = dims.get(axis) else {
        return Err(bound.fault("axis", format!("an axis in 0..{} (exclusive)", dims.len())).into());
    };
    let stride: u32 = dims[axis + 1..].iter().product();
    one_each(ranks, u64::from(extent) - 1, bound, move |rank| {
        let at = rank / stride % extent;
        let base = rank - at * stride;
        (0..at).chain(at + 1..extent).map(move |x| base + x * stride)
    })
}
