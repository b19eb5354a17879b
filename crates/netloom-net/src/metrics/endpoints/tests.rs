use netloom_model::{Call, Network, Progress};

use super::endpoint_bisection;
use super::halving::moved;
use crate::registry;

fn network(text: &str) -> Network {
    registry::build(&Call::parse(text).unwrap()).unwrap()
}

fn cut(network: &Network) -> (f64, f64, bool) {
    let found = endpoint_bisection(network, None, 0, &Progress::default()).unwrap();
    (found.cables.lower, found.cables.upper, found.cables.exact)
}

#[test]
fn trees_by_closed_form() {
    let values = [
        ("fat_tree(radix=16,levels=3,top=\"full\")", 512.0),
        ("fat_tree(radix=8,levels=3)", 32.0),
        ("k_ary_n_tree(k=4,n=3)", 32.0),
        ("thin_tree(down=8,up=4,levels=4)", 256.0),
        ("thin_tree(down=4,up=2,levels=3)", 8.0),
        ("star(6,p=4)", 3.0),
        ("star(5,p=4)", 4.0),
        ("xgft(m=[4,4,2],w=[1,1,8])", 4.0),
    ];
    for (text, cables) in values {
        assert_eq!(cut(&network(text)), (cables, cables, true), "{text}");
    }
}

#[test]
fn a_closed_form_is_what_all_choices_of_sides_give() {
    let mut compared = 0;
    for m in [[1, 2], [2, 2], [3, 2], [2, 3], [3, 3], [4, 3], [1, 5], [2, 4], [5, 5], [4, 5]] {
        for w in 1..=4 {
            for parallel in 1..=2 {
                let known = network(&format!("xgft(m=[{},{}],w=[1,{w}],parallel=[1,{parallel}])", m[0], m[1]));
                assert_eq!(cut(&known), cut(&known.without_structure()), "{}", known.label());
                compared += 1;
            }
        }
    }
    for (m, w) in
        [([2, 2, 2], [1, 1]), ([2, 2, 3], [1, 2]), ([1, 3, 2], [2, 2]), ([3, 3, 2], [1, 1]), ([4, 2, 2], [2, 1])]
    {
        let text = format!("xgft(m=[{},{},{}],w=[1,{},{}])", m[0], m[1], m[2], w[0], w[1]);
        assert_eq!(cut(&network(&text)), cut(&network(&text).without_structure()), "{text}");
        compared += 1;
    }
    assert_eq!(compared, 85);
}

#[test]
fn equal_switches_halve_like_their_endpoints() {
    assert_eq!(cut(&network("torus(8,8)")), (16.0, 16.0, true));
    assert_eq!(cut(&network("hypercube(6,p=3)")), (32.0, 32.0, true));
    // One switch of nine is divided: two of its endpoints are cut from it.
    assert_eq!(cut(&network("complete(9,p=5)")), (22.0, 22.0, true));
    assert_eq!(cut(&network("complete(1,p=5)")), (2.0, 2.0, true));
}

#[test]
fn speeds_count_where_they_differ() {
    let network = network("dragonfly(a=2,p=1,h=1,g=3,bandwidth=\"10 Gbps\",global_bandwidth=\"40 Gbps\")");
    let found = endpoint_bisection(&network, None, 0, &Progress::default()).unwrap();
    assert!(found.bytes_per_s.exact && found.bytes_per_s.lower % 1.25e9 == 0.0);
}

#[test]
fn fewest_cut_from_switch() {
    assert_eq!(moved(&[4, 4, 0]).moved, 0);
    assert_eq!(moved(&[4, 4, 4]).moved, 2);
    assert_eq!(moved(&[5, 3, 2]).moved, 0);
    assert_eq!(moved(&[1, 7]).moved, 3);
    assert_eq!(moved(&[]).moved, 0);
}

#[test]
fn halves_of_the_groups_are_a_cut_that_is_known() {
    // Between two halves of the groups there are the cables of their pairs: g²/4 pairs of spines · h / (g - 1), about.
    for (text, most) in [
        ("dragonfly_plus(leaves=8,spines=8,h=8,g=4,p=8)", 4 * 64usize.div_ceil(3)),
        ("dragonfly_plus(leaves=16,spines=16,h=16,g=4,p=16)", 4 * 256usize.div_ceil(3)),
    ] {
        let network = network(text);
        let side = |switch: u32| network.structure().groups.as_ref().unwrap()[switch as usize] < 2;
        let across = network.tails().iter().zip(network.heads()).filter(|(a, b)| side(**a) && !side(**b)).count();
        let (lower, upper, _) = cut(&network);
        assert!(across <= most && lower <= upper && upper <= across as f64, "{text}: {lower} to {upper} for {across}");
    }
}

#[test]
fn a_cut_of_the_switches_that_halves_the_endpoints_bounds_theirs() {
    let network = network("dragonfly_plus(leaves=4,spines=4,h=4,g=5,p=4)");
    let switches = crate::metrics::bisection(&network, 0, &Progress::default()).unwrap();
    let known = switches.equal_endpoints.filter(|cables| *cables > 0).unwrap_or(u64::MAX) as f64;
    let found = endpoint_bisection(&network, Some(switches), 0, &Progress::default()).unwrap();
    assert!(found.cables.upper <= known, "{:?} for {known}", found.cables);
}
