//! Whether combinations keep the order of the ranks, as an operation that is not commutative needs: every combination joins
//! neighbouring runs of ranks.

use std::ops::Range;

use netloom_model::{Collective, Outcome, Schedule};

use super::listed;
use super::listed::List;

/// A block that comes to a rank and is combined there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Of the transfers, in order of step.
    pub transfer: u32,
    pub block: u32,
    /// The lowest rank that it counts.
    pub lowest: u32,
    /// It counts lower ranks than what the receiver has.
    pub below: bool,
}

/// Merges `pieces` with `own`, in any order; `None` if they do not form a run of ranks.
fn joined(own: Range<u32>, mut pieces: Vec<Range<u32>>) -> Option<Range<u32>> {
    pieces.push(own);
    pieces.retain(|piece| !piece.is_empty());
    pieces.sort_by_key(|piece| piece.start);
    let touching = pieces.windows(2).all(|pair| pair[0].end == pair[1].start);
    let (first, last) = (pieces.first()?, pieces.last()?);
    touching.then_some(first.start..last.end)
}

/// Every block that comes to `rank` and is combined, if every combination of the schedule joins neighbouring runs of
/// ranks; else `None`. What arrives in one step may be taken in any order, and is combined with the receiver's data before
/// the next step. O(ranks · blocks + Σ blocks carried · log).
///
/// # Errors
/// As [`listed`].
pub fn arrivals(schedule: &Schedule, rank: u32) -> Outcome<Option<Vec<Arrival>>> {
    let schedule = listed(schedule)?;
    let Some(list) = List::of(&schedule) else { return Ok(None) };
    let blocks = schedule.blocks.count();
    let slot = |rank: u32, block: u32| (u64::from(rank) * blocks + u64::from(block)) as usize;
    let (ranks, members) = (0..schedule.ranks, schedule.members());
    let mut running: Vec<Range<u32>> =
        ranks.flat_map(|r| (0..blocks).map(move |_| r..if r < members { r + 1 } else { r })).collect();
    let mut results = match schedule.collective {
        Collective::Exscan => vec![0..0; running.len()],
        _ => running.clone(),
    };
    let scan = matches!(schedule.collective, Collective::Scan | Collective::Exscan);
    let mut own = Vec::new();
    for step in 0..schedule.steps as usize {
        let before = running.clone();
        let mut arrived = vec![(Vec::new(), Vec::new()); running.len()];
        for (at, t) in list.step(step).iter().enumerate() {
            for block in list.blocks(t) {
                let (to, carried) = (slot(t.dst, block), before[slot(t.src, block)].clone());
                if !t.combine {
                    running[to] = carried;
                    continue;
                }
                if t.dst == rank {
                    let (transfer, lowest) = (list.offsets[step] + at as u32, carried.start);
                    own.push(Arrival { transfer, block, lowest, below: lowest < before[to].start });
                }
                arrived[to].0.push(carried.clone());
                if scan && t.src < t.dst {
                    arrived[to].1.push(carried);
                }
            }
        }
        for (to, (all, lower)) in arrived.into_iter().enumerate() {
            for (own, pieces) in [(&mut running[to], all), (&mut results[to], lower)] {
                if pieces.is_empty() {
                    continue;
                }
                match joined(own.clone(), pieces) {
                    Some(run) => *own = run,
                    None => return Ok(None),
                }
            }
        }
    }
    Ok(Some(own))
}
