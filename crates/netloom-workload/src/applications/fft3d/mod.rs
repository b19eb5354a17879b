//! A Fourier transform in three dimensions: grids divided among objects, transposed between the lines of each axis.
//!
//! ```text
//!  D1 (i, k): lines along Z          D2 (i, c): lines along Y          D3: lines along X
//!  part i of X, part k of Y   ──►    part i of X, part c of Z    ──►   pencils (y, z), as they are dealt
//!                    planes z within the cutoff         pencils (y, z) within it
//! ```
//!
//! As Charm-FFT does it (Jain 2016, section 8.2), and, with the pencils dealt as a grid and one object on each rank, as libraries
//! of MPI do.

mod decomposition;
mod objects;
mod phases;
#[cfg(test)]
mod tests;

use netloom_model::fault::codes as model;
use netloom_model::{Bound, Fault, Kind, Outcome, Param, Programs};

use super::legal::{Legal, MOST_RANKS};
use super::row::{Application, ApplicationRow, COMPUTE, TEMPLATE, size};
use super::weave::Setup;
use crate::patterns::whole_bytes;
use decomposition::Decomposition;
use objects::Objects;

/// Most points along an axis, and most pencils that are dealt.
const MOST_POINTS: i64 = 1 << 16;
const MOST_PENCILS: u64 = 1 << 26;

pub(crate) const FFT3D: ApplicationRow = ApplicationRow {
    name: "fft3d",
    aliases: &["charm-fft"],
    summary: "Fourier transform of a grid in three dimensions, cut into slabs or pencils, with a cutoff in wave space.",
    params: &[
        Param::required(
            "n",
            Kind::Ints { min: 1, max: MOST_POINTS, least: 3, most: 3 },
            "points along X, Y and Z",
        ),
        Param::required(
            "decomposition",
            Kind::Ints { min: 1, max: MOST_POINTS, least: 1, most: 2 },
            "objects: parts of X, and of Y and Z; one number, or 1 as the second: slabs",
        ),
        Param::optional(
            "cutoff",
            Kind::Int { min: 1, max: 1 << 40 },
            "",
            "G²: of wave numbers, those with x² + y² + z² at most this are kept; unless given, all",
        )
        .keyword_only(),
        Param::optional(
            "direction",
            Kind::Choice(&["forward", "backward", "both"]),
            "forward",
            "forward: from real to wave space; both: and back",
        )
        .keyword_only(),
        Param::optional(
            "d3",
            Kind::Choice(&["round-robin", "block", "grid"]),
            "round-robin",
            "pencils along X: dealt one by one, in runs of equal length, or as parts of Y times parts of Z",
        )
        .keyword_only(),
        Param::optional(
            "exchange",
            Kind::Choice(&["messages", "alltoall", "alltoallv"]),
            "messages",
            "messages: those of each object, none of which blocks; else collectives of the ranks of a row or column, \
             alltoall with all blocks as large as the largest",
        )
        .keyword_only(),
        Param::optional(
            "mapping",
            Kind::IntsOr { min: 0, max: MOST_RANKS as i64 - 1, least: 1, words: &["block", "round-robin"] },
            "block",
            "ranks of the objects: in runs over all ranks, in turn, or one for each object; or three lists behind one another, of \
             D1, D2 and D3",
        )
        .keyword_only(),
        Param::optional(
            "bricks",
            Kind::Ints { min: 1, max: MOST_POINTS, least: 3, most: 3 },
            "",
            "bricks of the grid along X, Y and Z, before and after; as many as objects",
        )
        .keyword_only(),
        Param::optional("instances", Kind::Int { min: 1, max: 1024 }, "1", "transforms at the same time").keyword_only(),
        size("bytes", "16", "bytes of a number"),
        COMPUTE,
    ],
    example: "fft3d(n=[32,32,32],decomposition=[4,4])",
    restrictions: "any number up to 1048576; as many as objects where exchange is alltoall or alltoallv",
    source: "Jain 2016, section 8.2; 5 n log2 n operations for a line of n points, as the benchmarks of FFTW count them; plain \
             ones as in FFTW-MPI, P3DFFT (Pekurovsky 2012) and heFFTe (Ayala et al. 2020)",
    build: Application { legal, make, ..TEMPLATE.build },
};

