//! One path of a rule, drawn by a random word, each with its share.

use std::collections::HashMap;

use netloom_model::steps::choose;
use netloom_model::{Split, Step, Way};

/// Does what [`choose`] does, keeping what randomness remains within the weight rather than within the place.
#[inline]
fn turn(draw: &mut u64, weights: &[u64]) -> usize {
    let (i, place) = choose(draw, weights);
    let weight = u128::from(weights.get(i).copied().unwrap_or(1).max(1));
    *draw = (((u128::from(place) << 64) | u128::from(*draw)) / weight) as u64;
    i
}

/// Appends a path from `start` and returns its last link. Nothing is appended if the rule goes nowhere.
pub fn one(way: &dyn Way, start: u64, split: Split, mut draw: u64, out: &mut Vec<u32>) -> u32 {
    let (mut steps, mut weights) = (Vec::with_capacity(4), Vec::new());
    let (mut at, mut last) = (start, 0);
    loop {
        steps.clear();
        way.steps(at, &mut steps);
        let step = match steps[..] {
            [] => return last,
            [only] => only,
            _ => {
                weights.clear();
                if split == Split::Hops {
                    weights.resize(steps.len(), 1);
                } else if !way.weights(at, &steps, &mut weights) {
                    return counted(way, at, draw, out);
                }
                steps[turn(&mut draw, &weights)]
            }
        };
        out.push(step.link);
        (at, last) = (step.place, step.link);
    }
}

/// Draws by the number of paths from every place that is on one: those of fewer than 2^53 paths are equally likely to within
/// 2^-11, those of more to within the rounding of a float.
fn counted(way: &dyn Way, start: u64, draw: u64, out: &mut Vec<u32>) -> u32 {
    let mut number: HashMap<u64, usize> = HashMap::from([(start, 0)]);
    let mut places = vec![start];
    // Steps of each place, one place after another, with the number of the place that each leads to.
    let mut steps: Vec<(Step, usize)> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(&place) = places.get(next) {
        next += 1;
        found.clear();
        way.steps(place, &mut found);
        for step in &found {
            let to = *number.entry(step.place).or_insert_with(|| {
                places.push(step.place);
                places.len() - 1
            });
            steps.push((*step, to));
        }
        ends.push(steps.len());
    }
    let of = |i: usize| if i == 0 { 0..ends[0] } else { ends[i - 1]..ends[i] };
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|i| way.remaining(places[*i]));
    let mut paths = vec![0f64; places.len()];
    for i in order {
        paths[i] = if of(i).is_empty() { 1.0 } else { steps[of(i)].iter().map(|s| paths[s.1]).sum() };
    }
    let total = paths[0];
    let unit = || (draw >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
    let whole = |total: u64| ((u128::from(draw) * u128::from(total)) >> 64) as f64;
    let mut k = if total < (1u64 << 53) as f64 { whole(total as u64) } else { unit() * total };
    let (mut at, mut last) = (0, 0);
    while let Some((step, to)) = pick(&steps[of(at)], &paths, &mut k) {
        out.push(step.link);
        (at, last) = (to, step.link);
    }
    last
}

