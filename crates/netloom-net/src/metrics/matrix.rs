//! All-pairs hop distances as bytes, by the bit-parallel kernel with bit-sliced counters.
//!
//! While a block of 512 sources is searched, the distance of each (source, switch) pair is kept as one bit in each of
//! a few planes. Then 64×64 bit transposes turn "for this switch, its sources" into "for this source, the switches",
//! and each 8 bits of a plane are spread to 8 bytes.

use std::borrow::Cow;

use netloom_model::distance::UNREACHED;
use rayon::prelude::*;

use netloom_model::fault::{Fault, Faults, Outcome, codes as model};
use netloom_model::{HopMatrix, Network, Progress};

use super::graph::Graph;
use super::kernel::{ReachRow, Scratch, Sink, WIDTH, block};
use super::simd::Simd;
use super::{codes, one_way};

/// Most switches of a [`hop_matrix`]: 2^16, for 4.3 GB.
pub const MATRIX_LIMIT: u32 = 1 << 16;

/// Largest distance in a matrix; 255 is [`UNREACHED`].
const FARTHEST: u32 = 254;

/// Distance between all pairs of switches, one byte each; [`UNREACHED`] from and to those that failures took away. As the
/// bit-parallel search, and O(switches²) bytes. Of a butterfly, whose links go one way, the links between its terminals.
///
/// # Errors
/// `NL-N001` if disconnected, `NL-A009` beyond [`MATRIX_LIMIT`] switches or if memory is short, `NL-N010` if a
/// distance exceeds 254, `NL-N011` if `progress` was stopped.
pub fn hop_matrix(network: &Network, progress: &Progress) -> Outcome<HopMatrix> {
    if let Some(fly) = network.structure().fly {
        return one_way::hop_matrix(network, fly);
    }
    if network.failed().is_some()
        && let Cow::Owned(rest) = network.remaining()?
    {
        return within(network, &hop_matrix(&rest, progress)?);
    }
    let n = network.switches();
    network.require_connected()?;
    require_room(network)?;
    let mut hops = vec![0; n as usize * n as usize];
    let sources: Vec<u32> = (0..n).collect();
    fill(network, &sources, &mut hops, progress)?;
    HopMatrix::from_rows(n, hops).ok_or_else(Faults::none)
}

/// # Errors
/// `NL-A009` beyond [`MATRIX_LIMIT`] switches or if memory is short.
pub(super) fn require_room(network: &Network) -> Outcome<()> {
    let n = network.switches();
    if n > MATRIX_LIMIT {
        let sentence = format!("a matrix of {n} x {n} distances exceeds {MATRIX_LIMIT} x {MATRIX_LIMIT}");
        let hint = "`metrics` needs no matrix; `hop_rows` gives the rows of chosen switches";
        return Err(Fault::say(&model::TOO_LARGE, network.label(), sentence).hint(hint).into());
    }
    let length = n as usize * n as usize;
    if Vec::<u8>::new().try_reserve_exact(length).is_err() {
        let sentence = format!("{length} bytes for the distances are not to be had");
        return Err(Fault::say(&model::TOO_LARGE, network.label(), sentence).hint("free memory").into());
    }
    Ok(())
}

/// The distances of what failures leave, by the numbers of the whole network.
fn within(network: &Network, rest: &HopMatrix) -> Outcome<HopMatrix> {
    let (n, kept) = (network.switches() as usize, network.staying());
    let mut hops = vec![UNREACHED; n * n];
    for (row, from) in hops.chunks_mut(n.max(1)).enumerate() {
        from[row] = 0;
    }
    for (at, &from) in (0u32..).zip(&kept) {
        for (&to, &distance) in kept.iter().zip(rest.row(at)) {
            hops[from as usize * n + to as usize] = distance;
        }
    }
    HopMatrix::from_rows(network.switches(), hops).ok_or_else(Faults::none)
}

/// Distances from some switches: row `i` of `out` (switches bytes) is those from `sources[i]`.
///
/// # Errors
/// As [`hop_matrix`], but of any size; `NL-N012` if a source does not exist, `NL-N013` if `out` has another length than
/// `sources.len()` · switches.
pub fn hop_rows(network: &Network, sources: &[u32], out: &mut [u8], progress: &Progress) -> Outcome<()> {
    network.require_connected()?;
    let n = network.switches();
    if let Some((i, s)) = sources.iter().enumerate().find(|s| *s.1 >= n) {
        let expected = format!("a switch in 0..{n} (exclusive)");
        return Err(Fault::new(&codes::NO_SUCH_SWITCH, format!("sources[{i}]"), expected, s).into());
    }
    if out.len() as u64 != sources.len() as u64 * u64::from(n) {
        let expected = format!("{} bytes long", sources.len() as u64 * u64::from(n));
        return Err(Fault::new(&codes::WRONG_LENGTH, "out", expected, out.len()).into());
    }
    fill(network, sources, out, progress)
}

