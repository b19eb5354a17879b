//! Channel dependencies of a rule with few places per switch: as [`netloom_model::steps::dependencies`], on flat arrays.

use netloom_model::{Step, Way};

/// Numbers of hops made, 0 to 255: one bit each.
type HopSet = [u64; 4];

/// Places are below `size`. With `by_hops` a packet's channel is the number of hops that it has made. O(places · degree²).
///
/// # Errors
/// A source without a route.
pub fn dependencies(
    way: &dyn Way,
    size: usize,
    sources: impl Iterator<Item = u32>,
    by_hops: bool,
    visit: &mut dyn FnMut((u32, u8), (u32, u8)),
) -> Result<(), u32> {
    let mut seen = vec![false; size];
    let mut made = vec![HopSet::default(); if by_hops { size } else { 0 }];
    let (mut places, mut starts) = (Vec::new(), Vec::new());
    for source in sources {
        starts.clear();
        way.starts(source, &mut starts);
        if starts.is_empty() {
            return Err(source);
        }
        for &start in &starts {
            if by_hops {
                made[start as usize][0] |= 1;
            }
            if !std::mem::replace(&mut seen[start as usize], true) {
                places.push(start);
            }
        }
    }
    let (mut steps, mut then): (Vec<Step>, Vec<Step>) = Default::default();
    let mut next = 0;
    while let Some(&place) = places.get(next) {
        next += 1;
        steps.clear();
        way.steps(place, &mut steps);
        for step in &steps {
            if !std::mem::replace(&mut seen[step.place as usize], true) {
                places.push(step.place);
            }
        }
    }
    // Far places first: by then all numbers of hops that packets have made there are known.
    places.sort_by_key(|place| std::cmp::Reverse(way.remaining(*place)));
    for place in places {
        steps.clear();
        way.steps(place, &mut steps);
        for &step in &steps {
            then.clear();
            way.steps(step.place, &mut then);
            if !by_hops {
                then.iter().for_each(|t| visit((step.link, step.channel), (t.link, t.channel)));
                continue;
            }
            let hops = made[place as usize];
            one_more(&mut made[step.place as usize], hops);
            for t in &then {
                each(hops, |h| visit((step.link, h), (t.link, h + 1)));
            }
        }
    }
    Ok(())
}

/// Adds to `to` what `hops` become by one hop.
fn one_more(to: &mut HopSet, hops: HopSet) {
    let mut carry = 0;
    for (to, word) in to.iter_mut().zip(hops) {
        *to |= word << 1 | carry;
        carry = word >> 63;
    }
}

fn each(hops: HopSet, mut visit: impl FnMut(u8)) {
    for (word, mut bits) in (0u32..).zip(hops) {
        while bits != 0 {
            visit((word * 64 + bits.trailing_zeros()) as u8);
            bits &= bits - 1;
        }
    }
}
