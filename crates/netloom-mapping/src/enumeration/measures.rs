//! What an order does to a communicator: how far a ring steps, and at which level pairs meet (Swartvagher 2023 §3.3).

use netloom_model::Levels;

/// 1 for every step from a rank to the next, and 1 for each level that it crosses; no step from the last to the first.
/// O(ranks × levels).
pub fn ring_cost(levels: &Levels, cores: &[u32]) -> u64 {
    let strides = levels.strides();
    let containers = &strides[..levels.depth() - 1];
    let crossed = |a: u32, b: u32| containers.iter().filter(|stride| a / **stride != b / **stride).count() as u64;
    cores.windows(2).map(|pair| 1 + crossed(pair[0], pair[1])).sum()
}

/// Pairs that meet inside each level, the lowest first. O(ranks × (levels + log ranks)).
pub fn pairs(levels: &Levels, cores: &[u32]) -> Vec<u64> {
    let mut sorted = cores.to_vec();
    sorted.sort_unstable();
    // Pairs inside the units of a level contain those inside the units of the level below it.
    let inside = |unit: u32| -> u64 {
        let runs = sorted.chunk_by(|a, b| a / unit == b / unit).map(|run| run.len() as u64);
        runs.map(|ranks| ranks * (ranks - 1) / 2).sum()
    };
    let mut units = levels.strides();
    units.pop();
    units.insert(0, levels.count());
    let mut below = 0;
    let counted = units.into_iter().rev().map(|unit| {
        let all = inside(unit);
        all - std::mem::replace(&mut below, all)
    });
    counted.collect()
}

/// The pairs in percent; zeros for a communicator of one rank, which has no pairs.
pub fn pairs_percent(levels: &Levels, cores: &[u32]) -> Vec<f64> {
    let found = pairs(levels, cores);
    let all: u64 = found.iter().sum::<u64>().max(1);
    found.iter().map(|count| 100.0 * *count as f64 / all as f64).collect()
}

/// Sizes of the hierarchy that some cores form, ascending, without levels of one unit; `None` if units of a level differ.
/// O(cores × levels).
pub fn shape(levels: &Levels, cores: &[u32]) -> Option<Vec<u32>> {
    let strides = levels.strides();
    let mut around = levels.count();
    let mut sizes = Vec::new();
    for stride in strides {
        let mut counts = cores
            .chunk_by(|a, b| a / around == b / around)
            .map(|unit| unit.chunk_by(|a, b| a / stride == b / stride).count() as u32);
        let first = counts.next()?;
        if counts.any(|count| count != first) {
            return None;
        }
        if first > 1 {
            sizes.push(first);
        }
        around = stride;
    }
    Some(sizes)
}