fn fill(network: &Network, sources: &[u32], out: &mut [u8], progress: &Progress) -> Outcome<()> {
    let n = network.switches() as usize;
    if n == 0 || sources.is_empty() {
        return Ok(());
    }
    let graph = Graph::of(network);
    if graph.eccentricity() > FARTHEST {
        return Err(too_far(network));
    }
    let farthest = (graph.eccentricity() * 2).min(FARTHEST + 1);
    let planes = (u32::BITS - farthest.leading_zeros()).max(1) as usize;
    progress.set_total(sources.len() as u64);
    let simd = Simd::best();
    let spread = spread_table();
    let far = sources
        .par_chunks(WIDTH)
        .zip(out.par_chunks_mut(WIDTH * n))
        .map_init(
            || (Scratch::new(&graph), Planes { count: planes, rows: Vec::new(), far: false }),
            |(scratch, sink), (chunk, out)| {
                if progress.stopped() || sink.far {
                    return sink.far;
                }
                sink.rows.clear();
                sink.rows.resize(n * planes, ReachRow::EMPTY);
                search(&graph, simd, chunk, scratch, sink, n, out, &spread);
                progress.add(chunk.len() as u64);
                sink.far
            },
        )
        .reduce(|| false, |a, b| a | b);
    if far {
        return Err(too_far(network));
    }
    if progress.stopped() {
        return Err(Fault::say(&codes::INTERRUPTED, network.label(), "the search was stopped").into());
    }
    Ok(())
}

fn too_far(network: &Network) -> Faults {
    Fault::say(&codes::TOO_FAR, network.label(), format!("two switches are more than {FARTHEST} hops apart"))
        .hint("`metrics` gives diameter, ASPL and histogram at any distance")
        .into()
}

/// One chunk of sources, which may hold a switch twice: the kernel takes each once.
#[expect(clippy::too_many_arguments)]
fn search(
    graph: &Graph,
    simd: Simd,
    chunk: &[u32],
    scratch: &mut Scratch,
    sink: &mut Planes,
    n: usize,
    out: &mut [u8],
    spread: &[u64; 256],
) {
    let mut distinct = chunk.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() == chunk.len() {
        block(graph, simd, chunk, scratch, sink);
        return expand(sink, n, out, spread);
    }
    block(graph, simd, &distinct, scratch, sink);
    let mut rows = vec![0; distinct.len() * n];
    expand(sink, n, &mut rows, spread);
    for (row, source) in out.chunks_exact_mut(n).zip(chunk) {
        if let Ok(i) = distinct.binary_search(source) {
            row.copy_from_slice(&rows[i * n..(i + 1) * n]);
        }
    }
}

/// Bit `j` of the distance from source `s` to row `v` is bit `s` of `rows[v * count + j]`.
struct Planes {
    count: usize,
    rows: Vec<ReachRow>,
    far: bool,
}

impl Sink for Planes {
    #[inline(always)]
    fn visit(&mut self, v: usize, level: u32, new: &ReachRow, _: &[u64; 8]) {
        for (j, plane) in self.rows[v * self.count..(v + 1) * self.count].iter_mut().enumerate() {
            if level >> j & 1 == 1 {
                for i in 0..8 {
                    plane.0[i] |= new.0[i];
                }
            }
        }
    }
    fn single(&mut self, v: usize, level: u32, bit: usize) {
        for (j, plane) in self.rows[v * self.count..(v + 1) * self.count].iter_mut().enumerate() {
            plane.0[bit / 64] |= u64::from(level >> j & 1) << (bit % 64);
        }
    }
    fn end_level(&mut self, level: u32, _: u64) {
        self.far |= level > FARTHEST;
    }
}

/// Writes the distances of a block: `out` has one row of `n` bytes per source.
fn expand(planes: &Planes, n: usize, out: &mut [u8], spread: &[u64; 256]) {
    let sources = out.len() / n;
    let mut tiles = vec![[0u64; 64]; planes.count];
    // Sources outside, so that no more than 64 rows of the output are written side by side.
    for word in 0..sources.div_ceil(64) {
        for start in (0..n).step_by(64) {
            let rows = 64.min(n - start);
            for (j, tile) in tiles.iter_mut().enumerate() {
                for (r, slot) in tile.iter_mut().enumerate() {
                    *slot = if r < rows { planes.rows[(start + r) * planes.count + j].0[word] } else { 0 };
                }
                transpose(tile);
            }
            for bit in 0..64.min(sources - word * 64) {
                let at = (word * 64 + bit) * n + start;
                write_row(&mut out[at..at + rows], &tiles, bit, spread);
            }
        }
    }
}

/// Up to 64 distances of one source.
#[inline]
fn write_row(out: &mut [u8], tiles: &[[u64; 64]], bit: usize, spread: &[u64; 256]) {
    let mut bytes = [0u8; 64];
    for (group, eight) in bytes.chunks_exact_mut(8).enumerate() {
        let mut value = 0;
        for (j, tile) in tiles.iter().enumerate() {
            value |= spread[(tile[bit] >> (group * 8)) as usize & 0xff] << j;
        }
        eight.copy_from_slice(&value.to_le_bytes());
    }
    out.copy_from_slice(&bytes[..out.len()]);
}

/// Bit `i` of the index becomes byte `i`.
fn spread_table() -> [u64; 256] {
    let mut table = [0u64; 256];
    for (index, entry) in table.iter_mut().enumerate() {
        *entry = (0..8).filter(|i| index >> i & 1 == 1).map(|i| 1u64 << (8 * i)).sum();
    }
    table
}

/// Exchanges bit `j` of word `i` with bit `i` of word `j`: six rounds of block swaps.
fn transpose(tile: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while width > 0 {
        let mut i = 0;
        while i < 64 {
            for k in i..i + width {
                let swap = (tile[k] >> width ^ tile[k + width]) & mask;
                tile[k] ^= swap << width;
                tile[k + width] ^= swap;
            }
            i += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}
