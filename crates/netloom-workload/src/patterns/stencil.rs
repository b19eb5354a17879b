//! Exchange with the neighbours on a Cartesian grid of ranks.

use netloom_model::{Bound, Kind, Outcome, Param};

use super::grid::{DIMS, PERIODIC, RESTRICTION, beside, closed, extents, points};
use super::made::{Made, Partners, alike};
use super::params::BYTES;
use super::row::{Pattern, PatternRow};

pub(crate) const STENCIL: PatternRow = PatternRow {
    name: "stencil",
    aliases: &["halo", "grid"],
    summary: "Ranks of a row-major grid send to their neighbours on every axis; last axis fastest.",
    params: &[DIMS, PERIODIC, BYTES],
    example: "stencil(16,8,8,8,periodic=true,bytes=1)",
    restrictions: RESTRICTION,
    source: "Cui and Koibuchi §III (16×8×8×8)",
    build: Pattern { implied: |bound| Some(points(bound)), make: stencil },
};

pub(crate) const STENCIL_CORNERS: PatternRow = PatternRow {
    name: "stencil-corners",
    aliases: &["halo-corners"],
    summary: "As stencil, and to the corners of the box around each point: 2n + 2^n messages on n axes.",
    params: &[DIMS, PERIODIC, BYTES],
    example: "stencil-corners(4,4,4,periodic=true,bytes=1)",
    restrictions: RESTRICTION,
    source: "Jain 2016 §4.2.1 (15-point 3D halo: six faces and eight corners)",
    build: Pattern { implied: |bound| Some(points(bound)), make: stencil_corners },
};

pub(crate) const WAVE_FRONT: PatternRow = PatternRow {
    name: "wave-front",
    aliases: &["wavefront"],
    summary: "A sweep over an open row-major grid: to the next rank on every axis and, on the way back, to the one before.",
    params: &[
        DIMS,
        Param::optional("back", Kind::Bool, "true", "whether the sweep returns").keyword_only(),
        Param::optional("burst", Kind::Int { min: 1, max: 1 << 20 }, "1", "messages to each neighbour").keyword_only(),
        BYTES,
    ],
    example: "wave-front(8,8,back=true,burst=1,bytes=1)",
    restrictions: RESTRICTION,
    source: "Navaridas 2009 §4.3 (W2, W3: 40 KB; WF: back=false, burst=40, 1 KB), order forgotten",
    build: Pattern { implied: |bound| Some(points(bound)), make: wave_front },
};

fn stencil(ranks: u32, bound: &Bound) -> Outcome<Made> {
    let dims = extents(ranks, bound)?;
    let closes = closed(dims.len(), bound)?;
    let made = alike(ranks, 2 * dims.len() as u64, 1, bound, Faces::new(&dims, &closes, true))?;
    Ok(made.on_grid(dims, closes))
}

/// Axes whose corners are listed: 2^16 of them.
const CORNER_AXES: usize = 16;

fn stencil_corners(ranks: u32, bound: &Bound) -> Outcome<Made> {
    let dims = extents(ranks, bound)?;
    if dims.len() > CORNER_AXES {
        return Err(bound.fault("dims", format!("at most {CORNER_AXES} axes")).into());
    }
    let closes = closed(dims.len(), bound)?;
    let most = 2 * dims.len() as u64 + (1 << dims.len());
    let made = alike(ranks, most, 1, bound, Corners(Faces::new(&dims, &closes, true)))?;
    Ok(made.on_grid(dims, closes))
}

fn wave_front(ranks: u32, bound: &Bound) -> Outcome<Made> {
    let dims = extents(ranks, bound)?;
    let closes = vec![false; dims.len()];
    let faces = Faces::new(&dims, &closes, bound.bool("back"));
    let sides = if faces.back { 2 } else { 1 };
    let made = alike(ranks, sides * dims.len() as u64, bound.int("burst") as u64, bound, faces)?;
    Ok(made.on_grid(dims, closes))
}

/// The neighbours on the axes. A closed axis of two points has one neighbour, not two; an axis of one has none.
struct Faces {
    /// Extent, stride and whether it closes, last axis first.
    axes: Vec<(u32, u32, bool)>,
    /// False: only upwards.
    back: bool,
}

impl Faces {
    /// The extents multiply to a number of ranks, so strides fit.
    fn new(dims: &[u32], closes: &[bool], back: bool) -> Faces {
        let mut stride = 1;
        let axis = |(&extent, &closes): (&u32, &bool)| {
            let axis = (extent, stride, closes);
            stride *= extent;
            axis
        };
        Faces { axes: dims.iter().zip(closes).rev().map(axis).collect(), back }
    }
}

impl Partners for Faces {
    /// O(axes).
    #[inline]
    fn each(&self, rank: u32, mut visit: impl FnMut(u32)) {
        for &(extent, stride, closes) in &self.axes {
            let at = rank / stride % extent;
            let base = rank - at * stride;
            let [up, down] = beside(at, extent, closes);
            let both = [up, down.filter(|_| self.back)];
            both.into_iter().flatten().for_each(|x| visit(base + x * stride));
        }
    }
}

/// The neighbours on the axes, and those one step away on every axis at once.
struct Corners(Faces);

impl Partners for Corners {
    /// O(2^axes).
    fn each(&self, rank: u32, mut visit: impl FnMut(u32)) {
        let Corners(faces) = self;
        // On one axis the corners are the faces.
        if faces.axes.len() > 1 {
            faces.each(rank, &mut visit);
        }
        let mut sides = [[None; 2]; CORNER_AXES];
        for (side, &(extent, stride, closes)) in sides.iter_mut().zip(&faces.axes) {
            let at = rank / stride % extent;
            *side = beside(at, extent, closes).map(|x| x.map(|x| x * stride));
        }
        corners(&sides[..faces.axes.len()], 0, &mut visit);
    }
}

/// Every sum of one step on each axis.
fn corners(sides: &[[Option<u32>; 2]], base: u32, visit: &mut impl FnMut(u32)) {
    match sides {
        [] => visit(base),
        [side, rest @ ..] => side.iter().flatten().for_each(|step| corners(rest, base + step, visit)),
    }
}
