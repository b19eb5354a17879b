//! pF3D, laser-plasma interaction: Fourier transforms of every plane by all-to-alls along X and along Y, then advection
//! from plane to plane along Z.

use netloom_model::{Bound, Collective, Kind, Outcome, Param, Programs};

use super::legal::{Legal, MOST_RANKS};
use super::row::{Application, ApplicationRow, STEPS, TEMPLATE, size};
use super::weave::{Body, Grid, Setup};
use crate::patterns::whole_bytes;

const EXTENT: Kind = Kind::Int { min: 1, max: MOST_RANKS as i64 };

pub(crate) const PF3D: ApplicationRow = ApplicationRow {
    name: "pf3d",
    aliases: &[],
    summary: "Laser-plasma interaction on a grid of ranks: an alltoall along X, one along Y, advection up and down Z.",
    params: &[
        Param::optional("x", EXTENT, "32", "ranks along X, which count fastest"),
        Param::optional("y", EXTENT, "16", "ranks along Y; the number of ranks gives the planes along Z"),
        STEPS,
        size("x_bytes", "\"4 KiB\"", "bytes of each pair in the alltoall along X; 0 leaves it out"),
        size("y_bytes", "\"8 KiB\"", "bytes of each pair in the alltoall along Y; 0 leaves it out"),
        size("up_bytes", "\"256 KiB\"", "bytes from a rank to the one in the next plane; 0 leaves them out"),
        size("down_bytes", "\"384 KiB\"", "bytes from a rank to the one in the plane before; 0 leaves them out"),
        Param::optional(
            "send",
            Kind::Choice(&["blocking", "non-blocking"]),
            "blocking",
            "blocking: a rank receives after its send has ended; non-blocking: it waits for its send last",
        )
        .keyword_only(),
    ],
    example: "pf3d(x=2,y=2)",
    restrictions: "a multiple of x · y, up to 1048576",
    source: "Jain 2016 §3.1.3 (32 × 16 × 8 to 256; the two sizes along Z have no direction there)",
    build: Application { legal, make, ..TEMPLATE.build },
};

fn plane(bound: &Bound) -> u64 {
    u64::from(bound.size("x")) * u64::from(bound.size("y"))
}

fn legal(bound: &Bound) -> Legal {
    Legal::Multiples { of: u32::try_from(plane(bound)).unwrap_or(u32::MAX), most: MOST_RANKS }
}

/// O(ranks).
fn make(setup: &Setup) -> Outcome<Programs> {
    let bound = setup.bound;
    let (x, y) = (bound.size("x"), bound.size("y"));
    let [along_x, along_y, up, down] = ["x_bytes", "y_bytes", "up_bytes", "down_bytes"].map(|n| whole_bytes(bound, n));
    let (up, down) = (up?, down?);
    let blocks = bound.text("send") == "blocking";

    let mut calls = setup.calls();
    let mut transform = |bytes: u64, lines: Grid| match bytes {
        0 => Ok(None),
        _ => calls.each(Collective::Alltoall, bytes, 0, lines),
    };
    let rows = transform(along_x?, Grid::Lines { stride: 1, extent: x })?;
    let columns = transform(along_y?, Grid::Lines { stride: x, extent: y })?;
    let plane = x * y;
    setup.weave(calls, 0.0, |rank, body| {
        let above = rank.checked_add(plane).filter(|above| *above < setup.ranks);
        let below = rank.checked_sub(plane);
        body.repeat(setup.iterations, |body| {
            body.call(rows);
            body.call(columns);
            advance(body, below, above, UP, up, blocks);
            advance(body, above, below, DOWN, down, blocks);
        });
    })
}

const UP: u32 = 1;
const DOWN: u32 = 2;

/// One message from each plane to the next. A blocking send of a long message ends when the partner receives, which it
/// does after its own send: the planes take turns.
fn advance(body: &mut Body, from: Option<u32>, to: Option<u32>, tag: u32, bytes: u64, blocks: bool) {
    if bytes == 0 {
        return;
    }
    match to {
        Some(to) if blocks => body.send(to, tag, bytes),
        Some(to) => body.start_send(to, tag, bytes),
        None => {}
    }
    if let Some(from) = from {
        body.receive(from, tag, bytes);
    }
    if to.is_some() && !blocks {
        body.wait(1);
    }
}