/// The step that holds path `k`, which becomes the number within it.
fn pick(steps: &[(Step, usize)], paths: &[f64], k: &mut f64) -> Option<(Step, usize)> {
    for (i, &(step, to)) in steps.iter().enumerate() {
        if *k < paths[to] || i + 1 == steps.len() {
            return Some((step, to));
        }
        *k -= paths[to];
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use netloom_model::{Call, PathList};

    use crate::routing::build;

    /// Draws by words spread evenly over all 64-bit numbers: a path whose share is an interval of them is met its share
    /// of times, one more or one less at each interval's ends.
    fn assert_shares(network: &str, call: &str) -> usize {
        let network = Arc::new(crate::build(&Call::parse(network).unwrap()).unwrap());
        let routing = build(&network, &Call::parse(call).unwrap()).unwrap();
        let (mut list, mut most) = (PathList::new(), 0);
        let asked = |s: &u32| call.starts_with("minimal") || !network.endpoints_of(*s).is_empty();
        for s in (0..network.switches()).filter(asked) {
            for d in (0..network.switches()).filter(asked) {
                routing.list(s, d, &mut list).unwrap();
                most = most.max(list.len());
                let words = 16 * list.len() as u64 + 1;
                let mut left: BTreeMap<Vec<u32>, (f64, f64)> = BTreeMap::new();
                for (links, share) in list.iter() {
                    let slot = left.entry(links.to_vec()).or_default();
                    *slot = (slot.0 + share * words as f64, slot.1 + 1.0);
                }
                for i in 0..words {
                    let word = ((u128::from(2 * i + 1) << 63) / u128::from(words)) as u64;
                    let mut links = vec![7];
                    routing.draw(s, d, word, &mut links).unwrap();
                    let path = left.get_mut(&links[1..]).unwrap_or_else(|| panic!("{call}: {links:?} is not listed"));
                    path.0 -= 1.0;
                }
                for (links, (count, intervals)) in left {
                    assert!(count.abs() <= intervals + 1e-6, "{call} {s} to {d}: {links:?} off by {count}");
                }
            }
        }
        most
    }

    #[test]
    fn draws_have_their_shares() {
        for network in ["torus(4,5)", "mesh(3,4)", "torus(2,3,4)", "hypercube(4)", "hyperx(4,3)", "circulant(16,1,3)"] {
            assert!(assert_shares(network, "minimal") > 1);
            assert!(assert_shares(network, "minimal(split=hops)") > 1);
            assert_eq!(assert_shares(network, "single-minimal(tie=seeded)"), 1);
            assert!(assert_shares(network, "valiant(samples=5)") > 1);
            assert!(assert_shares(network, "up-down") > 1);
        }
        assert!(assert_shares("torus(4,4)", "dimension-ordered(tie=split)") > 1);
        assert!(assert_shares("hyperx([3,3],parallel=[1,2])", "minimal") > 1);
        for network in ["fat_tree(radix=4,levels=3)", "thin_tree(down=4,up=2,levels=3)", "dragonfly(a=4,p=1,h=2,g=9)"] {
            assert!(assert_shares(network, "minimal") > 1);
            assert!(assert_shares(network, "up-down") > 1);
            assert!(assert_shares(network, "up-down(root=3)") > 1);
            assert!(assert_shares(network, "valiant(mixture=uniform)") > 1);
        }
        for tree in ["xgft(m=[1,3,2,2],w=[1,2,3,2],parallel=[1,2,1,1])", "k_ary_n_tree(k=2,n=3)"] {
            assert!(assert_shares(tree, "minimal") > 1);
            assert_eq!(assert_shares(tree, "d-mod-k"), 1);
        }
    }

    /// 48!/(16!)³ paths are not listed, and yet one of them is drawn.
    #[test]
    fn more_paths_than_can_be_listed() {
        let network = Arc::new(crate::build(&Call::parse("torus(33,33,33)").unwrap()).unwrap());
        let routing = build(&network, &Call::bare("minimal")).unwrap();
        let far = 16 * 33 * 33 + 16 * 33 + 16;
        assert_eq!(routing.list(0, far, &mut PathList::new()).unwrap_err().0[0].code, "NL-R004");
        let mut firsts = [0u32; 3];
        for i in 0..300u64 {
            let mut links = Vec::new();
            routing.draw(0, far, i.wrapping_mul(0x9e37_79b9_7f4a_7c15), &mut links).unwrap();
            assert_eq!(links.len(), 48);
            let first = network.heads()[links[0] as usize];
            firsts[[1, 33, 33 * 33].iter().position(|s| *s == first).unwrap()] += 1;
        }
        assert!(firsts.iter().all(|f| f.abs_diff(100) <= 2), "{firsts:?}");
    }
}
