//! Halo exchange on a Cartesian grid of ranks.

use netloom_model::{Bound, Kind, Outcome, Param, Traffic};

use super::{BYTES, PatternRow, one_each, wrong_ranks};

pub(crate) const STENCIL: PatternRow = PatternRow {
    name: "stencil",
    aliases: &["halo", "grid"],
    summary: "Ranks of a row-major grid send to their neighbours on every axis; last axis fastest.",
    params: &[
        Param::required("dims", Kind::Ints { min: 1, max: 1 << 24, least: 1 }, "extent of each axis").variadic(),
        Param::optional("periodic", Kind::Bools, "true", "whether the axes close; one value for all or one for each")
            .keyword_only(),
        BYTES,
    ],
    example: "stencil(16,8,8,8,periodic=true,bytes=1)",
    restrictions: "as many ranks as the grid has points",
    source: "seed 003 §III (16×8×8×8)",
    implied: |bound| Some(points(bound)),
    make: stencil,
};

/// Product of the extents, saturating.
fn points(bound: &Bound) -> u64 {
    bound.ints("dims").iter().fold(1u64, |product, d| product.saturating_mul(*d as u64))
}

/// A closed axis of two points has one neighbour, not two; an axis of one has none.
fn stencil(ranks: u32, bound: &Bound) -> Outcome<Traffic> {
    let dims: Vec<u32> = bound.ints("dims").iter().map(|d| *d as u32).collect();
    if points(bound) != u64::from(ranks) {
        let expected = format!("{}, the points of the grid", points(bound));
        return Err(wrong_ranks(bound, &expected, ranks).into());
    }
    let mut periodic = bound.bools("periodic");
    if periodic.len() == 1 {
        periodic = vec![periodic[0]; dims.len()];
    }
    if periodic.len() != dims.len() {
        return Err(bound.fault("periodic", format!("one value, or {}", dims.len())).into());
    }
    let mut traffic = one_each(ranks, 2 * dims.len() as u64, bound, |rank| neighbours(rank, &dims, &periodic))?;
    traffic.grid = Some((dims, periodic));
    Ok(traffic)
}

fn neighbours(rank: u32, dims: &[u32], periodic: &[bool]) -> Vec<u32> {
    let (mut out, mut stride) = (Vec::with_capacity(2 * dims.len()), 1);
    for (&extent, &closes) in dims.iter().zip(periodic).rev() {
        let at = rank / stride % extent;
        let base = rank - at * stride;
        let up = if at + 1 < extent { Some(at + 1) } else { closes.then_some(0) };
        let down = if at > 0 { Some(at - 1) } else { closes.then_some(extent - 1) };
        let both = [up, down.filter(|d| Some(*d) != up)];
        out.extend(both.into_iter().flatten().filter(|x| *x != at).map(|x| base + x * stride));
        stride *= extent;
    }
    out
}
