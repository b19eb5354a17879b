//! Whether up*/down* paths join all switches that have endpoints.

use netloom_model::Network;
use netloom_model::deadlock::ends;

use super::d_mod_k::has_levels;

/// Destinations that are looked at together, as words of bits.
const WORDS: usize = 8;
const BLOCK: usize = WORDS * u64::BITS as usize;

type LegalRow = [u64; WORDS];

fn join(row: &mut LegalRow, other: &LegalRow) {
    row.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

/// True if the network has levels, and every two switches with endpoints have a path that first climbs and then
/// descends. O(links · switches with endpoints / 512), 64 bytes per switch.
pub fn is_joined_by_levels(network: &Network) -> bool {
    let Some(levels) = network.structure().levels.as_ref().filter(|_| has_levels(network)) else { return false };
    let ends = ends(network);
    let mut order: Vec<u32> = (0..network.switches()).collect();
    order.sort_by_key(|s| levels[*s as usize]);
    ends.chunks(BLOCK).all(|block| {
        let mut rows = vec![LegalRow::default(); levels.len()];
        for (bit, end) in block.iter().enumerate() {
            rows[*end as usize][bit / 64] |= 1 << (bit % 64);
        }
        // Ends below: from the bottom up. Ends on legal paths: those, and the ones of every switch above.
        for up in [false, true] {
            let pass = |at: u32, rows: &mut Vec<LegalRow>| {
                let mut row = rows[at as usize];
                let level = levels[at as usize];
                for other in network.neighbours(at) {
                    if (levels[*other as usize] > level) == up {
                        join(&mut row, &rows[*other as usize]);
                    }
                }
                rows[at as usize] = row;
            };
            if up {
                order.iter().rev().for_each(|at| pass(*at, &mut rows));
            } else {
                order.iter().for_each(|at| pass(*at, &mut rows));
            }
        }
        let full = |row: &LegalRow| row.iter().map(|word| word.count_ones() as usize).sum::<usize>() == block.len();
        ends.iter().all(|end| full(&rows[*end as usize]))
    })
}