/// Parts of X, and of Y and Z.
fn parts(bound: &Bound) -> (u64, u64) {
    let given = bound.ints("decomposition");
    (given.first().map_or(1, |a| *a as u64), given.get(1).map_or(1, |b| *b as u64))
}

fn legal(bound: &Bound) -> Legal {
    let (a, b) = parts(bound);
    match bound.text("exchange") {
        "messages" => Legal::Multiples { of: 1, most: MOST_RANKS },
        _ => Legal::only(a * b),
    }
}

/// O(points of a plane + messages).
fn make(setup: &Setup) -> Outcome<Programs> {
    let bound = setup.bound;
    let (a, b) = parts(bound);
    let n: Vec<u64> = bound.ints("n").iter().map(|points| *points as u64).collect();
    let n = [n[0], n[1], n[2]];
    let refuse = |name: &str, sentence: String, hint: &str| -> Fault {
        Fault::say(&model::BAD_VALUE, format!("fft3d.{name}"), sentence).hint(hint)
    };
    if a > n[0] || b > n[1].min(n[2]) {
        let sentence = format!("{a} x {b} parts are more than a grid of {} x {} x {} has points", n[0], n[1], n[2]);
        let hint = "give at most as many parts of X, and of Y and Z, as there are points along them";
        return Err(refuse("decomposition", sentence, hint).into());
    }
    if a * b > u64::from(MOST_RANKS) {
        let sentence = format!("{} objects exceed {MOST_RANKS}", a * b);
        return Err(refuse("decomposition", sentence, "cut the grid into fewer").into());
    }
    if n[1] * n[2] > MOST_PENCILS {
        let sentence = format!("{} x {} pencils exceed {MOST_PENCILS}", n[1], n[2]);
        return Err(refuse("n", sentence, "use a smaller grid").into());
    }
    let bytes = whole_bytes(bound, "bytes")?;
    if n.iter().product::<u64>().checked_mul(bytes).is_none_or(|all| all > 1 << 53) {
        return Err(refuse("bytes", "the grid has more than 2^53 bytes".into(), "use a smaller grid").into());
    }
    let bricks: Option<[u64; 3]> = bound.ints("bricks").iter().map(|of| *of as u64).collect::<Vec<_>>().try_into().ok();
    if let Some(bricks) = bricks {
        let wrong = if bricks.iter().product::<u64>() != a * b {
            Some(format!("{} bricks are not as many as the {} objects", bricks.iter().product::<u64>(), a * b))
        } else if bricks.iter().zip(n).any(|(of, points)| *of > points) {
            Some(format!("a grid of {} x {} x {} has no so many bricks along each axis", n[0], n[1], n[2]))
        } else if bound.text("d3") != "grid" {
            Some("need pencils dealt as a grid: add d3=grid".to_string())
        } else if bound.is_given("cutoff") {
            Some("hold the whole grid, and there is a cutoff".to_string())
        } else {
            None
        };
        if let Some(sentence) = wrong {
            return Err(refuse("bricks", sentence, "leave out bricks, or give other ones").into());
        }
    }
    if bound.text("exchange") != "messages" && (bound.text("d3") != "grid" || bound.text("mapping") != "block") {
        let sentence = format!(
            "{} needs pencils dealt as a grid, and objects on the ranks of their numbers",
            bound.text("exchange")
        );
        return Err(refuse("exchange", sentence, "add d3=grid and leave out mapping, or use exchange=messages").into());
    }
    let cutoff = bound.int_or_none("cutoff").map(|most| most as u64);
    let grid = Decomposition::new(n, (a, b), cutoff, bound.text("d3"), bricks);
    let objects = Objects::new(bound, setup.ranks, (a * b) as u32)?;
    phases::write(setup, &grid, &objects, bytes)
}
