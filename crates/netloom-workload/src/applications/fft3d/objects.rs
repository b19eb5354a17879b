//! Which rank each object is on.

use netloom_model::fault::codes as model;
use netloom_model::{Bound, Fault, Outcome};

use super::decomposition::Layout;

/// Objects of each layout by rank.
pub(super) struct Objects {
    /// Rank of each object: of D1, D2 and D3.
    ranks: [Vec<u32>; 3],
    /// Objects of each rank, of the same layouts.
    held: [Vec<Vec<u32>>; 3],
}

impl Objects {
    /// O(objects + ranks).
    ///
    /// # Errors
    /// `NL-A007` for a list that leaves objects out or names ranks that are not there.
    pub fn new(bound: &Bound, ranks: u32, objects: u32) -> Outcome<Objects> {
        let given = bound.ints("mapping");
        let lists: [Vec<u32>; 3] = if given.is_empty() {
            let of = |object: u32| match bound.text("mapping") {
                "block" => (u64::from(object) * u64::from(ranks) / u64::from(objects)) as u32,
                _ => object % ranks,
            };
            let one: Vec<u32> = (0..objects).map(of).collect();
            [one.clone(), one.clone(), one]
        } else {
            listed(&given, ranks, objects as usize)?
        };
        let held = [0, 1, 2].map(|layout| {
            let mut held = vec![Vec::new(); ranks as usize];
            (0u32..).zip(&lists[layout]).for_each(|(object, rank): (u32, &u32)| held[*rank as usize].push(object));
            held
        });
        Ok(Objects { ranks: lists, held })
    }

    pub fn rank(&self, layout: Layout, object: u32) -> u32 {
        self.ranks[number(layout)][object as usize]
    }

    /// Objects of a rank, ascending.
    pub fn of(&self, layout: Layout, rank: u32) -> &[u32] {
        &self.held[number(layout)][rank as usize]
    }
}

/// Bricks are where the objects of D1 are.
fn number(layout: Layout) -> usize {
    match layout {
        Layout::Bricks | Layout::D1 => 0,
        Layout::D2 => 1,
        Layout::D3 => 2,
    }
}

fn listed(given: &[i64], ranks: u32, objects: usize) -> Outcome<[Vec<u32>; 3]> {
    let place = "fft3d.mapping";
    if given.len() != objects && given.len() != 3 * objects {
        let expected = format!("the rank of each of {objects} objects, or three such lists behind one another");
        return Err(Fault::new(&model::BAD_VALUE, place, expected, format!("{} numbers", given.len())).into());
    }
    if let Some(at) = given.iter().position(|rank| *rank >= i64::from(ranks)) {
        let expected = format!("a rank from 0 to {}", ranks - 1);
        return Err(Fault::new(&model::BAD_VALUE, format!("{place}[{at}]"), expected, given[at]).into());
    }
    let list = |layout: usize| {
        let start = if given.len() == objects { 0 } else { layout * objects };
        given[start..start + objects].iter().map(|rank| *rank as u32).collect()
    };
    Ok([list(0), list(1), list(2)])
}
