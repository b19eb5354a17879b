//! Swing: partners on alternating sides, at distances 1, -1, 3, -5, 11, ... (De Sensi, Bonato, Saam & Hoefler, "Swing:
//! short-cutting rings for higher bandwidth allreduce", NSDI 2024). Bine trees use the same partners (De Sensi et al.,
//! arXiv 2508.17311).

use netloom_model::schedule::BlockRange;

use crate::counts::log_ceil;
use crate::plan::{Builder, Plan};

/// `(1 - (-2)^(s+1)) / 3 mod p`: even ranks swap with `r + distance`, odd ones with `r - distance`.
fn distance(s: u32, p: u64) -> u64 {
    ((1 - (-2i64).pow(s + 1)) / 3).rem_euclid(p as i64) as u64
}

/// `r + o` for even `r`, `r - o` for odd: odd ranks are mirror images of even ones.
fn placed(r: u64, o: u64, p: u64) -> u32 {
    ((if r.is_multiple_of(2) { r + o } else { r + p - o }) % p) as u32
}

/// Allgather on an even number of ranks, far partners first. In every step a rank sends the blocks that it holds and its
/// partner lacks; an even rank that holds `r + H` faces one that holds `r + d - H`. Every block comes once.
pub(crate) fn allgather(ranks: u32) -> Plan {
    let p = u64::from(ranks);
    let steps = log_ceil(p, 2);
    let mut builder = Builder::new(ranks, ranks);
    let (mut held, mut has) = (vec![0u64], vec![false; ranks as usize]);
    has[0] = true;
    for t in 0..steps {
        let d = distance(steps - 1 - t, p);
        let sent: Vec<u64> = held.iter().copied().filter(|o| !has[((d + p - o) % p) as usize]).collect();
        for r in 0..p {
            let mut blocks: Vec<u32> = sent.iter().map(|o| placed(r, *o, p)).collect();
            blocks.sort_unstable();
            let blocks: Vec<BlockRange> = blocks.into_iter().map(|first| BlockRange { first, count: 1 }).collect();
            builder.send(t, r as u32, placed(r, d, p), &blocks, false);
        }
        for o in sent {
            let arrived = (d + p - o) % p;
            has[arrived as usize] = true;
            held.push(arrived);
        }
    }
    builder.finish(steps)
}

/// Broadcast on a power of two: whoever has the message swaps with its partner, far partners first.
pub(crate) fn tree(ranks: u32) -> Plan {
    let p = u64::from(ranks);
    let steps = log_ceil(p, 2);
    let mut builder = Builder::new(ranks, 1);
    let mut informed = vec![0u32];
    for t in 0..steps {
        let d = distance(steps - 1 - t, p);
        for i in 0..informed.len() {
            let to = placed(u64::from(informed[i]), d, p);
            builder.send_run(t, informed[i], to, 0, 1, false);
            informed.push(to);
        }
    }
    builder.finish(steps)
}
